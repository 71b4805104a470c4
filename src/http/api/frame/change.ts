/**
 * How a change of settings is made. The audit line is written together with the change, and the keys in memory are
 * forgotten before the answer is sent. A caller that goes away in between must not leave a revoked key alive in memory.
 */
import { Clock, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Keyring } from "../../../actors/company/Keyring.ts"
import { unknownToCaller } from "../../../actors/kernel/commitOutcome.ts"
import type { CommitUnknown, OutcomeUnknown, StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { actorOf, Asker } from "../../server/endpoints/Asker.ts"
import { askersAddress } from "../../server/callers/clientAddress.ts"
import type { AuditAction } from "../../../schema/company/auditActions.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"

/** A line of the audit log about what the asker does. */
export const auditLine = Effect.fnUntraced(function* (action: AuditAction, details: AuditLine["details"]) {
  const actor = actorOf(yield* Asker)
  const ipAddress = yield* askersAddress(yield* HttpServerRequest.HttpServerRequest)
  const line: AuditLine = { actor, action, details, at: yield* Clock.currentTimeMillis, ipAddress }
  return line
})

/** Runs a write to its end, even if the caller goes away. */
export const written = <A, R>(
  write: Effect.Effect<A, StoreUnavailable | CommitUnknown, R>
): Effect.Effect<A, StoreUnavailable | OutcomeUnknown, R> => unknownToCaller(Effect.uninterruptible(write))

/** Runs a write to its end. The keys in memory are forgotten whether the write succeeded or not. */
export const changing = <A>(
  write: Effect.Effect<A, StoreUnavailable | CommitUnknown>
): Effect.Effect<A, StoreUnavailable | OutcomeUnknown, Keyring> =>
  Effect.flatMap(Keyring, (keyring) => written(Effect.ensuring(write, keyring.forget)))
