/** The contrast of the app's colours, as level AA of WCAG 2.2 demands it (1.4.3 for text, 1.4.11 for the edges of controls). */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { contrastOf } from "../../support/contrast.ts"

const css = readFileSync(new URL("../../../src/http/app/browser/colours.css", import.meta.url), "utf8")

type Colours = ReadonlyMap<string, string>

/** The blocks that set colours: light, then dark. */
const themes = [...css.matchAll(/\{([^{}]*--page:[^{}]*)\}/g)].map(
  ([, block = ""]): Colours =>
    new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name = "", value = ""]) => [name, value]))
)

const contrast = (theme: Colours, one: string, other: string): number =>
  contrastOf(theme.get(one) ?? "", theme.get(other) ?? "")

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
