/**
 * The identity check as the customer meets it: by which way the check of a journey is done, and one attempt at the built-in
 * check from its photos to the journey's answer. `judgePhotos.ts` says what the photos show; the journey decides what follows.
 *
 * An attempt is stored before its photos are looked at: a customer who hangs up gets no extra look. Its verdict, and the
 * photos that are kept, are stored before the journey hears the result: the team can see whatever the journey says.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { FaceCheck } from "../faces/FaceCheck.ts"
import { askThrough } from "../journey/actor/askJourney.ts"
import { JourneyMailbox } from "../journey/actor/JourneyMailbox.ts"
import { Ids } from "../kernel/Ids.ts"
import { OutcomeUnknown, type CommitUnknown, type StoreUnavailable } from "../kernel/StoreError.ts"
import type { DataKey } from "../kernel/Vault.ts"
import {
  documentPlace,
  IdentityChecks,
  pagePlace,
  selfiePlace,
  type AskedCheck,
  type AttemptVerdict,
  type JudgedAttempt
} from "./IdentityChecks.ts"
import { judgePhotos, type IdentityJudgement, type IdentityPhoto } from "./judgePhotos.ts"
import { makeOpenIdentityCheck } from "./openIdentityCheck.ts"

export type IdentityWay =
  | { readonly _tag: "BUILT_IN" }
  /** The provider's page for this check. */
  | { readonly _tag: "PROVIDER"; readonly url: string }
  /** The check is not ready yet, or cannot be started. */
  | { readonly _tag: "NOT_READY" }

export type IdentityOutcome =
  | { readonly _tag: "VERIFIED" }
  | { readonly _tag: "UNDER_REVIEW" }
  | { readonly _tag: "FAILED" }
  /** A photo cannot be judged, so there was no attempt. `rule` ends a sentence about the photo: "shows no face". */
  | { readonly _tag: "UNREADABLE"; readonly which: IdentityPhoto; readonly rule: string }
  | { readonly _tag: "UNAVAILABLE" }
  | { readonly _tag: "TOO_MANY" }
  /** The journey no longer waits for a check. */
  | { readonly _tag: "NOT_ASKED" }

export class IdentityAttempts extends Context.Service<
  IdentityAttempts,
  {
    readonly way: (journeyId: string) => Effect.Effect<IdentityWay, StoreUnavailable>
    readonly attempt: (
      journeyId: string,
      documentPhoto: Uint8Array,
      selfie: Uint8Array
    ) => Effect.Effect<IdentityOutcome, StoreUnavailable | OutcomeUnknown>
  }
>()("journeys/customer/IdentityAttempts") {}

/** What each verdict tells the journey, and the customer. */
const resultOf = {
  SAME: { message: "IdentityVerified", outcome: "VERIFIED" },
  UNCLEAR: { message: "IdentityUnderReview", outcome: "UNDER_REVIEW" },
  DIFFERENT: { message: "IdentityFailed", outcome: "FAILED" },
  NO_FACE: { message: "IdentityFailed", outcome: "FAILED" }
} as const satisfies Readonly<
  Record<
    Exclude<AttemptVerdict, "NOT_JUDGED">,
    { readonly message: JourneyMessage["_tag"]; readonly outcome: IdentityOutcome["_tag"] }
  >
>

const nothingKept = { sealedDocument: null, sealedSelfie: null }

/** A clear match keeps the selfie, an unclear one keeps both photos, any other keeps none. */
const judgedAttempt = (id: string, judgement: IdentityJudgement, key: DataKey): JudgedAttempt => {
  switch (judgement._tag) {
    case "NoFace":
      return { id, verdict: "NO_FACE", ...nothingKept }
    case "Unreadable":
      return { id, verdict: "NOT_JUDGED", ...nothingKept }
    case "Judged": {
      const { document, selfie, verdict } = judgement
      return {
        id,
        verdict,
        sealedDocument: verdict === "UNCLEAR" ? key.sealBytes(documentPlace(id), document) : null,
        sealedSelfie: verdict === "DIFFERENT" ? null : key.sealBytes(selfiePlace(id), selfie)
      }
    }
  }
}

/** Nobody knows whether the write happened: the customer's page is dropped, and a reload shows where the journey stands. */
const orUnknown = <A>(writing: Effect.Effect<A, StoreUnavailable | CommitUnknown>) =>
  Effect.catchTag(writing, "CommitUnknown", () => Effect.fail(new OutcomeUnknown()))

const notAsked: IdentityOutcome = { _tag: "NOT_ASKED" }

export const layer = Layer.effect(
  IdentityAttempts,
  Effect.gen(function* () {
    const checks = yield* IdentityChecks
    const faces = yield* FaceCheck
    const mailbox = yield* JourneyMailbox
    const ids = yield* Ids
    const openCheck = yield* makeOpenIdentityCheck

    const way = Effect.fn("IdentityAttempts.way")(function* (
      journeyId: string
    ): Effect.fn.Return<IdentityWay, StoreUnavailable> {
      const open = yield* openCheck(journeyId)
      if (open === null) return { _tag: "NOT_READY" }
      if (open.kind === "BUILT_IN") return { _tag: "BUILT_IN" }
      const { page } = open
      if (page === null) return { _tag: "NOT_READY" }
      return { _tag: "PROVIDER", url: yield* Effect.orDie(open.key.open(pagePlace(page.checkId), page.sealedUrl)) }
    })

    const record = Effect.fnUntraced(function* (
      attempt: JudgedAttempt,
      { check, journeyId }: AskedCheck
    ): Effect.fn.Return<IdentityOutcome, StoreUnavailable | OutcomeUnknown> {
      yield* orUnknown(checks.judged(attempt))
      if (attempt.verdict === "NOT_JUDGED") return notAsked
      const { message, outcome } = resultOf[attempt.verdict]
      const ask = {
        journeyId,
        messageId: attempt.id,
        sender: "identity",
        scope: null,
        message: { _tag: message, check }
      }
      return yield* askThrough(mailbox, ask).pipe(
        Effect.as<IdentityOutcome>({ _tag: outcome }),
        // Another attempt at the same time was faster: the face of this attempt must never be taken for the verified face.
        Effect.catchTag("JourneyRefused", () => Effect.as(orUnknown(checks.withoutPhotos(attempt.id)), notAsked))
      )
    }, Effect.uninterruptible)

    const attempt = Effect.fn("IdentityAttempts.attempt")(function* (
      journeyId: string,
      documentPhoto: Uint8Array,
      selfie: Uint8Array
    ): Effect.fn.Return<IdentityOutcome, StoreUnavailable | OutcomeUnknown> {
      const open = yield* openCheck(journeyId)
      if (open === null || open.kind !== "BUILT_IN") return notAsked
      const id = ids.next()
      const begun = yield* orUnknown(checks.begin(id, open.asked, yield* Clock.currentTimeMillis))
      if (begun === "TOO_MANY") return { _tag: "TOO_MANY" }
      const judgement = yield* Effect.catchTag(judgePhotos(faces, documentPhoto, selfie), "FaceCheckUnavailable", () =>
        Effect.succeed(null)
      )
      if (judgement === null) {
        yield* record({ id, verdict: "NOT_JUDGED", ...nothingKept }, open.asked)
        return { _tag: "UNAVAILABLE" }
      }
      const outcome = yield* record(judgedAttempt(id, judgement, open.key), open.asked)
      return judgement._tag === "Unreadable"
        ? { _tag: "UNREADABLE", which: judgement.which, rule: judgement.rule }
        : outcome
    })

    return IdentityAttempts.of({ way, attempt })
  })
)
