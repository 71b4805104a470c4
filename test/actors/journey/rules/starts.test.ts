/** What every kind of start makes: the state, the events in order and the mails. */
import { describe, expect, it } from "vitest"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import { journeyResource } from "../../../../src/actors/journey/rules/projection.ts"
import { everyStart } from "./reachableStates.ts"
import {
  factsOf,
  impossible,
  mailsAmong,
  outside,
  owedWork,
  places,
  sandbox,
  shapes,
  started
} from "./startedJourneys.ts"
import { statusesOf } from "./transitionRow.ts"

interface Start {
  readonly name: string
  readonly facts: StartFacts
  readonly journey?: string
  readonly finance: string | null
  readonly identity: string | null
  readonly handover: string | null
  readonly nextAction: string | null
  /** After journey.created. */
  readonly events: ReadonlyArray<string>
  /** After WELCOME. */
  readonly mails: ReadonlyArray<string>
  readonly owes?: ReadonlyArray<string>
}

const submitted = "finance_enquiry.submitted"
const asked = { identity: "REQUESTED", mails: ["VERIFY_IDENTITY"] }
/** An outside provider must start the check first (D2). */
const startedFirst = { identity: "BEING_STARTED", mails: [], owes: ["START_IDENTITY_CHECK"] }
const unasked = { identity: "UNAVAILABLE", mails: ["CHECK_UNAVAILABLE"] }
const none = { finance: null, handover: null }

const starts: ReadonlyArray<Start> = [
  {
    name: "ALREADY_SUBMITTED without a decision",
    facts: factsOf("FINANCE_ALREADY_SUBMITTED"),
    ...none,
    ...asked,
    finance: "SUBMITTED, accepted",
    nextAction: "SEND_FINANCE_DECISION",
    events: [submitted, "identity.requested"]
  },
  {
    name: "ALREADY_SUBMITTED when the check cannot be started",
    facts: factsOf("FINANCE_ALREADY_SUBMITTED", { check: impossible }),
    ...none,
    ...unasked,
    finance: "SUBMITTED, accepted",
    nextAction: "SEND_FINANCE_DECISION",
    events: [submitted, "identity.unavailable"]
  },
  {
    name: "ALREADY_SUBMITTED, approved before",
    facts: factsOf("FINANCE_ALREADY_SUBMITTED", { decision: "APPROVED" }),
    ...none,
    ...asked,
    finance: "APPROVED",
    nextAction: "CUSTOMER_TO_VERIFY_IDENTITY",
    events: [submitted, "finance_enquiry.approved", "identity.requested"],
    mails: ["FINANCE_APPROVED", "VERIFY_IDENTITY"]
  },
  {
    name: "ALREADY_SUBMITTED, referred before",
    facts: factsOf("FINANCE_ALREADY_SUBMITTED", { decision: "REFERRED" }),
    ...none,
    ...asked,
    finance: "REFERRED",
    nextAction: "SEND_FINANCE_DECISION",
    events: [submitted, "finance_enquiry.referred", "identity.requested"],
    mails: ["FINANCE_UPDATED", "VERIFY_IDENTITY"]
  },
  {
    name: "ALREADY_SUBMITTED, declined before: ended at once, nobody is asked",
    facts: factsOf("FINANCE_ALREADY_SUBMITTED", { decision: "DECLINED" }),
    ...none,
    journey: "CANCELLED",
    finance: "DECLINED",
    identity: "NOT_ASKED",
    nextAction: null,
    events: [submitted, "finance_enquiry.declined", "journey.cancelled"],
    mails: ["FINANCE_UPDATED"]
  },
  {
    name: "ALREADY_SUBMITTED whose check an outside provider makes",
    facts: factsOf("FINANCE_ALREADY_SUBMITTED", { check: outside, decision: "APPROVED" }),
    ...none,
    ...startedFirst,
    finance: "APPROVED",
    nextAction: null,
    events: [submitted, "finance_enquiry.approved"],
    mails: ["FINANCE_APPROVED"]
  },
  {
    name: "SUBMIT_VIA_MIRA",
    facts: factsOf("FINANCE_SUBMIT_VIA_MIRA"),
    ...none,
    finance: "SUBMITTED",
    identity: "NOT_ASKED",
    nextAction: "AWAITING_LENDER_DECISION",
    events: [submitted],
    mails: [],
    owes: ["SUBMIT_APPLICATION"]
  },
  {
    name: "IDENTITY_DELIVERY",
    facts: factsOf("IDENTITY_DELIVERY"),
    ...none,
    ...asked,
    nextAction: "CUSTOMER_TO_VERIFY_IDENTITY",
    events: ["identity.requested"]
  },
  {
    name: "IDENTITY_DELIVERY when the check cannot be started",
    facts: factsOf("IDENTITY_DELIVERY", { check: impossible }),
    ...none,
    ...unasked,
    nextAction: "DEALER_TO_REVIEW",
    events: ["identity.unavailable"]
  },
  {
    name: "IDENTITY_DELIVERY whose check an outside provider makes",
    facts: factsOf("IDENTITY_DELIVERY", { check: outside }),
    ...none,
    ...startedFirst,
    nextAction: null,
    events: []
  },
  {
    name: "CASH_SALE whose check an outside provider makes",
    facts: factsOf("CASH_SALE", { check: outside }),
    ...none,
    ...startedFirst,
    handover: "AWAITING_IDENTITY",
    nextAction: null,
    events: ["delivery.created"]
  },
  {
    name: "CASH_SALE",
    facts: factsOf("CASH_SALE", { handoverType: "HOME_DELIVERY" }),
    ...none,
    ...asked,
    handover: "AWAITING_IDENTITY",
    nextAction: "CUSTOMER_TO_VERIFY_IDENTITY",
    events: ["delivery.created", "identity.requested"]
  },
  {
    name: "CASH_SALE when the check cannot be started",
    facts: factsOf("CASH_SALE", { check: impossible }),
    ...none,
    ...unasked,
    handover: "AWAITING_IDENTITY",
    nextAction: "DEALER_TO_REVIEW",
    events: ["delivery.created", "identity.unavailable"]
  },
  {
    name: "FINANCE_SALE in store",
    facts: factsOf("FINANCE_SALE"),
    ...none,
    identity: null,
    handover: "AWAITING_VIDEO",
    nextAction: "CUSTOMER_TO_RECORD_VIDEO",
    events: ["delivery.created", "delivery.awaiting_video"],
    mails: ["RECORD_VIDEO"]
  },
  {
    name: "FINANCE_SALE at home",
    facts: factsOf("FINANCE_SALE", { handoverType: "HOME_DELIVERY" }),
    ...none,
    identity: null,
    handover: "AWAITING_LOCATION",
    nextAction: "CUSTOMER_TO_CONFIRM_ADDRESS",
    events: ["delivery.created"],
    mails: ["CONFIRM_ADDRESS"]
  }
]

