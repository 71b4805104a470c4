/**
 * Journeys for callers: list, read, cancel, and tell the lender's decision. Reads ask the store and not the actor: what is
 * committed is what is true. An operation becomes one message to the journey's actor, and its answer is the journey after
 * everything that the message caused (decision R10). The start and the new photo have files of their own.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { JourneyStore, type JourneysFilter } from "../../../actors/journey/actor/JourneyStore.ts"
import { journeyResource } from "../../../actors/journey/rules/projection.ts"
import { CancelBody, FinanceDecisionBody } from "../../../schema/requests/operations.ts"
import { listLimits } from "../../../schema/limits.ts"
import { JourneyStatus, JourneyType } from "../../../schema/journey/statuses.ts"
import { NextAction } from "../../../schema/journey/steps.ts"
import {
  firstPage,
  Id,
  longestExternalReference,
  PageQuery,
  textParameter,
  TimestampParameter,
  usualPageSize
} from "../../../schema/decoding/parameters.ts"
import { AfterPlace, placeText, readPlace } from "../../../schema/decoding/place.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { normaliseText } from "../../../schema/decoding/text.ts"
import { journeysLater } from "../../documents/exampleJourneys.ts"
import { ofAnyKey, ofAnyOperation } from "../../server/answers/commonRefusals.ts"
import { described, jsonExample, pageOfAll, Permitted } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { problem } from "../../server/answers/problems.ts"
import { pageOf } from "../../server/endpoints/query.ts"
import { callerResource } from "../../server/endpoints/serve.ts"
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
} from "../frame/asCaller.ts"
import { asTyped, JourneyAnswer, JourneyPageAnswer } from "../frame/journeyAnswer.ts"

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const isPlain = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text)

/** A reference is looked for in the form in which a start keeps it (V11). */
const asStarted = (text: string): string =>
  normaliseText(text, { limit: longestExternalReference, lines: "ONE", alphabet: "UNICODE" }) ?? ""

const ExternalReference = textParameter(
  (text) =>
    isPlain(text) && Array.from(text).length <= longestExternalReference
      ? undefined
      : `must have at most ${longestExternalReference} characters and no control characters`,
  { bring: asStarted, maxLength: longestExternalReference }
)

const orderedByEnd = "the last that ended first. Not together with createdAfter or createdBefore"

/** What the list can be filtered by (decision R8). */
const filters = {
  status: Schema.optionalKey(JourneyStatus.annotate({ description: "Only journeys of this status" })),
  type: Schema.optionalKey(JourneyType.annotate({ description: "Only journeys of this type" })),
  nextAction: Schema.optionalKey(NextAction.annotate({ description: "Only journeys that wait for this" })),
  externalReference: Schema.optionalKey(
    ExternalReference.annotate({
      description: "Only journeys started with exactly this externalReference, case included; several may share it"
    })
  ),
  customerReference: Schema.optionalKey(Id.annotate({ description: "Only journeys of this customer" })),
  createdAfter: Schema.optionalKey(
    TimestampParameter.annotate({ description: "Only journeys that were created after this time" })
  ),
  createdBefore: Schema.optionalKey(
    TimestampParameter.annotate({ description: "Only journeys that were created before this time" })
  ),
  endedAfter: Schema.optionalKey(
    TimestampParameter.annotate({ description: `Only journeys that ended after this time, ${orderedByEnd}` })
  ),
  endedBefore: Schema.optionalKey(
    TimestampParameter.annotate({ description: `Only journeys that ended before this time, ${orderedByEnd}` })
  )
}

const Query = Schema.Struct({ ...filters, after: Schema.optionalKey(AfterPlace), ...PageQuery.fields })

const examplePlace = placeText({ micros: "1768473000000000", id: journeysLater.awaitingVideo.id })

const millisOrNull = (moment: string | undefined): number | null => (moment === undefined ? null : millisOf(moment))

