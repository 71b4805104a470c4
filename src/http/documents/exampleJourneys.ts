/**
 * Example journeys and events for the documents. The functions that make real journeys make the examples: an example of a
 * start is decided, gets a few messages, and is shown as callers see it. Ids and times are invented, and nothing here
 * reaches a store.
 */
import { decide } from "../../actors/journey/rules/decide.ts"
import { decideStart, type StartFacts } from "../../actors/journey/rules/decideStart.ts"
import type { Journey } from "../../actors/journey/rules/state/Journey.ts"
import { journeyResource } from "../../actors/journey/rules/projection.ts"
import { record } from "../../actors/journey/rules/recordedEvent.ts"
import { happyStep } from "../../actors/journey/rules/script.ts"
import { storyOf } from "../../actors/journey/rules/story.ts"
import { stepAskedOf } from "../../actors/journey/rules/state/waiting.ts"
import { apiVersion } from "../../schema/apiVersion.ts"
import { echoedOf } from "../../schema/journey/echoed.ts"
import type { EventType } from "../../schema/journey/events.ts"
import type { JourneyResource } from "../../schema/journey/resource.ts"
import type { CheckPossible, JourneyMessage } from "../../schema/journey/messages.ts"
import { startExamples } from "../../schema/start/examples.ts"
import { Shape } from "../../schema/journey/statuses.ts"
import { exampleId } from "../../schema/exampleId.ts"

const startedAt = Date.UTC(2026, 0, 15, 10, 30)
const betweenMessages = 90 * 60 * 1000
const possible: CheckPossible = { possible: true, by: "BUILT_IN" }

const financeDetails = (shape: Shape): StartFacts["financeDetails"] => {
  switch (shape) {
    case "FINANCE_ALREADY_SUBMITTED": {
      const { lender = null, panelName, panelReference } = startExamples[shape].finance
      return { panelSubmission: "ALREADY_SUBMITTED", panelName, panelReference, lender }
    }
    case "FINANCE_SUBMIT_VIA_MIRA":
      return { panelSubmission: "SUBMIT_VIA_MIRA", panelName: null, panelReference: null, lender: null }
    default:
      return null
  }
}

const factsOf = (shape: Shape, check: CheckPossible): StartFacts => {
  const start = startExamples[shape]
  const number = Shape.literals.indexOf(shape) + 1
  return {
    id: exampleId("journey", number),
    companyId: exampleId("company", 1),
    livemode: true,
    customerReference: exampleId("customer", number),
    isNewCustomer: true,
    ...echoedOf(start),
    shape,
    handoverType: start.delivery.type,
    inventoryVehicleId: start.vehicle.inventoryVehicleId ?? null,
    financeDetails: financeDetails(shape),
    decision: null,
    check,
    identityWindowDays: 30,
    handoverWindowDays: 30,
    sandbox: null
  }
}

interface Story {
  readonly journey: Journey
  /** The bodies of the events of the journey, in order. */
  readonly events: ReadonlyArray<EventBody>
}

interface EventBody {
  readonly type: EventType
  readonly [member: string]: unknown
}

let events = 0
const newId = (): string => exampleId("event", ++events)

/** The customer does every step that comes before the video, whichever steps these are. */
const untilVideo = { _tag: "untilVideo" } as const

/** Everybody does their part. */
const untilEnd = { _tag: "untilEnd" } as const

const isVideoAwaited = (journey: Journey): boolean => stepAskedOf(journey) === "RECORD_VIDEO"

const nextOf = (journey: Journey): JourneyMessage => {
  const next = happyStep(journey)
  if (next === null) throw new Error("an example of a journey does not come to where it should")
  return next.messages[0]
}

/** Starts a journey of a shape and gives it the messages one by one. */
const story = (
  shape: Shape,
  check: CheckPossible,
  ...messages: ReadonlyArray<JourneyMessage | typeof untilVideo | typeof untilEnd>
): Story => {
  let now = startedAt
  let latest = record(decideStart(factsOf(shape, check), now), now, newId)
  const recorded = [...latest.events]
  const take = (message: JourneyMessage) => {
    now += betweenMessages
    const outcome = decide(latest.journey, message, now)
    if (outcome._tag !== "Step") throw new Error(`the example of ${shape} stops at ${message._tag}`)
    latest = record(outcome, now, newId)
    recorded.push(...latest.events)
  }
  for (const message of messages) {
    if (message._tag === "untilVideo") while (!isVideoAwaited(latest.journey)) take(nextOf(latest.journey))
    else if (message._tag === "untilEnd") while (latest.journey.status === "ACTIVE") take(nextOf(latest.journey))
    else take(message)
  }
  return { journey: latest.journey, events: recorded.map(({ body }) => JSON.parse(body) as EventBody) }
}

