/**
 * How a company's team tells a journey something through the settings API: as the operator, with a line in the audit log,
 * to a journey of the company in the path, live or test. What is told, and when it has a meaning, is each endpoint's own.
 */
import { Effect, Fiber } from "effect"
import { AuditLog } from "../../../actors/company/AuditLog.ts"
import { OutcomeUnknown } from "../../../actors/kernel/StoreError.ts"
import { askJourney, askJourneyWith, type JourneyRefused } from "../../../actors/journey/actor/askJourney.ts"
import type { Journey } from "../../../actors/journey/rules/Journey.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { problem } from "../../server/problems.ts"
import { auditLine } from "../change.ts"
import { notFound, pathCompany, pathId } from "./companyEndpoints.ts"
import { operatorActor } from "../../server/operator.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"

const scopeOf = ({ companyId, livemode }: Journey): Scope => ({ companyId, livemode })

/** The journey of the path, with its company: the team sees both modes. */
export const pathJourney = Effect.gen(function* () {
  const company = yield* pathCompany
  const journeyId = yield* pathId("journeyId")
  const store = yield* JourneyStore
  const inMode = (livemode: boolean) => store.read(journeyId, { companyId: company.id, livemode })
  const found = (yield* inMode(true)) ?? (yield* inMode(false)) ?? (yield* notFound("journey"))
  return { company, journey: found.journey }
})

interface TeamMessage {
  readonly messageId: string
  readonly message: JourneyMessage
  /** Free text for the journal, kept under the customer's key. */
  readonly note: string | null
  readonly action: string
  readonly details: AuditLine["details"]
}

/** Whoever asked may leave: what was told gets its line all the same. */
const toItsEnd = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(work), Fiber.join)

/** Writes what was done into the audit log; nothing may be said of what was done and could not be written there. */
export const writeDown = Effect.fnUntraced(function* (
  companyId: string,
  action: string,
  details: AuditLine["details"]
): Effect.fn.Return<void, OutcomeUnknown, AuditLog> {
  const log = yield* AuditLog
  const line = yield* auditLine(action, details)
  yield* Effect.mapError(log.write(companyId, line), () => new OutcomeUnknown())
})

export const askAsTeam = (journey: Journey, { action, details, message, messageId, note }: TeamMessage) => {
  const ask = { journeyId: journey.id, messageId, sender: operatorActor, scope: scopeOf(journey), message }
  return toItsEnd(
    Effect.tap(note === null ? askJourney(ask) : askJourneyWith(ask, { note }), () =>
      writeDown(journey.companyId, action, { journeyId: journey.id, ...details, messageId })
    )
  )
}

/** A refusal as a problem; `taken` is said of a message that somebody else has sent in place of this one. */
export const orConflict =
  (taken: string) =>
  ({ refusal }: JourneyRefused) => {
    switch (refusal._tag) {
      case "NoJourney":
        return Effect.fail(notFound("journey"))
      case "IdReused":
        return Effect.fail(problem("CONFLICT", "review", taken))
      case "Refused":
        return Effect.fail(problem("CONFLICT", "journey", refusal.message))
      case "Ignored":
        return Effect.fail(problem("CONFLICT", "journey", `This means nothing to the journey now: ${refusal.reason}`))
    }
  }
