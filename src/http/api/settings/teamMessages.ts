/**
 * How a company's team tells a journey something through the settings API: as the operator, with a line in the audit log,
 * to a journey of the company in the path, live or test. What is told, and when it has a meaning, is each endpoint's own.
 */
import { Effect, Fiber } from "effect"
import { AuditLog } from "../../../actors/company/AuditLog.ts"
import type { AuditLine } from "../../../actors/company/CompanyStore.ts"
import type { Answer } from "../../../actors/journey/actor/JourneyEntity.ts"
import { OutcomeUnknown } from "../../../actors/kernel/StoreError.ts"
import { JourneyMailbox } from "../../../actors/journey/actor/JourneyMailbox.ts"
import type { Journey } from "../../../actors/journey/rules/Journey.ts"
import { JourneyStore, notePlace } from "../../../actors/journey/actor/JourneyStore.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import { problem, success } from "../../server/problems.ts"
import { auditLine } from "./change.ts"
import { notFound, pathCompany, pathId } from "./companyEndpoints.ts"
import { operatorActor } from "./operatorEndpoint.ts"

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

/** Free text for the journal, under the customer's key; nothing is kept of one who was erased. */
export const sealNote = Effect.fnUntraced(function* (journey: Journey, note: string) {
  const store = yield* JourneyStore
  const vault = yield* Vault
  const key = yield* store.customerKey(journey.id, scopeOf(journey))
  if (key === null) return null
  const opened = yield* Effect.orDie(vault.keyOf(key.wrappedKey))
  return Buffer.from(opened.seal(notePlace(journey.id), note)).toString("base64")
})

interface TeamMessage {
  readonly messageId: string
  readonly message: JourneyMessage
  readonly sealedNote: string | null
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

export const askJourney = Effect.fnUntraced(function* (
  journey: Journey,
  { action, details, message, messageId, sealedNote }: TeamMessage
) {
  const mailbox = yield* JourneyMailbox
  const told = { messageId, sender: operatorActor, scope: scopeOf(journey), message, sealedNote, sealedPhoto: null }
  return yield* toItsEnd(
    Effect.tap(mailbox.ask(journey.id, told), (answer) =>
      answer._tag === "Done"
        ? writeDown(journey.companyId, action, { journeyId: journey.id, ...details, messageId })
        : Effect.void
    )
  )
})

/** The journey's answer; `taken` is said of a message that somebody else has sent in this one's place. */
export const answeredBy = (answer: Answer, message: string, taken: string) => {
  switch (answer._tag) {
    case "Done":
      return Effect.succeed(success(200, answer.journey, message))
    case "NoJourney":
      return Effect.fail(notFound("journey"))
    case "IdReused":
      return Effect.fail(problem("CONFLICT", "review", taken))
    case "Refused":
      return Effect.fail(problem("CONFLICT", "journey", answer.message))
    case "Ignored":
      return Effect.fail(problem("CONFLICT", "journey", `This means nothing to the journey now: ${answer.reason}`))
  }
}
