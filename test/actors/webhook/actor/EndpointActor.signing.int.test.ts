/**
 * When an attempt is signed: the moment before its bytes leave, which is after the connection is open. The receiver holds
 * the handshake back for as long as the test says, and the test holds the clock.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { beforeEach, expect } from "vitest"
import { retryDelaysMillis } from "../../../../src/actors/webhook/rules/backoff.ts"
import { signedSeconds } from "../../../support/endpointActors.ts"
import { startHeldReceiver, type HeldReceiver } from "../../../support/heldReceiver.ts"
import {
  began,
  delivery,
  endpointId,
  happens,
  living,
  now,
  queried,
  second,
  startClock,
  timesOf,
  useOneEndpoint
} from "./oneEndpoint.ts"

useOneEndpoint()

let held: HeldReceiver
beforeEach(async () => {
  held = await startHeldReceiver()
  return () => held.stop()
})

const atHeldReceiver = Effect.gen(function* () {
  yield* startClock
  yield* queried("update webhook_endpoints set url = $2 where id = $1", [endpointId, held.url])
  return yield* happens()
})

const logged = (eventId: string) =>
  queried<{ readonly duration_millis: number; readonly error: string | null; readonly signature: string | null }>(
    "select duration_millis, error, signature from attempts where event_id = $1 order by number",
    [eventId]
  )

/** An actor opens a connection, whose handshake stands still for nine seconds, and then this happens. */
const afterNineSeconds = (happens: () => Promise<unknown>) =>
  living((actor) =>
    Effect.gen(function* () {
      yield* actor.look(true)
      yield* Effect.promise(() => held.taken(1))
      yield* TestClock.adjust("9 seconds")
      yield* Effect.promise(happens)
    })
  )

it.effect("a delivery is signed when the handshake with its receiver has ended, and the log has that time", () =>
  Effect.gen(function* () {
    const eventId = yield* atHeldReceiver
    yield* afterNineSeconds(() => {
      held.letGo()
      return held.arrived(1)
    })
    const signedAt = yield* now
    expect(signedAt).toBe(began + 9 * second)
    expect(held.received.map(signedSeconds)).toEqual([Math.floor(signedAt / second)])
    expect(yield* timesOf(eventId)).toEqual([signedAt])
    const signature = held.received[0]?.headers["service-signature"]
    // The attempt began with the opening of the connection, and the delay of the schedule begins with its end.
    expect(yield* logged(eventId)).toEqual([{ duration_millis: 9 * second, error: null, signature }])
    expect(yield* delivery(eventId)).toMatchObject({ tries: 1, dueAt: signedAt + (retryDelaysMillis[0] ?? 0) })
  })
)

it.effect("a delivery to which no connection came about has no signature, and the time when its attempt began", () =>
  Effect.gen(function* () {
    const eventId = yield* atHeldReceiver
    yield* afterNineSeconds(() => held.stop())
    expect(held.received).toEqual([])
    expect(yield* timesOf(eventId)).toEqual([began])
    expect(yield* logged(eventId)).toEqual([
      { duration_millis: 9 * second, error: "CONNECTION_RESET", signature: null }
    ])
    const dueAt = began + 9 * second + (retryDelaysMillis[0] ?? 0)
    expect(yield* delivery(eventId)).toMatchObject({ tries: 1, dueAt })
  })
)
