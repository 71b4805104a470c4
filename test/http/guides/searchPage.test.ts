/** What the search of the documentation shows of a text. */
import { describe, expect, it } from "vitest"
import { excerpt } from "../../../src/http/guides/searchPage.ts"
import { guideLimits } from "../../../src/http/guides/limits.ts"

const { longestExcerpt } = guideLimits
const filler = "Nothing of interest stands here. ".repeat(40)

describe("an excerpt", () => {
  it("is a short text as it is, without the signs of Markdown", () => {
    expect(excerpt("A `start`  is\n**answered** once.", ["start"])).toBe("A start is answered once.")
  })

  it("stands around the first word that was met, in any case, and begins with a whole word", () => {
    const shown = excerpt(`${filler}The Receiver answers within ten seconds. ${filler}`, ["answers", "receiver"])
    expect(shown).toMatch(/^… \w.*The Receiver answers within ten seconds\..* …$/)
    expect(shown.indexOf("Receiver")).toBeLessThan(guideLimits.longestLead + 10)
    expect(shown.length).toBeLessThanOrEqual(longestExcerpt + "… ".length + " …".length)
  })

  it("is the beginning where the words were met in the title alone, and the end where nothing follows", () => {
    expect(excerpt(filler, ["elsewhere"])).toBe(`${filler.trim().slice(0, longestExcerpt)} …`)
    expect(excerpt(`${filler}At last the key.`, ["key"])).toMatch(/^… .*At last the key\.$/)
  })
})
