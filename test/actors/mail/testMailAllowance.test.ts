import { describe, expect, it } from "vitest"
import { makeAllowance, mostTestMailsAnHour } from "../../../src/actors/mail/testMailAllowance.ts"

const hour = 3_600_000

describe("mail about test journeys", () => {
  it("is limited for each company by itself, and begins anew with every hour", () => {
    const isAllowed = makeAllowance()
    const asked = Array.from({ length: mostTestMailsAnHour + 5 }, (_, at) => isAllowed("one", at))
    expect(asked.filter(Boolean)).toHaveLength(mostTestMailsAnHour)
    expect(asked.at(-1)).toBe(false)
    expect(isAllowed("other", 10)).toBe(true)
    expect(isAllowed("one", hour - 1)).toBe(false)
    expect(isAllowed("one", hour)).toBe(true)
  })
})
