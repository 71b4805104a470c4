/**
 * Leadership kept in Redis. The leader keeps its place as long as it goes on asking; when it stops, another node takes
 * its place soon. While Redis does not answer, every node does the work itself. The scripts are in `wakeUpScripts.ts`.
 */
import { Clock, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { Leadership, type Candidate, type Role } from "../../../actors/kernel/Leadership.ts"
import { keyOf, Redis } from "./Redis.ts"
import { scriptOn } from "./script.ts"
import { leadScript, stepDownScript } from "./wakeUpScripts.ts"

/** Milliseconds that leadership lasts unless the leader asks again: a few looks, so that a slow look does not lose it. */
const leaderMillis = 2000

/** Milliseconds in which a node that stepped down does not ask: long enough for each other node to ask once. */
const stepDownMillis = 1000

const candidateOf = (prompt: Redis["Service"]["prompt"], node: string, key: string): Candidate => {
  const lead = scriptOn(prompt, leadScript, [key])
  const stepDown = scriptOn(prompt, stepDownScript, [key])
  /** Epoch milliseconds. */
  let followsUntil = 0
  return {
    role: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now < followsUntil
        ? Effect.succeed<Role>("FOLLOWER")
        : Effect.tryPromise(() => lead([node, leaderMillis])).pipe(
            Effect.map((leads): Role => (leads === 1 ? "LEADER" : "FOLLOWER")),
            Effect.orElseSucceed((): Role => "ALONE")
          )
    ),
    stepDown: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      followsUntil = now + stepDownMillis
      return Effect.ignore(Effect.tryPromise(() => stepDown([node])))
    })
  }
}

export const layer: Layer.Layer<Leadership, never, Redis> = Layer.effect(
  Leadership,
  Effect.gen(function* () {
    const { prompt } = yield* Redis
    const node = randomUUID()
    return Leadership.of({
      // The key keeps the name that earlier versions use, so that nodes of both versions have one leader.
      of: (work) => candidateOf(prompt, node, keyOf("watch", work))
    })
  })
)
