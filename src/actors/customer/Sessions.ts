/**
 * The port to the sessions of signed-in customers (decision X5). A session is bound to one journey. Whoever holds the
 * session's secret is the customer. How long a session lives is in `limits.ts`; `SignInLinks.ts` opens sessions.
 */
import { Context, type Effect } from "effect"
import type { Scope } from "../kernel/Scope.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { ListedCustomerSession } from "../../schema/customer/ListedCustomerSession.ts"
import type { CompanyId, CustomerSessionId, JourneyId } from "../../schema/ids.ts"
import type { KnownLanguages } from "./CustomerLanguage.ts"

export interface Session {
  readonly id: CustomerSessionId
  readonly journeyId: JourneyId
  readonly scope: Scope
  readonly languages: KnownLanguages
  /** When the session ends unless it is used, in epoch milliseconds. */
  readonly endsAt: number
  /** When it ends however much it is used. */
  readonly lastsUntil: number
}

/** A session that was just opened. Its secret is in this answer and nowhere else. */
export interface SignedIn {
  readonly secret: string
  readonly journeyId: JourneyId
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * The session of a secret, or null when the session has ended. A session that is used lives on from now. A page that looks
     * by itself whether anything has changed is no use.
     */
    readonly find: (secret: string, isUse?: boolean) => Effect.Effect<Session | null, StoreUnavailable>
    /**
     * The session of a secret that has run out (X5), as long as its row is there. Null for a session that goes on, for one that somebody
     * has ended, and for a text that is no secret of a session. It permits nothing but to mail its customer a new link.
     */
    readonly findRunOut: (secret: string) => Effect.Effect<Session | null, StoreUnavailable>
    readonly end: (secret: string) => Effect.Effect<void, StoreUnavailable>
    /** The open sessions of a journey, the last seen first. */
    readonly list: (journeyId: JourneyId) => Effect.Effect<ReadonlyArray<ListedCustomerSession>, StoreUnavailable>
    /** Ends a session for the team; the line is written when there was one. */
    readonly endOf: (
      companyId: CompanyId,
      journeyId: JourneyId,
      sessionId: string,
      line: AuditLine
    ) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
  }
>()("journeys/customer/Sessions") {}
