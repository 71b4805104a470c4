/** Which changes of a company's settings its owners hear of by mail (decision M10). */
import { describe, expect, it } from "vitest"
import { actionOfChange } from "../../../src/actors/company/companyAction.ts"
import { AccessChange } from "../../../src/schema/company/accessChanges.ts"
import { Company, type CompanyPatch } from "../../../src/schema/company/Company.ts"
import { CompanyId } from "../../../src/schema/ids.ts"

const company = Company.row.make({
  id: CompanyId.make("0197a000-0000-7000-8000-000000000001"),
  name: "Harbour Cars",
  kind: "DEALER",
  adminEmail: "owner@harbour.example",
  createdAt: 0,
  assurance: "DOCUMENT",
  mediaRetentionDays: 30,
  customerRetentionDays: 0,
  declinedRetentionDays: 90,
  applicationRetentionDays: 60
})

describe("a change of what protects customers", () => {
  it.each<CompanyPatch>([
    { assurance: "FACE_MATCH" },
    { mediaRetentionDays: 29 },
    { customerRetentionDays: 3650 },
    { declinedRetentionDays: 89 },
    { applicationRetentionDays: 1 },
    { name: "Other", assurance: "PROVIDER", mediaRetentionDays: 1 }
  ])("has an action of its own when something is erased sooner or a check needs less: %o", (patch) => {
    expect(actionOfChange(company, patch)).toBe("company.protection_lowered")
  })

  it.each<CompanyPatch>([
    { assurance: "DOCUMENT" },
    { assurance: "PROVIDER" },
    { mediaRetentionDays: 30 },
    { mediaRetentionDays: 31 },
    { customerRetentionDays: 0 },
    { declinedRetentionDays: 0 },
    { applicationRetentionDays: 0 },
    { name: "Other", identityWindowDays: 1 }
  ])("is an ordinary one when nothing is: %o", (patch) => {
    expect(actionOfChange(company, patch)).toBe("company.changed")
  })
})

it("has the action of how members sign in first, then of where data goes, then of what protects customers", () => {
  const lowered = { assurance: "FACE_MATCH" } as const
  const redirected = { ...lowered, adminEmail: "other@harbour.example" }
  const actions = [
    actionOfChange(company, { ...redirected, passkeysRequired: true }),
    actionOfChange({ ...company, passkeysRequired: true }, { ...redirected, passkeysRequired: false }),
    actionOfChange(company, redirected),
    actionOfChange(company, lowered)
  ]
  expect(actions).toEqual([
    "passkeys.required",
    "passkeys.optional",
    "company.recipients_changed",
    "company.protection_lowered"
  ])
  expect(AccessChange.literals).toEqual(expect.arrayContaining(actions))
})
