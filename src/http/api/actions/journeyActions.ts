/**
 * One journey for its company's people: the journey with its steps; and what it waits for, with the calls that it would take now,
 * the callers' and the team's. The rules say which; methods and paths are those of the endpoints themselves.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import {
  allowedCallsOfKeys,
  allowedCallsOfTeam,
  type AllowedCalls
} from "../../../actors/journey/rules/allowedCalls.ts"
import type { NewestEvents } from "../../../actors/journey/rules/awaited.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { pendingWorkOf } from "../../../actors/journey/rules/pendingEffects.ts"
import { journeyResource } from "../../../actors/journey/rules/projection.ts"
import { clockOf } from "../../../actors/journey/rules/timers.ts"
import { stepStates } from "../../../actors/journey/rules/stepStates.ts"
import { openReview } from "../../../actors/journey/rules/state/waiting.ts"
import { CustomerNames, fullName } from "../../../actors/customer/CustomerNames.ts"
import { EventsOfJourney } from "../../../actors/review/EventsOfJourney.ts"
import { UndeliveredMails, type UndeliveredMail } from "../../../actors/review/UndeliveredMails.ts"
import { beginningOf } from "../../../actors/review/review.ts"
import { JourneyActions } from "../../../schema/journey/actions.ts"
import { JourneyOverview } from "../../../schema/journey/overview.ts"
import { startedIdentityJourney, startedJourneys } from "../../documents/exampleJourneys.ts"
import { timestamp, timestampOrNull } from "../../../schema/moment.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { writeDownLook } from "../frame/asTeam.ts"
import { companyJourneyAsked, companyJourneyPath, ofCompanyJourney } from "../frame/ofCompanyJourney.ts"
import { callsShown, waitsShown } from "./shownActions.ts"

const reviewIdOf = (journey: Journey, newest: NewestEvents): string => {
  const review = openReview(journey)
  return (review === null ? undefined : newest.get(beginningOf[review])?.id) ?? ""
}

const shownCalls = (calls: AllowedCalls, by: "API_KEY" | "TEAM", ids: Readonly<Record<string, string>>) => ({
  allowed: callsShown(calls, ids, () => ({ by })),
  notAllowed: calls.notAllowed.map((call) => ({ ...call, by }))
})

const journeyActions = (
  journey: Journey,
  newest: NewestEvents,
  undelivered: UndeliveredMail | null
): JourneyActions => {
  // The review is the one that waits.
  const ids = { companyId: journey.companyId, journeyId: journey.id, reviewId: reviewIdOf(journey, newest) }
  const ofKeys = shownCalls(allowedCallsOfKeys(journey), "API_KEY", ids)
  const ofTeam = shownCalls(allowedCallsOfTeam(journey), "TEAM", ids)
  return {
    waitingOn: waitsShown(journey, newest),
    undeliveredMail: undelivered && { mail: undelivered.kind, state: undelivered.state, at: timestamp(undelivered.at) },
    allowed: [...ofKeys.allowed, ...ofTeam.allowed],
    notAllowed: [...ofKeys.notAllowed, ...ofTeam.notAllowed],
    work: pendingWorkOf(journey).map(({ attempts, dueAt, kind }) => ({ kind, attempts, dueAt: timestampOrNull(dueAt) }))
  }
}

const path = `${companyJourneyPath}/actions` as const
const getJourneyActions = HttpApiEndpoint.get("getJourneyActions", path, {
  params: ofCompanyJourney,
  success: answerOf("JourneyActionsAnswer", JourneyActions),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "See what a journey waits for and takes",
    allowedTo: "TEAM",
    description:
      "Everything that the journey waits for, the calls that it would take now, by a key of its own mode and by the team, and the code that every other call would be refused with. The rules that answer are those that decide the calls themselves.",
    answer: answer(
      "What it waits for, and what may be called",
      "Actions",
      journeyActions(startedIdentityJourney, new Map(), null)
    )
  })
)

const overview: JourneyOverview = {
  journey: startedJourneys.IDENTITY_DELIVERY,
  customerName: "Ann Buyer",
  registration: "AB12 CDE",
  testClock: null,
  steps: stepStates(startedIdentityJourney, new Map())
}

const getCompanyJourney = HttpApiEndpoint.get("getCompanyJourney", companyJourneyPath, {
  params: ofCompanyJourney,
  success: answerOf("JourneyOverviewAnswer", JourneyOverview),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get a journey with its steps",
    allowedTo: "TEAM",
    description:
      "The journey as its caller sees it, live or test, with the name of its customer, the registration of its vehicle, and each of its steps with its state: done, now, waiting, failed, not reached, or not needed. The audit log has the look at name and registration as `journey.opened`.",
    answer: answer("The journey and its steps", "Journey", overview)
  })
)

export const journeyActionOperations = operatorResource([getCompanyJourney, getJourneyActions], {
  getCompanyJourney: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const events = yield* EventsOfJourney
      const named = (yield* (yield* CustomerNames).of([journey.id])).get(journey.id)
      if (named !== undefined) yield* writeDownLook(company.id, "journey.opened", { journeyId: journey.id })
      return {
        journey: journeyResource(journey),
        customerName: named === undefined ? null : fullName(named),
        registration: named?.registration ?? null,
        testClock: clockOf(journey),
        steps: stepStates(journey, yield* events.newest(journey.id))
      }
    }),

  getJourneyActions: (asked) =>
    Effect.gen(function* () {
      const { journey } = yield* companyJourneyAsked(asked)
      const events = yield* EventsOfJourney
      const isAsked = journey.livemode && journey.status === "ACTIVE"
      const undelivered = isAsked ? yield* (yield* UndeliveredMails).newest(journey.id) : null
      return journeyActions(journey, yield* events.newest(journey.id), undelivered)
    })
})
