/**
 * Starting a journey: from a request that was read to a row that is committed. A start needs no actor, for a new id has
 * no rival; its idempotency key's unique index is the rule of §4.1, so twins in flight wait for each other there.
 *
 * A request is refused only after its key was looked up: a replay answers even if the request would fail today
 * (decision V15, step 7). A request that will most likely succeed is not looked up first: the insert says whether the
 * key was free.
 */
import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import type { FieldError } from "../../../schema/problems.ts"
import { errorCatalogue, type ErrorCode } from "../../../schema/problems.ts"
import type { JourneyResource } from "../../../schema/journey/resource.ts"
import { scenarioOf } from "../../../schema/journey/sandbox.ts"
import type { StartRequest } from "../../../schema/start/startBodies.ts"
import type { KnownKey } from "../../company/Keyring.ts"
import { Alarms, setAlarm } from "./Alarms.ts"
import { chargesOf } from "../rules/billing.ts"
import { unknownAfterTimeout, unknownIfUnavailable, retryUntilKnown } from "../../kernel/commitOutcome.ts"
import { decideStart, type StartFacts } from "../rules/decideStart.ts"
import { FaceCheck, type CleanPhoto, type FaceCheckUnavailable } from "../../faces/FaceCheck.ts"
import { Ids } from "../../kernel/Ids.ts"
import { JourneyStore, photoPlace, type CustomerKey, type StartCommit } from "./JourneyStore.ts"
import { StoreUnavailable, type JourneyUnreadable, type OutcomeUnknown } from "../../kernel/StoreError.ts"
import { currentMeter } from "../../kernel/Meter.ts"
import { currentTraceparent } from "../../kernel/Trace.ts"
import { countJourney } from "./messageObservation.ts"
import { creditsFor, creditsShort, missingFor } from "../rules/preconditions.ts"
import { journeyResource } from "../rules/projection.ts"
import { record } from "../rules/recordedEvent.ts"
import { nextAlarm } from "../rules/timers.ts"
import { Vault } from "../../kernel/Vault.ts"

/** How test journeys advance unless their company says otherwise. */
export class SandboxPace extends Context.Service<
  SandboxPace,
  { readonly step: Duration.Duration; readonly callerStep: Duration.Duration }
>()("journeys/actors/SandboxPace") {}

export interface StartJourney {
  readonly key: KnownKey
  readonly sender: string
  readonly idempotencyKey: string
  /** The request in canonical form: equal texts are the same request. */
  readonly canonical: string
  readonly request: Result.Result<StartRequest, ReadonlyArray<FieldError>>
  readonly photo: Uint8Array | null
}

export interface Started {
  readonly journey: JourneyResource
  readonly isReplay: boolean
}

/** The request is refused with these errors; nothing was kept. */
export class StartRefused {
  readonly _tag = "StartRefused"
  readonly errors: ReadonlyArray<FieldError>
  constructor(errors: ReadonlyArray<FieldError>) {
    this.errors = errors
  }
}

export type StartFailure = StartRefused | FaceCheckUnavailable | StoreUnavailable | OutcomeUnknown | JourneyUnreadable

export class StartJourneys extends Context.Service<
  StartJourneys,
  { readonly start: (start: StartJourney) => Effect.Effect<Started, StartFailure> }
>()("journeys/actors/StartJourneys") {}

/** A customer's row may appear while we write; the next try uses it. One more try covers its erasure in between. */
const mostCustomerTries = 3

const freeAgain = new StoreUnavailable({ cause: "the idempotency key was taken and is free again" })

const refusedWith = (code: ErrorCode, field: string) =>
  new StartRefused([{ field, code, message: errorCatalogue[code].meaning }])

const scopeOf = (start: StartJourney) => ({ companyId: start.key.company.id, livemode: start.key.livemode })

