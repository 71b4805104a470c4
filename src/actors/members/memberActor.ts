/**
 * The names that the audit log gives to people: `operator`, `operator:` with the name of their token, and `member:` with the
 * member's id. It never names an address.
 */
import type { AuditAction } from "../../schema/company/auditActions.ts"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import { uuid } from "../../schema/uuid.ts"
import { MemberId } from "../../schema/ids.ts"

const prefix = "member:"

/** What pages, answers and mails call somebody who is not a member any more: nothing of a removed member is kept. */
export const formerMember = "a former member"

export const operatorActor = (token: { readonly name: string } | null): string =>
  token === null ? "operator" : `operator:${token.name}`

/** Under whichever token. */
const isOperatorActor = (actor: string): boolean => actor === "operator" || actor.startsWith("operator:")

/** What people of a named dealer do stands in their broker's log, too: they are no members of the broker (A8). */
const doneByDealer: ReadonlySet<string> = new Set<AuditAction>([
  "handover.opened_by_dealer",
  "handovers.listed_by_dealer"
])

export const isDoneByDealer = (action: string): boolean => doneByDealer.has(action)

/**
 * The address from which it was asked, as people of the company see it: where the operator works is no business of theirs, and where
 * another company's people work is none either.
 */
export const addressForCompany = ({
  action,
  actor,
  ipAddress = null
}: Pick<AuditLine, "actor" | "ipAddress"> & { readonly action: string }): string | null =>
  isOperatorActor(actor) || isDoneByDealer(action) ? null : ipAddress

/** The id of the member whom the name means; null: the name means somebody else. */
export const memberOfActor = (actor: string): MemberId | null => {
  const id = actor.startsWith(prefix) ? actor.slice(prefix.length) : ""
  return uuid.test(id) ? MemberId.make(id) : null
}