const filterOf = (asked: typeof Query.Type): JourneysFilter => ({
  status: asked.status ?? null,
  type: asked.type ?? null,
  nextAction: asked.nextAction ?? null,
  externalReference: asked.externalReference ?? null,
  customerReference: asked.customerReference ?? null,
  createdAfter: millisOrNull(asked.createdAfter),
  createdBefore: millisOrNull(asked.createdBefore),
  endedAfter: millisOrNull(asked.endedAfter),
  endedBefore: millisOrNull(asked.endedBefore)
})

/** Parameters that contradict one another, which the forms of single parameters cannot say. */
const contradiction = ({ after, createdAfter, createdBefore, endedAfter, endedBefore, page }: typeof Query.Type) => {
  if (after !== undefined && page !== undefined) return ["page", "cannot be given together with after"] as const
  const isByCreation = createdAfter !== undefined || createdBefore !== undefined
  if (!isByCreation || (endedAfter === undefined && endedBefore === undefined)) return undefined
  const byEnd = endedAfter === undefined ? "endedBefore" : "endedAfter"
  return [byEnd, "cannot be given together with createdAfter or createdBefore"] as const
}

const listJourneys = HttpApiEndpoint.get("listJourneys", journeysPath, {
  query: Query,
  success: JourneyPageAnswer,
  error: refusedWith(ofAnyKey, "VALIDATION_FAILED")
})
  .annotate(Permitted, read)
  .annotateMerge(
    described({
      summary: "List journeys",
      description: `The journeys this key can see, newest first. To read on, pass \`next\` as \`after\` with the same filters until it is null; journeys that begin meanwhile come before the first piece and change no other. With \`page\` instead the first ${listLimits.mostCounted.toLocaleString("en")} journeys that fit are counted and can be paged through (\`totalIsLowerBound\`). A parameter that is not listed here is refused.`,
      answer: {
        description: "One page of the journeys that fit",
        message: "Journeys",
        examples: {
          Page: {
            summary: "Two journeys",
            value: { ...pageOfAll([journeysLater.completed, journeysLater.cancelled]), next: null }
          },
          After: {
            summary: "Asked for with `after`: one more of many",
            value: { content: [journeysLater.awaitingVideo], size: 1, next: examplePlace }
          }
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
      const asked = yield* query
      const wrong = contradiction(asked)
      if (wrong !== undefined) return yield* problem("VALIDATION_FAILED", wrong[0], `${wrong[0]} ${wrong[1]}`)
      const { after: place, page = firstPage, size = usualPageSize } = asked
      const after = place === undefined ? null : readPlace(place)
      const store = yield* JourneyStore
      const found = yield* store.list(scopeOf(caller), {
        filter: filterOf(asked),
        from: after === null ? { page } : { after },
        size
      })
      const content = found.content.map((journey) => asTyped(journeyResource(journey)))
      const next = found.next === null ? null : placeText(found.next)
      if (found.total === null) return { content, size, next }
      return { ...pageOf({ page, size }, { content, ...found.total }, (one) => one), next }
    }),

  getJourney: (asked) =>
    Effect.flatMap(Effect.zip(journeyAsked(asked), JourneyStore), ([id, store]) =>
      Effect.flatMap(store.read(id, scopeOf(asked.caller)), (found) =>
        found === null ? journeyNotFound() : Effect.succeed(asTyped(journeyResource(found.journey)))
      )
    ),

  cancelJourney: (asked) =>
    Effect.gen(function* () {
      const operation = yield* operationAsked(asked)
      const { reason } = operation.body
      // The reason may hold personal data (V22).
      const fingerprint = yield* fingerprintOf(reason)
      return yield* askAsCaller(
        cancelJourney,
        asked.caller,
        operation,
        { _tag: "Cancel", fingerprint },
        { note: reason }
      )
    }),

  sendFinanceDecision: (asked) =>
    Effect.gen(function* () {
      const operation = yield* operationAsked(asked)
      const { decision } = operation.body
      return yield* askAsCaller(sendFinanceDecision, asked.caller, operation, { _tag: "FinanceDecision", decision })
    })
})
