/**
 * What a journey does with a message: pure and total. `messageRules.ts` says who may send a message and when, the
 * transition table says what the message moves. The sandbox's two messages stand for ordinary ones, and the book-keeping
 * of pending effects changes no status.
 *
 * On a journey that has ended, the caller's operations are refused with their code, and anything else is ignored.
 */
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { Journey } from "./Journey.ts"
import { effectBegun, effectDone, effectFailed } from "./pendingEffects.ts"
import { runTable } from "./run.ts"
import { scriptedStep } from "./script.ts"
import { simulate } from "./simulate.ts"
import { afterStep, ignored, step, type Outcome, type Refusal } from "./step.ts"
import { messageRules } from "./table/messageRules.ts"
import type { ListedMessage } from "./table/row.ts"
import { withTimers } from "./timers.ts"

const journeyEnded = ignored("the journey has ended")

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
    case "Simulate":
    case "SandboxTick":
      return ignored("a sandbox message is no ordinary one")
    case "OwedBegun":
      return journey.status === "ACTIVE" ? effectBegun(journey, message.serial, now) : journeyEnded
    case "OwedDone":
      return journey.status === "ACTIVE" ? effectDone(journey, message.serial) : journeyEnded
    case "OwedFailed":
      return journey.status === "ACTIVE"
        ? effectFailed(journey, message, now, (givenUp) => judgeListed(journey, givenUp, now))
        : journeyEnded
    default:
      return judgeListed(journey, message, now)
  }
}

const judgeListed = (journey: Journey, message: ListedMessage, now: number): Outcome =>
  refusalOf(journey, message) ?? runTable(journey, message, now) ?? messageRules[message._tag].otherwise

/** Why the sender may not send the message now, before any row is looked at. */
const refusalOf = (journey: Journey, message: ListedMessage): Refusal | null => {
  const rule = messageRules[message._tag]
  if (rule.sender !== "caller" && journey.status !== "ACTIVE") return journeyEnded
  for (const [holds, refusal] of rule.refusedWhen ?? []) if (holds(journey, message)) return refusal
  const isAllowed = rule.sender === "caller" || rule.allowedWhen === undefined || rule.allowedWhen(journey, message)
  return isAllowed ? null : rule.otherwise
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
    outcome = afterStep(outcome, next)
  }
  return outcome._tag === "Step" && scripted.isBranch && outcome.journey.sandbox !== null
    ? step({ ...outcome.journey, sandbox: { ...outcome.journey.sandbox, scenarioSpent: true } }, outcome.events)
    : outcome
}
