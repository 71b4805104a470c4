/**
 * Turns at looking, kept in Redis: the node that looks keeps its turn as long as it goes on looking, and another one
 * takes it soon after it stops. While Redis does not answer every node looks for itself.
 */
import { Clock, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { Lookout, type Turn, type Watch } from "../MemoryLeadership.ts"
import { keyOf, Redis } from "./Redis.ts"
import { scriptOn } from "./script.ts"
import { passScript, turnScript } from "./wakeUpScripts.ts"

/** Milliseconds a turn lasts unless it is asked for again: a few looks, so that a slow one does not lose it. */
const turnMillis = 2000

/** Milliseconds a node that cannot see leaves the looking to others: long enough for each of them to ask once. */
const passMillis = 1000

const watchOf = (prompt: Redis["Service"]["prompt"], node: string, key: string): Watch => {
  const ask = scriptOn(prompt, turnScript, [key])
  const give = scriptOn(prompt, passScript, [key])
  /** Epoch milliseconds. */
  let passedUntil = 0
  return {
    turn: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now < passedUntil
        ? Effect.succeed<Turn>("Others")
        : Effect.tryPromise(() => ask([node, turnMillis])).pipe(
            Effect.map((isMine): Turn => (isMine === 1 ? "Mine" : "Others")),
            Effect.orElseSucceed((): Turn => "Alone")
          )
    ),
    pass: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      passedUntil = now + passMillis
      return Effect.ignore(Effect.tryPromise(() => give([node])))
    })
  }
}

export const layer: Layer.Layer<Lookout, never, Redis> = Layer.effect(
  Lookout,
  Effect.gen(function* () {
    const { prompt } = yield* Redis
    const node = randomUUID()
    return Lookout.of({
      over: (what) => watchOf(prompt, node, keyOf("watch", what))
    })
  })
)
