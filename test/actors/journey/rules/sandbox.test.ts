/** What test journeys do by themselves (decisions S1, S2 and S5). */
import { describe, expect, it } from "vitest"
import type { StartFacts } from "../../../../src/actors/journey/rules/decideStart.ts"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { nextAction } from "../../../../src/actors/journey/rules/state/waiting.ts"
import { dueMessage, nextAlarm } from "../../../../src/actors/journey/rules/timers.ts"
import type { Scenario } from "../../../../src/schema/journey/sandbox.ts"
import type { HandoverType, Shape } from "../../../../src/schema/journey/statuses.ts"
import { happySteps, mostHappySteps } from "./stateInvariants.ts"
import { described, reachableStates, statesUnder, testStates } from "./reachableStates.ts"
import {
  driven,
  factsOf,
  impossible,
  places,
  possible,
  sandbox,
  scenarioNames,
  second,
  shapes,
  started,
  startedAt,
  told
} from "./startedJourneys.ts"

interface Life {
  readonly journey: Journey
  readonly ticks: number
  readonly types: ReadonlyArray<string>
  /** Seconds from the start to each tick. */
  readonly tickedAt: ReadonlyArray<number>
}

/** A test journey left alone: whatever its alarm brings, until it has none or a real timer would end it. */
const leftAlone = (journey: Journey, now = startedAt): Life => {
  const types: Array<string> = []
  const tickedAt: Array<number> = []
  let at = journey
  let clock = now
  for (;;) {
    clock = Math.max(clock, nextAlarm(at) ?? clock)
    const message = dueMessage(at, clock)
    if (message === null || message._tag === "CustomerWindowPassed" || message._tag === "SafetyCapPassed") break
    const isTick = message._tag !== "HandoverCreated"
    if (isTick) tickedAt.push((clock - now) / second)
    const recorded = told(at, message, clock)
    types.push(...recorded.events.map(({ type }) => type))
    at = recorded.journey
  }
  return { journey: at, ticks: tickedAt.length, types, tickedAt }
}

const testFacts = (shape: Shape, handoverType: HandoverType, scenario: Scenario | null): StartFacts =>
  factsOf(shape, { handoverType, sandbox: sandbox(scenario) })

const runningScenarios = [null, ...scenarioNames.filter((name) => name !== "never")]

const everyLife = runningScenarios.flatMap((scenario) =>
  shapes.flatMap((shape) => places.map((place) => ({ scenario, shape, place })))
)

describe("a test journey left alone", () => {
  it.each(everyLife)("of $shape, $place, scenario $scenario ends within 7 ticks", ({ place, scenario, shape }) => {
    const life = leftAlone(started(testFacts(shape, place, scenario)).journey)
    const isDeclined =
      shape === "FINANCE_SUBMIT_VIA_MIRA" && (scenario === "panel_declined" || scenario === "panel_failed")
    expect(life.journey.status).toBe(isDeclined ? "CANCELLED" : "COMPLETED")
    expect(life.ticks).toBeLessThanOrEqual(7)
  })

  it.each(runningScenarios)("ends within 7 ticks from wherever it was left, scenario %s", (scenario) => {
    const left = (scenario === null ? testStates : statesUnder(scenario)).filter(
      ({ journey }) => journey.status === "ACTIVE"
    )
    expect(left.length).toBeGreaterThan(0)
    for (const reached of left) {
      const life = leftAlone(reached.journey, reached.now)
      expect(life.journey.status, described(reached)).not.toBe("ACTIVE")
      expect(life.ticks, described(reached)).toBeLessThanOrEqual(7)
    }
  })

  it("owes no submission, no check and no sale to the outside", () => {
    for (const { place, scenario, shape } of everyLife) {
      const { owed } = leftAlone(started(testFacts(shape, place, scenario)).journey).journey
      expect(owed.every(({ kind }) => kind === "MAIL")).toBe(true)
    }
  })
})

describe("the happy script", () => {
  it("completes every ACTIVE test journey within 7 steps, and takes all 7 where nothing has happened yet", () => {
    const counts = testStates.flatMap((reached) => {
      if (reached.journey.status !== "ACTIVE") return []
      const count = happySteps(reached.journey, reached.now)
      if (count === null) expect.fail(described(reached))
      return [count]
    })
    expect(Math.max(...counts)).toBe(mostHappySteps)
  })

  it("tells the events of an undisturbed sale in order", () => {
    const { types } = leftAlone(started(testFacts("FINANCE_SUBMIT_VIA_MIRA", "HOME_DELIVERY", null)).journey)
    expect(types).toEqual([
      "identity.requested",
      "finance_enquiry.approved",
      "identity.verified",
      "delivery.created",
      "delivery.location_confirmed",
      "delivery.awaiting_video",
      "delivery.video_uploaded",
      "delivery.completed",
      "journey.completed"
    ])
  })
})

