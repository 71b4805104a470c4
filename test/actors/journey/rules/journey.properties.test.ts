/**
 * The numbered invariants over thousands of random lives: every shape, place, mode and scenario, every message at any
 * time, doubled and out of order. A failure prints the shortest life that breaks the invariant and its seed.
 */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decide } from "../../../../src/actors/journey/rules/decide.ts"
import { isExternal, retryPolicies } from "../../../../src/actors/journey/rules/pendingEffects.ts"
import { simulatableEvents } from "../../../../src/schema/journey/events.ts"
import { everyInvariant, holdsInEveryLife } from "../../../kit/everyInvariant.ts"
import { statesOf } from "./history.ts"
import { play } from "./histories.ts"
import { sequences } from "./sequences.ts"
import { isSandboxOwn, told } from "./startedJourneys.ts"

const lives = sequences({ clock: "steps back" })
const numRuns = 1000

it.each(everyInvariant)("$name: holds in every life", ({ holds }) => holdsInEveryLife(holds, { numRuns }))

it("invariant 10: whatever is simulated in whatever state tells its event by ordinary messages alone", () => {
  fc.assert(
    fc.property(lives, fc.nat(), fc.constantFrom(...simulatableEvents), (life, pick, event) => {
      const states = statesOf(play(life)).filter(({ journey }) => journey.sandbox !== null)
      const state = states[pick % states.length]
      fc.pre(state !== undefined)
      const outcome = decide(state.journey, { _tag: "Simulate", event }, state.now)
      if (outcome._tag === "Step") {
        expect(outcome.events).toEqual([])
        expect(outcome.journey.sandbox?.planned?.filter(isSandboxOwn)).toEqual([])
        const { events, journey } = told(state.journey, { _tag: "Simulate", event }, state.now)
        expect(events.map(({ type }) => type)).toContain(event)
        expect(journey.sandbox).not.toHaveProperty("planned")
      } else {
        const code = state.journey.status === "ACTIVE" ? "EVENT_NOT_POSSIBLE" : "JOURNEY_FINISHED"
        expect(outcome).toMatchObject({ _tag: "Rejected", code })
      }
    }),
    { numRuns }
  )
})

describe("the random lives", () => {
  const histories = fc.sample(lives, { numRuns: 2000, seed: 20260105 }).map((life) => play(life))
  const seenIn = (values: (history: (typeof histories)[number]) => ReadonlyArray<unknown>) =>
    new Set(histories.flatMap(values))

  it("often go a long way to a completed handover", () => {
    const completed = histories.filter(({ journey }) => journey.status === "COMPLETED")
    expect(completed.length).toBeGreaterThan(histories.length / 4)
    const shapesCompleted = new Set(completed.map(({ journey }) => `${journey.shape} ${journey.handoverType}`))
    expect(shapesCompleted.size).toBe(10)
  })

  it("end in every way, and tell every event of a journey", () => {
    expect(seenIn(({ journey }) => [journey.status])).toEqual(new Set(["ACTIVE", "COMPLETED", "CANCELLED", "EXPIRED"]))
    expect(seenIn(({ events }) => events.map(({ type }) => type)).size).toBe(23)
  })

  it("pass through every status of every region", () => {
    const states = histories.flatMap(statesOf)
    expect(new Set(states.map(({ journey }) => journey.finance?.status)).size).toBe(6)
    expect(new Set(states.map(({ journey }) => journey.identity?.status)).size).toBe(8)
    expect(new Set(states.map(({ journey }) => journey.handover?.status)).size).toBe(9)
    expect(new Set(states.map(({ journey }) => journey.handover?.mismatches))).toEqual(new Set([undefined, 0, 1, 2, 3]))
  })

  it("hold messages of every kind that were steps, ignored, refused and repeated", () => {
    const outcomes = seenIn(({ entries }) => entries.map(({ outcome }) => outcome._tag))
    expect(outcomes).toEqual(new Set(["Step", "Ignored", "Rejected", "Repeated"]))
    const steps = seenIn(({ entries }) =>
      entries.flatMap(({ letter, outcome }) => (outcome._tag === "Step" ? [letter.message._tag] : []))
    )
    expect(steps.size).toBe(32)
  })

  it("hold work that was begun, tried again after its time was over, and given up; and results late and in time", () => {
    const begun = histories.flatMap(({ entries }) =>
      entries.flatMap(({ after, letter: { message }, outcome }) =>
        outcome._tag === "Step" && message._tag === "OwedBegun"
          ? after.owed.filter(isExternal).filter(({ serial }) => serial === message.serial)
          : []
      )
    )
    expect(new Set(begun.map(({ kind }) => kind))).toEqual(new Set(Object.keys(retryPolicies)))
    expect(begun.some(({ attempts }) => attempts === 2)).toBe(true)
    const numbered = histories.flatMap(({ entries }) =>
      entries.flatMap(({ letter: { message }, outcome }) => {
        const names = [
          ...("check" in message && typeof message.check === "number" ? ["check"] : []),
          ...("reviewed" in message ? ["reviewed"] : [])
        ]
        return names.map((name) => `${message._tag} ${name} ${outcome._tag}`)
      })
    )
    for (const name of [
      "IdentityVerified check",
      "IdentityVerified reviewed",
      "IdentityFailed check",
      "IdentityFailed reviewed"
    ]) {
      for (const outcome of ["Step", "Ignored"]) expect(numbered).toContain(`${name} ${outcome}`)
    }
    const failed = histories.flatMap(({ entries }) =>
      entries.flatMap(({ events, letter: { message }, outcome }) =>
        outcome._tag === "Step" && message._tag === "OwedFailed" ? [events.map(({ type }) => type).join()] : []
      )
    )
    expect(new Set(failed)).toEqual(
      new Set([
        "",
        "finance_enquiry.submission_failed,journey.cancelled",
        "identity.unavailable",
        "delivery.under_review"
      ])
    )
  })

  it("meet both gates closed, so that their order can matter", () => {
    const meeting = histories.filter((history) =>
      statesOf(history).some(
        ({ journey }) =>
          (journey.finance?.status === "SUBMITTED" || journey.finance?.status === "REFERRED") &&
          journey.identity?.status === "REQUESTED"
      )
    )
    expect(meeting.length).toBeGreaterThan(histories.length / 10)
  })
})
