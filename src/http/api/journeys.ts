/**
 * Journeys for callers: list, read, cancel, and tell the lender's decision. Reads ask the store and not the actor: what is
 * committed is what is true. An operation becomes one message to the journey's actor, and its answer is the journey after
 * everything that the message caused (decision R10). The start and the new photo have files of their own.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { JourneyStore } from "../../actors/journey/actor/JourneyStore.ts"
import { journeyResource } from "../../actors/journey/rules/projection.ts"
import { CancelBody, FinanceDecisionBody } from "../../schema/requests/operations.ts"
import { JourneyStatus } from "../../schema/journey/statuses.ts"
import { longestExternalReference, PageQuery, textParameter } from "../../schema/parameters.ts"
import { journeysLater } from "../documents/exampleJourneys.ts"
import { ofAnyKey, ofAnyOperation } from "../server/commonRefusals.ts"
import { described, jsonExample, pageOfAll, Permitted } from "../server/described.ts"
import { refusedWith } from "../server/envelope.ts"
import { pageAsked, pageOf } from "../server/query.ts"
import { callerResource } from "../server/serve.ts"
import {
  askAsCaller,
  fingerprintOf,
  oneJourneyPath,
  journeyAsked,
  journeyNotFound,
  journeysPath,
  ofJourney,
  operationAsked,
  read,
  repeatable,
  scopeOf,
  write
} from "./asCaller.ts"
import { asTyped, JourneyAnswer, JourneyPageAnswer } from "./journeyAnswer.ts"

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const isPlain = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text)

const ExternalReference = textParameter(
  (text) =>
    isPlain(text) && Array.from(text).length <= longestExternalReference
      ? undefined
      : `must have at most ${longestExternalReference} characters and no control characters`,
  { bring: (text) => text.normalize("NFC"), maxLength: longestExternalReference }
)

/** What the list can be filtered by (decision R8). */
const Query = Schema.Struct({
  status: Schema.optionalKey(JourneyStatus.annotate({ description: "Only journeys of this status" })),
  externalReference: Schema.optionalKey(
    ExternalReference.annotate({
      description: "Only journeys started with exactly this externalReference, case included; several may share it"
    })
  ),
  ...PageQuery.fields
})

const listJourneys = HttpApiEndpoint.get("listJourneys", journeysPath, {
  query: Query,
  success: JourneyPageAnswer,
  error: refusedWith(ofAnyKey, "VALIDATION_FAILED")
})
  .annotate(Permitted, read)
  .annotateMerge(
    described({
      summary: "List journeys",
      description:
        "The journeys this key can see, newest first. A parameter that is not listed here is refused. The first 10,000 journeys that fit are counted and can be paged through (`totalIsLowerBound`); a filter, or `GET /api/v1/events`, finds the others.",
      answer: {
        description: "One page of the journeys that fit",
        message: "Journeys",
        examples: {
          Page: { summary: "Two journeys", value: pageOfAll([journeysLater.completed, journeysLater.cancelled]) }
        }
      }
    })
  )

const getJourney = HttpApiEndpoint.get("getJourney", oneJourneyPath, {
  params: ofJourney,
  success: JourneyAnswer,
  error: refusedWith(ofAnyKey, "JOURNEY_NOT_FOUND")
})
  .annotate(Permitted, read)
  .annotateMerge(
    described({
      summary: "Get a journey",
      description: "The journey as it is now. A journey of another company, or of the other mode, is not found.",
      answer: {
        description: "The journey",
        message: "Journey",
        examples: {
          Completed: { summary: "A finance journey that came to its end", value: journeysLater.completed },
          AwaitingVideo: { summary: "A cash sale waiting for the customer's video", value: journeysLater.awaitingVideo }
        }
      }
    })
  )

const cancelJourney = HttpApiEndpoint.post("cancelJourney", `${oneJourneyPath}/cancel`, {
  params: ofJourney,
  headers: repeatable,
  payload: CancelBody,
  success: JourneyAnswer,
  error: refusedWith(ofAnyOperation)
})
  .annotate(Permitted, write)
  .annotateMerge(
    described({
      summary: "Cancel a journey",
      description:
        "Ends a running journey for good. The customer is not mailed; their sign-in link says that the journey is closed.",
      request: jsonExample("With a reason for the team", { reason: "Customer bought another car" }, "Cancel"),
      answer: {
        description: "The journey, CANCELLED",
        message: "Journey cancelled",
        examples: { Cancelled: { summary: "A cancelled finance sale", value: journeysLater.cancelled } }
      }
    })
  )

const sendFinanceDecision = HttpApiEndpoint.post("sendFinanceDecision", `${oneJourneyPath}/finance-decision`, {
  params: ofJourney,
  headers: repeatable,
  payload: FinanceDecisionBody,
  success: JourneyAnswer,
  error: refusedWith(ofAnyOperation, "FINANCE_DECISION_FROM_PANEL", "FINANCE_ALREADY_DECIDED")
})
  .annotate(Permitted, write)
  .annotateMerge(
    described({
      summary: "Send the lender's decision",
      description:
        "For FINANCE_IDENTITY_DELIVERY with ALREADY_SUBMITTED. APPROVED and DECLINED are final, and DECLINED cancels the journey; REFERRED leaves it pending, so another decision may follow.",
      request: jsonExample("The lender said yes", { decision: "APPROVED" }, "Approved"),
      answer: {
        description: "The journey with the decision recorded",
        message: "Decision recorded",
        examples: { Approved: { summary: "Finance approved", value: journeysLater.approved } }
      }
    })
  )

export const journeyOperations = callerResource([listJourneys, getJourney, cancelJourney, sendFinanceDecision], {
  listJourneys: ({ caller, query }) =>
    Effect.gen(function* () {
      const { externalReference = null, status = null, ...page } = yield* query
      const asked = { externalReference, status, ...pageAsked(page) }
      const store = yield* JourneyStore
      return pageOf(asked, yield* store.list(scopeOf(caller), asked), (found) => asTyped(journeyResource(found)))
    }),

  getJourney: (asked) =>
    Effect.gen(function* () {
      const id = yield* journeyAsked(asked)
      const store = yield* JourneyStore
      const found = yield* store.read(id, scopeOf(asked.caller))
      return found === null ? yield* journeyNotFound() : asTyped(journeyResource(found.journey))
    }),

  cancelJourney: (asked) =>
    Effect.gen(function* () {
      const operation = yield* operationAsked(asked)
      const { reason } = operation.body
      // The reason may hold personal data (V22).
      const fingerprint = yield* fingerprintOf(reason)
      return yield* askAsCaller(operation, asked.caller, { _tag: "Cancel", fingerprint }, { note: reason })
    }),

  sendFinanceDecision: (asked) =>
    Effect.gen(function* () {
      const operation = yield* operationAsked(asked)
      const { decision } = operation.body
      return yield* askAsCaller(operation, asked.caller, { _tag: "FinanceDecision", decision })
    })
})
