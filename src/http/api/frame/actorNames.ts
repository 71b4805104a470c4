/**
 * Who did something, as the people of a company read it: of a member the address. Journal and audit log hold a member's id; the
 * address is looked up for one answer, so it is gone from every answer when the member is removed.
 */
import { Effect } from "effect"
import { memberOfActor } from "../../../actors/members/memberActor.ts"
import { Members } from "../../../actors/members/Members.ts"
import type { CompanyId } from "../../../schema/ids.ts"

/**
 * `actors`: all that the answer names, such as `operator`, `key:{id}` or `member:{id}`. The function gives the name of one of them, and
 * null for a member whom the company does not have any more, or never had.
 */
export const actorNames = Effect.fnUntraced(function* (companyId: CompanyId, actors: ReadonlyArray<string>) {
  const members = yield* Members
  const ids = [...new Set(actors.flatMap((actor) => memberOfActor(actor) ?? []))]
  const emails = yield* members.emailsOf(companyId, ids)
  return (actor: string): string | null => {
    const memberId = memberOfActor(actor)
    return memberId === null ? actor : (emails.get(memberId) ?? null)
  }
})
