/**
 * How a journey goes when everybody does their part, told before it happens: the messages of the script, decided by the rules
 * that decide real ones. A test journey takes the branch of its scenario. Nothing here is a promise: every message is
 * decided anew when it comes. Pure.
 */
import type { AwaitedFrom, AwaitedThing } from "../../../schema/journey/actions.ts"
import type { WalletName } from "../../../schema/company/Wallet.ts"
import type { EventType } from "../../../schema/journey/events.ts"
import type { CheckPossible, JourneyMessage } from "../../../schema/journey/messages.ts"
import type { JourneyMailKind } from "../../../schema/mail/mailKinds.ts"
import { awaitedOf, isAnsweredBy } from "./awaited.ts"
import { chargesOf } from "./billing.ts"
import { decide } from "./decide.ts"
import type { Journey } from "./state/Journey.ts"
import { record } from "./recordedEvent.ts"
import { scriptedStep } from "./script.ts"
import type { Step } from "./state/step.ts"

export interface StoryStep {
  /** The journey while it waited; null: there was none. */
  readonly before: Journey | null
  /** What was awaited; START is the start itself. */
  readonly on: AwaitedThing | "START"
  readonly who: AwaitedFrom
  /** What follows once it is done. */
  readonly events: ReadonlyArray<EventType>
  readonly mails: ReadonlyArray<JourneyMailKind>
  readonly charges: ReadonlyArray<WalletName>
}

export interface Story {
  readonly steps: ReadonlyArray<StoryStep>
  /** The journey at the end of the story. */
  readonly end: Journey
}

/** From an accepted start to the end. `check` says who makes the identity check. */
export const storyOf = (start: Step, check: CheckPossible, now: number): Story => {
  const begun = lineOf({ on: "START", who: "CALLER" }, null, start, now)
  const steps = [begun.line]
  let journey = begun.after
  for (let message = nextMessage(journey, check); message !== null; message = nextMessage(journey, check)) {
    const outcome = decide(journey, message, now)
    if (outcome._tag !== "Step") throw new Error(`the story of ${journey.shape} stops at ${message._tag}`)
    const next = lineOf(answeredBy(message, journey), journey, outcome, now)
    steps.push(next.line)
    journey = next.after
  }
  return { steps, end: journey }
}

const lineOf = (awaited: Pick<StoryStep, "on" | "who">, before: Journey | null, taken: Step, now: number) => {
  // Ids tell nothing in a story.
  const { journey, mails } = record(taken, now, () => "")
  const line: StoryStep = {
    ...awaited,
    before,
    events: taken.events.map(({ type }) => type),
    mails: mails.map(({ mail }) => mail),
    charges: chargesOf(before, journey)
  }
  return { line, after: journey }
}

/** The first of a step of several messages; the script has the others when it is asked again. */
const nextMessage = (journey: Journey, check: CheckPossible): JourneyMessage | null => {
  if (journey.status !== "ACTIVE") return null
  // The script knows no outside provider, which answers with its page before the customer is asked.
  if (journey.identity?.status === "BEING_STARTED") return { _tag: "IdentityCheckStarted" }
  const message = scriptedStep(journey)?.messages[0] ?? null
  return message !== null && "check" in message && typeof message.check === "object" && message.check.possible
    ? ({ ...message, check } as JourneyMessage)
    : message
}

const answeredBy = (message: JourneyMessage, journey: Journey): Pick<StoryStep, "on" | "who"> => {
  const found = awaitedOf(journey, new Map()).find(({ who }) => isAnsweredBy(message._tag, who))
  if (found === undefined) throw new Error(`nobody waits for ${message._tag}`)
  return { on: found.on, who: found.who }
}
