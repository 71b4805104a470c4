/**
 * What a company's team does with one journey: resend an identity check that could not be started, mail the customer a
 * new link, cancel the journey or its handover, force an outcome of a test journey, and read the timeline. The service refuses a step that means nothing to the journey now
 * with CONFLICT and says why. Reviews are a resource of their own.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { checkPossible } from "../../../actors/company/providers.ts"
import { CustomerLinks } from "../../../actors/customer/CustomerLinks.ts"
import { customerLimits } from "../../../actors/customer/limits.ts"
import { isAskedAgain } from "../../../actors/customer/customerStep.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { journeyResource } from "../../../actors/journey/rules/projection.ts"
import { stepAskedOf } from "../../../actors/journey/rules/state/waiting.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { Timeline } from "../../../actors/review/Timeline.ts"
import type { AuditAction } from "../../../schema/company/auditActions.ts"
import type { Company } from "../../../schema/company/Company.ts"
import { teamButtons } from "../../../schema/journey/actions.ts"
import type { CheckPossible, JourneyMessage } from "../../../schema/journey/messages.ts"
import { CancelBody, CancelHandoverBody, SimulateBody } from "../../../schema/requests/operations.ts"
import { TimelineEntryResource, TimelineQuery } from "../../../schema/review/timeline.ts"
import { exampleEntry } from "../../documents/exampleEntry.ts"
import { journeysLater, startedJourneys } from "../../documents/exampleJourneys.ts"
import { formerMember } from "../../../actors/members/memberActor.ts"
import { actorNames } from "../frame/actorNames.ts"
import { JourneyAnswer } from "../frame/journeyAnswer.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, OptionalBody, pageAnswer } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { problem, success } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { askAsTeam, orConflict, toItsEnd, writeDown, writeDownLook, type TeamMessage } from "../frame/asTeam.ts"
import { pages } from "../frame/ofCompany.ts"
import { companyJourneyAsked, companyJourneyPath, ofCompanyJourney } from "../frame/ofCompanyJourney.ts"

const path = companyJourneyPath

const resendCheck = HttpApiEndpoint.post("resendCheck", `${path}/${teamButtons.resendCheck.as}`, {
  params: ofCompanyJourney,
  success: JourneyAnswer,
  error: refusedWith(ofAnyCompany, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Resend the identity check",
    allowedTo: "TEAM",
    description: "For a check that could not be started. If it still cannot be, the journey says so again.",
    answer: answer("The journey after it", "Check resent", startedJourneys.IDENTITY_DELIVERY)
  })
)

const resendLink = HttpApiEndpoint.post("resendLink", `${path}/${teamButtons.resendLink.as}`, {
  params: ofCompanyJourney,
  success: JourneyAnswer,
  error: refusedWith(ofAnyCompany, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Mail a new link",
    allowedTo: "TEAM",
    description:
      "Mails the customer the link of what they are asked for now, to the address on file. It voids the link they have.",
    answer: answer("The journey as it is", "Link mailed", startedJourneys.IDENTITY_DELIVERY)
  })
)

const cancelCompanyJourney = HttpApiEndpoint.post("cancelCompanyJourney", `${path}/cancel`, {
  params: ofCompanyJourney,
  payload: CancelBody,
  success: JourneyAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Cancel the journey",
    allowedTo: "TEAM",
    description:
      "Ends an active journey for good, with or without a handover, as a key does with `POST /api/v1/journeys/{id}/cancel`. The timeline keeps the reason; the customer reads that the journey is closed, and never the reason.",
    request: jsonExample("With a reason for the team", { reason: "The customer buys no car" }),
    answer: answer("The journey, ended", "Journey cancelled", {
      ...startedJourneys.IDENTITY_DELIVERY,
      status: "CANCELLED",
      nextAction: null
    })
  })
)

const cancelHandover = HttpApiEndpoint.post("cancelHandover", `${path}/cancel-handover`, {
  params: ofCompanyJourney,
  payload: CancelHandoverBody,
  success: JourneyAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
})
  .annotate(OptionalBody, true)
  .annotateMerge(
    described({
      summary: "Cancel the handover",
      allowedTo: "TEAM",
      description: "Ends a journey that has a handover, for good. The timeline keeps the reason, if one is given.",
      request: jsonExample("With a reason for the team", { reason: "The customer collects another vehicle" }),
      answer: answer("The journey, ended", "Handover cancelled", {
        ...startedJourneys.IDENTITY_DELIVERY,
        status: "CANCELLED",
        nextAction: null
      })
    })
  )

const forceOutcome = HttpApiEndpoint.post("forceOutcome", `${path}/simulate`, {
  params: ofCompanyJourney,
  payload: SimulateBody,
  success: JourneyAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Force an outcome of a test journey",
    allowedTo: "TEAM",
    description:
      "What a test key does with `POST /api/v1/journeys/{id}/simulate`: takes the steps that are missing until the named event has happened. A live journey refuses it.",
    request: jsonExample("Drive the journey to its end", { event: "delivery.completed" }, "Complete"),
    answer: answer("The journey after the event and everything it caused", "Outcome forced", {
      ...journeysLater.completed,
      livemode: false
    })
  })
)

const getTimeline = HttpApiEndpoint.get("getTimeline", `${path}/timeline`, {
  params: ofCompanyJourney,
  query: TimelineQuery,
  success: pages("TimelinePage", TimelineEntryResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Read a journey's timeline",
    allowedTo: "TEAM",
    description:
      "Every message from the start on, with its sender, the statuses after it, its events with the attempts to deliver them, its mails, the work that it is about, and the free text it came with. With `order=NEWEST_FIRST` name the newest version that you have read in `upTo`, so that pages do not move while new lines come. The audit log has each look as `timeline.opened`.",
    answer: pageAnswer("Timeline", exampleEntry)
  })
)

/** For a test journey the company's sandbox switch decides (decision S6). */
export const checkFor = (company: Company, journey: Journey): CheckPossible => {
  if (journey.livemode) return checkPossible(company)
  return company.sandbox.identityConfigured
    ? { possible: true, by: "BUILT_IN" }
    : { possible: false, reason: "EKYC_NOT_CONFIGURED" }
}

