/**
 * Journeys in PostgreSQL: turns commits into rows, rows into journeys, and failures of the database into those that a
 * caller can act on. The statements that write are in `startStatement.ts` and `commitStatement.ts`.
 */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  JourneyStore,
  type Commit,
  type StartCommit,
  type StartOutcome,
  type StoredJourney
} from "../../../actors/journey/actor/JourneyStore.ts"
import { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { JourneyUnreadable, OutcomeUnknown } from "../../../actors/kernel/StoreError.ts"
import { IsMailKept } from "../../../actors/mail/Mailbox.ts"
import { WebhookDeliveryAlarms } from "../../../actors/webhook/actor/WebhookDeliveryAlarms.ts"
import { batchLimits, type BatchLimits } from "../../postgres/limits.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { makeLookup, makeSqlBatcher, withRollbackRetries } from "../../postgres/sqlBatcher.ts"
import { storedAlarm } from "../../../actors/journey/rules/timers.ts"
import { batchedRead, repeatableWrite, storeRead, writeFailure } from "../../postgres/storeCalls.ts"
import { commitStatement } from "./commitStatement.ts"
import { makeJourneyEnds } from "./journeyEnds.ts"
import { listJourneys } from "./journeyPages.ts"
import { keptWith } from "./journeySources.ts"
import { startStatement } from "./startStatement.ts"
import { CompanyId, EndpointId, JourneyId } from "../../../schema/ids.ts"

const StartRow = rowModel({
  id: column.text,
  outcome: column.oneOf({ literals: ["CREATED", "KNOWN", "GONE", "SHORT", "DUE"] }),
  customerId: column.orNull(column.text),
  wrappedKey: column.orNull(column.bytes),
  wallet: column.orNull(column.oneOf({ literals: ["APPLICATION", "IDENTITY"] }))
})

const CommitRow = rowModel({ id: column.text, outcome: column.oneOf({ literals: ["COMMITTED", "DUE"] }) })

const StateRow = rowModel({ id: column.id(JourneyId), version: column.number, state: column.json })
type StateRow = RowOf<typeof StateRow>

const KeyOwnerRow = rowModel({ ...StateRow.columns, fingerprint: column.bytes })
const ReadRow = rowModel({ ...StateRow.columns, companyId: column.id(CompanyId), livemode: column.bool })
const readStatement = `select id, company_id, livemode, version, state from journeys where id = any($1::uuid[])`

/** `handled` holds the messages of the journal by their ids, as they were stored. */
const LoadRow = rowModel({
  ...StateRow.columns,
  traceparent: column.orNull(column.text),
  handled: column.orNull(column.members)
})
const loadStatement = `
select j.id, j.version, j.state, j.traceparent,
  (select json_object_agg(l.message_id, l.message) from journal l where l.journey_id = j.id) as handled
from journeys j where j.id = any($1::uuid[])`

const CustomerKeyRow = rowModel({ id: column.text, wrappedKey: column.orNull(column.bytes) })

const restoreAlarmStatement = `
update journeys set wake_at = $3::timestamptz
where id = $1::uuid and version = $2::int4 and wake_at <= now() and wake_at is distinct from $3::timestamptz`

const decodeJourney = Schema.decodeUnknownEffect(Journey)

const stored = (row: StateRow): Effect.Effect<StoredJourney, JourneyUnreadable> =>
  decodeJourney(row.state).pipe(
    Effect.map((journey) => ({ journey, version: row.version })),
    Effect.mapError((cause) => new JourneyUnreadable({ journeyId: row.id, cause }))
  )

const startOutcome = (rows: ReadonlyArray<RowOf<typeof StartRow>>): StartOutcome => {
  const known = rows.find(({ outcome }) => outcome === "KNOWN")
  if (known?.customerId != null && known.wrappedKey !== null) {
    return { _tag: "CustomerKnown", customer: { customerId: known.customerId, wrappedKey: known.wrappedKey } }
  }
  if (rows.some(({ outcome }) => outcome === "GONE")) return { _tag: "CustomerGone" }
  const short = rows.find(({ outcome }) => outcome === "SHORT")
  if (short?.wallet != null) return { _tag: "CreditsShort", wallet: short.wallet }
  return rows.some(({ outcome }) => outcome === "CREATED") ? { _tag: "Created" } : { _tag: "KeyTaken" }
}

/** Two starts of one new customer never share a statement: the second must find the row that the first has written. */
const keyOfStart = (one: StartCommit) =>
  one.customer.isNew ? Buffer.from(one.customer.emailIndex).toString("latin1") : one.journey.id

/** A commit that is under way may still happen when its caller stops waiting. */
const late = { late: () => new OutcomeUnknown() }

const makeWriters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const alarms = yield* WebhookDeliveryAlarms
  const isMailKept = yield* IsMailKept
  const ofStarts = startStatement(isMailKept)
  const ofCommits = commitStatement(isMailKept)
  const meter = yield* currentMeter

  /** Counts the mails of a commit that have left with it. */
  const countMails = (one: Commit | StartCommit) => {
    if (isMailKept) meter.count("journeys_mails_total", { outcome: "SENT" }, keptWith(one))
  }

  /** Rows by the journey that they are about. Endpoints that have something due now are told. */
  const byJourney = <A extends { readonly id: string; readonly outcome: string }>(rows: ReadonlyArray<A>) => {
    for (const row of rows) if (row.outcome === "DUE") alarms.dueNow(EndpointId.make(row.id))
    return Map.groupBy(rows, (row) => row.id)
  }

  const starting = {
    journeyOf: ({ journey }: StartCommit) => journey.id,
    run: (starts: ReadonlyArray<StartCommit>) =>
      Effect.map(withRollbackRetries(StartRow.all(sql.unsafe(...ofStarts(starts)))), (rows) => {
        const found = byJourney(rows)
        return starts.map((one) => {
          const outcome = startOutcome(found.get(one.journey.id) ?? [])
          if (outcome._tag === "Created") countMails(one)
          return outcome
        })
      })
  }
  const startsAs = (name: string, limits: BatchLimits) =>
    makeSqlBatcher({ ...limits, ...starting, ...late, name, keyOf: keyOfStart })
  return {
    start: yield* startsAs("JourneyStore.start", batchLimits.journeyWrite),
    startWithPhoto: yield* startsAs("JourneyStore.startWithPhoto", batchLimits.journeyStartWithPhoto),
    startAlone: yield* startsAs("JourneyStore.startAlone", batchLimits.journeyStartAlone),
    commit: yield* makeSqlBatcher({
      ...batchLimits.journeyWrite,
      ...late,
      name: "JourneyStore.commit",
      journeyOf: ({ journey }: Commit) => journey.id,
      keyOf: ({ journey }: Commit) => journey.id,
      run: (commits: ReadonlyArray<Commit>) =>
        Effect.map(withRollbackRetries(CommitRow.all(sql.unsafe(...ofCommits(commits)))), (rows) => {
          const committed = byJourney(rows)
          return commits.map((one) => {
            if (!committed.has(one.journey.id)) return "Conflict"
            countMails(one)
            return "Committed"
          })
        })
    })
  }
})

