/**
 * Deliveries under way in PostgreSQL: one statement reads what is due of many endpoints, and one statement records their
 * attempts. The statements are in `deliveryStatements.ts`, `endpointHealth.ts` and `resendStatement.ts`.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { WebhookDeliveryStore, type DueAsk } from "../../../actors/webhook/actor/WebhookDeliveryStore.ts"
import type { WebhookAttemptOutcome } from "../../../actors/webhook/rules/attemptOutcome.ts"
import { batchLimits } from "../../postgres/limits.ts"
import { makeLookup, makeSqlBatcher, makeSqlReader, withRollbackRetries } from "../../postgres/sqlBatcher.ts"
import { batchedRead, batchedWrite, storeRead } from "../../postgres/storeCalls.ts"
import { withStatementTimeout } from "../../postgres/timeouts.ts"
import {
  DeliveryRow,
  DueRow,
  dueStatement,
  endpointsStatement,
  oneStatement,
  parkStatement,
  recordStatement
} from "./deliveryStatements.ts"
import { healthParameters, healthStatement } from "./endpointHealth.ts"
import { EndpointRow } from "./endpointRow.ts"
import { ResendRow, resendStatement } from "./resendStatement.ts"
import { MailId } from "../../../schema/ids.ts"

const makeReaders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    due: yield* makeSqlReader({
      ...batchLimits.endpointRead,
      name: "DeliveryStore.due",
      keyOf: (ask: DueAsk) => ask.endpointId,
      run: (asks: ReadonlyArray<DueAsk>) =>
        Effect.map(withStatementTimeout(DueRow.all(sql.unsafe(...dueStatement(asks)))), (rows) => {
          const byEndpoint = Map.groupBy(rows, (row) => row.endpointId)
          return asks.map(({ endpointId }) => byEndpoint.get(endpointId) ?? [])
        })
    }),
    endpoint: yield* makeLookup(sql, {
      name: "DeliveryStore.endpoint",
      limits: batchLimits.endpointRead,
      statement: endpointsStatement,
      model: EndpointRow,
      idOf: ({ id }) => id
    })
  }
})

export const layer = Layer.effect(
  WebhookDeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = yield* Ids
    const { due, endpoint } = yield* makeReaders
    // No two groups hold the same delivery: its actor lets the delivery go only when it is recorded.
    const record = yield* makeSqlBatcher({
      ...batchLimits.attemptWrite,
      name: "DeliveryStore.record",
      run: (groups: ReadonlyArray<ReadonlyArray<WebhookAttemptOutcome>>) =>
        Effect.as(
          withRollbackRetries(sql.unsafe(...recordStatement(groups.flat()))),
          groups.map(() => undefined)
        )
    })

    return WebhookDeliveryStore.of({
      endpoint: (endpointId) => batchedRead(endpoint(endpointId)),
      due: (ask) => batchedRead(due(ask)),
      one: (endpointId, eventId) => storeRead(DeliveryRow.first(sql.unsafe(oneStatement, [endpointId, eventId]))),
      record: (outcomes) => batchedWrite(record(outcomes)),
      changeHealth: (change) =>
        Effect.asVoid(
          batchedWrite(
            withRollbackRetries(sql.unsafe(healthStatement, [...healthParameters(change, MailId.make(ids.next()))]))
          )
        ),
      park: (endpointId) =>
        Effect.map(
          batchedWrite(withRollbackRetries(sql.unsafe(parkStatement, [endpointId]))),
          (parked) => parked.length > 0
        ),
      resendMore: (endpointId, now) =>
        Effect.map(
          batchedWrite(withRollbackRetries(ResendRow.first(sql.unsafe(resendStatement, [endpointId, new Date(now)])))),
          (row) => (row?.moreNow === true ? "MoreNow" : row?.isRunning === true ? "Later" : "None")
        )
    })
  })
)
