/**
 * The numbered invariants of the endpoint's decision over random lives: events, attempts that end and are recorded, settings
 * that change, a database that goes away, tests, resends and stops, in any order. A failure prints the shortest life that
 * breaks the invariant and its seed.
 */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decideEndpoint } from "../../../../src/actors/webhook/rules/decideEndpoint.ts"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"
import { everyEndpointInvariant, holdsForEveryEndpoint } from "../../../kit/endpoints.ts"
import { lives } from "./endpointLives.ts"
import { play } from "./endpointScript.ts"

const numRuns = 300

it.each(everyEndpointInvariant)("$name: holds in every life, also in those that end with a stop", ({ holds }) =>
  holdsForEveryEndpoint(holds, { numRuns: 400 })
)

it("invariant 12: any message in any state leads to a decision, and none throws", () => {
  fc.assert(
    fc.property(lives, lives, fc.nat(), fc.nat(), (one, other, pickState, pickMessage) => {
      const states = play(one).entries.map(({ before }) => before)
      const messages = play(other).entries
      const state = states[pickState % states.length]
      const entry = messages[pickMessage % messages.length]
      fc.pre(state !== undefined && entry !== undefined)
      const { window } = decideEndpoint(state, entry.message, entry.now).state
      expect(window).toBeGreaterThanOrEqual(1)
    }),
    { numRuns }
  )
})

describe("the random lives", () => {
  const played = fc.sample(lives, { numRuns: 400, seed: 20260314 }).map((life) => play(life))
  const entries = played.flatMap((life) => life.entries)
  const count = (isSo: (entry: (typeof entries)[number]) => boolean) => entries.filter(isSo).length

  it("hold every message, every question and every action", () => {
    expect(new Set(entries.map(({ message }) => message._tag))).toEqual(
      new Set([
        "Woken",
        "SettingsChanged",
        "TestWanted",
        "AttemptEnded",
        "AttemptsRecorded",
        "Proceed",
        "SettingsRead",
        "DueRead",
        "TestRead",
        "Parked",
        "HealthWritten",
        "ChannelOpened",
        "QuestionFailed"
      ])
    )
    expect(new Set(entries.flatMap(({ decision }) => decision.question?._tag ?? []))).toEqual(
      new Set(["ReadSettings", "ReadDue", "ReadTest", "Park", "WriteHealth", "OpenChannel"])
    )
    expect(new Set(entries.flatMap(({ decision }) => decision.actions.map(({ _tag }) => _tag)))).toEqual(
      new Set(["Send", "Record", "Answer", "ReportTurnedOff", "ReportBlocked"])
    )
  })

  it("turn endpoints off, and fill the window and the buffer's pages", () => {
    expect(count(({ message }) => message._tag === "HealthWritten")).toBeGreaterThan(50)
    expect(played.filter(({ end }) => end.endpoint.offReason === "UNREACHABLE").length).toBeGreaterThan(5)
    expect(count(({ decision }) => decision.state.window === webhookLimits.mostInFlight)).toBeGreaterThan(5)
    expect(count(({ decision }) => decision.state.reading.place !== null)).toBeGreaterThan(50)
  })

  it("refuse tests and make them, and resend what was parked", () => {
    const answers = entries.flatMap(({ decision }) =>
      decision.actions.flatMap((one) => (one._tag === "Answer" ? one : []))
    )
    expect(answers.filter(({ isDone }) => isDone).length).toBeGreaterThan(50)
    expect(answers.filter(({ isDone }) => !isDone).length).toBeGreaterThan(50)
    expect(count(({ message }) => message._tag === "DueRead" && message.resend === "MoreNow")).toBeGreaterThan(5)
  })
})
