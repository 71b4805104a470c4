/** The contrast of the app's colours, as level AA of WCAG 2.2 demands it (1.4.3 for text, 1.4.11 for the edges of controls). */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const css = readFileSync(new URL("../../../src/http/app/browser/colours.css", import.meta.url), "utf8")

type Colours = ReadonlyMap<string, string>

/** The blocks that set colours: light, then dark. */
const themes = [...css.matchAll(/\{([^{}]*--page:[^{}]*)\}/g)].map(
  ([, block = ""]): Colours =>
    new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name = "", value = ""]) => [name, value]))
)

/** WCAG 2.2, "relative luminance". */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (theme: Colours, one: string, other: string): number => {
  const [dark = 0, light = 0] = [one, other].map((name) => luminance(theme.get(name) ?? "")).toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const texts = [
  ...["page", "card", "tint", "bad-tint"].map((ground) => ["text", ground] as const),
  ...["page", "card", "tint"].map((ground) => ["soft", ground] as const),
  ...["page", "card", "tint"].map((ground) => ["accent", ground] as const),
  ...["page", "card"].flatMap((ground) => (["good", "bad", "test"] as const).map((name) => [name, ground] as const)),
  ["bad", "bad-tint"],
  ["on-accent", "accent"]
] as const

describe.each([
  ["light", themes[0]],
  ["dark", themes[1]]
])("the %s colours", (_, theme) => {
  it.each(texts)("show %s on %s", (name, ground) => {
    expect(contrast(theme ?? new Map(), name, ground)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(["page", "card"])("show the edges of controls on %s", (ground) => {
    expect(contrast(theme ?? new Map(), "edge", ground)).toBeGreaterThanOrEqual(3)
  })
})
