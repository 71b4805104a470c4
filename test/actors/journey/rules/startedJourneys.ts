/**
 * The plain material of the journey tests: facts of a start, every message with every payload that matters, and the
 * fold that the actor performs for each message. Not a test itself.
 */
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import { decideStart, type StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import type { Journey, PendingEffect, PendingMail } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { plannedMessage } from "../../../../src/actors/journey/rules/plan.ts"
import { record, type Recorded } from "../../../../src/actors/journey/rules/recordedEvent.ts"
import type { Outcome, Step } from "../../../../src/actors/journey/rules/state/step.ts"
import { simulatableEvents } from "../../../../src/schema/journey/events.ts"
import { ConsentStep } from "../../../../src/schema/journey/consents.ts"
import type { CheckPossible, JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { Reminder } from "../../../../src/schema/journey/steps.ts"
import { scenarios, type Scenario } from "../../../../src/schema/journey/sandbox.ts"
import {
  Decision,
  HandoverType,
  Shape,
  SubmissionFailure,
  UnavailableReason
} from "../../../../src/schema/journey/statuses.ts"
import { CompanyId, JourneyId } from "../../../../src/schema/ids.ts"

export const startedAt = Date.UTC(2026, 0, 5, 9)
export const second = 1000
export const day = 24 * 60 * 60 * second

export const shapes = Shape.literals
export const places = HandoverType.literals
export const scenarioNames = Object.keys(scenarios) as ReadonlyArray<Scenario>
/** The service makes the check itself. */
export const possible: CheckPossible = { possible: true, by: "BUILT_IN" }
/** An outside provider makes the check. */
export const outside: CheckPossible = { possible: true, by: "HTTP" }
export const impossible: CheckPossible = { possible: false, reason: "PROVIDER_ERROR" }

export const sandbox = (scenario: Scenario | null = null): NonNullable<StartFacts["sandbox"]> => ({
  scenario,
  stepMillis: 5 * second,
  callerStepMillis: 30 * second
})

export const financeDetailsOf = (shape: Shape): StartFacts["financeDetails"] => {
  switch (shape) {
    case "FINANCE_ALREADY_SUBMITTED":
      return { panelSubmission: "ALREADY_SUBMITTED", panelName: "Panel", panelReference: "P-1", lender: "Lender" }
    case "FINANCE_SUBMIT_VIA_MIRA":
      return { panelSubmission: "SUBMIT_VIA_MIRA", panelName: null, panelReference: null, lender: null }
    case "IDENTITY_DELIVERY":
    case "CASH_SALE":
    case "FINANCE_SALE":
      return null
  }
}

/** Facts of a live start in store by a new customer; a test start when `sandbox` is given. */
export const factsOf = (shape: Shape, change: Partial<StartFacts> = {}): StartFacts => ({
  id: JourneyId.make("0197a000-0000-7000-8000-000000000001"),
  companyId: CompanyId.make("0197a000-0000-7000-8000-000000000002"),
  livemode: (change.sandbox ?? null) === null,
  customerReference: "0197a000-0000-4000-8000-000000000003",
  isNewCustomer: true,
  externalReference: "deal-1",
  shape,
  handoverType: "IN_STORE",
  inventoryVehicleId: "stock-1",
  financeDetails: financeDetailsOf(shape),
  decision: null,
  check: possible,
  identityWindowDays: 30,
  handoverWindowDays: 30,
  sandbox: null,
  ...change
})

const simulations = simulatableEvents.map((event): JourneyMessage => ({ _tag: "Simulate", event }))
const checks: ReadonlyArray<CheckPossible> = [
  possible,
  outside,
  impossible,
  { possible: false, reason: "EKYC_NOT_CONFIGURED" }
]

/** Every message but the sandbox's own two, in every variant. */
export const ordinaryMessages: ReadonlyArray<JourneyMessage> = [
  { _tag: "Cancel" },
  ...Decision.literals.map((decision): JourneyMessage => ({ _tag: "FinanceDecision", decision })),
  { _tag: "ReplaceFace" },
  ...checks.map((check): JourneyMessage => ({ _tag: "PanelAccepted", check })),
  ...Decision.literals.flatMap((decision) =>
    checks.map((check): JourneyMessage => ({ _tag: "PanelDecision", decision, check }))
  ),
  ...SubmissionFailure.literals.map((reason): JourneyMessage => ({ _tag: "PanelFailed", reason })),
  { _tag: "IdentityVerified" },
  { _tag: "IdentityVerified", assurance: "FACE_MATCH" },
  { _tag: "IdentityVerified", assurance: "FACE_MATCH", least: "DOCUMENT" },
  { _tag: "IdentityUnderReview" },
  { _tag: "IdentityFailed" },
  ...UnavailableReason.literals.map((reason): JourneyMessage => ({ _tag: "IdentityUnavailable", reason })),
  { _tag: "IdentityCheckStarted" },
  { _tag: "HandoverCreated" },
  ...ConsentStep.literals.flatMap((step): Array<JourneyMessage> => [
    { _tag: "ConsentGiven", step, notice: `${step}-1-en` },
    { _tag: "ConsentRefused", step, notice: `${step}-1-en` }
  ]),
  { _tag: "ConsentWithdrawn", notice: "withdrawal-1-en" },
  { _tag: "LocationConfirmed" },
  { _tag: "VideoUploaded" },
  { _tag: "VideoMatched" },
  { _tag: "VideoUnclear" },
  { _tag: "VideoNotMatched" },
  ...checks.map((check): JourneyMessage => ({ _tag: "TeamResendsCheck", check })),
  { _tag: "TeamApprovesVideo" },
  { _tag: "TeamRejectsVideo" },
  { _tag: "TeamCancelsHandover" },
  { _tag: "CustomerWindowPassed" },
  { _tag: "SafetyCapPassed" }
]

/** Book-keeping of owed work: tells no event. */
export const bookkeeping: ReadonlyArray<JourneyMessage> = [1, 2, 3, 4].flatMap((serial): Array<JourneyMessage> => [
  { _tag: "OwedBegun", serial },
  { _tag: "OwedDone", serial },
  { _tag: "OwedFailed", serial, definite: false },
  { _tag: "OwedFailed", serial, definite: true }
])

/** A definite failure ends the work, and with it may come what it was for. A reminder brings a mail and no event. */
export const isBookkeeping = ({ _tag }: JourneyMessage): boolean =>
  _tag === "OwedBegun" || _tag === "OwedDone" || _tag === "OwedFailed" || _tag === "CustomerReminded"

/** The sandbox's own messages make a plan, and tell nothing themselves. */
export const isSandboxOwn = ({ _tag }: JourneyMessage): boolean => _tag === "Simulate" || _tag === "SandboxTick"

export const reminders: ReadonlyArray<JourneyMessage> = Reminder.literals.map((reminder) => ({
  _tag: "CustomerReminded",
  reminder
}))

/** Results and failures that say why. */
const reasoned: ReadonlyArray<JourneyMessage> = [
  { _tag: "IdentityUnderReview", reasons: ["NAME_DIFFERS", "ACME_17"] },
  { _tag: "IdentityFailed", reasons: ["PROVIDER_DECISION"] },
  { _tag: "VideoUnclear", reasons: ["SEVERAL_PEOPLE"] },
  { _tag: "VideoNotMatched", reasons: ["VIDEO_MISMATCH"] },
  { _tag: "OwedFailed", serial: 3, definite: true, reason: "HTTP_400" }
]
/** A customer's yes moves no status, and a withdrawal moves one only while faces are compared: neither need tell an event. */
export const isAboutConsent = ({ _tag }: JourneyMessage): boolean =>
  _tag === "ConsentGiven" || _tag === "ConsentWithdrawn"

export const everyMessage: ReadonlyArray<JourneyMessage> = [
  ...ordinaryMessages,
  ...reasoned,
  ...reminders,
  ...bookkeeping,
  ...simulations,
  { _tag: "SandboxTick" }
]

/** Ids of events that tell their order; real ones are random. */
export const countingIds = (): (() => string) => {
  let count = 0
  return () => `00000000-0000-7000-8000-${(count++).toString().padStart(12, "0")}`
}

export const started = (facts: StartFacts, now = startedAt, newId = countingIds()): Recorded =>
  record(decideStart(facts, now), now, newId)

/** A state nobody may write to: a decision that changed its input would throw. */
export const frozen = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

/** Tells a journey messages one second apart and expects each to be a step. */
export const driven = (journey: Journey, ...messages: ReadonlyArray<JourneyMessage>): Journey =>
  messages.reduce((at, message) => told(at, message, at.lastEventAt + second).journey, journey)

/** A message, and then whatever it plans, as an actor takes them: the events and the mails of all of it. */
export const told = (journey: Journey, message: JourneyMessage, now: number): Recorded => {
  const newId = countingIds()
  const one = (at: Journey, next: JourneyMessage) => record(stepOf(decide(frozen(at), next, now), next), now, newId)
  let all = one(journey, message)
  for (let next = plannedMessage(all.journey); next !== null; next = plannedMessage(all.journey)) {
    const part = one(all.journey, next)
    all = { journey: part.journey, events: [...all.events, ...part.events], mails: [...all.mails, ...part.mails] }
  }
  return all
}

export const stepOf = (outcome: Outcome, message?: JourneyMessage): Step => {
  if (outcome._tag === "Step") return outcome
  throw new Error(`${JSON.stringify(message)} came to ${JSON.stringify(outcome)}`)
}

/** Mails as `KIND`, `KIND again` or `KIND reminder FIRST`; other debts are left out. */
export const mailsAmong = (owed: ReadonlyArray<PendingEffect>): ReadonlyArray<string> =>
  owed.flatMap((one) => (one.kind === "MAIL" ? [mailOf(one)] : []))

const mailOf = ({ again, mail, reminder }: PendingMail): string =>
  reminder === undefined ? (again ? `${mail} again` : mail) : `${mail} reminder ${reminder}`

export const owedWork = (journey: Journey): ReadonlyArray<string> =>
  journey.owed.flatMap((one) => (one.kind === "MAIL" ? [] : [one.kind]))
