/**
 * The identity check as the customer meets it: by which way the check of a journey is done, and one attempt at the built-in
 * check from its photos to the journey's answer. `judgePhotos.ts` says what the photos show; the journey decides what follows.
 *
 * An attempt is stored before its photos are looked at: a customer who hangs up gets no extra look. Its verdict, and the
 * photos that are kept, are stored before the journey hears the result: the team can see whatever the journey says.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { FaceCheck } from "../../faces/FaceCheck.ts"
import { askThrough } from "../../journey/actor/askJourney.ts"
import { JourneyMailbox } from "../../journey/actor/JourneyMailbox.ts"
import { Ids } from "../../kernel/Ids.ts"
import { unknownToCaller } from "../../kernel/commitOutcome.ts"
import type { OutcomeUnknown, StoreUnavailable } from "../../kernel/StoreError.ts"
import type { DataKey } from "../../kernel/Vault.ts"
import {
  documentPlace,
  IdentityChecks,
  pagePlace,
  printsPlace,
  selfiePlace,
  type AskedCheck,
  type JudgedAttempt
} from "./IdentityChecks.ts"
import { attemptResult, type AttemptResult, type IdentityOutcome } from "./attemptResult.ts"
import { makeAttemptPhotos, type GivenPhotos } from "./attemptPhotos.ts"
import { identityPhotos, judgePhotos, type IdentityJudgement, type IdentityPhoto } from "./judgePhotos.ts"
import { makeReadDocument } from "./readDocument.ts"
import { printsIn, printsOf } from "./prints.ts"
import { makeOpenIdentityCheck } from "./openIdentityCheck.ts"
import { AttemptId, type JourneyId } from "../../../schema/ids.ts"

export type IdentityWay =
  /** `triesLeft` of today's attempts; `kept` need not be taken again. */
  | { readonly _tag: "BUILT_IN"; readonly triesLeft: number; readonly kept: ReadonlyArray<IdentityPhoto> }
  /** The provider's page for this check. */
  | { readonly _tag: "PROVIDER"; readonly url: string }
  /** The check is not ready yet, or cannot be started. */
  | { readonly _tag: "NOT_READY" }

export class IdentityAttempts extends Context.Service<
  IdentityAttempts,
  {
    readonly way: (journeyId: JourneyId) => Effect.Effect<IdentityWay, StoreUnavailable>
    /** `refused`: photos that came and were not taken. The good one beside them is kept, and nothing is judged. */
    readonly attempt: (
      journeyId: JourneyId,
      given: GivenPhotos,
      refused?: ReadonlyArray<IdentityPhoto>
    ) => Effect.Effect<IdentityOutcome, StoreUnavailable | OutcomeUnknown>
  }
>()("journeys/customer/IdentityAttempts") {}

const notJudged = (id: AttemptId): JudgedAttempt => ({
  id,
  verdict: "NOT_JUDGED",
  sealedDocument: null,
  sealedSelfie: null,
  sealedPrints: null
})

/** A clear match keeps the selfie, what a reviewer has to look at keeps both photos, anything else keeps none. */
const judgedAttempt = (
  id: AttemptId,
  { clean, verdict }: Extract<IdentityJudgement, { readonly _tag: "Judged" }>,
  { outcome }: AttemptResult,
  key: DataKey
): JudgedAttempt => {
  const { documentPhoto, selfie } = clean
  const keepsSelfie = verdict === "SAME" || verdict === "UNCLEAR"
  return {
    id,
    verdict,
    sealedDocument: outcome._tag === "UNDER_REVIEW" ? key.sealBytes(documentPlace(id), documentPhoto.jpeg) : null,
    sealedSelfie: keepsSelfie ? key.sealBytes(selfiePlace(id), selfie.jpeg) : null,
    // Of one picture given twice, nobody knows which photo it should have been: it may be used once more for that.
    sealedPrints: verdict === "SAME_PICTURE" ? null : key.sealBytes(printsPlace(id), printsOf(clean))
  }
}

/** Of the photos of a test journey nothing is kept but the verdict (S7). */
const verdictAlone = ({ id, verdict }: JudgedAttempt): JudgedAttempt => ({ ...notJudged(id), verdict })

const notAsked: IdentityOutcome = { _tag: "NOT_ASKED" }

