/**
 * The delivery log in PostgreSQL, as an endpoint's owner reads it and sends again from it. The statements are in
 * `deliveryLogStatements.ts`, the rows in `deliveryLogRows.ts`.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { DeliveryLog } from "../../actors/webhook/actor/DeliveryLog.ts"
import type { EventType } from "../../schema/journey/events.ts"
import {
  deliveriesOf,
  isLogRow,
  isTaskRow,
  taskOf,
  type ListRow,
  type LogRow,
  type TaskPageRow,
  type TaskRow
} from "./deliveryLogRows.ts"
import {
  addTestStatement,
  endedEarly,
  findStatement,
  listStatement,
  resendStatement,
  startResendStatement,
  tasksStatement,
  taskStatement
} from "./deliveryLogStatements.ts"
import { lineParameters } from "./auditedChange.ts"
import { storeRead, storeWrite } from "../postgres/storeCalls.ts"

/** After every event there can be. */
const fromTheNewest = "ffffffff-ffff-ffff-ffff-ffffffffffff"

const typeArray = (types: ReadonlyArray<EventType> | null) =>
  types === null ? null : Result.getOrThrow(PgTypes.array(types, PgTypes.OID.text))

export const layer = Layer.effect(
  DeliveryLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = <Row extends object>(statement: string, values: ReadonlyArray<unknown>) =>
      storeWrite(sql.unsafe<Row>(statement, values))

    return DeliveryLog.of({
      list: (query) => {
        const { before, endpointId, journeyId, size, type } = query
        // One more than asked for tells whether there are more.
        return storeRead(
          sql.unsafe<ListRow>(listStatement(query), [endpointId, before ?? fromTheNewest, size + 1, type, journeyId])
        ).pipe(
          Effect.map((rows) => {
            const found = deliveriesOf(rows.filter(isLogRow))
            const content = found.slice(0, size)
            const { looked, reached } = rows[0] ?? { looked: 0, reached: null }
            if (found.length > size) return { content, next: content.at(-1)?.eventId ?? null }
            return { content, next: endedEarly(query, looked) ? reached : null }
          })
        )
      },
      find: (endpointId, eventId) =>
        Effect.map(
          storeRead(sql.unsafe<LogRow>(findStatement, [endpointId, eventId])),
          (rows) => deliveriesOf(rows)[0] ?? null
        ),
      resend: (endpoint, eventId, oldest, line) =>
        Effect.map(
          write<LogRow>(resendStatement, [
            ...lineParameters(endpoint.companyId, line),
            eventId,
            endpoint.id,
            endpoint.livemode,
            new Date(oldest)
          ]),
          (rows) => deliveriesOf(rows)[0] ?? null
        ),
      startResend: (endpoint, range, line) =>
        Effect.map(
          write<TaskRow>(startResendStatement, [
            ...lineParameters(endpoint.companyId, line),
            endpoint.id,
            range.id,
            new Date(range.since),
            typeArray(range.types),
            range.journeyId,
            range.delivered,
            new Date(range.createdAt)
          ]),
          ([row]) => (row === undefined ? null : taskOf(row))
        ),
      task: (endpointId, taskId) =>
        Effect.map(storeRead(sql.unsafe<TaskRow>(taskStatement, [endpointId, taskId])), ([row]) =>
          row === undefined ? null : taskOf(row)
        ),
      tasks: (endpointId, { page, size }) =>
        Effect.map(storeRead(sql.unsafe<TaskPageRow>(tasksStatement, [endpointId, size, page * size])), (rows) => ({
          content: rows.filter(isTaskRow).map(taskOf),
          totalElements: rows[0]?.total ?? 0
        })),
      addTest: (endpoint, event, line) =>
        Effect.asVoid(
          write(addTestStatement, [
            ...lineParameters(endpoint.companyId, line),
            endpoint.id,
            event.id,
            event.type,
            event.body,
            new Date(event.createdAt),
            new Date(event.dueAt)
          ])
        )
    })
  })
)
