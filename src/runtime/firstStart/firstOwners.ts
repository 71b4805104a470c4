/**
 * Gives each company that has no member its first owner, the company's administrator, when the service starts: companies that were
 * made by a version without members have none. A migration could not do it, because an address is sealed with the service's key.
 * Nobody is mailed: the administrator asks for a link at the console's sign-in.
 */
import { Clock, Effect, Layer } from "effect"
import { Members } from "../../actors/members/Members.ts"
import { DatabaseError } from "../postgres/Database.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const members = yield* Members
    const now = yield* Clock.currentTimeMillis
    yield* Effect.repeat(members.addFirstOwners(now), { while: (added) => added > 0 })
  }).pipe(
    Effect.mapError(
      () => new DatabaseError({ message: "the database went away while companies got their first owner; try again" })
    )
  )
)
