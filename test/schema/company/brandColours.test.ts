/** The colours that are made of a brand's colour, against the contrast that WCAG 2.2 demands and the app's style sheet. */
import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { describe, expect } from "vitest"
import { brandColours, brandGrounds } from "../../../src/schema/company/brandColours.ts"
import { contrastOf } from "../../support/contrast.ts"

const css = readFileSync(new URL("../../../src/http/app/browser/colours.css", import.meta.url), "utf8")

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)

describe("a brand's colour", () => {
  it("can be read on every ground of light and dark pages, whatever the company chose", () => {
    fc.assert(
      fc.property(hex, (colour) => {
        const colours = brandColours(colour)
        for (const theme of ["light", "dark"] as const) {
          const { accent, onAccent } = colours[theme]
          for (const ground of brandGrounds[theme]) expect(contrastOf(accent, ground)).toBeGreaterThanOrEqual(4.5)
          expect(contrastOf(onAccent, accent)).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: 2000 }
    )
  })

  it("stays as it is where it can be read already", () => {
    expect(brandColours("#1a56ab").light).toEqual({ accent: "#1a56ab", onAccent: "#ffffff" })
    expect(brandColours("#8ab8ff").dark).toEqual({ accent: "#8ab8ff", onAccent: "#000000" })
  })

  it("is darkened no more than it takes: one shade less could not be read", () => {
    const { accent } = brandColours("#ffd400").light
    const shades = Array.from({ length: 65 }, (_, step) => mixedWithBlack("#ffd400", step / 64))
    const at = shades.indexOf(accent)
    expect(at).toBeGreaterThan(0)
    expect(brandGrounds.light.some((ground) => contrastOf(shades[at - 1] ?? "", ground) < 4.5)).toBe(true)
  })

  it("keeps black black and white white as far as pages allow", () => {
    expect(brandColours("#000000").light).toEqual({ accent: "#000000", onAccent: "#ffffff" })
    expect(brandColours("#ffffff").dark).toEqual({ accent: "#ffffff", onAccent: "#000000" })
  })

  it("takes upper and lower case alike", () => {
    expect(brandColours("#ABCDEF")).toEqual(brandColours("#abcdef"))
  })
})

it("the grounds are those of the app's style sheet", () => {
  const themes = [...css.matchAll(/\{([^{}]*--page:[^{}]*)\}/g)].map(([, block = ""]) =>
    ["page", "card", "tint"].map((name) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(block)?.[1])
  )
  expect(themes).toEqual([brandGrounds.light, brandGrounds.dark])
})

const mixedWithBlack = (colour: string, share: number): string =>
  `#${[1, 3, 5]
    .map((at) => Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * (1 - share)))
    .map((part) => part.toString(16).padStart(2, "0"))
    .join("")}`
