/**
 * Starts a journey: from a request that was read to a row that is committed. A start needs no actor, because a new id has no
 * rival; the unique index of the idempotency key is the rule of §4.1, so twins in flight wait for each other there.
 *
 * A request is refused only after its key was looked up: a replay is answered even if the request would fail today
 * (decision V15, step 7). A request that will most likely succeed is not looked up first: the insert says whether the key
 * was free.
 */
import { Context, Effect, Layer } from "effect"
import type { JourneyResource } from "../../../../schema/journey/resource.ts"
import type { FaceCheckUnavailable } from "../../../faces/FaceCheck.ts"
import { knownInTime, unknownAfterTimeout, unknownIfUnavailable } from "../../../kernel/commitOutcome.ts"
import { Ids } from "../../../kernel/Ids.ts"
import { currentMeter } from "../../../kernel/Meter.ts"
import { StoreUnavailable, type JourneyUnreadable, type OutcomeUnknown } from "../../../kernel/StoreError.ts"
import { Vault } from "../../../kernel/Vault.ts"
import { creditsShort, missingFor } from "../../rules/preconditions.ts"
import { journeyResource } from "../../rules/projection.ts"
import { Alarms, setAlarm } from "../Alarms.ts"
import { JourneyStore, type CustomerKey, type StartCommit, type StartOutcome } from "../JourneyStore.ts"
import { startLimits } from "../limits.ts"
import { countJourney } from "../messageObservation.ts"
import { makePreview, type RequestedPreview, type StartPreview } from "./previewStart.ts"
import { makeStartCommit, type AcceptedStart, type RequestedStart } from "./startCommit.ts"
import { makeJudgePhoto } from "./startPhoto.ts"
import { startRefusal, StartRefused } from "./StartRefused.ts"
import { TestClocks } from "../TestClocks.ts"
import { JourneyId } from "../../../../schema/ids.ts"

export interface StartedJourney {
  readonly journey: JourneyResource
  readonly isReplay: boolean
}

type StartFailure = StartRefused | FaceCheckUnavailable | StoreUnavailable | OutcomeUnknown | JourneyUnreadable

type Starting = Effect.Effect<StartedJourney, StartFailure>

export class StartJourneys extends Context.Service<
  StartJourneys,
  {
    readonly start: (start: RequestedStart) => Starting
    /** What a start would come to. Nothing is created, held or remembered. */
    readonly preview: (
      start: RequestedPreview
    ) => Effect.Effect<StartPreview, StartRefused | FaceCheckUnavailable | StoreUnavailable>
  }
>()("journeys/actors/StartJourneys") {}

export const layer = Layer.effect(
  StartJourneys,
  Effect.gen(function* () {
    const vault = yield* Vault
    const ids = yield* Ids
    const { findReplay, replayOr } = yield* makeReplay
    const judgePhoto = yield* makeJudgePhoto
    const write = yield* makeWrite(replayOr)
    const preview = yield* makePreview

    const start = Effect.fnUntraced(function* (start: RequestedStart): Effect.fn.Return<StartedJourney, StartFailure> {
      const fingerprint = vault.index("request", start.canonical)
      const { request } = start
      if (request._tag === "Failure") return yield* replayOr(start, fingerprint, new StartRefused(request.failure))
      if (start.photo !== null) {
        // Looking at a face is slow: a replay is answered before.
        const replay = yield* findReplay(start, fingerprint)
        if (replay !== null) return { journey: journeyResource(replay), isReplay: true }
      }
      const photo = start.photo === null ? null : yield* judgePhoto(start.photo)
      const [missing] = missingFor(request.success, start.key)
      if (missing !== undefined) return yield* replayOr(start, fingerprint, new StartRefused([missing]))
      const accepted = { id: JourneyId.make(ids.next()), start, request: request.success, fingerprint, photo }
      return yield* write(accepted)
    })

    return StartJourneys.of({
      preview,
      start: (one) => Effect.tap(start(one), ({ journey }) => Effect.annotateCurrentSpan("journey.id", journey.id))
    })
  })
)

