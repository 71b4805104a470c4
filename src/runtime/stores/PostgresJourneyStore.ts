/**
 * The journey store on PostgreSQL: turns commits into columns, statements into outcomes, and the database's failures
 * into the two kinds a caller can act on. The statements themselves are in `journeyStatements.ts`.
 */
import { Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Journey } from "../../actors/journey/rules/Journey.ts"
import {
  JourneyStore,
  type Commit,
  type LoadedJourney,
  type StartCommit,
  type StartOutcome,
  type StoredJourney
} from "../../actors/journey/actor/JourneyStore.ts"
import { JourneyUnreadable } from "../../actors/kernel/StoreError.ts"
import { DeliveryAlarms } from "../../actors/webhook/actor/DeliveryAlarms.ts"
import { makeBatcher } from "../postgres/Batcher.ts"
import { uuidArray } from "../postgres/parameters.ts"
import { commitColumns, startColumns } from "./journeyColumns.ts"
import { commitStatement, loadStatement, readStatement, startStatement } from "./journeyStatements.ts"
import { isRefusal, isRetryable } from "../postgres/sqlFailure.ts"
import { batchedWrite, readFailure, storeRead, writeFailure } from "../postgres/storeCalls.ts"
import { tooManyWaiting, withReadTimeout, withStatementTimeout } from "../postgres/timeouts.ts"

/** Statements of one kind under way at once: two keep the disk busy while the next batch gathers. */
const writers = 2
const readers = 2
/** More rows than this in one statement gain nothing and make everyone in it wait. */
const largestWrite = 128
const largestRead = 64
/** A deadlock or a serialization failure is a certain rollback: the same statement may simply run again. */
const rollbackRetries = Schedule.upTo(Schedule.exponential("5 millis"), { times: 4 })

interface StartRow {
  readonly id: string
  readonly outcome: "CREATED" | "KNOWN" | "SHORT" | "DUE"
  readonly customer_id: string | null
  readonly wrapped_key: Uint8Array | null
  readonly wallet: "APPLICATION" | "IDENTITY" | null
}

interface CommitRow {
  readonly id: string
  readonly outcome: "COMMITTED" | "DUE"
}

interface StateRow {
  readonly id: string
  readonly version: number
  readonly state: unknown
}
interface ReadRow extends StateRow {
  readonly company_id: string
  readonly livemode: boolean
}
interface LoadRow extends StateRow {
  readonly traceparent: string | null
  readonly handled: LoadedJourney["handled"] extends ReadonlyMap<string, infer Message>
    ? Record<string, Message> | null
    : never
}

const decodeJourney = Schema.decodeUnknownEffect(Journey)

const stored = (row: StateRow): Effect.Effect<StoredJourney, JourneyUnreadable> =>
  decodeJourney(row.state).pipe(
    Effect.map((journey) => ({ journey, version: row.version })),
    Effect.mapError((cause) => new JourneyUnreadable({ journeyId: row.id, cause }))
  )

const startOutcome = (rows: ReadonlyArray<StartRow>): StartOutcome => {
  const known = rows.find((row) => row.outcome === "KNOWN")
  if (known?.customer_id != null && known.wrapped_key !== null) {
    return { _tag: "CustomerKnown", customer: { customerId: known.customer_id, wrappedKey: known.wrapped_key } }
  }
  const short = rows.find((row) => row.outcome === "SHORT")
  if (short?.wallet != null) return { _tag: "CreditsShort", wallet: short.wallet }
  return rows.some((row) => row.outcome === "CREATED") ? { _tag: "Created" } : { _tag: "KeyTaken" }
}

/** What can be read of a page; a row that cannot is told to the log, and its neighbours are shown. */
const readable = (rows: ReadonlyArray<StateRow>) =>
  Effect.map(
    Effect.forEach(rows, (row) =>
      stored(row).pipe(
        Effect.map(({ journey }) => [journey]),
        Effect.catchTag("JourneyUnreadable", ({ journeyId }) =>
          Effect.as(Effect.logError("A stored journey cannot be read and is left out of a list", { journeyId }), [])
        )
      )
    ),
    (journeys) => journeys.flat()
  )

// Twins of one new customer never share a statement: the second must find the first one's row.
const keyOf = (one: StartCommit) =>
  one.customer.isNew ? Buffer.from(one.customer.emailIndex).toString("latin1") : one.journey.id

