/**
 * Deliveries under way in PostgreSQL: what is due is read for many endpoints by one statement, and attempts of all of
 * them are recorded by one. The statements themselves are in `deliveryStatements.ts`.
 */
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Ids } from "../../actors/kernel/Ids.ts"
import { DeliveryStore, type DueAsk } from "../../actors/webhook/actor/DeliveryStore.ts"
import type { WebhookAttemptOutcome } from "../../actors/webhook/rules/attemptOutcome.ts"
import type { HealthChange } from "../../actors/webhook/rules/healthChanges.ts"
import { makeBatcher } from "../postgres/Batcher.ts"
import {
  dueColumns,
  dueDelivery,
  endpointOf,
  outcomeColumns,
  type DueRow,
  type EndpointRow
} from "./deliveryColumns.ts"
import {
  dueStatement,
  endpointsStatement,
  healthStatement,
  oneStatement,
  parkStatement,
  recordStatement,
  resendStatement
} from "./deliveryStatements.ts"
import { uuidArray } from "../postgres/parameters.ts"
import { isRefusal, isRetryable } from "../postgres/sqlFailure.ts"
import { batchedRead, batchedWrite, writeFailure } from "../postgres/storeCalls.ts"
import { tooManyWaiting, withStatementTimeout } from "../postgres/timeouts.ts"

/** Endpoints whose due deliveries are read by one statement at most. */
const largestRead = 64
/**
 * Groups of attempts recorded by one statement at most; a group has a limit of its own. No two hold the same delivery:
 * its actor lets it go when it is recorded.
 */
const largestWrite = 32
const rollbackRetries = Schedule.upTo(Schedule.exponential("5 millis"), { times: 4 })

const date = (millis: number | null): Date | null => (millis === null ? null : new Date(millis))
const instant = (millis: number): string => new Date(millis).toISOString()

/** The mail a change makes the service owe: one a cause, no matter how often the change is written. */
const mailOf = ({ at, endpoint, health, turnedOffAt, warning }: HealthChange, id: string) => {
  const facts = {
    endpointId: endpoint.id,
    mode: endpoint.livemode ? "LIVE" : "TEST",
    // A path or a query may be a secret of the receiver's.
    url: new URL(endpoint.url).origin,
    failingSince: instant(health.failingSince ?? at)
  }
  const failing = `${endpoint.id}|${endpoint.revision}|${facts.failingSince}`
  if (turnedOffAt !== null) {
    return {
      id,
      cause: `endpoint-off|${failing}`,
      kind: "ENDPOINT_OFF",
      facts: { ...facts, offSince: instant(turnedOffAt) }
    }
  }
  return warning === null
    ? null
    : {
        id,
        cause: `endpoint-failing|${failing}|${warning}`,
        kind: "ENDPOINT_FAILING",
        facts: { ...facts, hours: warning }
      }
}

export const layer = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = yield* Ids
    const asked = { isRefusal, full: tooManyWaiting }
    const run = <Row extends object>(text: string, values: ReadonlyArray<unknown>) =>
      withStatementTimeout(sql.unsafe<Row>(text, values))
    const write = <Row extends object>(text: string, values: ReadonlyArray<unknown>) =>
      run<Row>(text, values).pipe(Effect.retry({ schedule: rollbackRetries, while: isRetryable }))

    const due = yield* makeBatcher({
      ...asked,
      name: "DeliveryStore.due",
      fibers: 2,
      largestBatch: largestRead,
      keyOf: (ask: DueAsk) => ask.endpointId,
      run: (asks: ReadonlyArray<DueAsk>) =>
        Effect.map(run<DueRow>(dueStatement, dueColumns(asks)), (rows) => {
          const byEndpoint = Map.groupBy(rows, (row) => row.endpoint_id)
          return asks.map(({ endpointId }) => (byEndpoint.get(endpointId) ?? []).map(dueDelivery))
        })
    })

    const endpoint = yield* makeBatcher({
      ...asked,
      name: "DeliveryStore.endpoint",
      fibers: 2,
      largestBatch: largestRead,
      run: (endpointIds: ReadonlyArray<string>) =>
        Effect.map(run<EndpointRow>(endpointsStatement, [uuidArray(endpointIds)]), (rows) => {
          const byId = new Map(rows.map((row) => [row.id, endpointOf(row)]))
          return endpointIds.map((id) => byId.get(id) ?? null)
        })
    })

    const record = yield* makeBatcher({
      ...asked,
      name: "DeliveryStore.record",
      fibers: 2,
      largestBatch: largestWrite,
      run: (groups: ReadonlyArray<ReadonlyArray<WebhookAttemptOutcome>>) =>
        Effect.as(
          write(recordStatement, outcomeColumns(groups.flat())),
          groups.map(() => undefined)
        )
    })

    return DeliveryStore.of({
      endpoint: (endpointId) => batchedRead(endpoint(endpointId)),
      due: (ask) => batchedRead(due(ask)),
      one: (endpointId, eventId) =>
        Effect.map(batchedRead(run<DueRow>(oneStatement, [endpointId, eventId])), ([row]) =>
          row === undefined ? null : dueDelivery(row)
        ),
      record: (outcomes) => batchedWrite(record(outcomes)),
      changeHealth: (change) => {
        const { at, endpoint, health, turnedOffAt } = change
        const mail = mailOf(change, ids.next())
        return write(healthStatement, [
          endpoint.id,
          endpoint.revision,
          date(health.failingSince),
          date(health.lastFailedAt),
          health.warnings,
          date(turnedOffAt),
          mail?.id ?? null,
          mail?.cause ?? null,
          mail?.kind ?? null,
          mail === null ? null : JSON.stringify(mail.facts),
          new Date(at)
        ]).pipe(Effect.catch(writeFailure), Effect.asVoid)
      },
      park: (endpointId) =>
        write(parkStatement, [endpointId]).pipe(
          Effect.catch(writeFailure),
          Effect.map((rows) => rows.length > 0)
        ),
      resendMore: (endpointId, now) =>
        write<{ readonly more_now: boolean; readonly is_running: boolean }>(resendStatement, [
          endpointId,
          new Date(now)
        ]).pipe(
          Effect.catch(writeFailure),
          Effect.map(([row]) => (row?.more_now === true ? "MoreNow" : row?.is_running === true ? "Later" : "None"))
        )
    })
  })
)
