/** Which of our languages a browser likes best (RFC 9110, 12.5.4). */
import { describe, expect, it } from "vitest"
import { preferredLanguage } from "../../../src/http/server/pages/acceptLanguage.ts"

const ours = ["en", "cy", "pl", "ro"] as const

describe("Accept-Language", () => {
  it.each([
    ["pl", "pl"],
    ["pl-PL,pl;q=0.9,en;q=0.8", "pl"],
    ["de-DE, cy;q=0.3, ro;q=0.7", "ro"],
    ["RO-MD", "ro"],
    ["en;q=0.2, cy ; q=0.9", "cy"],
    ["cy;q=0.5, pl;q=0.5", "cy"]
  ])("%s means %s", (header, language) => {
    expect(preferredLanguage(header, ours)).toBe(language)
  })

  it.each([
    undefined,
    "",
    "de, fr;q=0.9",
    "*",
    "cy;q=0",
    "pl;q=2",
    "cy;q=x",
    ",,;;",
    "english",
    `${"de,".repeat(40)}cy`
  ])("%j means none of ours", (header) => {
    expect(preferredLanguage(header, ours)).toBeNull()
  })
})