export const layer = Layer.effect(
  IdentityAttempts,
  Effect.gen(function* () {
    const checks = yield* IdentityChecks
    const faces = yield* FaceCheck
    const mailbox = yield* JourneyMailbox
    const ids = yield* Ids
    const openCheck = yield* makeOpenIdentityCheck
    const attemptPhotos = yield* makeAttemptPhotos
    const readDocument = yield* makeReadDocument

    const way = Effect.fn("IdentityAttempts.way")(function* (
      journeyId: JourneyId
    ): Effect.fn.Return<IdentityWay, StoreUnavailable> {
      const open = yield* openCheck(journeyId)
      if (open === null) return { _tag: "NOT_READY" }
      if (open.kind === "BUILT_IN") {
        const triesLeft = yield* checks.triesLeft(journeyId, yield* Clock.currentTimeMillis)
        return { _tag: "BUILT_IN", triesLeft, kept: yield* attemptPhotos.names(journeyId) }
      }
      const { page } = open
      if (page === null) return { _tag: "NOT_READY" }
      return { _tag: "PROVIDER", url: yield* Effect.orDie(open.key.open(pagePlace(page.checkId), page.sealedUrl)) }
    })

    const earlierOf = Effect.fnUntraced(function* (journeyId: JourneyId, key: DataKey) {
      const rows = yield* checks.earlierPrints(journeyId)
      return yield* Effect.forEach(rows, ({ attemptId, sealed }) =>
        Effect.map(Effect.orDie(key.openBytes(printsPlace(attemptId), sealed)), printsIn)
      )
    })

    const record = Effect.fnUntraced(function* (
      attempt: JudgedAttempt,
      { message, outcome }: AttemptResult,
      { check, journeyId }: AskedCheck
    ): Effect.fn.Return<IdentityOutcome, StoreUnavailable | OutcomeUnknown> {
      yield* unknownToCaller(checks.judged(attempt))
      const ask = {
        journeyId,
        messageId: attempt.id,
        sender: "identity",
        scope: null,
        message: { ...message, check }
      }
      return yield* askThrough(mailbox, ask).pipe(
        Effect.as(outcome),
        // Another attempt at the same time was faster: the face of this attempt must never be taken for the verified face.
        Effect.catchTag("JourneyRefused", () => Effect.as(unknownToCaller(checks.withoutPhotos(attempt.id)), notAsked))
      )
    }, Effect.uninterruptible)

    /** Photos or the document cannot be looked at now: it was no attempt, and the customer tries again with the same photos. */
    const notNow = Effect.fnUntraced(function* (
      id: AttemptId,
      journeyId: JourneyId,
      { isTest }: { readonly isTest: boolean },
      given: GivenPhotos
    ): Effect.fn.Return<IdentityOutcome, StoreUnavailable | OutcomeUnknown> {
      yield* unknownToCaller(checks.judged(notJudged(id)))
      if (!isTest) yield* attemptPhotos.keep(journeyId, given)
      return { _tag: "UNAVAILABLE" }
    })

    const attempt = Effect.fn("IdentityAttempts.attempt")(function* (
      journeyId: JourneyId,
      given: GivenPhotos,
      refused: ReadonlyArray<IdentityPhoto> = []
    ): Effect.fn.Return<IdentityOutcome, StoreUnavailable | OutcomeUnknown> {
      const open = yield* openCheck(journeyId)
      if (open === null || open.kind !== "BUILT_IN") return notAsked
      if (!open.hasAgreed) return { _tag: "NOT_AGREED" }
      const found = yield* attemptPhotos.all(journeyId, given)
      if (found.missing !== undefined || refused.length > 0) {
        yield* attemptPhotos.keep(journeyId, given)
        return { _tag: "MISSING", missing: found.missing ?? [] }
      }
      const id = AttemptId.make(ids.next())
      const begun = yield* unknownToCaller(checks.begin(id, open.asked, yield* Clock.currentTimeMillis))
      if (begun !== "BEGUN") return { _tag: begun }
      const earlier = yield* earlierOf(journeyId, open.key)
      const judgement = yield* Effect.catchTag(judgePhotos(faces, found.photos, earlier), "FaceCheckUnavailable", () =>
        Effect.succeed(null)
      )
      if (judgement === null) return yield* notNow(id, journeyId, open, given)
      if (judgement._tag === "Judged") {
        const document = yield* Effect.catchTag(readDocument(journeyId, judgement), "DocumentReaderBusy", () =>
          Effect.succeed(null)
        )
        if (document === null) return yield* notNow(id, journeyId, open, given)
        const result = attemptResult(judgement.verdict, document, open.least)
        const judged = judgedAttempt(id, judgement, result, open.key)
        const outcome = yield* record(open.isTest ? verdictAlone(judged) : judged, result, open.asked)
        yield* unknownToCaller(attemptPhotos.drop(journeyId, identityPhotos))
        return outcome
      }
      yield* unknownToCaller(checks.judged(notJudged(id)))
      if (open.isTest) {
        yield* unknownToCaller(attemptPhotos.drop(journeyId, identityPhotos))
        return { _tag: "UNUSABLE", faults: judgement.faults }
      }
      const faulty = identityPhotos.filter((name) => judgement.faults[name] !== undefined)
      yield* unknownToCaller(attemptPhotos.drop(journeyId, faulty))
      yield* attemptPhotos.keep(journeyId, given, faulty)
      return { _tag: "UNUSABLE", faults: judgement.faults }
    })

    return IdentityAttempts.of({ way, attempt })
  })
)
