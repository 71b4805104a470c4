/**
 * The port to the sessions of people who use the console or the settings API in a browser: members of companies, and the
 * operator. Whoever holds a session's secret is that person. Sessions of customers are another thing (`customer/Sessions.ts`).
 */
import { Context, type Effect } from "effect"
import type { Role } from "../../schema/members/Role.ts"
import type { CompanyId, ConsoleSessionId, MemberId } from "../../schema/ids.ts"
import type { SignedInOperator } from "../installation/OperatorTokens.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { ChallengePurpose } from "./Passkeys.ts"

/** A member as a session knows them: the role is looked up at each request, so that a change counts at once. */
export interface SignedInMember {
  readonly _tag: "Member"
  readonly sessionId: ConsoleSessionId
  readonly memberId: MemberId
  readonly companyId: CompanyId
  readonly role: Role
  readonly email: string
  readonly signedInAt: number
}

export interface ConsoleSession {
  readonly id: ConsoleSessionId
  readonly who: SignedInOperator | SignedInMember
  /** The company that the session looks at: a member's own, or the one that the operator has chosen. */
  readonly company: CompanyId | null
  /**
   * What the sign-in still lacks; until then the session permits nothing else. SHOW: the member has a passkey and has not shown it. ADD:
   * the member has none, and the company demands one.
   */
  readonly waitsFor: ChallengePurpose | null
  /** When the session ends unless it is used, in epoch milliseconds. */
  readonly endsAt: number
  /** When it ends however much it is used; one that a token of the operator opened ends with the token. */
  readonly lastsUntil: number
}

export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    /**
     * The session of a secret, or null when the session has ended or its member was removed. A session that is used lives on
     * from now; a page that looks by itself whether anything has changed is no use.
     */
    readonly find: (secret: string, isUse?: boolean) => Effect.Effect<ConsoleSession | null, StoreUnavailable>
    /**
     * The company that each of these sessions looks at, by one statement, however many sessions. A session that has ended, or waits for a
     * passkey, is not among them. It is no use of the sessions.
     */
    readonly companies: (
      ids: ReadonlyArray<ConsoleSessionId>
    ) => Effect.Effect<ReadonlyMap<ConsoleSessionId, CompanyId | null>, StoreUnavailable>
    readonly end: (secret: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Opens a session for whoever has just shown a token of the operator; null is the root token. The session ends with the token. Of more
     * sessions than `memberLimits.mostOperatorSessions` of the token the oldest end.
     * The secret is in this answer and nowhere else.
     */
    readonly openForOperator: (tokenId: string | null) => Effect.Effect<string, StoreUnavailable>
    /** The company that the session looks at from now on; of a member it must be a company of the member. */
    readonly choose: (secret: string, companyId: CompanyId | null) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("journeys/actors/ConsoleSessions") {}
