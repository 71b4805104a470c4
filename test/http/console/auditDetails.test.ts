/** What the audit log's page makes of the details of a line. */
import { describe, expect, it } from "vitest"
import { auditDetails } from "../../../src/http/console/company/auditDetails.ts"
import { html } from "../../../src/http/server/pages/html.ts"

const read = (details: Readonly<Record<string, unknown>>): string =>
  html`${auditDetails(details)}`.text
    .replaceAll("</li>", " ")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()

describe("the details of a line of the audit log", () => {
  it.each([
    [{}, "–"],
    [{ expiresAt: "2027-01-15T10:30:00.000Z" }, "expires at: 15 Jan 2027, 10:30 UTC"],
    [{ isEnabled: true, wallet: null }, "is enabled: yes wallet: nothing"],
    [{ fields: ["apiKey", "adminEmail"], scopes: [] }, "fields: apiKey, adminEmail scopes: none"],
    [{ decision: "NOT_MATCHED", count: 3 }, "decision: not matched count: 3"],
    [{ sandbox: { pace: "manual", identityConfigured: false } }, "sandbox: pace manual; identity configured no"]
  ])("read as words: %j", (details, words) => {
    expect(read(details)).toBe(words)
  })

  it("lead to the journey that the line is about", () => {
    const id = "019bc0a1-7c00-7005-8000-000000000001"
    expect(html`${auditDetails({ journeyId: id })}`.text).toContain(`href="/console/journeys/${id}"`)
  })

  it("are text, whatever stands in them", () => {
    expect(html`${auditDetails({ name: "<b>x</b>" })}`.text).toContain("&lt;b&gt;")
  })
})
