/**
 * The customer's side of the identity check: by which way it is done, and one attempt of the built-in one from its photos
 * to the journey's answer. What the photos show is `builtInCheck.ts`'s; the journey decides what follows.
 *
 * An attempt is written before its photos are looked at, so that nobody gets more looks by hanging up; its verdict and
 * what is kept of it are written before the journey hears, so that whatever the journey says is there to be seen.
 */
import { Clock, Effect, Layer } from "effect"
import { CompanyStore } from "../company/CompanyStore.ts"
import { stepAskedOf } from "../journey/rules/waiting.ts"
import { IdentityAttempts, type AttemptOutcome, type IdentityWay } from "./IdentityAttempts.ts"
import { FaceCheck } from "../faces/FaceCheck.ts"
import {
  documentPlace,
  IdentityChecks,
  pagePlace,
  selfiePlace,
  type Ask,
  type AttemptVerdict,
  type JudgedAttempt
} from "./IdentityChecks.ts"
import { Ids } from "../kernel/Ids.ts"
import { askThrough } from "../journey/actor/askJourney.ts"
import { JourneyMailbox } from "../journey/actor/JourneyMailbox.ts"
import { JourneyStore } from "../journey/actor/JourneyStore.ts"
import { type CommitUnknown, type StoreUnavailable, OutcomeUnknown } from "../kernel/StoreError.ts"
import { Vault, type DataKey } from "../kernel/Vault.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { judgePhotos, type Judgement } from "./judgePhotos.ts"

/** What the journey is told, and the customer. */
const resultOf = {
  SAME: { message: "IdentityVerified", outcome: "VERIFIED" },
  UNCLEAR: { message: "IdentityUnderReview", outcome: "UNDER_REVIEW" },
  DIFFERENT: { message: "IdentityFailed", outcome: "FAILED" },
  NO_FACE: { message: "IdentityFailed", outcome: "FAILED" }
} as const satisfies Readonly<
  Record<
    Exclude<AttemptVerdict, "NOT_JUDGED">,
    { readonly message: JourneyMessage["_tag"]; readonly outcome: AttemptOutcome["_tag"] }
  >
>

const nothingKept = { sealedDocument: null, sealedSelfie: null }

/** Of a clear match the selfie, of an unclear one both photos; of any other nothing (see `JudgedAttempt`). */
const attemptOf = (id: string, judgement: Judgement, key: DataKey): JudgedAttempt => {
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

/** Whether it was written nobody knows: the customer sees where the journey stands. */
const certain = <A>(writing: Effect.Effect<A, StoreUnavailable | CommitUnknown>) =>
  Effect.catchTag(writing, "CommitUnknown", () => Effect.fail(new OutcomeUnknown()))

const notAsked: AttemptOutcome = { _tag: "NOT_ASKED" }

export const layer = Layer.effect(
  IdentityAttempts,
  Effect.gen(function* () {
    const journeys = yield* JourneyStore
    const companies = yield* CompanyStore
    const checks = yield* IdentityChecks
    const faces = yield* FaceCheck
    const mailbox = yield* JourneyMailbox
    const vault = yield* Vault
    const ids = yield* Ids

    /** The open ask of a live journey, with what it takes to work on it; null when none waits for the customer. */
    const openAsk = Effect.fnUntraced(function* (journeyId: string) {
      const loaded = yield* Effect.catchTag(journeys.load(journeyId), "JourneyUnreadable", Effect.die)
      const journey = loaded?.journey
      if (journey === undefined || !journey.livemode || stepAskedOf(journey) !== "VERIFY_IDENTITY") return null
      const { companyId, identity, livemode } = journey
      const company = yield* companies.find(companyId)
      const customer = yield* Effect.catchTag(
        journeys.customerKey(journeyId, { companyId, livemode }),
        "JourneyUnreadable",
        Effect.die
      )
      if (company?.identityProvider == null || customer === null) return null
      const check = identity === null || identity.status === "NOT_ASKED" ? 0 : (identity.check ?? 0)
      const ask: Ask = { journeyId, check }
      const page = company.identityProvider.kind === "HTTP" ? yield* checks.page(ask) : null
      // Asked before the company had its provider: nobody starts that check there any more, so it is done here.
      const isAskedHere = page === null && journey.owed.every(({ kind }) => kind !== "START_IDENTITY_CHECK")
      return {
        ask,
        page,
        kind: isAskedHere ? "BUILT_IN" : company.identityProvider.kind,
        key: yield* Effect.orDie(vault.keyOf(customer.wrappedKey))
      }
    })

    const way = Effect.fn("IdentityAttempts.way")(function* (
      journeyId: string
    ): Effect.fn.Return<IdentityWay, StoreUnavailable> {
      const open = yield* openAsk(journeyId)
      if (open === null) return { _tag: "NOT_READY" }
      if (open.kind === "BUILT_IN") return { _tag: "BUILT_IN" }
      const { page } = open
      if (page === null) return { _tag: "NOT_READY" }
      return { _tag: "PROVIDER", url: yield* Effect.orDie(open.key.open(pagePlace(page.checkId), page.sealedUrl)) }
    })

    const record = Effect.fnUntraced(function* (
      attempt: JudgedAttempt,
      { check, journeyId }: Ask
    ): Effect.fn.Return<AttemptOutcome, StoreUnavailable | OutcomeUnknown> {
      yield* certain(checks.judged(attempt))
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
        Effect.as<AttemptOutcome>({ _tag: outcome }),
        // Another attempt at the same time was faster: the face of this one must never be taken for the verified face.
        Effect.catchTag("JourneyRefused", () => Effect.as(certain(checks.withoutPhotos(attempt.id)), notAsked))
      )
    }, Effect.uninterruptible)

    const attempt = Effect.fn("IdentityAttempts.attempt")(function* (
      journeyId: string,
      documentPhoto: Uint8Array,
      selfie: Uint8Array
    ): Effect.fn.Return<AttemptOutcome, StoreUnavailable | OutcomeUnknown> {
      const open = yield* openAsk(journeyId)
      if (open === null || open.kind !== "BUILT_IN") return notAsked
      const id = ids.next()
      const begun = yield* certain(checks.begin(id, open.ask, yield* Clock.currentTimeMillis))
      if (begun === "TOO_MANY") return { _tag: "TOO_MANY" }
      const judgement = yield* Effect.catchTag(judgePhotos(faces, documentPhoto, selfie), "FaceCheckUnavailable", () =>
        Effect.succeed(null)
      )
      if (judgement === null) {
        yield* record({ id, verdict: "NOT_JUDGED", ...nothingKept }, open.ask)
        return { _tag: "UNAVAILABLE" }
      }
      const outcome = yield* record(attemptOf(id, judgement, open.key), open.ask)
      return judgement._tag === "Unreadable"
        ? { _tag: "UNREADABLE", which: judgement.which, rule: judgement.rule }
        : outcome
    })

    return IdentityAttempts.of({ way, attempt })
  })
)