export const layer = Layer.effect(
  JourneyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = <Row extends object>(text: string, columns: ReadonlyArray<unknown>) =>
      withStatementTimeout(sql.unsafe<Row>(text, columns)).pipe(
        Effect.retry({ schedule: rollbackRetries, while: isRetryable })
      )
    const asked = { isRefusal, full: tooManyWaiting }
    const alarms = yield* DeliveryAlarms

    /** Rows by what they are about; endpoints that have something due now hear it. */
    const byItem = <Row extends { readonly id: string; readonly outcome: string }>(rows: ReadonlyArray<Row>) => {
      const byId = Map.groupBy(rows, (row) => row.id)
      for (const row of rows) if (row.outcome === "DUE") alarms.dueNow(row.id)
      return byId
    }

    const runStarts = (starts: ReadonlyArray<StartCommit>) =>
      Effect.map(write<StartRow>(startStatement, startColumns(starts)), (rows) => {
        const byId = byItem(rows)
        return starts.map((one) => startOutcome(byId.get(one.journey.id) ?? []))
      })
    const starting = { ...asked, run: runStarts, journeyOf: ({ journey }: StartCommit) => journey.id }
    const start = yield* makeBatcher({
      ...starting,
      name: "JourneyStore.start",
      fibers: writers,
      largestBatch: largestWrite,
      keyOf
    })
    const startAlone = yield* makeBatcher({
      ...starting,
      name: "JourneyStore.startAlone",
      fibers: 1,
      largestBatch: 1
    })

    const commit = yield* makeBatcher({
      ...asked,
      fibers: writers,
      largestBatch: largestWrite,
      name: "JourneyStore.commit",
      journeyOf: (one: Commit) => one.journey.id,
      keyOf: (one: Commit) => one.journey.id,
      run: (commits: ReadonlyArray<Commit>) =>
        Effect.map(write<CommitRow>(commitStatement, commitColumns(commits)), (rows) => {
          const committed = byItem(rows)
          return commits.map((one) => (committed.has(one.journey.id) ? ("Committed" as const) : ("Conflict" as const)))
        })
    })

    const readBatch =
      <Row extends StateRow>(text: string) =>
      (ids: ReadonlyArray<string>) =>
        Effect.map(withStatementTimeout(sql.unsafe<Row>(text, [uuidArray(ids)])), (rows) => {
          const byId = new Map(rows.map((row) => [row.id, row]))
          return ids.map((id) => byId.get(id) ?? null)
        })
    const reading = { ...asked, fibers: readers, largestBatch: largestRead, journeyOf: (id: string) => id }
    const readRow = yield* makeBatcher({
      ...reading,
      name: "JourneyStore.read",
      run: readBatch<ReadRow>(readStatement)
    })
    const loadRow = yield* makeBatcher({
      ...reading,
      name: "JourneyStore.load",
      run: readBatch<LoadRow>(loadStatement)
    })

    return JourneyStore.of({
      start: (one) =>
        start(one).pipe(
          // Within a batch, a start that fails after all counts against its neighbours' wallet: ask again alone.
          Effect.flatMap((outcome) => (outcome._tag === "CreditsShort" ? startAlone(one) : Effect.succeed(outcome))),
          Effect.catch((error) =>
            // The customer's row appeared while we wrote: the next try finds it.
            error.reason._tag === "UniqueViolation" ? startAlone(one) : Effect.fail(error)
          ),
          Effect.catch(writeFailure)
        ),
      commit: (one) => batchedWrite(commit(one)),
      load: (journeyId) =>
        withReadTimeout(loadRow(journeyId)).pipe(
          Effect.catchTag("SqlError", readFailure),
          Effect.flatMap((row) =>
            row === null
              ? Effect.succeed(null)
              : Effect.map(stored(row), (one) => ({
                  ...one,
                  handled: new Map(Object.entries(row.handled ?? {})),
                  traceparent: row.traceparent
                }))
          )
        ),
      read: (journeyId, scope) =>
        withReadTimeout(readRow(journeyId)).pipe(
          Effect.catchTag("SqlError", readFailure),
          Effect.flatMap((row) =>
            row === null || row.company_id !== scope.companyId || row.livemode !== scope.livemode
              ? Effect.succeed(null)
              : stored(row)
          )
        ),
      findByKey: (scope, idempotencyKey) =>
        sql<StateRow & { readonly fingerprint: Uint8Array }>`
          select id, version, state, fingerprint from journeys
          where company_id = ${scope.companyId} and livemode = ${scope.livemode} and idempotency_key = ${idempotencyKey}`.pipe(
          storeRead,
          Effect.flatMap(([row]) =>
            row === undefined
              ? Effect.succeed(null)
              : Effect.map(stored(row), (one) => ({ stored: one, fingerprint: row.fingerprint }))
          )
        ),
      list: (scope, query) => {
        const matching = sql.and([
          sql`company_id = ${scope.companyId}`,
          sql`livemode = ${scope.livemode}`,
          ...(query.status === null ? [] : [sql`status = ${query.status}`]),
          ...(query.externalReference === null ? [] : [sql`external_reference = ${query.externalReference}`])
        ])
        return Effect.gen(function* () {
          const [count] = yield* sql<{
            readonly total: number
          }>`select count(*)::int as total from journeys where ${matching}`
          const rows = yield* sql<StateRow>`
            select id, version, state from journeys where ${matching}
            order by created_at desc, id desc limit ${query.size} offset ${query.page * query.size}`
          return { rows, totalElements: count?.total ?? 0 }
        }).pipe(
          storeRead,
          Effect.flatMap(({ rows, totalElements }) =>
            Effect.map(readable(rows), (content) => ({ content, totalElements }))
          )
        )
      },
      customerKey: (journeyId, scope) =>
        sql<{ readonly id: string; readonly wrapped_key: Uint8Array | null }>`
          select c.id, c.wrapped_key from journeys j join customers c on c.id = j.customer_id
          where j.id = ${journeyId} and j.company_id = ${scope.companyId} and j.livemode = ${scope.livemode}`.pipe(
          storeRead,
          Effect.map(([row]) =>
            row === undefined || row.wrapped_key === null ? null : { customerId: row.id, wrappedKey: row.wrapped_key }
          )
        )
    })
  })
)
