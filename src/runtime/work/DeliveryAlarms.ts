/**
 * Wakes endpoints' actors when something is due. The truth is the column `due_at`, looked at every half second; an
 * endpoint that got something due by a commit of this process is woken without waiting for that. Of several nodes one
 * looks for all: retries may be half a minute late, so nothing tells of them beforehand.
 */
import { Clock, Context, Effect, Latch, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { DeliveryAlarms } from "../../actors/webhook/actor/DeliveryAlarms.ts"
import { EndpointMailbox } from "../../actors/webhook/actor/EndpointMailbox.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { isLeader, Leadership } from "../../actors/kernel/Leadership.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"

const lookEvery = "500 millis"
/**
 * An endpoint that still has something due is woken again after this long, in milliseconds: most likely its attempts
 * are under way, and a thousand silent endpoints must not make two thousand messages a second.
 */
const wakeAgainAfter = 2000
/** Wake-ups under way at once. */
const wakesAtOnce = 64

/** Endpoints with something due by commits of this process; each stands here once, however often it is named. */
class DueHere extends Context.Service<DueHere, { readonly endpoints: Set<string>; readonly latch: Latch.Latch }>()(
  "journeys/runtime/DueHere"
) {}

/** What commits tell. Apart from the poller, because the stores need it before there are actors to wake. */
export const layer = Layer.effect(
  DeliveryAlarms,
  Effect.map(DueHere, ({ endpoints, latch }) => ({
    dueNow: (endpointId) => {
      endpoints.add(endpointId)
      latch.openUnsafe()
    }
  }))
).pipe(
  Layer.provideMerge(
    Layer.effect(
      DueHere,
      Effect.map(Latch.make(false), (latch) => ({ endpoints: new Set<string>(), latch }))
    )
  )
)

/**
 * Jumps from one endpoint to the next in the index of what is due, so that it costs a probe an endpoint, however much
 * each of them has due. A resend under way is work, too.
 */
export const dueEndpoints = `
with recursive due as (
  (select endpoint_id, due_at from deliveries where due_at is not null order by endpoint_id, due_at limit 1)
  union all
  select n.endpoint_id, n.due_at from due, lateral (
    select endpoint_id, due_at from deliveries
    where due_at is not null and endpoint_id > due.endpoint_id order by endpoint_id, due_at limit 1
  ) n
)
select endpoint_id as id, false as resend from due where due_at <= $1
union all
select distinct endpoint_id, true from resend_tasks where finished_at is null`

interface DueRow {
  readonly id: string
  readonly resend: boolean
}

/** `isRunner`: this node looks for what is due. One that is only a client of the others wakes for its own commits. */
export const poller = ({ isRunner }: { readonly isRunner: boolean }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const due = yield* DueHere
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* EndpointMailbox
      const leadership = (yield* Leadership).of("deliveries")
      const pollStatus = pollStatusOf("Due deliveries")

      /** Endpoints that were due at the last look, and when each was woken. */
      let woken = new Map<string, number>()
      const look = Effect.gen(function* () {
        if (!isLeader(yield* leadership.role)) return
        const now = yield* Clock.currentTimeMillis
        const rows = yield* withStatementTimeout(sql.unsafe<DueRow>(dueEndpoints, [new Date(now)]))
        const toWake = rows.filter((row) => row.resend || now - (woken.get(row.id) ?? -Infinity) >= wakeAgainAfter)
        const before = woken
        woken = new Map(rows.map((row) => [row.id, before.get(row.id) ?? now]))
        for (const row of toWake) woken.set(row.id, now)
        yield* Effect.forEach(toWake, (row) => mailbox.wake(row.id, row.resend), {
          concurrency: wakesAtOnce,
          discard: true
        })
        yield* pollStatus.ok
        // Whatever it was, the next look must come: without one no retry is made any more.
      }).pipe(Effect.catchCause((cause) => Effect.andThen(pollStatus.failed(cause), leadership.stepDown)))

      const prompted = Effect.gen(function* () {
        yield* due.latch.await
        due.latch.closeUnsafe()
        const ids = [...due.endpoints]
        due.endpoints.clear()
        // Each on its own: an actor that is hard to reach must not keep the others waiting.
        for (const id of ids) yield* Effect.forkScoped(mailbox.wake(id, false))
      })

      if (isRunner) yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))
      yield* Effect.forkScoped(Effect.forever(prompted))
    })
  )
