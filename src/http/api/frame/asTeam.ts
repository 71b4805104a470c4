/**
 * How a company's team asks a journey for something through the settings API: the operator or a member asks, the journey's company and
 * mode are the scope, and the audit log gets a line. The journey itself decides when a message has a meaning.
 */
import { Duration, Effect, Fiber } from "effect"
import { AuditLog } from "../../../actors/company/AuditLog.ts"
import { OutcomeUnknown } from "../../../actors/kernel/StoreError.ts"
import { askJourney, askJourneyWith, type JourneyRefused } from "../../../actors/journey/actor/askJourney.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { httpLimits } from "../../server/limits.ts"
import { problem } from "../../server/answers/problems.ts"
import { auditLine } from "./change.ts"
import { notFound } from "./ofCompany.ts"
import type { AuditAction } from "../../../schema/company/auditActions.ts"
import { sentAuditLine, type AuditLine } from "../../../schema/company/AuditEntry.ts"
import type { CompanyId } from "../../../schema/ids.ts"

export const scopeOfJourney = ({ companyId, livemode }: Journey): Scope => ({ companyId, livemode })

export interface TeamMessage {
  readonly messageId: string
  readonly message: JourneyMessage
  /** Free text for the journal, kept under the customer's key. */
  readonly note: string | null
  readonly action: AuditAction
  readonly details: AuditLine["details"]
}

/** Runs to its end even if the caller goes away: what was done is in the audit log. */
export const toItsEnd = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(work), Fiber.join)

type Write = (
  log: AuditLog["Service"],
  companyId: CompanyId,
  line: AuditLine
) => ReturnType<AuditLog["Service"]["write" | "writeUnlessSince"]>

/** Where the write fails the caller gets no answer: nobody knows what was recorded. */
const writeLine = (
  write: Write,
  companyId: CompanyId,
  line: AuditLine
): Effect.Effect<void, OutcomeUnknown, AuditLog> =>
  Effect.flatMap(AuditLog, (log) => Effect.mapError(write(log, companyId, line), () => new OutcomeUnknown()))

/** A way to write a line into the audit log. */
const writing = (write: Write) =>
  Effect.fnUntraced(function* (companyId: CompanyId, action: AuditAction, details: AuditLine["details"]) {
    yield* writeLine(write, companyId, yield* auditLine(action, details))
  })

const asItComes: Write = (log, companyId, line) => log.write(companyId, line)

/** Writes a line into the audit log. */
export const writeDown = writing(asItComes)

/** How the descriptions of the operations say so. */
export const oneLook = `again within ${Duration.toMinutes(httpLimits.oneLookLasts)} minutes is one look`

/** Writes down a look at something that people come back to: what the same asker sees again within a while belongs to one look. */
export const writeDownLook = writing((log, companyId, line) =>
  log.writeUnlessSince(companyId, line, line.at - Duration.toMillis(httpLimits.oneLookLasts))
)

/**
 * The journey writes the line together with what the message does: whichever node dies, there is none without the other. The line is written here
 * once more, which does nothing where it is there: a node of an earlier version, which the journey may be on, writes none.
 */
export const askAsTeam = Effect.fnUntraced(function* (
  journey: Journey,
  { action, details, message, messageId, note }: TeamMessage
) {
  const line = yield* auditLine(action, { journeyId: journey.id, ...details, messageId })
  const ask = {
    journeyId: journey.id,
    messageId,
    sender: line.actor,
    scope: scopeOfJourney(journey),
    message,
    auditLine: sentAuditLine(line)
  }
  return yield* toItsEnd(
    Effect.tap(note === null ? askJourney(ask) : askJourneyWith(ask, { note }), () =>
      writeLine(asItComes, journey.companyId, line)
    )
  )
})

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

/** A line of a list that shows customers by name: a customer who was erased has none. */
interface NamedLine {
  readonly journeyId: string
  readonly customerName: string | null
}

/**
 * Writes down a look at a piece of a list that shows names: how many, and between which journeys. The same piece again within a
 * while is one look. A piece without a name is none.
 */
export const writeDownNames = (
  companyId: CompanyId,
  action: AuditAction,
  lines: ReadonlyArray<NamedLine>,
  details: AuditLine["details"] = {}
) => {
  const named = lines.filter(({ customerName }) => customerName !== null).map(({ journeyId }) => journeyId)
  const [newest] = named
  if (newest === undefined) return Effect.void
  return writeDownLook(companyId, action, { ...details, names: named.length, newest, oldest: named.at(-1) ?? newest })
}
