/**
 * Work that a journey owes the outside world and others do: the panel, the identity provider, the video check. It is
 * begun by a decision of its own, which moves its due time to when it must be over, so that whatever happens to whoever
 * does it, it is done again and nobody else does it meanwhile. What it came to is a message like any other.
 */
import { Schedule } from "effect"
import { delaysOf } from "../../kernel/delaysOf.ts"
import { panelFails } from "./finance.ts"
import { videoUnclear } from "./handover.ts"
import { identityUnavailable } from "./identity.ts"
import type { ExternalWork, Journey, Owed } from "./Journey.ts"
import { ignored, settleOne, step, type Outcome } from "./step.ts"

interface Manner {
  /** Milliseconds one attempt may take; then nobody is at it any more. */
  readonly attemptWithin: number
  /** The delays between attempts; when it ends, so do the attempts. */
  readonly retries: Schedule.Schedule<unknown>
  /** What becomes of the journey when it cannot be done. */
  readonly givenUp: (journey: Journey, now: number) => Outcome
}

const after = (...delays: ReadonlyArray<`${number} ${"second" | "seconds" | "minute" | "minutes"}`>) =>
  delays.map((delay) => Schedule.duration(delay)).reduce((before, next) => Schedule.concat(before, next))

export const manners: Readonly<Record<ExternalWork["kind"], Manner>> = {
  SUBMIT_APPLICATION: {
    attemptWithin: 30_000,
    retries: after("1 second", "5 seconds", "30 seconds", "2 minutes"),
    givenUp: (journey, now) => panelFails(journey, "PANEL_ERROR", now)
  },
  START_IDENTITY_CHECK: {
    attemptWithin: 30_000,
    retries: after("1 minute", "5 minutes", "15 minutes"),
    givenUp: (journey) => identityUnavailable(journey, "PROVIDER_ERROR")
  },
  // A video nobody could check is looked at by the team: the customer has done what was asked.
  CHECK_VIDEO: {
    attemptWithin: 150_000,
    retries: after("10 seconds", "1 minute", "5 minutes"),
    givenUp: (journey) => videoUnclear(journey)
  }
}

const delays = {
  SUBMIT_APPLICATION: delaysOf(manners.SUBMIT_APPLICATION.retries),
  START_IDENTITY_CHECK: delaysOf(manners.START_IDENTITY_CHECK.retries),
  CHECK_VIDEO: delaysOf(manners.CHECK_VIDEO.retries)
}

export const isExternal = (one: Owed): one is ExternalWork => Object.hasOwn(manners, one.kind)

/** When it is due; at once, if that is not said. */
export const dueAtOf = (one: ExternalWork): number => one.dueAt ?? 0

const find = (journey: Journey, serial: number): ExternalWork | null =>
  journey.owed.filter(isExternal).find((one) => one.serial === serial) ?? null

const changed = (journey: Journey, work: ExternalWork): Journey => ({
  ...journey,
  owed: journey.owed.map((one) => (one.serial === work.serial ? work : one))
})

export const owedBegun = (journey: Journey, serial: number, now: number): Outcome => {
  const work = find(journey, serial)
  if (work === null) return ignored("nothing of that kind is owed any more")
  if (dueAtOf(work) > now) return ignored("somebody is at it, or it is not due yet")
  return step(
    changed(journey, {
      ...work,
      attempts: (work.attempts ?? 0) + 1,
      dueAt: now + manners[work.kind].attemptWithin
    })
  )
}

export const owedDone = (journey: Journey, serial: number): Outcome =>
  find(journey, serial) === null ? ignored("nothing of that kind is owed any more") : settleOne(step(journey), serial)

/** `definite`: another attempt would come to the same. */
export const owedFailed = (journey: Journey, serial: number, definite: boolean, now: number): Outcome => {
  const work = find(journey, serial)
  if (work === null) return ignored("nothing of that kind is owed any more")
  const delay = definite ? undefined : delays[work.kind][(work.attempts ?? 1) - 1]
  if (delay !== undefined) return step(changed(journey, { ...work, dueAt: now + delay }))
  const givenUp = manners[work.kind].givenUp(journey, now)
  // Where nothing came of it the work itself ends here.
  return givenUp._tag === "Step" ? settleOne(givenUp, serial) : settleOne(step(journey), serial)
}