/** Looks idempotency keys up. */
const makeReplay = Effect.gen(function* () {
  const store = yield* JourneyStore

  /** The journey that this key started before, if any; a different request under the key is refused. */
  const findReplay = Effect.fnUntraced(function* (start: RequestedStart, fingerprint: Uint8Array) {
    const scope = { companyId: start.key.company.id, livemode: start.key.livemode }
    const owner = yield* store.findByKey(scope, start.idempotencyKey)
    if (owner === null) return null
    if (Buffer.compare(owner.fingerprint, fingerprint) !== 0) {
      return yield* Effect.fail(startRefusal("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key"))
    }
    return owner.stored.journey
  })

  /** `ownId`: the journey that this very start may have written, if its answer was lost. */
  const replayOr = (
    start: RequestedStart,
    fingerprint: Uint8Array,
    refusal: StartRefused | StoreUnavailable,
    ownId?: string
  ) =>
    Effect.flatMap(findReplay(start, fingerprint), (journey) =>
      journey === null
        ? Effect.fail(refusal)
        : Effect.succeed<StartedJourney>({ journey: journeyResource(journey), isReplay: journey.id !== ownId })
    )

  return { findReplay, replayOr }
})

type ReplayOr = Effect.Success<typeof makeReplay>["replayOr"]

/** `wasUnknown`: nobody knew at first what became of an earlier try, so what was found may be this start's own work. */
interface Tried {
  readonly tries: number
  readonly wasUnknown: boolean
}

/** Writes an accepted start, and once more when the customer's row appeared or went meanwhile. */
const makeWrite = Effect.fnUntraced(function* (replayOr: ReplayOr) {
  const store = yield* JourneyStore
  const alarms = yield* Alarms
  const clocks = yield* TestClocks
  const meter = yield* currentMeter
  const commitOf = yield* makeStartCommit

  const created = (commit: StartCommit): Effect.Effect<StartedJourney> =>
    Effect.suspend(() => {
      countJourney(meter, null, commit.journey)
      return Effect.as(setAlarm(alarms, clocks, commit.journey), {
        journey: journeyResource(commit.journey),
        isReplay: false
      })
    })

  /** What a start comes to that wrote nothing so far, after so many tries. */
  const followed = (
    accepted: AcceptedStart,
    outcome: Exclude<StartOutcome, { readonly _tag: "Created" }>,
    { tries, wasUnknown }: Tried
  ): Starting => {
    const { fingerprint, id, start } = accepted
    switch (outcome._tag) {
      case "CreditsShort": {
        const refusal = new StartRefused([creditsShort(outcome.wallet)])
        return unknownIfUnavailable(replayOr(start, fingerprint, refusal, id))
      }
      case "KeyTaken":
        return unknownIfUnavailable(replayOr(start, fingerprint, freeAgain, id))
      case "CustomerKnown":
      case "CustomerGone":
        return tries < startLimits.mostTries
          ? attempt(accepted, outcome._tag === "CustomerKnown" ? outcome.customer : null, { tries, wasUnknown })
          : Effect.fail(new StoreUnavailable({ cause: "the customer's row kept changing" }))
    }
  }

  const attempt = (accepted: AcceptedStart, known: CustomerKey | null, before: Tried): Starting => {
    let { wasUnknown } = before
    const noteUnknown = () =>
      Effect.sync(() => {
        wasUnknown = true
      })
    const written = Effect.flatMap(commitOf(accepted, known), (commit) =>
      Effect.map(knownInTime(Effect.tapErrorTag(store.start(commit), "CommitUnknown", noteUnknown)), (outcome) => ({
        commit,
        outcome
      }))
    )
    return Effect.flatMap(before.wasUnknown ? unknownIfUnavailable(written) : written, ({ commit, outcome }) => {
      if (outcome._tag === "Created") return created(commit)
      const following = followed(accepted, outcome, { tries: before.tries + 1, wasUnknown })
      return before.tries === 0 ? unknownAfterTimeout(following) : following
    })
  }

  return (accepted: AcceptedStart) => attempt(accepted, null, { tries: 0, wasUnknown: false })
})

const freeAgain = new StoreUnavailable({ cause: "the idempotency key was taken and is free again" })
