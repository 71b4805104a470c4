/**
 * Wakes the actors of endpoints that have something due. The truth is the column `due_at`, which the leader looks at every
 * half second. A commit of this process wakes its endpoint at once. Nodes do not announce retries to each other, because
 * a retry may be half a minute late.
 */
import { Context, Duration, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookDeliveryAlarms } from "../../actors/webhook/actor/WebhookDeliveryAlarms.ts"
import { EndpointMailbox } from "../../actors/webhook/actor/EndpointMailbox.ts"
import { startDueWork } from "../../actors/kernel/DueWork.ts"
import { Leadership } from "../../actors/kernel/Leadership.ts"
import { column, rowModel, type RowOf } from "../postgres/rows.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import { deliveryAlarmLimits } from "./limits.ts"
import { EndpointId } from "../../schema/ids.ts"

/** Endpoints with something due by commits of this process; each stands here once, however often it is named. */
class DueHere extends Context.Service<DueHere, { readonly endpoints: Set<EndpointId>; readonly latch: Latch.Latch }>()(
  "journeys/runtime/DueHere"
) {}

/** Where commits say that an endpoint has something due. Stores need it before there are actors to wake. */
export const layer = Layer.effect(
  WebhookDeliveryAlarms,
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
      Effect.map(Latch.make(false), (latch) => ({ endpoints: new Set<EndpointId>(), latch }))
    )
  )
)

/**
 * Jumps from one endpoint to the next in the index of what is due. The statement costs one probe for each endpoint, however
 * much an endpoint has due. A resend under way is work, too.
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

const DueEndpoint = rowModel({ id: column.id(EndpointId), resend: column.bool })
type DueEndpoint = RowOf<typeof DueEndpoint>

/** Leaves out endpoints that were woken a moment ago. A resend under way is woken at each look. */
const makeWakeAgain = () => {
  const wakeAgainMillis = Duration.toMillis(deliveryAlarmLimits.wakeAgainAfter)
  /** Endpoints that were due at the last look, and when each was woken. */
  let woken = new Map<string, number>()
  return (due: ReadonlyArray<DueEndpoint>, now: number): ReadonlyArray<DueEndpoint> => {
    const toWake = due.filter(({ id, resend }) => resend || now - (woken.get(id) ?? -Infinity) >= wakeAgainMillis)
    const before = woken
    woken = new Map(due.map(({ id }) => [id, before.get(id) ?? now]))
    for (const { id } of toWake) woken.set(id, now)
    return toWake
  }
}

/** `isRunner`: this node looks for what is due. A node that is only a client of the others wakes for its own commits. */
export const deliveryAlarms = ({ isRunner }: { readonly isRunner: boolean }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const here = yield* DueHere
      const sql = yield* SqlClient.SqlClient
      const mailbox = yield* EndpointMailbox
      const wakeAgain = makeWakeAgain()

      const committedHere = Effect.andThen(
        here.latch.await,
        Effect.sync(() => {
          here.latch.closeUnsafe()
          const ids = [...here.endpoints]
          here.endpoints.clear()
          return ids.map((id): DueEndpoint => ({ id, resend: false }))
        })
      )

      yield* startDueWork<DueEndpoint>({
        name: "Due deliveries",
        ...deliveryAlarmLimits,
        leadership: (yield* Leadership).of("deliveries"),
        look: isRunner
          ? ({ now }) =>
              Effect.map(withStatementTimeout(DueEndpoint.all(sql.unsafe(dueEndpoints, [new Date(now)]))), (due) =>
                wakeAgain(due, now)
              )
          : null,
        keyOf: ({ id, resend }) => `${id} ${resend}`,
        run: ({ id, resend }) => mailbox.wake(id, resend),
        // Each is started on its own: an actor that is hard to reach must not keep the others waiting.
        wakeUps: ({ startNow }) =>
          Effect.forever(Effect.flatMap(committedHere, (due) => Effect.forEach(due, startNow, { discard: true })))
      })
    })
  )
