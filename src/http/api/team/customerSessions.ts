/**
 * Where the customer of a journey is signed in, for the company's team: they see the sessions and can end one, such as that of a link
 * that somebody else has used. A newer link from a mail ends the sessions of older ones by itself.
 */
import { Duration, Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { customerLimits } from "../../../actors/customer/limits.ts"
import { Sessions } from "../../../actors/customer/Sessions.ts"
import { CustomerSessionResource, customerSessionResource } from "../../../schema/customer/ListedCustomerSession.ts"
import { exampleOf } from "../../../schema/model.ts"
import { Id, naming } from "../../../schema/decoding/parameters.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { notFound } from "../frame/ofCompany.ts"
import { companyJourneyAsked, companyJourneyPath, ofCompanyJourney } from "../frame/ofCompanyJourney.ts"

const path = `${companyJourneyPath}/customer-sessions` as const

const listCustomerSessions = HttpApiEndpoint.get("listCustomerSessions", path, {
  params: ofCompanyJourney,
  success: answerOf("CustomerSessionsAnswer", Schema.Array(CustomerSessionResource)),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "List where the customer is signed in",
    description: `The open sessions of the journey's customer, the last seen first, ${customerLimits.mostSessionsShown} at most. A session ends ${Duration.toMinutes(customerLimits.sessionIdleTime)} minutes after its last request, ${Duration.toHours(customerLimits.sessionLifetime)} hours after its first one, or when a link from a newer mail is used.`,
    answer: answer("The sessions", "Customer sessions", [exampleOf(CustomerSessionResource)])
  })
)

const endCustomerSession = HttpApiEndpoint.delete("endCustomerSession", `${path}/:customerSessionId`, {
  params: {
    ...ofCompanyJourney,
    customerSessionId: Id.annotate({ description: "The session's id", ...naming("customerSession") })
  },
  success: answerOf("CustomerSessionAnswer", CustomerSessionResource),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "End a customer's session",
    description:
      "At once and on every node. What the customer was doing there stops; a new link (`resendLink`) lets them go on.",
    answer: answer("The session that was ended", "Customer session ended", exampleOf(CustomerSessionResource))
  })
)

export const customerSessionOperations = operatorResource([listCustomerSessions, endCustomerSession], {
  listCustomerSessions: (asked) =>
    Effect.gen(function* () {
      const { journey } = yield* companyJourneyAsked(asked)
      const sessions = yield* Sessions
      return (yield* sessions.list(journey.id)).map(customerSessionResource)
    }),

  endCustomerSession: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const sessionId = yield* asked.path("customerSessionId")
      const sessions = yield* Sessions
      const found = (yield* sessions.list(journey.id)).find(({ id }) => id === sessionId)
      if (found === undefined) return yield* notFound("session")
      const line = yield* auditLine("customer_session.ended", { journeyId: journey.id, sessionId })
      yield* written(sessions.endOf(company.id, journey.id, sessionId, line))
      return customerSessionResource(found)
    })
})