const stories = {
  completed: story(
    "FINANCE_SUBMIT_VIA_MIRA",
    possible,
    { _tag: "PanelAccepted", check: possible },
    { _tag: "PanelDecision", decision: "REFERRED", check: possible },
    { _tag: "PanelDecision", decision: "APPROVED", check: possible },
    { _tag: "IdentityFailed" },
    { _tag: "IdentityUnderReview" },
    { _tag: "IdentityVerified" },
    { _tag: "HandoverCreated" },
    untilVideo,
    { _tag: "VideoUploaded" },
    { _tag: "VideoUnclear" },
    { _tag: "TeamApprovesVideo" }
  ),
  approved: story("FINANCE_ALREADY_SUBMITTED", possible, { _tag: "FinanceDecision", decision: "APPROVED" }),
  declined: story("FINANCE_ALREADY_SUBMITTED", possible, { _tag: "FinanceDecision", decision: "DECLINED" }),
  notSubmitted: story("FINANCE_SUBMIT_VIA_MIRA", possible, { _tag: "PanelFailed", reason: "PANEL_ERROR" }),
  unavailable: story("IDENTITY_DELIVERY", { possible: false, reason: "PROVIDER_ERROR" }),
  awaitingVideo: story("CASH_SALE", possible, { _tag: "IdentityVerified" }, untilVideo),
  cancelled: story("FINANCE_SALE", possible, { _tag: "ReplaceFace" }, { _tag: "Cancel" }),
  expired: story("CASH_SALE", possible, { _tag: "CustomerWindowPassed" })
}

const started = (shape: Shape): JourneyResource => journeyResource(story(shape, possible).journey)

/** A journey of each shape as the answer to its start shows it. */
export const startedJourneys: Readonly<Record<Shape, JourneyResource>> = {
  FINANCE_ALREADY_SUBMITTED: started("FINANCE_ALREADY_SUBMITTED"),
  FINANCE_SUBMIT_VIA_MIRA: started("FINANCE_SUBMIT_VIA_MIRA"),
  IDENTITY_DELIVERY: started("IDENTITY_DELIVERY"),
  CASH_SALE: started("CASH_SALE"),
  FINANCE_SALE: started("FINANCE_SALE")
}

/** How a live journey of each shape goes. */
export const exampleStories = (shape: Shape) =>
  storyOf(decideStart(factsOf(shape, possible), startedAt), possible, startedAt)

/** Journeys some steps after their start. */
export const journeysLater = {
  completed: journeyResource(stories.completed.journey),
  approved: journeyResource(stories.approved.journey),
  awaitingVideo: journeyResource(stories.awaitingVideo.journey),
  cancelled: journeyResource(stories.cancelled.journey)
}

/** The events of the handover of the journey that was completed, as its dealer is shown them. */
export const completedHandover: ReadonlyArray<{ readonly at: number; readonly type: EventType }> =
  stories.completed.events
    .filter(({ type }) => type.startsWith("delivery."))
    .map(({ createdAt, type }) => ({ at: Date.parse(String(createdAt)), type }))

/** The state of a journey that was completed, for examples of what a team reads. */
export const completedJourney = stories.completed.journey

/** The state of a journey that waits for its customer, for an example of what may be called. */
export const approvedJourney = stories.approved.journey

const ping: EventBody = {
  id: newId(),
  type: "ping",
  apiVersion,
  livemode: true,
  createdAt: new Date(startedAt).toISOString(),
  data: { endpointId: exampleId("endpoint", 1) }
}

/** The first event of a type that happens in the stories, or else where everybody does their part. */
export const eventExample = (type: EventType): EventBody => {
  const isOfType = (event: EventBody) => event.type === type
  const found =
    [...Object.values(stories).flatMap((one) => one.events), ping].find(isOfType) ??
    // Played for a type that the stories lack, and not before: the ids of the other examples stay as they are.
    story("FINANCE_SUBMIT_VIA_MIRA", possible, untilEnd).events.find(isOfType)
  if (found === undefined) throw new Error(`no example story emits ${type}`)
  return found
}

/** The state of a journey that waits for its identity check. */
export const startedIdentityJourney = story("IDENTITY_DELIVERY", possible).journey
