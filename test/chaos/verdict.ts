/**
 * What must be true after the faults, whatever they were: everything that callers were promised is in the database,
 * nothing that they were refused is, the database agrees with itself, and receivers have all events and no others.
 */
import { inconsistencies } from "../support/consistency.ts"
import { eventually } from "../support/eventually.ts"
import { eventOf } from "../support/receivers.ts"
import type { ClientLog } from "./ClientLog.ts"
import type { World } from "./World.ts"

/** Once faults stop, all due work is done in this time (INV-17). Callers and the machine get as much again. */
const quietWithinMillis = 120_000

interface StoredStart {
  readonly key: string
  readonly id: string
  readonly status: string
  readonly type: string
  readonly created_at: Date
}

/** Waits until nothing is due any more. Gives what is left, if anything is. */
export const quiet = async ({ query }: World): Promise<ReadonlyArray<string>> => {
  const left = () =>
    query<{ readonly what: string }>(
      `select 'journey ' || id || ' is still active' as what from journeys
         where status = 'ACTIVE' and state->'sandbox'->>'stepMillis' is not null and set_aside_at is null
       union all select 'journey ' || id || ' was set aside' from journeys where set_aside_at is not null
       union all select 'event ' || event_id || ' is ' || status from deliveries where status <> 'DELIVERED'
       limit 20`
    ).catch((error: unknown) => [{ what: `the database does not answer: ${String(error)}` }])
  try {
    await eventually(left, (rows) => rows.length === 0, quietWithinMillis)
    return []
  } catch {
    return (await left()).map(({ what }) => what)
  }
}

/** Everything that is wrong, in words. */
export const wrongs = async (world: World, log: ClientLog): Promise<ReadonlyArray<string>> => {
  const { query, receiver } = world
  const rows = await query<StoredStart>(
    "select idempotency_key as key, id, status, state->>'type' as type, created_at from journeys"
  )
  const byKey = Map.groupBy(rows, ({ key }) => key)
  const found: Array<string> = [...log.wrongs]
  for (const { acknowledged, drops, isAbandoned, key } of log.starts) {
    const stored = byKey.get(key) ?? []
    if (stored.length > 1) found.push(`INV-2: ${stored.length} journeys of the key ${key}`)
    const [one] = stored
    if (acknowledged === null) {
      if (isAbandoned && drops === 0 && one !== undefined) found.push(`INV-3: ${key} was refused and is there`)
    } else if (one?.id !== acknowledged.id || one.created_at.toISOString() !== acknowledged.createdAt) {
      found.push(`INV-1: ${key} was acknowledged as ${acknowledged.id} and is ${one?.id ?? "lost"}`)
    }
  }
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]))
  const approvals = await query<{ readonly journey_id: string; readonly n: number }>(
    "select journey_id, count(*)::int as n from events where type = 'finance_enquiry.approved' group by journey_id"
  )
  const approvalsOf = new Map(approvals.map(({ journey_id, n }) => [journey_id, n]))
  for (const { journeyId, kind } of log.done) {
    if (kind === "cancel" && statusOf.get(journeyId) !== "CANCELLED") found.push(`the cancel of ${journeyId} is lost`)
    if (kind === "decision" && approvalsOf.get(journeyId) !== 1) found.push(`the decision of ${journeyId} is lost`)
  }
  const events = await query<{ readonly id: string }>("select event_id as id from deliveries")
  const arrived = new Set(receiver.received.map((one) => eventOf(one).id))
  for (const { id } of events) if (!arrived.delete(id)) found.push(`INV-5: the event ${id} never arrived`)
  for (const id of arrived) found.push(`INV-4: the event ${id} arrived and was never committed`)
  return [...found, ...(await inconsistencies(query))]
}
