/**
 * The secrets of one table of links or sessions: how one is made, and whether one can be in the table at all. A secret without the
 * installation's mark is refused without a look-up of its own, unless the table still has secrets from before marks. What a secret
 * opens is its store's business.
 */
import { Effect } from "effect"
import { isMarkedSecret, isSecret, newMarkedSecret } from "../../../actors/kernel/secrets.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { makeMayBeThere } from "./mayBeThere.ts"

type Table = "sign_in_links" | "customer_sessions" | "console_links" | "console_sessions"

export const makeSecretMarks = Effect.fnUntraced(function* (table: Table) {
  const vault = yield* Vault
  const mayBeThere = yield* makeMayBeThere(`${table} where not is_marked`)
  return {
    /** A new secret; its row has `is_marked`. */
    next: () => newMarkedSecret(vault),
    /** False: nobody was given this text as a secret. */
    mayBeThere: (text: string) => (isSecret(text) ? mayBeThere(isMarkedSecret(text, vault)) : Effect.succeed(false))
  }
})