/** The branch of each scenario: events that come one after another, and without the scenario would not. */
const branches: ReadonlyArray<readonly [Scenario, Shape, ReadonlyArray<string>]> = [
  ["identity_failed", "IDENTITY_DELIVERY", ["identity.failed", "identity.verified"]],
  ["identity_failed", "CASH_SALE", ["identity.failed", "identity.verified"]],
  ["identity_failed", "FINANCE_SUBMIT_VIA_MIRA", ["identity.failed", "identity.verified"]],
  ["identity_review", "FINANCE_ALREADY_SUBMITTED", ["identity.under_review", "identity.verified"]],
  [
    "identity_unavailable",
    "FINANCE_SUBMIT_VIA_MIRA",
    ["identity.unavailable", "finance_enquiry.approved", "identity.requested"]
  ],
  ["panel_declined", "FINANCE_SUBMIT_VIA_MIRA", ["finance_enquiry.declined", "journey.cancelled"]],
  ["panel_referred", "FINANCE_SUBMIT_VIA_MIRA", ["finance_enquiry.referred", "finance_enquiry.approved"]],
  ["panel_failed", "FINANCE_SUBMIT_VIA_MIRA", ["finance_enquiry.submission_failed", "journey.cancelled"]],
  ["video_unclear", "FINANCE_SALE", ["delivery.under_review", "delivery.completed"]],
  [
    "video_mismatch",
    "FINANCE_SALE",
    ["delivery.video_uploaded", "delivery.awaiting_video", "delivery.video_uploaded", "delivery.completed"]
  ]
]

describe("a scenario", () => {
  it.each(branches)("%s of %s takes its branch once: %j", (scenario, shape, branch) => {
    const withScenario = leftAlone(started(testFacts(shape, "IN_STORE", scenario)).journey)
    const at = withScenario.types.findIndex((_, index) =>
      branch.every((type, next) => withScenario.types[index + next] === type)
    )
    expect(at, withScenario.types.join()).toBeGreaterThanOrEqual(0)
    expect(withScenario.journey.sandbox?.scenarioSpent).toBe(true)
    const without = leftAlone(started(testFacts(shape, "IN_STORE", null)).journey)
    expect(withScenario.types).not.toEqual(without.types)
    expect(new Set(withScenario.types.filter((type) => type === branch[0])).size).toBe(1)
  })

  it("takes its branch however the journey came to it", () => {
    const facts = testFacts("FINANCE_ALREADY_SUBMITTED", "HOME_DELIVERY", "video_unclear")
    const asked = started(facts).journey
    const detours = [
      asked,
      started({ ...facts, check: impossible }).journey,
      driven(asked, { _tag: "IdentityFailed" }),
      driven(asked, { _tag: "IdentityUnderReview" }),
      driven(asked, { _tag: "FinanceDecision", decision: "REFERRED" }),
      started(testFacts("FINANCE_SUBMIT_VIA_MIRA", "IN_STORE", "video_unclear")).journey,
      started(testFacts("CASH_SALE", "HOME_DELIVERY", "video_unclear")).journey
    ]
    for (const journey of detours) expect(leftAlone(journey).types).toContain("delivery.under_review")
  })

  it("does not take its branch again when the journey comes back to it", () => {
    const tick = { _tag: "SandboxTick" } as const
    const inReview = driven(started(testFacts("FINANCE_SALE", "IN_STORE", "video_unclear")).journey, tick, tick)
    expect(inReview.handover?.status).toBe("UNDER_REVIEW")
    expect(driven(inReview, { _tag: "TeamRejectsVideo" }, tick, tick).status).toBe("COMPLETED")
  })

  it("has a branch in the table above, unless it takes no step", () => {
    expect(new Set(branches.map(([scenario]) => scenario)).size).toBe(scenarioNames.length - 1)
  })

  it("named identity_unavailable waits for the team at the first ask", () => {
    const first = started(testFacts("IDENTITY_DELIVERY", "IN_STORE", "identity_unavailable"))
    expect(first.events.map(({ type }) => type)).toEqual(["journey.created", "identity.unavailable"])
    const { types } = leftAlone(first.journey)
    expect(types.slice(0, 2)).toEqual(["identity.requested", "identity.verified"])
  })

  it("named panel_referred does not refer again what was simulated as referred", () => {
    // The scenario was still unspent, so the next tick referred once more.
    const journey = started(testFacts("FINANCE_SUBMIT_VIA_MIRA", "IN_STORE", "panel_referred")).journey
    const referred = driven(journey, { _tag: "Simulate", event: "finance_enquiry.referred" })
    expect(driven(referred, { _tag: "SandboxTick" }).finance?.status).toBe("APPROVED")
  })

  it("named never takes no step by itself", () => {
    for (const { journey } of statesUnder("never")) expect(journey.sandbox?.tickAt).toBeNull()
  })
})

