/**
 * The plan of a test journey: the ordinary messages that stand for one message of the sandbox, a simulation (S3) or a step
 * of the script with several messages. The plan is part of the state. Each of its messages is decided and committed by
 * itself, as a live one would be (W2), and taken off the plan by that very commit: after a crash the plan goes on where it
 * stopped. Which messages a plan holds is decided in `simulate.ts` and `script.ts`.
 */
import { Equal } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { Journey, Sandbox } from "./state/Journey.ts"
import { scriptedStep } from "./script.ts"
import { step, type Step } from "./state/step.ts"

/** The message that is to be taken next, or null. An ended journey takes none. */
export const plannedMessage = ({ sandbox, status }: Journey): JourneyMessage | null =>
  status === "ACTIVE" ? (sandbox?.planned?.[0] ?? null) : null

/** The journey with a plan before it. Nothing is told yet: the messages tell their own events. */
export const withPlan = (journey: Journey, sandbox: Sandbox, messages: ReadonlyArray<JourneyMessage>): Step =>
  step({ ...journey, sandbox: { ...sandbox, planned: messages } })

/**
 * What an ordinary message leaves of the plan and of the scenario. A message that was not planned overtakes the plan, which
 * may fit no longer and is dropped. The scenario is spent once its branch was taken, whoever sent the message.
 */
export const afterMessage = (before: Journey, after: Journey, message: JourneyMessage): Journey => {
  if (before.sandbox === null || after.sandbox === null) return after
  const { planned, ...sandbox } = after.sandbox
  const isPlanned = planned !== undefined && Equal.equals(planned[0], message)
  const left = isPlanned && after.status === "ACTIVE" ? planned.slice(1) : []
  return {
    ...after,
    sandbox: {
      ...sandbox,
      scenarioSpent: sandbox.scenarioSpent || isBranch(before, message),
      ...(left.length === 0 ? {} : { planned: left })
    }
  }
}

const isBranch = (journey: Journey, message: JourneyMessage): boolean => {
  const scripted = scriptedStep(journey)
  return scripted !== null && scripted.isBranch && Equal.equals(scripted.messages[0], message)
}
