/** The limit of mail about test journeys. */
import { describe, expect, it } from "vitest"
import { mailLimits } from "../../../src/actors/mail/limits.ts"
import { makeTestMailAllowance } from "../../../src/actors/mail/allowances/testMailAllowance.ts"
import { CompanyId } from "../../../src/schema/ids.ts"

const hour = 3_600_000

describe("mail about test journeys", () => {
  it("is limited for each company by itself, and begins anew with every hour", () => {
    const isAllowed = makeTestMailAllowance()
    const asked = Array.from({ length: mailLimits.mostTestMails + 5 }, (_, at) => isAllowed(CompanyId.make("one"), at))
    expect(asked.filter(Boolean)).toHaveLength(mailLimits.mostTestMails)
    expect(asked.at(-1)).toBe(false)
    expect(isAllowed(CompanyId.make("other"), 10)).toBe(true)
    expect(isAllowed(CompanyId.make("one"), hour - 1)).toBe(false)
    expect(isAllowed(CompanyId.make("one"), hour)).toBe(true)
  })
})
