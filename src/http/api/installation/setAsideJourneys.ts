/**
 * Journeys over all companies that were set aside because they could not be woken, and another try for one of them. Such a
 * journey still serves reads and callers; its alarms ring again once it is taken back.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { SetAsideJourneys, type SetAsideJourney } from "../../../actors/installation/SetAsideJourneys.ts"
import { Alarms } from "../../../actors/journey/actor/Alarms.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { SetAsideJourneyResource } from "../../../schema/installation/SetAsideJourney.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { JourneyIdParameter, naming } from "../../../schema/decoding/parameters.ts"
import { placeText } from "../../../schema/decoding/place.ts"
import { ofAnyCompany, ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, cursorPageOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem } from "../../server/answers/problems.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { notFound } from "../frame/ofCompany.ts"
import { placedPiece, placeAsked, placeQuery } from "../frame/placeQuery.ts"
import { modeOf } from "../../../schema/Mode.ts"

const path = "/settings/v1/journeys/set-aside"

const journeyId = exampleId("journey", 1)
const example: SetAsideJourneyResource = {
  journeyId,
  companyId: exampleId("company", 1),
  companyName: "Harbour Cars",
  mode: "LIVE",
  type: "IDENTITY_DELIVERY",
  since: "2026-01-15T10:31:07.218Z",
  reason: "UNREADABLE",
  dueSince: "2026-01-15T10:31:02.004Z"
}

const listSetAsideJourneys = HttpApiEndpoint.get("listSetAsideJourneys", path, {
  query: Schema.Struct(placeQuery),
  success: answerOf("SetAsideJourneyPageAnswer", cursorPageOf("SetAsideJourneyPage", SetAsideJourneyResource)),
  error: refusedWith(ofAnyToken, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List set-aside journeys",
    description:
      "Journeys of all companies whose wake-ups failed again and again, the longest set aside first. Nothing happens in them by itself until a message is committed or they are retried.",
    answer: answer("A piece of the list", "Set-aside journeys", {
      content: [example],
      next: placeText({ micros: "1768473067218000", id: journeyId })
    })
  })
)

const Retried = Schema.Struct({ journeyId: Schema.String }).annotate({ identifier: "RetriedJourney" })

const retryJourney = HttpApiEndpoint.post("retryJourney", "/settings/v1/journeys/:journeyId/retry", {
  params: { journeyId: JourneyIdParameter.annotate({ description: "The journey's id", ...naming("journey") }) },
  success: answerOf("RetriedJourneyAnswer", Retried),
  error: refusedWith(ofAnyCompany, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Retry a set-aside journey",
    description:
      "Lets the journey be woken again, and wakes it now. If its wake-ups go on failing it is set aside anew. The company's audit log has a line.",
    answer: answer("The journey that is tried again", "The journey is woken again", { journeyId })
  })
)

const resourceOf = (journey: SetAsideJourney): SetAsideJourneyResource => ({
  journeyId: journey.journeyId,
  companyId: journey.companyId,
  companyName: journey.companyName,
  mode: modeOf(journey.livemode),
  type: journey.type,
  since: timestamp(journey.since),
  reason: journey.reason,
  dueSince: timestampOrNull(journey.dueSince)
})

export const setAsideOperations = operatorResource([listSetAsideJourneys, retryJourney], {
  listSetAsideJourneys: (asked) =>
    Effect.gen(function* () {
      const { after, read, size } = placeAsked(yield* asked.query)
      const journeys = yield* SetAsideJourneys
      return placedPiece(yield* journeys.list(after, read), size, resourceOf)
    }),

  retryJourney: (asked) =>
    Effect.gen(function* () {
      const journeyId = yield* asked.path("journeyId")
      const journeys = yield* SetAsideJourneys
      const alarms = yield* Alarms
      const line = yield* auditLine("journey.retried", { journeyId })
      const outcome = yield* written(journeys.takeBack(journeyId, line))
      if (outcome === null) return yield* notFound("journey")
      if (outcome === "NOT_SET_ASIDE") {
        return yield* problem("CONFLICT", "journey", "The journey is not set aside: it is woken whenever it is due")
      }
      yield* alarms.wakeNow(journeyId)
      return { journeyId }
    })
})
