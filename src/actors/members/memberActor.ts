/**
 * The names that the audit log gives to people: `operator`, `operator:` with the name of their token, and `member:` with the
 * member's id. It never names an address.
 */
import { uuid } from "../../schema/uuid.ts"
import { MemberId } from "../../schema/ids.ts"

const prefix = "member:"

/** What pages, answers and mails call somebody who is not a member any more: nothing of a removed member is kept. */
export const formerMember = "a former member"

export const operatorActor = (token: { readonly name: string } | null): string =>
  token === null ? "operator" : `operator:${token.name}`

/** The id of the member whom the name means; null: the name means somebody else. */
export const memberOfActor = (actor: string): MemberId | null => {
  const id = actor.startsWith(prefix) ? actor.slice(prefix.length) : ""
  return uuid.test(id) ? MemberId.make(id) : null
}
