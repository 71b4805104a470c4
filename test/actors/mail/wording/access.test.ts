/** The words of mail about changes of API keys, members, webhook endpoints and passkeys. */
import { describe, expect, it } from "vitest"
import type { AccessLine } from "../../../../src/actors/company/AuditLog.ts"
import { accessEmail } from "../../../../src/actors/mail/wording/access.ts"
import { contentOf } from "../../../../src/actors/mail/wording/emailContent.ts"
import { AccessChange } from "../../../../src/schema/company/accessChanges.ts"

const ann = "0197a000-0000-7000-8000-000000000001"
const tom = "0197a000-0000-7000-8000-000000000002"
const emails = new Map([
  [ann, "ann@harbour.example"],
  [tom, "tom@harbour.example"]
])
const at = Date.parse("2026-01-05T09:00:00.000Z")

const line = (action: AccessChange, details: AccessLine["details"] = {}, actor = `member:${ann}`): AccessLine => ({
  actor,
  action,
  details,
  at
})

const worded = (lines: ReadonlyArray<AccessLine>, more = 0, baseUrl: string | null = "https://journeys.example") =>
  contentOf(accessEmail({ company: { name: "Harbour Cars" }, lines, more, emails, baseUrl }))

describe("a mail about changes of what gets into a company", () => {
  it.each<readonly [AccessLine, string]>([
    [line("api_key.created", { mode: "LIVE", last4: "ab12" }), "made the live API key that ends in ab12."],
    [
      line("api_key.changed", { mode: "TEST", last4: "ab12", fields: ["expiresAt", "addresses"] }),
      "changed expiresAt, addresses of the test API key that ends in ab12."
    ],
    [line("api_key.revoked", { keyId: "older" }), "revoked an API key."],
    [
      line("api_key.rotated", { mode: "LIVE", last4: "cd34" }),
      "gave a new text to the live API key that ends in cd34 now; the old text is refused."
    ],
    [line("member.invited", { memberId: tom, role: "OWNER" }), "invited tom@harbour.example as an owner."],
    [
      line("member.changed", { memberId: tom, role: "TEAM" }),
      "gave tom@harbour.example another role as a member of the team."
    ],
    [line("member.removed", { memberId: "gone", role: "OWNER" }), "removed a member who was there as an owner."],
    [
      line("webhook_endpoint.saved", {
        mode: "LIVE",
        url: "https://hooks.example",
        events: ["*"],
        enabled: true,
        newSecret: true
      }),
      "saved the live webhook endpoint with the address https://hooks.example and a new signing secret."
    ],
    [
      line("webhook_endpoint.secret_rolled", { mode: "LIVE" }),
      "replaced the signing secret of the live webhook endpoint."
    ],
    [line("webhook_endpoint.removed", { mode: "TEST" }), "removed the test webhook endpoint."],
    [line("passkey.added", { memberId: tom }), "added a passkey with which tom@harbour.example can sign in."],
    [line("passkey.removed", { memberId: "gone" }), "removed a passkey of a former member."],
    [
      line("company.recipients_changed", { fields: ["financePanel"], values: { financePanel: null } }),
      "changed to whom what customers give is sent: applications to nobody."
    ],
    [
      line("company.recipients_changed", { values: { identityProvider: { kind: "BUILT_IN" } } }),
      "changed to whom what customers give is sent: customers to be checked to the check of this service."
    ],
    [
      line("company.protection_lowered", {
        fields: ["assurance", "mediaRetentionDays", "customerRetentionDays"],
        values: { assurance: "FACE_MATCH", mediaRetentionDays: 1, customerRetentionDays: 30 }
      }),
      "changed what protects customers: an identity check of FACE_MATCH or more needs no person; photos and videos are erased 1 day after their journey's end; customers are erased 30 days after their last journey."
    ],
    [
      line("company.protection_lowered", { values: { declinedRetentionDays: 7, applicationRetentionDays: 2 } }),
      "changed what protects customers: customers who were only declined are erased 7 days after their last journey; declined applications are erased 2 days after the decline."
    ],
    [
      line("company.recipients_changed", {
        fields: ["adminEmail"],
        values: { assurance: "FACE_MATCH", applicationRetentionDays: 0 }
      }),
      "changed to whom what customers give is sent: answers to mails and mail of test journeys to another address, and set that an identity check of FACE_MATCH or more needs no person, and set that declined applications are erased with the customer."
    ],
    [
      line("passkeys.optional", { fields: ["adminEmail"], values: { mediaRetentionDays: 1 } }),
      "ended the demand that every member has a passkey, and sent answers to mails and mail of test journeys to another address, and set that photos and videos are erased 1 day after their journey's end."
    ],
    [line("passkeys.required"), "demanded a passkey of every member."],
    [line("passkeys.optional"), "ended the demand that every member has a passkey."]
  ])("says who did what and when: $0.action", (change, words) => {
    const { subject, text } = worded([change])
    expect(text).toContain(`5 Jan 2026, 09:00 UTC: ann@harbour.example ${words}\n`)
    expect(subject).toContain("Harbour Cars")
    expect(subject).not.toContain("changes")
  })

  it("says London's time beside UTC while it is another one", () => {
    const { text } = worded([{ ...line("api_key.revoked"), at: Date.UTC(2026, 6, 4, 23, 5) }])
    expect(text).toContain("4 Jul 2026, 23:05 UTC (00:05 in London, the next day): ann@harbour.example revoked")
  })

  it("names the operator and the operator's token, and somebody who is no member any more", () => {
    const { text } = worded([
      line("api_key.revoked", {}, "operator"),
      line("api_key.revoked", {}, "operator:night watch"),
      line("api_key.revoked", {}, "member:0197a000-0000-7000-8000-000000000009")
    ])
    expect(text).toContain("UTC: the operator of this service revoked")
    expect(text).toContain("UTC: the operator of this service (night watch) revoked")
    expect(text).toContain("UTC: a former member revoked")
  })

  it("counts what it does not list, says what to do, and opens the audit log", () => {
    const { subject, text } = worded([line("api_key.revoked"), line("passkey.added", { memberId: tom })], 7)
    expect(subject).toBe("9 changes of access or settings at Harbour Cars")
    expect(text).toContain("And 7 other changes, which the audit log lists.")
    expect(text).toContain("If nobody of yours did this: sign in, revoke the keys")
    expect(text).toContain("https://journeys.example/console/audit\n")
    expect(worded([line("api_key.revoked")], 0, null).text).not.toContain("https:")
  })

  it("says of several changes no kind in the subject that they are not", () => {
    const { subject } = worded([line("passkeys.optional"), line("company.recipients_changed", { values: {} })])
    expect(subject).toBe("2 changes of access or settings at Harbour Cars")
  })

  it("words every change that owners hear of", () => {
    for (const action of AccessChange.literals) expect(worded([line(action)]).text).not.toMatch(/undefined|NaN/)
  })
})
