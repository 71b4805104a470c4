/** What the active journeys of all companies wait on. One company's list of journeys is a resource of the company. */
import { Clock, Duration, Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { WaitingJourneys, type WaitingJourney } from "../../../actors/installation/WaitingJourneys.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { WaitingJourneyResource, WaitingQuery } from "../../../schema/installation/WaitingJourney.ts"
import { timestamp } from "../../../schema/moment.ts"
import { ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, cursorPageOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { placedPiece, placeAsked } from "../frame/placeQuery.ts"
import { modeOf } from "../../../schema/Mode.ts"

const example: WaitingJourneyResource = {
  journeyId: exampleId("journey", 1),
  companyId: exampleId("company", 1),
  companyName: "Harbour Cars",
  mode: "LIVE",
  type: "IDENTITY_DELIVERY",
  waitingOn: "CUSTOMER_TO_VERIFY_IDENTITY",
  since: "2026-01-12T10:31:07.218Z"
}

const listWaitingJourneys = HttpApiEndpoint.get("listWaitingJourneys", "/settings/v1/journeys/waiting", {
  query: WaitingQuery,
  success: answerOf("WaitingJourneyPageAnswer", cursorPageOf("WaitingJourneyPage", WaitingJourneyResource)),
  error: refusedWith(ofAnyToken, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List waiting journeys",
    description: "The active journeys of all companies, the longest waiting first, with what each waits on.",
    answer: answer("A piece of the list", "Waiting journeys", { content: [example], next: null })
  })
)

const resourceOf = (journey: WaitingJourney): WaitingJourneyResource => ({
  journeyId: journey.journeyId,
  companyId: journey.companyId,
  companyName: journey.companyName,
  mode: modeOf(journey.livemode),
  type: journey.type,
  waitingOn: journey.waitingOn,
  since: timestamp(journey.since)
})

export const waitingOperations = operatorResource([listWaitingJourneys], {
  listWaitingJourneys: (asked) =>
    Effect.gen(function* () {
      const { olderThan, waitingOn = null, ...query } = yield* asked.query
      const { after, read, size } = placeAsked(query)
      const now = yield* Clock.currentTimeMillis
      const before = olderThan === undefined ? null : now - Duration.toMillis(Duration.hours(olderThan))
      const journeys = yield* WaitingJourneys
      return placedPiece(yield* journeys.list({ after, before, size: read, waitingOn }), size, resourceOf)
    })
})
