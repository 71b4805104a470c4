/**
 * The team's own steps on a journey: resend an identity check that could not be started, mail the customer a new link,
 * cancel the handover. A step that means nothing to the journey as it stands is a conflict that says why.
 */
import { Effect } from "effect"
import { checkPossible } from "../../../actors/company/providers.ts"
import { CustomerLinks, mostAskedAnHour } from "../../../actors/customer/CustomerLinks.ts"
import { isAskedAgain } from "../../../actors/customer/customerStep.ts"
import { stepAskedOf } from "../../../actors/journey/rules/waiting.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { Journey } from "../../../actors/journey/rules/Journey.ts"
import { journeyResource } from "../../../actors/journey/rules/projection.ts"
import type { CheckPossible, JourneyMessage } from "../../../schema/journey/messages.ts"
import { problem, success } from "../../server/problems.ts"
import { operatorEndpoint } from "../../server/operator.ts"
import { askAsTeam, orConflict, pathJourney, writeDown } from "./teamMessages.ts"
import type { Company } from "../../../schema/company/Company.ts"

/** A test journey meets its company's sandbox switch (decision S6). */
const checkFor = (company: Company, journey: Journey): CheckPossible => {
  if (journey.livemode) return checkPossible(company)
  return company.sandbox.identityConfigured ? { possible: true } : { possible: false, reason: "EKYC_NOT_CONFIGURED" }
}

/** No two of these messages share an id. */
const neverTaken = "The journey was told something else"

const step = Effect.fnUntraced(function* (journey: Journey, action: string, message: JourneyMessage) {
  const messageId = (yield* Ids).next()
  return yield* askAsTeam(journey, { messageId, message, note: null, action, details: {} }).pipe(
    Effect.catchTag("JourneyRefused", orConflict(neverTaken))
  )
})

export const resendCheckEndpoint = operatorEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/journeys/{journeyId}/resend-check")(function* () {
    const { company, journey } = yield* pathJourney
    const check = checkFor(company, journey)
    const resource = yield* step(journey, "journey.check_resent", { _tag: "TeamResendsCheck", check })
    const message = check.possible
      ? "Check resent"
      : "The check still cannot be started: no identity provider is set up"
    return success(200, resource, message)
  })
)

export const resendLinkEndpoint = operatorEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/journeys/{journeyId}/resend-link")(function* () {
    const { company, journey } = yield* pathJourney
    const asked = stepAskedOf(journey)
    if (asked === null) {
      return yield* problem("CONFLICT", "journey", "The customer is asked for nothing now, so there is no link to mail")
    }
    const links = yield* CustomerLinks
    if ((yield* links.mailNew(journey.id, asked, isAskedAgain(journey))) === "NOT_MAILED") {
      return yield* problem(
        "CONFLICT",
        "journey",
        `No more than ${mostAskedAnHour} links an hour are mailed on request; the customer has them`
      )
    }
    yield* writeDown(company.id, "journey.link_resent", { journeyId: journey.id, step: asked })
    return success(200, journeyResource(journey), "Link mailed")
  })
)

export const cancelHandoverEndpoint = operatorEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/journeys/{journeyId}/cancel-handover")(function* () {
    const { journey } = yield* pathJourney
    const resource = yield* step(journey, "journey.handover_cancelled", { _tag: "TeamCancelsHandover" })
    return success(200, resource, "Handover cancelled")
  })
)
