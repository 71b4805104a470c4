/**
 * When API keys were used. A request only notes it in memory; what was noted is written in one statement, at most once a minute and
 * key. What a node had noted and not written when it ends is lost: the time is for people, who ask whether a key is in use.
 */
import { Effect, Latch } from "effect"
import { SqlClient } from "effect/sql"
import { keyringLimits } from "../../../actors/company/limits.ts"
import { arrayParameter, uuidArray } from "../../postgres/parameters.ts"
import { repeatableWrite } from "../../postgres/storeCalls.ts"
import type { ApiKeyId } from "../../../schema/ids.ts"

/** The rows in the order of their ids: two nodes that write at once wait for each other only. */
const statement = `
with due as (
  select k.id, t.at from unnest($1::uuid[], $2::timestamptz[]) t (id, at) join api_keys k on k.id = t.id
  where k.last_used_at is null or k.last_used_at <= t.at - interval '1 minute'
  order by k.id for update of k
)
update api_keys k set last_used_at = due.at from due where k.id = due.id`

export const makeKeyUse = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isNoted = yield* Latch.make(false)
  let noted = new Map<string, number>()

  const write = Effect.suspend(() => {
    isNoted.closeUnsafe()
    const uses = noted
    noted = new Map()
    const times = [...uses.values()].map((at) => new Date(at))
    return repeatableWrite(sql.unsafe(statement, [uuidArray([...uses.keys()]), arrayParameter(times, "timestamptz")]))
  }).pipe(Effect.catchCause((cause) => Effect.logDebug("The use of API keys is not written", cause)))

  yield* isNoted.await.pipe(
    Effect.andThen(write),
    Effect.andThen(Effect.sleep(keyringLimits.useWrittenEvery)),
    Effect.forever,
    Effect.forkScoped
  )

  return (keyId: ApiKeyId, at: number): void => {
    if (noted.size >= keyringLimits.mostRemembered && !noted.has(keyId)) return
    noted.set(keyId, at)
    isNoted.openUnsafe()
  }
})