/** Two of these messages never share an id. */
const neverTaken = "The journey was told something else"

const askForStep = Effect.fnUntraced(function* (
  journey: Journey,
  action: AuditAction,
  message: JourneyMessage,
  { details = {}, note = null }: Partial<Pick<TeamMessage, "details" | "note">> = {}
) {
  const messageId = (yield* Ids).next()
  return yield* askAsTeam(journey, { messageId, message, note, action, details }).pipe(
    Effect.catchTag("JourneyRefused", orConflict(neverTaken))
  )
})

export const teamOperations = operatorResource(
  [resendCheck, resendLink, cancelCompanyJourney, cancelHandover, forceOutcome, getTimeline],
  {
    resendCheck: (asked) =>
      Effect.gen(function* () {
        const { company, journey } = yield* companyJourneyAsked(asked)
        const check = checkFor(company, journey)
        const resource = yield* askForStep(journey, "journey.check_resent", { _tag: "TeamResendsCheck", check })
        const message = check.possible
          ? "Check resent"
          : "The check still cannot be started: no identity provider is set up"
        return success(200, resource, message)
      }),

    resendLink: (asked) =>
      Effect.gen(function* () {
        const { company, journey } = yield* companyJourneyAsked(asked)
        const step = stepAskedOf(journey)
        if (step === null) {
          return yield* problem(
            "CONFLICT",
            "journey",
            "The customer is asked for nothing now, so there is no link to mail"
          )
        }
        const links = yield* CustomerLinks
        const mailed = links
          .mailNew(journey.id, step, isAskedAgain(journey))
          .pipe(
            Effect.tap((became) =>
              became === "NOT_MAILED"
                ? Effect.void
                : writeDown(company.id, "journey.link_resent", { journeyId: journey.id, step })
            )
          )
        if ((yield* toItsEnd(mailed)) === "NOT_MAILED") {
          return yield* problem(
            "CONFLICT",
            "journey",
            `No more than ${customerLimits.mostLinkMails} links an hour are mailed on request; the customer has them`
          )
        }
        return success(200, journeyResource(journey), "Link mailed")
      }),

    cancelCompanyJourney: (asked) =>
      Effect.gen(function* () {
        const { journey } = yield* companyJourneyAsked(asked)
        const { reason } = yield* asked.body
        const resource = yield* askForStep(journey, "journey.cancelled", { _tag: "Cancel" }, { note: reason })
        return success(200, resource, "Journey cancelled")
      }),

    cancelHandover: (asked) =>
      Effect.gen(function* () {
        const { journey } = yield* companyJourneyAsked(asked)
        const { reason = null } = yield* asked.body
        const message = { _tag: "TeamCancelsHandover" } as const
        const resource = yield* askForStep(journey, "journey.handover_cancelled", message, { note: reason })
        return success(200, resource, "Handover cancelled")
      }),

    forceOutcome: (asked) =>
      Effect.gen(function* () {
        const { journey } = yield* companyJourneyAsked(asked)
        const { event } = yield* asked.body
        const resource = yield* askForStep(
          journey,
          "journey.simulated",
          { _tag: "Simulate", event },
          { details: { event } }
        )
        return success(200, resource, "Outcome forced")
      }),

    getTimeline: (asked) =>
      Effect.gen(function* () {
        const { company, journey } = yield* companyJourneyAsked(asked)
        const { order = "OLDEST_FIRST", upTo = null, ...query } = yield* asked.query
        const page = pageAsked(query)
        const timeline = yield* Timeline
        const found = yield* timeline.read(journey, { order, upTo, ...page })
        yield* writeDownLook(company.id, "timeline.opened", { journeyId: journey.id })
        const nameOf = yield* actorNames(
          company.id,
          found.content.map(({ sender }) => sender)
        )
        return pageOf(page, found, (one) => ({ ...one, senderName: nameOf(one.sender) ?? formerMember }))
      })
  }
)
