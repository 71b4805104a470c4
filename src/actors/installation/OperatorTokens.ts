/**
 * The port to the operator's named tokens. A token that was revoked or has ended opens nothing from the next request to any node
 * on: nobody remembers tokens.
 */
import { Context, type Effect } from "effect"
import type { OperatorScope, OperatorToken } from "../../schema/installation/OperatorToken.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** A token as a request or a session carries it. */
export interface NamedToken {
  readonly id: string
  readonly name: string
  readonly scopes: ReadonlyArray<OperatorScope>
}

/** The operator; with the root token of `OPERATOR_TOKEN`, which may do everything, `token` is null. */
export interface SignedInOperator {
  readonly _tag: "Operator"
  readonly token: NamedToken | null
}

type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class OperatorTokens extends Context.Service<
  OperatorTokens,
  {
    /** The living token with this hash, or null. That it was used is written once a minute. */
    readonly find: (hash: Uint8Array) => Effect.Effect<NamedToken | null, StoreUnavailable>
    readonly list: (page: PageRequest) => Effect.Effect<PageOf<OperatorToken>, StoreUnavailable>
    /** Writes the token, unless its name was ever used or there are too many. */
    readonly add: (token: OperatorToken, hash: Uint8Array, by: string) => Writing<"ADDED" | "NAME_TAKEN" | "TOO_MANY">
    /** Ends the token and the sessions that it opened. The token as it is now; null: there is none. */
    readonly revoke: (id: string, at: number, by: string) => Writing<OperatorToken | null>
  }
>()("journeys/actors/OperatorTokens") {}
