/** A journey's timeline, for the team: every message, who sent it, and what came of it. */
import { Effect } from "effect"
import { Timeline } from "../../../actors/review/Timeline.ts"
import { pageData, readPageQuery } from "../../server/pageQuery.ts"
import { success } from "../../server/problems.ts"
import { operatorEndpoint } from "../../server/operator.ts"
import { pathJourney } from "./teamMessages.ts"

export const timelineEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/journeys/{journeyId}/timeline")(function* (request) {
    const { journey } = yield* pathJourney
    const query = yield* readPageQuery(request)
    const timeline = yield* Timeline
    return success(
      200,
      pageData(query, yield* timeline.read(journey.id, query), (entry) => entry),
      "Timeline"
    )
  })
)
