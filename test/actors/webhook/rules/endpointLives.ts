/** Random lives of an endpoint for `endpointScript.ts`: what may happen, how often, and a few stories that chance rarely tells. */
import * as fc from "fast-check"
import type { Act } from "./endpointScript.ts"
import type { Result } from "./endpointWorld.ts"

const second = 1000
const hour = 3600 * second

const results = fc.constantFrom<Result>("Delivered", "Delivered", "Failed", "OwnFailure")
const act = <A extends Act>(acts: fc.Arbitrary<A>, weight: number) => ({
  weight,
  arbitrary: acts.map((one): ReadonlyArray<Act> => [one])
})
const turn: Act = { _tag: "Turn" }
const tagged = <Tag extends Act["_tag"]>(_tag: Tag) => fc.constant(_tag)

/** Nothing gets through for this many times twenty hours. */
const failingDays = fc
  .integer({ min: 1, max: 5 })
  .map((days) =>
    Array.from({ length: days }, (): ReadonlyArray<Act> => [
      { _tag: "EventsHappen", journey: 0, count: 2 },
      { _tag: "Wake", resend: false },
      turn,
      { _tag: "AllAttemptsEnd", result: "Failed" },
      turn,
      { _tag: "Record", count: 100 },
      turn,
      { _tag: "TimePasses", millis: 20 * hour }
    ]).flat()
  )

const answeredRound: ReadonlyArray<Act> = [
  turn,
  { _tag: "AllAttemptsEnd", result: "Delivered" },
  turn,
  { _tag: "Record", count: 7 }
]

/** A standing queue at an endpoint that answers: the window grows, and the buffer is read page by page. */
const standingQueue = fc.integer({ min: 10, max: 90 }).map((count) => {
  const begin: ReadonlyArray<Act> = [
    { _tag: "EventsHappen", journey: 10, count },
    { _tag: "Wake", resend: false }
  ]
  return begin.concat(answeredRound, answeredRound, answeredRound, answeredRound)
})

/** Events are parked while the endpoint is off; its owner turns it on again and has them sent. */
const missedAndResent = fc
  .integer({ min: 4, max: 12 })
  .map((count): ReadonlyArray<Act> => [
    { _tag: "OwnerSaves", enabled: false, url: 0, isHeard: true },
    turn,
    { _tag: "EventsHappen", journey: 20, count },
    { _tag: "OwnerSaves", enabled: true, url: 0, isHeard: true },
    { _tag: "OwnerResends" },
    turn
  ])

const oneEvent: ReadonlyArray<Act> = [
  { _tag: "EventsHappen", journey: 30, count: 1 },
  { _tag: "Wake", resend: false },
  turn
]

/** The first attempt fails; the next one succeeds while the owner rolls the secret. */
const rolledInFlight: ReadonlyArray<Act> = [
  ...oneEvent,
  { _tag: "AllAttemptsEnd", result: "Failed" },
  turn,
  { _tag: "Record", count: 100 },
  ...oneEvent,
  { _tag: "AllAttemptsEnd", result: "Delivered" },
  { _tag: "OwnerRolls" },
  turn
]

/** The end of a failed attempt is heard again while the next attempt at the same event is in flight. */
const heardAgainInFlight: ReadonlyArray<Act> = [
  ...oneEvent,
  { _tag: "AllAttemptsEnd", result: "Failed" },
  turn,
  { _tag: "Record", count: 100 },
  { _tag: "TimePasses", millis: 2 * hour },
  { _tag: "Wake", resend: false },
  turn,
  { _tag: "EndIsHeardTwice" },
  turn
]

export const lives: fc.Arbitrary<ReadonlyArray<Act>> = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constant<ReadonlyArray<Act>>([turn]) },
      act(
        fc.record({
          _tag: tagged("EventsHappen"),
          journey: fc.nat(3),
          count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 }))
        }),
        6
      ),
      act(fc.record({ _tag: tagged("Wake"), resend: fc.boolean() }), 4),
      act(fc.record({ _tag: tagged("AttemptEnds"), pick: fc.nat(40), result: results }), 8),
      act(fc.record({ _tag: tagged("EndIsHeardTwice") }), 1),
      act(fc.record({ _tag: tagged("AllAttemptsEnd"), result: results }), 4),
      act(fc.record({ _tag: tagged("Record"), count: fc.integer({ min: 1, max: 20 }) }), 6),
      act(
        fc.record({
          _tag: tagged("TimePasses"),
          millis: fc.oneof(
            fc.nat(900),
            fc.integer({ min: 900, max: 90 * second }),
            fc.integer({ max: 30 * hour, min: 1 })
          )
        }),
        4
      ),
      act(fc.record({ _tag: tagged("TestIsWanted"), isKnown: fc.boolean() }), 3),
      act(
        fc.record({
          _tag: tagged("OwnerSaves"),
          enabled: fc.constantFrom(true, true, false),
          url: fc.nat(2),
          isHeard: fc.constantFrom(true, true, false)
        }),
        2
      ),
      act(fc.record({ _tag: tagged("OwnerRolls") }), 1),
      act(fc.record({ _tag: tagged("OwnerRemoves") }), 1),
      act(fc.record({ _tag: tagged("OwnerResends") }), 2),
      act(fc.record({ _tag: tagged("DatabaseIs"), away: fc.boolean() }), 2),
      { weight: 2, arbitrary: failingDays },
      { weight: 2, arbitrary: standingQueue },
      { weight: 1, arbitrary: missedAndResent },
      { weight: 1, arbitrary: fc.constant(rolledInFlight) },
      { weight: 1, arbitrary: fc.constant(heardAgainInFlight) }
    ),
    { maxLength: 50 }
  )
  .map((acts) => acts.flat())

/** Lives in which the node stops in the end. */
export const stoppedLives: fc.Arbitrary<ReadonlyArray<Act>> = lives.map((acts) => acts.concat({ _tag: "Stop" }, turn))
