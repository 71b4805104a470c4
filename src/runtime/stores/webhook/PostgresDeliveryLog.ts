/**
 * The delivery log in PostgreSQL, as an endpoint's owner reads it and sends again from it. The statements are in
 * `deliveryLogStatements.ts`, the rows in `deliveryLogRows.ts`.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookDeliveryLog } from "../../../actors/webhook/actor/WebhookDeliveryLog.ts"
import { textArray } from "../../postgres/parameters.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import {
  CountRow,
  deliveriesOf,
  ListLine,
  LogLine,
  TaskPageRow,
  TaskRow,
  WaitingRow,
  WholeLine
} from "./deliveryLogRows.ts"
import {
  addTestStatement,
  countsStatement,
  endedEarly,
  findStatement,
  listStatement,
  resendOneStatement,
  startResendStatement,
  tasksStatement,
  taskStatement,
  pendingStatement
} from "./deliveryLogStatements.ts"
import { lineParameters } from "../kernel/auditedChange.ts"
import { largestId } from "../../../schema/uuid.ts"

export const layer = Layer.effect(
  WebhookDeliveryLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return WebhookDeliveryLog.of({
      list: (query) => {
        const { before, endpointId, journeyId, size, type } = query
        // One more than asked for tells whether there are more.
        const values = [endpointId, before ?? largestId, size + 1, type, journeyId]
        return Effect.map(storeRead(ListLine.all(sql.unsafe(listStatement(query), values))), (rows) => {
          const found = deliveriesOf(rows.flatMap(({ line }) => (line === null ? [] : [line])))
          const content = found.slice(0, size)
          const { looked, reached } = rows[0] ?? { looked: 0, reached: null }
          if (found.length > size) return { content, next: content.at(-1)?.eventId ?? null }
          return { content, next: endedEarly(query, looked) ? reached : null }
        })
      },
      find: (endpointId, eventId) =>
        Effect.map(storeRead(WholeLine.all(sql.unsafe(findStatement, [endpointId, eventId]))), (lines) => {
          const [delivery] = deliveriesOf(lines)
          return delivery === undefined ? null : { ...delivery, body: lines[0]?.body ?? "" }
        }),
      resend: (endpoint, eventId, oldest, line) =>
        Effect.map(
          storeWrite(
            LogLine.all(
              sql.unsafe(resendOneStatement, [
                ...lineParameters(endpoint.companyId, line),
                eventId,
                endpoint.id,
                endpoint.livemode,
                new Date(oldest)
              ])
            )
          ),
          (lines) => deliveriesOf(lines)[0] ?? null
        ),
      startResend: (endpoint, range, line) =>
        storeWrite(
          TaskRow.first(
            sql.unsafe(startResendStatement, [
              ...lineParameters(endpoint.companyId, line),
              endpoint.id,
              range.id,
              new Date(range.since),
              range.types === null ? null : textArray(range.types),
              range.journeyId,
              range.delivered,
              new Date(range.createdAt)
            ])
          )
        ),
      task: (endpointId, taskId) => storeRead(TaskRow.first(sql.unsafe(taskStatement, [endpointId, taskId]))),
      tasks: (endpointId, { page, size }) =>
        Effect.map(storeRead(TaskPageRow.all(sql.unsafe(tasksStatement, [endpointId, size, page * size]))), (rows) => ({
          content: rows.flatMap(({ task }) => (task === null ? [] : [task])),
          totalElements: rows[0]?.total ?? 0
        })),
      attemptCounts: Effect.fnUntraced(function* (endpointId, since) {
        const counts = yield* storeRead(CountRow.all(sql.unsafe(countsStatement, [endpointId, new Date(since)])))
        const waiting = yield* storeRead(WaitingRow.first(sql.unsafe(pendingStatement, [endpointId])))
        return { counts, pending: waiting?.pending ?? 0, oldestPendingAt: waiting?.oldestPendingAt ?? null }
      }),
      addTest: (endpoint, event, line) =>
        Effect.asVoid(
          storeWrite(
            sql.unsafe(addTestStatement, [
              ...lineParameters(endpoint.companyId, line),
              endpoint.id,
              event.id,
              event.type,
              event.body,
              new Date(event.createdAt),
              new Date(event.dueAt)
            ])
          )
        )
    })
  })
)
