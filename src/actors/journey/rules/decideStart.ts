/**
 * The first decision of a journey: the state and the events that an accepted start makes. Pure: the request has been
 * validated and the company's configuration looked up before. The rows of the start are in the transition table.
 */
import { echoedOf, type Echoed } from "../../../schema/journey/echoed.ts"
import type { CheckPossible } from "../../../schema/journey/messages.ts"
import type { Scenario } from "../../../schema/journey/sandbox.ts"
import type { Decision, HandoverType, Shape } from "../../../schema/journey/statuses.ts"
import type { FinanceDetails, Journey } from "./state/Journey.ts"
import { runTable } from "./run.ts"
import { step, type Step } from "./state/step.ts"
import { withTimers } from "./timers.ts"
import type { ClockId, CompanyId, JourneyId } from "../../../schema/ids.ts"

/** What the journey's state keeps of a start. No personal data is in it. */
export interface StartFacts extends Echoed {
  readonly id: JourneyId
  readonly companyId: CompanyId
  readonly livemode: boolean
  readonly customerReference: string
  /** A new customer first gets a welcome mail (§1). */
  readonly isNewCustomer: boolean
  readonly shape: Shape
  readonly handoverType: HandoverType
  readonly inventoryVehicleId: string | null
  readonly financeDetails: typeof FinanceDetails.Type | null
  /** The lender's decision, when it is known at the start (ALREADY_SUBMITTED only). */
  readonly decision: Decision | null
  readonly check: CheckPossible
  readonly identityWindowDays: number
  readonly handoverWindowDays: number
  readonly sandbox: {
    readonly scenario: Scenario | null
    readonly stepMillis: number | null
    readonly callerStepMillis: number
    readonly clock?: ClockId
  } | null
}

const blank = (facts: StartFacts, now: number): Journey => ({
  id: facts.id,
  companyId: facts.companyId,
  livemode: facts.livemode,
  customerReference: facts.customerReference,
  ...echoedOf(facts),
  createdAt: now,
  shape: facts.shape,
  handoverType: facts.handoverType,
  inventoryVehicleId: facts.inventoryVehicleId,
  identityWindowDays: facts.identityWindowDays,
  handoverWindowDays: facts.handoverWindowDays,
  status: "ACTIVE",
  financeDetails: facts.financeDetails,
  finance: null,
  identity: facts.shape === "FINANCE_SALE" ? null : { status: "NOT_ASKED" },
  handover: null,
  window: null,
  sandbox:
    facts.sandbox === null ? null : { ...facts.sandbox, scenarioSpent: false, callerAwaitedSince: null, tickAt: null },
  owed: [],
  owedCount: 0,
  eventCount: 0,
  lastEventAt: 0
})

/** Decides an accepted start. Total: every valid start makes a journey. */
export const decideStart = (facts: StartFacts, now: number): Step => {
  const { decision, isNewCustomer, shape } = facts
  // The scenario plays its branch at the first ask, and is spent when the start asks.
  const isBranch = facts.sandbox?.scenario === "identity_unavailable"
  const check: CheckPossible = isBranch ? { possible: false, reason: "PROVIDER_ERROR" } : facts.check
  const start = blank(facts, now)
  const { events, journey } =
    runTable(start, { _tag: "Start", shape, decision, check, isNewCustomer }, now) ?? step(start)
  const isSpent = isBranch && journey.identity?.status === "UNAVAILABLE"
  const begun =
    isSpent && journey.sandbox !== null ? { ...journey, sandbox: { ...journey.sandbox, scenarioSpent: true } } : journey
  return step(withTimers(null, begun, now), events)
}
