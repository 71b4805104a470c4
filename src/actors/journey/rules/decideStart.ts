/**
 * The first decision of a journey: what an accepted start makes, in which state, with which events. The request has
 * been validated and the company's configuration looked up before; whoever asks passes what was found.
 */
import type { CheckPossible } from "../../../schema/journey/messages.ts"
import type { Scenario } from "../../../schema/journey/sandbox.ts"
import type { Decision, HandoverType, Shape } from "../../../schema/journey/statuses.ts"
import { decided } from "./finance.ts"
import { createCashSaleHandover, createHandover } from "./handover.ts"
import { askForIdentity } from "./identity.ts"
import type { FinanceDetails, Journey } from "./Journey.ts"
import { andThen, owe, oweMail, step, type Step } from "./step.ts"
import { withTimers } from "./timers.ts"

/** What a start says that the journey's state keeps; personal data stays out. */
export interface StartFacts {
  readonly id: string
  readonly companyId: string
  readonly livemode: boolean
  readonly customerReference: string
  /** A new customer first gets a welcome mail (§1). */
  readonly isNewCustomer: boolean
  readonly externalReference: string | null
  readonly shape: Shape
  readonly handoverType: HandoverType
  readonly inventoryVehicleId: string | null
  readonly financeDetails: typeof FinanceDetails.Type | null
  /** A lender decision already known at the start (ALREADY_SUBMITTED only). */
  readonly decision: Decision | null
  readonly check: CheckPossible
  readonly identityWindowDays: number
  readonly handoverWindowDays: number
  readonly sandbox: {
    readonly scenario: Scenario | null
    readonly stepMillis: number | null
    readonly callerStepMillis: number
  } | null
}

const blank = (facts: StartFacts, now: number): Journey => ({
  id: facts.id,
  companyId: facts.companyId,
  livemode: facts.livemode,
  customerReference: facts.customerReference,
  externalReference: facts.externalReference,
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

/** The scenario `identity_unavailable` is played at the first ask. */
const askFirst = (before: Step, facts: StartFacts, now: number): Step => {
  const { sandbox } = before.journey
  return sandbox?.scenario === "identity_unavailable"
    ? askForIdentity(
        andThen(before, { sandbox: { ...sandbox, scenarioSpent: true } }),
        { possible: false, reason: "PROVIDER_ERROR" },
        now
      )
    : askForIdentity(before, facts.check, now)
}

const begin = (created: Step, facts: StartFacts, now: number): Step => {
  switch (facts.shape) {
    case "FINANCE_ALREADY_SUBMITTED": {
      const submitted = andThen(
        created,
        { finance: { status: "SUBMITTED", accepted: true } },
        { type: "finance_enquiry.submitted" }
      )
      const known = facts.decision === null ? submitted : decided(submitted, facts.decision, now)
      return facts.decision === "DECLINED" ? known : askFirst(known, facts, now)
    }
    case "FINANCE_SUBMIT_VIA_MIRA": {
      const submitted = andThen(
        created,
        { finance: { status: "SUBMITTED", accepted: false } },
        { type: "finance_enquiry.submitted" }
      )
      return facts.livemode ? owe(submitted, { kind: "SUBMIT_APPLICATION" }) : submitted
    }
    case "IDENTITY_DELIVERY":
      return askFirst(created, facts, now)
    case "CASH_SALE":
      return askFirst(createCashSaleHandover(created, now), facts, now)
    case "FINANCE_SALE":
      return createHandover(created, now)
  }
}

/** Decides an accepted start. Total: every valid start makes a journey. */
export const decideStart = (facts: StartFacts, now: number): Step => {
  const created = step(blank(facts, now), { type: "journey.created" })
  const begun = begin(facts.isNewCustomer ? oweMail(created, "WELCOME") : created, facts, now)
  return { ...begun, journey: withTimers(null, begun.journey, now) }
}
