/**
 * Everything that an accepted start writes: the decided journey, its events and mails, and what is personal, sealed with the
 * customer's key. The write itself is `JourneyStore.start`.
 */
import { Clock, Effect, type Result } from "effect"
import type { FieldError } from "../../../../schema/problems.ts"
import type { StartRequest } from "../../../../schema/start/startBodies.ts"
import type { StartingKey } from "../../../company/Keyring.ts"
import type { CleanPhoto } from "../../../faces/FaceCheck.ts"
import { Ids } from "../../../kernel/Ids.ts"
import type { StoreUnavailable } from "../../../kernel/StoreError.ts"
import { currentTraceparent } from "../../../kernel/Trace.ts"
import { CurrentRequestId } from "../../../kernel/RequestId.ts"
import { customerKeyOf, Vault } from "../../../kernel/Vault.ts"
import { chargesOf } from "../../rules/billing.ts"
import { dealerNamed } from "../../rules/dealerNamed.ts"
import { decideStart } from "../../rules/decideStart.ts"
import { creditsFor } from "../../rules/preconditions.ts"
import { record } from "../../rules/recordedEvent.ts"
import { storedAlarm } from "../../rules/timers.ts"
import { inDecisionSpan } from "../decisionSpan.ts"
import { photoPlace, recordPlace, type CustomerKey, type StartCommit } from "../JourneyStore.ts"
import { registrationIndex } from "./registrationIndex.ts"
import { SandboxPace } from "../SandboxPace.ts"
import { startFacts } from "./startFacts.ts"
import type { ClockId, JourneyId } from "../../../../schema/ids.ts"

/** A test clock with its present time. */
export interface StartingClock {
  readonly id: ClockId
  readonly now: number
}

export interface RequestedStart {
  readonly key: StartingKey
  readonly sender: string
  readonly idempotencyKey: string
  /** The request in canonical form, as text or as its UTF-8: equal texts are the same request. */
  readonly canonical: string | Uint8Array
  readonly request: Result.Result<StartRequest, ReadonlyArray<FieldError>>
  readonly photo: Uint8Array | null
  /** The test clock that the journey shall be on. */
  readonly clock?: StartingClock
}

/** A start that was read and judged, under the id that its journey will have. */
export interface AcceptedStart {
  readonly id: JourneyId
  readonly start: RequestedStart
  readonly request: StartRequest
  readonly fingerprint: Uint8Array
  readonly photo: CleanPhoto | null
}

export const makeStartCommit = Effect.gen(function* () {
  const vault = yield* Vault
  const ids = yield* Ids
  const pace = yield* SandboxPace

  /** `known`: the customer's row, if the store has found one; otherwise the start makes the customer. */
  return Effect.fnUntraced(function* (
    { fingerprint, id, photo, request, start }: AcceptedStart,
    known: CustomerKey | null
  ): Effect.fn.Return<StartCommit, StoreUnavailable> {
    const clock = start.clock ?? null
    const now = clock === null ? yield* Clock.currentTimeMillis : clock.now
    const key = known === null ? yield* vault.newKey : yield* customerKeyOf(vault, known.wrappedKey)
    const customer = { customerId: known?.customerId ?? ids.unguessable(), wrappedKey: key.wrapped }
    const facts = startFacts(start.key, request, pace, id, customer.customerId, known === null, clock?.id ?? null)
    const decided = yield* inDecisionSpan(
      "Start",
      null,
      () => decideStart(facts, now),
      (step) => ({ outcome: "DONE", after: step.journey, events: step.events })
    )
    const { events, journey, mails } = record(decided, now, ids.next)
    return {
      journey,
      wakeAt: storedAlarm(journey),
      sender: start.sender,
      requestId: yield* CurrentRequestId,
      idempotencyKey: start.idempotencyKey,
      fingerprint,
      customer: {
        ...customer,
        isNew: known === null,
        emailIndex: vault.index("email", request.customer.email.toLowerCase())
      },
      registrationIndex: registrationIndex(vault, journey, request.vehicle.registration),
      dealerCompanyId: dealerNamed(start.key, request.vehicle),
      sealedRecord: key.seal(recordPlace(id), JSON.stringify(request)),
      // Of a test journey only the verdict on the photo is kept (S7).
      sealedPhoto: photo === null || !start.key.livemode ? null : key.sealBytes(photoPlace(id), photo.jpeg),
      // A start that ends at once, declined, asks for nothing and is billed for nothing (F2).
      holds: start.key.livemode ? creditsFor(request) : [],
      charges: chargesOf(null, journey),
      events,
      mails,
      at: now,
      traceparent: yield* currentTraceparent
    }
  })
})