export const layer = Layer.effect(
  StartJourneys,
  Effect.gen(function* () {
    const store = yield* JourneyStore
    const vault = yield* Vault
    const ids = yield* Ids
    const pace = yield* SandboxPace
    const alarms = yield* Alarms
    const faces = yield* FaceCheck
    const meter = yield* currentMeter

    /** The journey this key started before, if any; a different request under it is refused. */
    const findReplay = Effect.fnUntraced(function* (start: StartJourney, fingerprint: Uint8Array) {
      const owner = yield* store.findByKey(scopeOf(start), start.idempotencyKey)
      if (owner === null) return null
      if (Buffer.compare(owner.fingerprint, fingerprint) !== 0) {
        return yield* Effect.fail(refusedWith("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key"))
      }
      return owner.stored.journey
    })

    /** `ownId`: the journey that this very start may have written, if its answer was lost. */
    const replayOr = (
      start: StartJourney,
      fingerprint: Uint8Array,
      refusal: StartRefused | StoreUnavailable,
      ownId?: string
    ) =>
      Effect.flatMap(findReplay(start, fingerprint), (journey) =>
        journey === null
          ? Effect.fail(refusal)
          : Effect.succeed<Started>({ journey: journeyResource(journey), isReplay: journey.id !== ownId })
      )

    const commitOf = Effect.fnUntraced(function* (
      start: StartJourney,
      request: StartRequest,
      fingerprint: Uint8Array,
      id: string,
      known: CustomerKey | null,
      photo: CleanPhoto | null
    ) {
      const now = yield* Clock.currentTimeMillis
      const key = known === null ? vault.newKey() : yield* Effect.orDie(vault.keyOf(known.wrappedKey))
      const customer = { customerId: known?.customerId ?? ids.unguessable(), wrappedKey: key.wrapped }
      const facts = startFacts(start.key, request, pace, id, customer.customerId, known === null)
      const { events, journey, mails } = record(decideStart(facts, now), now, ids.next)
      const commit: StartCommit = {
        journey,
        wakeAt: nextAlarm(journey),
        sender: start.sender,
        idempotencyKey: start.idempotencyKey,
        fingerprint,
        customer: {
          ...customer,
          isNew: known === null,
          emailIndex: vault.index("email", request.customer.email.toLowerCase())
        },
        sealedRecord: key.seal(`personal_records|${id}`, JSON.stringify(request)),
        // Of a test journey only the verdict is kept (S7).
        sealedPhoto: photo === null || !start.key.livemode ? null : key.sealBytes(photoPlace(id), photo.jpeg),
        // Of a start that ends at once, declined, nothing is asked and nothing billed (F2).
        holds: start.key.livemode ? creditsFor(request) : [],
        charges: chargesOf(null, journey),
        events,
        mails,
        at: now,
        traceparent: yield* currentTraceparent
      }
      return commit
    })

    const write = Effect.fnUntraced(function* (
      start: StartJourney,
      request: StartRequest,
      fingerprint: Uint8Array,
      photo: CleanPhoto | null
    ): Effect.fn.Return<Started, StartFailure> {
      const id = ids.next()
      let known: CustomerKey | null = null
      for (let tries = 0; tries < mostCustomerTries; tries++) {
        const commit: StartCommit = yield* commitOf(start, request, fingerprint, id, known, photo)
        const committed = retryUntilKnown(store.start(commit))
        const outcome = yield* tries === 0 ? committed : unknownIfUnavailable(committed)
        switch (outcome._tag) {
          case "Created":
            countJourney(meter, null, commit.journey)
            yield* setAlarm(alarms, commit.journey)
            return { journey: journeyResource(commit.journey), isReplay: false }
          case "CreditsShort":
            return yield* unknownIfUnavailable(
              replayOr(start, fingerprint, new StartRefused([creditsShort(outcome.wallet)]), id)
            )
          case "CustomerKnown":
            known = outcome.customer
            break
          case "KeyTaken":
            return yield* unknownIfUnavailable(replayOr(start, fingerprint, freeAgain, id))
        }
      }
      return yield* new StoreUnavailable({ cause: "the customer's row kept changing" })
    })

    const start = Effect.fnUntraced(function* (start: StartJourney): Effect.fn.Return<Started, StartFailure> {
      const fingerprint = vault.index("request", start.canonical)
      if (Result.isFailure(start.request))
        return yield* replayOr(start, fingerprint, new StartRefused(start.request.failure))
      const request = start.request.success
      let photo: CleanPhoto | null = null
      if (start.photo !== null) {
        // Looking at a face is slow: a replay is answered before.
        const replay = yield* findReplay(start, fingerprint)
        if (replay !== null) return { journey: journeyResource(replay), isReplay: true }
        photo = yield* faces.check(start.photo).pipe(
          Effect.catchTag("FaceRefused", ({ code }) => Effect.fail(refusedWith(code, "customerFace"))),
          Effect.catchTag("PhotoUnreadable", ({ rule }) =>
            Effect.fail(
              new StartRefused([{ field: "customerFace", code: "VALIDATION_FAILED", message: `customerFace ${rule}` }])
            )
          )
        )
      }
      const missing = missingFor(request, start.key)
      if (missing !== null) return yield* replayOr(start, fingerprint, new StartRefused([missing]))
      return yield* unknownAfterTimeout(write(start, request, fingerprint, photo))
    })

    return StartJourneys.of({
      start: (one) => Effect.tap(start(one), ({ journey }) => Effect.annotateCurrentSpan("journey.id", journey.id))
    })
  })
)

const startFacts = (
  key: KnownKey,
  request: StartRequest,
  pace: Context.Service.Shape<typeof SandboxPace>,
  id: string,
  customerReference: string,
  isNewCustomer: boolean
): StartFacts => ({
  id,
  companyId: key.company.id,
  livemode: key.livemode,
  customerReference,
  isNewCustomer,
  externalReference: request.externalReference ?? null,
  shape: request.shape,
  handoverType: request.delivery.type,
  inventoryVehicleId: request.vehicle.inventoryVehicleId ?? null,
  financeDetails: financeDetails(request),
  decision: request.shape === "FINANCE_ALREADY_SUBMITTED" ? (request.finance.decision ?? null) : null,
  check: { possible: true },
  identityWindowDays: key.company.identityWindowDays,
  handoverWindowDays: key.company.handoverWindowDays,
  sandbox: key.livemode
    ? null
    : {
        scenario: scenarioOf(request.customer.email),
        stepMillis: stepMillis(key.company.sandbox.pace, pace.step),
        callerStepMillis: Duration.toMillis(pace.callerStep)
      }
})

const stepMillis = (companyPace: number | "manual" | undefined, step: Duration.Duration): number | null =>
  companyPace === "manual" ? null : companyPace === undefined ? Duration.toMillis(step) : companyPace * 1000

const financeDetails = (request: StartRequest): StartFacts["financeDetails"] => {
  switch (request.shape) {
    case "FINANCE_ALREADY_SUBMITTED":
      return {
        panelSubmission: "ALREADY_SUBMITTED",
        panelName: request.finance.panelName,
        panelReference: request.finance.panelReference,
        lender: request.finance.lender ?? null
      }
    case "FINANCE_SUBMIT_VIA_MIRA":
      return {
        panelSubmission: "SUBMIT_VIA_MIRA",
        panelName: null,
        panelReference: null,
        lender: request.finance.lender ?? null
      }
    case "IDENTITY_DELIVERY":
    case "CASH_SALE":
    case "FINANCE_SALE":
      return null
  }
}
