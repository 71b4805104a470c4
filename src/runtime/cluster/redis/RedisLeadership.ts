/**
 * Leadership kept in Redis. The leader keeps its place as long as it goes on asking; when it stops, another node takes
 * its place soon. While Redis does not answer, every node does the work itself. The scripts are in `wakeUpScripts.ts`.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { Leadership, type Candidate, type LeadershipRole } from "../../../actors/kernel/Leadership.ts"
import { leadershipLimits } from "./limits.ts"
import { keyOf, Redis } from "./Redis.ts"
import { scriptOn } from "./script.ts"
import { leadScript, stepDownScript } from "./wakeUpScripts.ts"

const lastsMillis = Duration.toMillis(leadershipLimits.lasts)
const stepsDownMillis = Duration.toMillis(leadershipLimits.stepsDownFor)

const candidateOf = (prompt: Redis["Service"]["prompt"], node: string, key: string): Candidate => {
  const lead = scriptOn(prompt, leadScript, [key])
  const stepDown = scriptOn(prompt, stepDownScript, [key])
  /** Epoch milliseconds. */
  let followsUntil = 0
  return {
    role: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now < followsUntil
        ? Effect.succeed<LeadershipRole>("FOLLOWER")
        : Effect.tryPromise(() => lead([node, lastsMillis])).pipe(
            Effect.map((leads): LeadershipRole => (leads === 1 ? "LEADER" : "FOLLOWER")),
            Effect.orElseSucceed((): LeadershipRole => "ALONE")
          )
    ),
    stepDown: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      followsUntil = now + stepsDownMillis
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