const makeReaders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const byId = {
    limits: batchLimits.journeyRead,
    idOf: ({ id }: { readonly id: string }) => id,
    journeyOf: (id: string) => id
  }
  return {
    readRow: yield* makeLookup(sql, { ...byId, name: "JourneyStore.read", statement: readStatement, model: ReadRow }),
    loadRow: yield* makeLookup(sql, { ...byId, name: "JourneyStore.load", statement: loadStatement, model: LoadRow })
  }
})

export const layer = Layer.effect(
  JourneyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { commit, start, startAlone, startWithPhoto } = yield* makeWriters
    const { loadRow, readRow } = yield* makeReaders
    const ending = yield* makeJourneyEnds

    return JourneyStore.of({
      start: (one) =>
        (one.sealedPhoto === null ? start : startWithPhoto)(one).pipe(
          // Within a batch, a start that fails after all counts against its neighbours' wallet: ask again alone.
          Effect.flatMap((outcome) => (outcome._tag === "CreditsShort" ? startAlone(one) : Effect.succeed(outcome))),
          Effect.catchTag("SqlError", (error) =>
            // The customer's row appeared while this start was being written: the next try finds the row.
            error.reason._tag === "UniqueViolation" ? startAlone(one) : Effect.fail(error)
          ),
          Effect.catchTag("SqlError", writeFailure)
        ),
      commit: (one) => {
        const committing = Effect.catchTag(commit(one), "SqlError", writeFailure)
        return one.endsJourney ? ending(one, committing) : committing
      },
      restoreAlarm: ({ journey, version }) => {
        const alarm = storedAlarm(journey)
        const values = [journey.id, version, alarm === null ? null : new Date(alarm)]
        return Effect.asVoid(repeatableWrite(sql.unsafe(restoreAlarmStatement, values)))
      },
      load: (journeyId) =>
        Effect.flatMap(batchedRead(loadRow(journeyId)), (row) =>
          row === null
            ? Effect.succeed(null)
            : Effect.map(stored(row), (one) => ({
                ...one,
                handled: new Map(Object.entries(row.handled ?? {})),
                traceparent: row.traceparent
              }))
        ),
      read: (journeyId, scope) =>
        Effect.flatMap(batchedRead(readRow(journeyId)), (row) =>
          row === null || row.companyId !== scope.companyId || row.livemode !== scope.livemode
            ? Effect.succeed(null)
            : stored(row)
        ),
      findByKey: (scope, idempotencyKey) =>
        KeyOwnerRow.first(sql`
          select id, version, state, fingerprint from journeys
          where company_id = ${scope.companyId} and livemode = ${scope.livemode} and idempotency_key = ${idempotencyKey}`).pipe(
          storeRead,
          Effect.flatMap((row) =>
            row === null
              ? Effect.succeed(null)
              : Effect.map(stored(row), (one) => ({ stored: one, fingerprint: row.fingerprint }))
          )
        ),
      list: listJourneys(sql),
      hasCustomer: (scope, emailIndex) =>
        sql`select from customers where company_id = ${scope.companyId} and livemode = ${scope.livemode}
          and email_index = ${emailIndex} and wrapped_key is not null`.pipe(
          storeRead,
          Effect.map((rows) => rows.length > 0)
        ),
      customerKey: (journeyId, scope) =>
        CustomerKeyRow.first(sql`
          select c.id, c.wrapped_key from journeys j join customers c on c.id = j.customer_id
          where j.id = ${journeyId} and j.company_id = ${scope.companyId} and j.livemode = ${scope.livemode}`).pipe(
          storeRead,
          Effect.map((row) =>
            row === null || row.wrappedKey === null ? null : { customerId: row.id, wrappedKey: row.wrappedKey }
          )
        )
    })
  })
)
