/**
 * The port to members' passkeys, the second step of a sign-in where a member has one or the company demands one, and to the challenges that an authenticator signs. A challenge
 * belongs to one session and one purpose, is taken once and lives as long as `memberLimits.challengeLifetime`. What is signed, and
 * whether it holds, is judged in `http/api/frame/webauthn.ts`.
 */
import { Context, Schema, type Effect } from "effect"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { Passkey } from "../../schema/members/Passkey.ts"
import type { CompanyId, ConsoleSessionId, MemberId, PasskeyId } from "../../schema/ids.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** ADD: a new passkey. SHOW: the second step of a sign-in. */
export const ChallengePurpose = Schema.Literals(["ADD", "SHOW"])
export type ChallengePurpose = typeof ChallengePurpose.Type

/** What the service keeps of a passkey. */
export interface Credential {
  readonly credentialId: string
  readonly publicKey: Uint8Array
  /** How often the authenticator says that it has signed; 0 for those that do not count. */
  readonly signCount: number
  readonly transports: ReadonlyArray<string>
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>
type Writing<A> = Effect.Effect<A, StoreUnavailable | CommitUnknown>

export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** The oldest first. */
    readonly list: (companyId: CompanyId, memberId: MemberId) => Reading<ReadonlyArray<Passkey>>
    readonly credentials: (memberId: MemberId) => Reading<ReadonlyArray<Credential>>
    /**
     * Adds it in this session of the member, which has shown it thereby. With the first passkey the member's other sessions wait until they
     * have shown it, too: they came by a link alone. THERE: the passkey is somebody's already. FULL: the member has as many as there may be.
     */
    readonly add: (
      companyId: CompanyId,
      passkey: Pick<Passkey, "id" | "memberId" | "name"> & Credential,
      sessionId: ConsoleSessionId,
      line: AuditLine
    ) => Writing<"ADDED" | "THERE" | "FULL">
    /** The passkey that this removed; null when there is none such. */
    readonly remove: (
      companyId: CompanyId,
      memberId: MemberId,
      passkeyId: PasskeyId,
      line: AuditLine
    ) => Writing<Passkey | null>
    /** Ends the challenge that the session had. */
    readonly keepChallenge: (sessionId: ConsoleSessionId, purpose: ChallengePurpose, challenge: string) => Reading<void>
    /** The session's challenge, which nobody gets a second time. */
    readonly takeChallenge: (sessionId: ConsoleSessionId, purpose: ChallengePurpose) => Reading<string | null>
    /**
     * The session waits no longer, and gets a new secret, which is in this answer and nowhere else. Null: the session has ended, or
     * the authenticator has not counted on: a copy of the passkey may be about.
     */
    readonly passed: (
      sessionId: ConsoleSessionId,
      shown: Pick<Credential, "credentialId" | "signCount">
    ) => Reading<string | null>
  }
>()("journeys/actors/Passkeys") {}