/** Seconds from the start to the next tick. */
const tickAfter = (journey: Journey): number | null =>
  journey.sandbox?.tickAt === null || journey.sandbox === null ? null : (journey.sandbox.tickAt - startedAt) / second

const paced = (stepMillis: number | null) =>
  started(factsOf("FINANCE_SALE", { sandbox: { ...sandbox(), stepMillis } })).journey

describe("the pace", () => {
  it("is one step every 5 seconds", () => {
    expect(leftAlone(started(testFacts("CASH_SALE", "HOME_DELIVERY", null)).journey).tickedAt).toEqual([5, 10, 15, 20])
  })

  it("lets the caller's step wait 30 seconds from when the caller began to be awaited", () => {
    const life = leftAlone(started(testFacts("FINANCE_ALREADY_SUBMITTED", "IN_STORE", null)).journey)
    expect(life.tickedAt).toEqual([5, 30, 35, 40])
    expect(life.types.slice(0, 2)).toEqual(["identity.verified", "finance_enquiry.approved"])
  })

  it("counts the 30 seconds anew when the caller refers the application", () => {
    const journey = started(testFacts("FINANCE_ALREADY_SUBMITTED", "IN_STORE", null)).journey
    const verified = told(journey, { _tag: "IdentityVerified" }, startedAt + 2 * second).journey
    expect(tickAfter(verified)).toBe(30)
    const referred = told(verified, { _tag: "FinanceDecision", decision: "REFERRED" }, startedAt + 20 * second).journey
    expect(tickAfter(referred)).toBe(50)
  })

  it("knows since when the caller is awaited, exactly while it is", () => {
    for (const reached of testStates) {
      const isAwaited = nextAction(reached.journey) === "SEND_FINANCE_DECISION"
      expect(reached.journey.sandbox?.callerAwaitedSince !== null, described(reached)).toBe(isAwaited)
    }
  })

  it("never lets the caller's step come sooner than a step after the last change", () => {
    const journey = started(testFacts("FINANCE_ALREADY_SUBMITTED", "IN_STORE", null)).journey
    expect(tickAfter(told(journey, { _tag: "IdentityVerified" }, startedAt + 28 * second).journey)).toBe(33)
  })

  it("begins anew with every change, also a simulated one", () => {
    const journey = started(testFacts("FINANCE_SALE", "HOME_DELIVERY", null)).journey
    expect(tickAfter(journey)).toBe(5)
    const at = startedAt + 4 * second
    expect(tickAfter(told(journey, { _tag: "ReplaceFace" }, at).journey)).toBe(9)
    expect(tickAfter(told(journey, { _tag: "LocationConfirmed" }, at).journey)).toBe(9)
    expect(tickAfter(told(journey, { _tag: "Simulate", event: "delivery.video_uploaded" }, at).journey)).toBe(9)
    expect(tickAfter(told(journey, { _tag: "SandboxTick" }, at).journey)).toBe(9)
    expect(tickAfter(told(journey, { _tag: "Cancel" }, at).journey)).toBeNull()
  })

  it("is the company's when it chose one, and no step when it advances by hand", () => {
    expect(tickAfter(paced(60 * second))).toBe(60)
    expect(tickAfter(paced(null))).toBeNull()
    expect(tickAfter(driven(paced(null), { _tag: "VideoUploaded" }))).toBeNull()
    const pending = factsOf("FINANCE_ALREADY_SUBMITTED", { sandbox: { ...sandbox(), stepMillis: 60 * second } })
    const verified = told(started(pending).journey, { _tag: "IdentityVerified" }, startedAt + second).journey
    expect(tickAfter(verified)).toBe(61)
  })

  it("is a tick on every ACTIVE test journey and on no other", () => {
    for (const reached of reachableStates) {
      const { sandbox: driver, status } = reached.journey
      expect(driver !== null && driver.tickAt !== null, described(reached)).toBe(driver !== null && status === "ACTIVE")
    }
  })
})

it("lets no tick move a live or an ended journey", () => {
  for (const { journey, now } of reachableStates) {
    if (!journey.livemode && journey.status === "ACTIVE") continue
    expect(decide(journey, { _tag: "SandboxTick" }, now)).toMatchObject({ _tag: "Ignored" })
  }
})

it("waits for the panel's answer before the customer is asked", () => {
  const journey = started(testFacts("FINANCE_SUBMIT_VIA_MIRA", "IN_STORE", null)).journey
  const { events } = told(journey, { _tag: "SandboxTick" }, startedAt + 5 * second)
  expect(events.map(({ type }) => type)).toEqual(["identity.requested"])
  const accepted = told(journey, { _tag: "PanelAccepted", check: possible }, startedAt + 5 * second)
  expect(events).toEqual(accepted.events)
})
