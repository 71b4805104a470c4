/**
 * What a journey does with a message: pure and total. The table below is the list of messages; each row names the rule,
 * which lives with its region: `finance.ts`, `identity.ts`, `handover.ts`, `ending.ts`.
 *
 * Order of a finished journey: the caller's operations are refused with their code, anything else is ignored.
 */
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { cancel, customerWindowPassed, safetyCapPassed, teamCancelsHandover } from "./ending.ts"
import { callerDecides, panelAccepts, panelDecides, panelFails } from "./finance.ts"
import {
  faceReplaced,
  handoverCreated,
  locationConfirmed,
  teamApprovesVideo,
  teamRejectsVideo,
  videoMatched,
  videoNotMatched,
  videoUnclear,
  videoUploaded
} from "./handover.ts"
import {
  ofThisCheck,
  ofThisReview,
  identityFailed,
  identityUnavailable,
  identityUnderReview,
  identityVerified,
  teamResendsCheck
} from "./identity.ts"
import type { Journey } from "./Journey.ts"
import { scriptedStep } from "./script.ts"
import { simulate } from "./simulate.ts"
import { owedBegun, owedDone, owedFailed } from "./pendingEffects.ts"
import { andThen, ignored, type Outcome } from "./step.ts"
import { withTimers } from "./timers.ts"

/** Decides one message; `now` is epoch milliseconds. */
export const decide = (journey: Journey, message: JourneyMessage, now: number): Outcome => {
  switch (message._tag) {
    case "Simulate":
      return simulate(journey, message.event, (at, ordinary) => decideOrdinary(at, ordinary, now))
    case "SandboxTick":
      return playScript(journey, now)
    default:
      return decideOrdinary(journey, message, now)
  }
}

/** Every message but the sandbox's own two. Several of them in one decision move the timers as so many decisions would. */
const decideOrdinary = (journey: Journey, message: JourneyMessage, now: number): Outcome => {
  const outcome = judge(journey, message, now)
  return outcome._tag === "Step" ? { ...outcome, journey: withTimers(journey, outcome.journey, now) } : outcome
}

const judge = (journey: Journey, message: JourneyMessage, now: number): Outcome => {
  switch (message._tag) {
    case "Cancel":
      return cancel(journey)
    case "FinanceDecision":
      return callerDecides(journey, message.decision, now)
    case "ReplaceFace":
      return faceReplaced(journey)
    case "Simulate":
    case "SandboxTick":
      return ignored("a sandbox message is no ordinary one")
    default:
      return journey.status === "ACTIVE" ? decideActive(journey, message, now) : ignored("the journey has ended")
  }
}

type Uncalled = Exclude<
  JourneyMessage,
  { _tag: "Cancel" | "FinanceDecision" | "ReplaceFace" | "Simulate" | "SandboxTick" }
>

const decideActive = (journey: Journey, message: Uncalled, now: number): Outcome => {
  switch (message._tag) {
    case "PanelAccepted":
      return panelAccepts(journey, message.check, now)
    case "PanelDecision":
      return panelDecides(journey, message.decision, message.check, now)
    case "PanelFailed":
      return panelFails(journey, message.reason, now)
    case "IdentityVerified":
      return (
        ofThisCheck(journey, message.check) ?? ofThisReview(journey, message.reviewed) ?? identityVerified(journey, now)
      )
    case "IdentityUnderReview":
      return ofThisCheck(journey, message.check) ?? identityUnderReview(journey)
    case "IdentityFailed":
      return ofThisCheck(journey, message.check) ?? ofThisReview(journey, message.reviewed) ?? identityFailed(journey)
    case "IdentityUnavailable":
      return identityUnavailable(journey, message.reason)
    case "TeamResendsCheck":
      return teamResendsCheck(journey, message.check, now)
    case "HandoverCreated":
      return handoverCreated(journey, now)
    case "LocationConfirmed":
      return locationConfirmed(journey)
    case "VideoUploaded":
      return videoUploaded(journey)
    case "VideoMatched":
      return videoMatched(journey, now)
    case "VideoUnclear":
      return videoUnclear(journey)
    case "VideoNotMatched":
      return videoNotMatched(journey)
    case "TeamApprovesVideo":
      return teamApprovesVideo(journey, now)
    case "TeamRejectsVideo":
      return teamRejectsVideo(journey)
    case "TeamCancelsHandover":
      return teamCancelsHandover(journey)
    case "CustomerWindowPassed":
      return customerWindowPassed(journey)
    case "SafetyCapPassed":
      return safetyCapPassed(journey)
    case "OwedBegun":
      return owedBegun(journey, message.serial, now)
    case "OwedDone":
      return owedDone(journey, message.serial)
    case "OwedFailed":
      return owedFailed(journey, message.serial, message.definite, now)
  }
}

/** One step of the sandbox's script; several messages of one step make one decision. */
const playScript = (journey: Journey, now: number): Outcome => {
  if (journey.sandbox === null) return ignored("the script is for test journeys")
  const scripted = scriptedStep(journey)
  if (scripted === null) return ignored("the script has ended")
  let outcome = decideOrdinary(journey, scripted.messages[0], now)
  for (const message of scripted.messages.slice(1)) {
    if (outcome._tag !== "Step") return outcome
    const next = decideOrdinary(outcome.journey, message, now)
    if (next._tag !== "Step") return next
    outcome = { ...next, events: [...outcome.events, ...next.events] }
  }
  return outcome._tag === "Step" && scripted.isBranch && outcome.journey.sandbox !== null
    ? andThen(outcome, { sandbox: { ...outcome.journey.sandbox, scenarioSpent: true } })
    : outcome
}
