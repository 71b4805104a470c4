/**
 * The statistics of a webhook endpoint: how its attempts went by the hour, and what waits (decision W17). They are read from counts
 * and not from the log, so they cost the same however much is sent. Those of an endpoint that was removed stay readable.
 */
import { Clock, Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { WebhookDeliveryLog } from "../../../actors/webhook/actor/WebhookDeliveryLog.ts"
import { endpointStatistics, firstHour } from "../../../actors/webhook/rules/attemptStatistics.ts"
import { EndpointStatisticsResource, StatisticsQuery } from "../../../schema/webhook/EndpointStatistics.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { endpointPath, logAsked, ofEndpoint } from "./ofEndpoint.ts"
import { statisticsExample } from "./webhookExamples.ts"

const getWebhookStatistics = HttpApiEndpoint.get("getWebhookStatistics", `${endpointPath}/statistics`, {
  params: ofEndpoint,
  query: StatisticsQuery,
  success: answerOf("EndpointStatisticsAnswer", EndpointStatisticsResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Get an endpoint's statistics",
    allowedTo: "TEAM",
    description:
      "Attempts delivered and failed and the receiver's time, for each hour and for all of them, and what waits. Pings, samples and failures of the service itself are not counted. A time is rounded up, by a fifth at most.",
    answer: answer("The last two hours of an endpoint", "Statistics", statisticsExample)
  })
)

export const webhookStatistics = operatorResource([getWebhookStatistics], {
  getWebhookStatistics: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* logAsked(asked)
      const { hours = webhookLimits.usualStatisticsHours } = yield* asked.query
      const log = yield* WebhookDeliveryLog
      const now = yield* Clock.currentTimeMillis
      return endpointStatistics(yield* log.attemptCounts(id, firstHour(now, hours)), now, hours)
    })
})
