/**
 * What a journey does with a message: pure and total. `messageRules.ts` says who may send a message and when, the
 * transition table says what the message moves. The sandbox's messages only make a plan of ordinary ones or put it off, and
 * reminders and the book-keeping of pending effects change no status.
 *
 * On a journey that has ended, the caller's operations are refused with their code, and anything else is ignored.
 */
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { ListedMessage } from "./state/cause.ts"
import { keepingWhatComesAnew } from "./state/consent.ts"
import { outlivesJourney } from "./state/ending.ts"
import type { Journey } from "./state/Journey.ts"
import { heldUntil } from "./hold.ts"
import { effectBegun, effectDone, effectFailed } from "./pendingEffects.ts"
import { afterMessage, withPlan } from "./plan.ts"
import { remind } from "./reminders.ts"
import { runTable } from "./run.ts"
import { scriptedStep } from "./script.ts"
import { simulationOf } from "./simulate.ts"
import { ignored, step, type Outcome, type Refusal } from "./state/step.ts"
import { messageRules } from "./table/messageRules.ts"
import { withTimers } from "./timers.ts"

const journeyEnded = ignored("the journey has ended")

/** Decides one message; `now` is epoch milliseconds. */
export const decide = (journey: Journey, message: JourneyMessage, now: number): Outcome => {
  switch (message._tag) {
    case "Simulate":
      return planSimulation(journey, message.event, now)
    case "SandboxTick":
      return planScript(journey)
    case "SandboxHeld":
      return holdScript(journey, message, now)
    default:
      return decideOrdinary(journey, message, now)
  }
}

/** Every message but the sandbox's own three. */
const decideOrdinary = (journey: Journey, message: JourneyMessage, now: number): Outcome => {
  const outcome = judge(journey, message, now)
  // That work was begun or done moves no time of the customer's, no tick of the sandbox and no plan.
  if (outcome._tag !== "Step" || message._tag === "OwedBegun" || message._tag === "OwedDone") return outcome
  const after = keepingWhatComesAnew(afterMessage(journey, outcome.journey, message), message, now)
  return { ...outcome, journey: withTimers(journey, after, now) }
}

const judge = (journey: Journey, message: JourneyMessage, now: number): Outcome => {
  switch (message._tag) {
    case "Simulate":
    case "SandboxTick":
    case "SandboxHeld":
      return ignored("a sandbox message is no ordinary one")
    case "OwedBegun":
      return keepsBooksOf(journey, message.serial) ? effectBegun(journey, message.serial, now) : journeyEnded
    case "OwedDone":
      return keepsBooksOf(journey, message.serial) ? effectDone(journey, message.serial) : journeyEnded
    case "OwedFailed":
      return keepsBooksOf(journey, message.serial)
        ? effectFailed(journey, message, now, (givenUp) => judgeListed(journey, givenUp, now))
        : journeyEnded
    case "CustomerReminded":
      return journey.status === "ACTIVE" ? remind(journey, message.reminder, now) : journeyEnded
    default:
      return judgeListed(journey, message, now)
  }
}

/** Of a journey that has ended, the books are kept only for what outlives it. */
const keepsBooksOf = ({ owed, status }: Journey, serial: number): boolean =>
  status === "ACTIVE" || owed.some((one) => one.serial === serial && outlivesJourney(one))

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

const planSimulation = (journey: Journey, event: string, now: number): Outcome => {
  const plan = simulationOf(journey, event, (at, ordinary) => decideOrdinary(at, ordinary, now))
  if ("_tag" in plan) return plan
  return journey.sandbox === null ? notATestJourney : withPlan(journey, journey.sandbox, plan)
}

const planScript = (journey: Journey): Outcome => {
  if (journey.sandbox === null) return notATestJourney
  const scripted = scriptedStep(journey)
  return scripted === null ? ignored("the script has ended") : withPlan(journey, journey.sandbox, scripted.messages)
}

type Held = Extract<JourneyMessage, { readonly _tag: "SandboxHeld" }>

const holdScript = (journey: Journey, { at }: Held, now: number): Outcome => {
  const { sandbox } = journey
  if (sandbox === null) return notATestJourney
  const tickAt = heldUntil(journey, now, at)
  return tickAt === null ? ignored("there is nothing to hold") : step({ ...journey, sandbox: { ...sandbox, tickAt } })
}

const notATestJourney = ignored("the script is for test journeys")
