/**
 * Which action of the audit log a change of a company's settings is. The owners hear by mail of a change of how members sign in, of who
 * gets what customers gave, and of what protects customers (decision M10), so these have actions of their own. A change of several has
 * the first of them, and the mail tells all (`actors/mail/wording/companyAccess.ts`). Pure.
 */
import type { AuditAction } from "../../schema/company/auditActions.ts"
import { retentionFields, type Company, type CompanyPatch } from "../../schema/company/Company.ts"
import { isBelow } from "../../schema/journey/statuses.ts"

export const actionOfChange = (before: Company, patch: CompanyPatch): AuditAction => {
  const newDemand = newDemandOf(before, patch)
  if (newDemand !== undefined) return newDemand ? "passkeys.required" : "passkeys.optional"
  if (isRedirected(before, patch)) return "company.recipients_changed"
  return isLessProtected(before, patch) ? "company.protection_lowered" : "company.changed"
}

/** Whether members need a passkey from now on; undefined when that does not change. */
export const newDemandOf = (before: Company, { passkeysRequired }: CompanyPatch): boolean | undefined =>
  passkeysRequired === before.passkeysRequired ? undefined : passkeysRequired

/** Whether applications, customers for a check, or their answers to mails go to somebody else from now on. A provider's secret is never compared. */
const isRedirected = (before: Company, { adminEmail, financePanel, identityProvider }: CompanyPatch): boolean =>
  (adminEmail !== undefined && adminEmail !== before.adminEmail) ||
  (financePanel !== undefined && (financePanel !== null || before.financePanel !== null)) ||
  (identityProvider !== undefined &&
    (identityProvider?.kind === "HTTP" || identityProvider?.kind !== before.identityProvider?.kind))

/** Zero days: nothing is erased by these days alone. */
const orNever = (days: number): number => (days === 0 ? Number.POSITIVE_INFINITY : days)

/** Whether something is erased sooner, so that it is lost to the company, or an identity check needs less. */
const isLessProtected = (before: Company, patch: CompanyPatch): boolean =>
  (patch.assurance !== undefined && isBelow(patch.assurance, before.assurance)) ||
  retentionFields.some((field) => {
    const days = patch[field]
    return days !== undefined && orNever(days) < orNever(before[field])
  })