describe.each(starts)("a start of $name", (start) => {
  const { events, journey, mails } = started(start.facts)

  it("makes the state of its type", () => {
    expect(statusesOf(journey)).toMatchObject({
      journey: start.journey ?? "ACTIVE",
      finance: start.finance,
      identity: start.identity,
      handover: start.handover
    })
    expect(journeyResource(journey).nextAction).toBe(start.nextAction)
  })

  it("tells journey.created first, then what follows", () => {
    expect(events.map(({ type }) => type)).toEqual(["journey.created", ...start.events])
  })

  it("mails the welcome first, and only to a new customer", () => {
    expect(mailsAmong(mails)).toEqual(["WELCOME", ...start.mails])
    expect(mailsAmong(started({ ...start.facts, isNewCustomer: false }).mails)).toEqual(start.mails)
  })

  it("owes the work of its first step, a test journey none", () => {
    expect(owedWork(journey)).toEqual(start.owes ?? [])
    expect(owedWork(started({ ...start.facts, livemode: false, sandbox: sandbox() }).journey)).toEqual([])
  })
})

it("spends the scenario identity_unavailable at the first ask", () => {
  for (const shape of shapes) {
    for (const handoverType of places) {
      const { events, journey } = started(factsOf(shape, { handoverType, sandbox: sandbox("identity_unavailable") }))
      const isAsked = shape !== "FINANCE_SUBMIT_VIA_MIRA" && shape !== "FINANCE_SALE"
      expect(journey.sandbox?.scenarioSpent).toBe(isAsked)
      expect(events.some(({ type }) => type === "identity.unavailable")).toBe(isAsked)
      expect(journey.identity).toEqual(
        isAsked
          ? { status: "UNAVAILABLE", requestedAt: null, attempts: 0, reason: "PROVIDER_ERROR" }
          : shape === "FINANCE_SALE"
            ? null
            : { status: "NOT_ASKED" }
      )
    }
  }
})

it("keeps every fact of the start that is not spent at once", () => {
  for (const facts of everyStart) {
    const { check: _check, decision: _decision, isNewCustomer: _isNewCustomer, sandbox: driver, ...kept } = facts
    const { journey } = started(facts)
    expect(journey).toMatchObject(kept)
    expect(journey.sandbox === null ? null : { ...journey.sandbox, ...driver }).toEqual(journey.sandbox)
  }
})
