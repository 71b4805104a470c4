/**
 * What follows from the result that an outside identity provider called back with: the message to the journey, and what is
 * kept for the team and for the video check. Nothing is kept of a failed check. Whether the callback is genuine and new was
 * found out before.
 */
import { Effect } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { IdentityCallbackBody } from "../../../schema/requests/callbacks.ts"
import { FaceCheck } from "../../faces/FaceCheck.ts"
import type { Journey } from "../../journey/rules/state/Journey.ts"
import { JourneyStore } from "../../journey/actor/JourneyStore.ts"
import type { Scope } from "../../kernel/Scope.ts"
import { customerKeyOf, Vault, type DataKey } from "../../kernel/Vault.ts"
import type { AskedCheck } from "./IdentityChecks.ts"
import { judgePortrait, type JudgedPortrait } from "./judgePortrait.ts"
import { portraitPlace, ProviderResults, reviewUrlPlace } from "./ProviderResults.ts"

/** What the team reads where the provider has not said why. */
const itsOwnDecision: readonly [string] = ["PROVIDER_DECISION"]

/**
 * A verified person rests on the provider's word (D8). A person of another name than the customer's is never verified
 * without a person's look (D6).
 */
export const resultMessage = (
  { reasons = itsOwnDecision, result }: Pick<IdentityCallbackBody, "reasons" | "result">,
  check: number
): JourneyMessage => {
  const given = reasons.length === 0 ? itsOwnDecision : reasons
  switch (result) {
    case "FAILED":
      return { _tag: "IdentityFailed", check, reasons: given }
    case "UNDER_REVIEW":
      return { _tag: "IdentityUnderReview", check, reasons: given }
    case "VERIFIED":
      return given.includes("NAME_DIFFERS")
        ? { _tag: "IdentityUnderReview", check, reasons: given, assurance: "PROVIDER" }
        : { _tag: "IdentityVerified", check, assurance: "PROVIDER" }
  }
}

/** The customer has said no, here or afterwards, to any comparison of their face (D7): no portrait is even looked at. */
const isComparisonRefused = ({ consents }: Pick<Journey, "consents">): boolean =>
  [consents?.identity, consents?.video].some((one) => one?.answer === "REFUSED" || one?.answer === "WITHDRAWN")

const notAgreed: JudgedPortrait = { _tag: "Unusable", rule: "shows a face that the customer does not agree to compare" }

export interface ProviderResult {
  readonly messageId: string
  readonly asked: AskedCheck
  readonly scope: Scope
  readonly body: IdentityCallbackBody
  readonly at: number
}

/** Keeps what must be kept before the journey hears the result, and answers with a note for the team, or null. */
export const keepProviderResult = Effect.fn("providers.keepResult")(function* ({
  asked,
  at,
  body: { portrait, result, reviewUrl },
  messageId,
  scope
}: ProviderResult) {
  if (result === "FAILED" || (portrait === undefined && reviewUrl === undefined)) return null
  const journeys = yield* JourneyStore
  const vault = yield* Vault
  const results = yield* ProviderResults
  const customer = yield* journeys.customerKey(asked.journeyId, scope)
  if (customer === null) return null
  const key: DataKey = yield* customerKeyOf(vault, customer.wrappedKey)
  const journey = (yield* journeys.load(asked.journeyId))?.journey
  const judged =
    portrait === undefined
      ? null
      : journey === undefined || isComparisonRefused(journey)
        ? notAgreed
        : yield* judgePortrait(yield* FaceCheck, portrait)
  const usable = judged?._tag === "Usable" ? judged.portrait.jpeg : null
  if (usable !== null || reviewUrl !== undefined) {
    yield* results.keep({
      messageId,
      asked,
      sealedPortrait: usable === null ? null : key.sealBytes(portraitPlace(messageId), usable),
      sealedReviewUrl: reviewUrl === undefined ? null : key.seal(reviewUrlPlace(messageId), reviewUrl),
      at
    })
  }
  return judged?._tag === "Unusable" ? `The provider's portrait was not kept: it ${judged.rule}.` : null
})
