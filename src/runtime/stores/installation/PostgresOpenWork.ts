/**
 * Counts of what is open over all companies, in PostgreSQL. Each count walks an index up to a limit, and what is overdue is
 * found by the statement that the health of a node rests on: the cost does not grow with the tables.
 */
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OpenWork } from "../../../actors/installation/OpenWork.ts"
import { installationLimits } from "../../../schema/installation/limits.ts"
import { oldestDueMail, overdueWorkStatement } from "../../node/health/overdueWorkStatement.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { isFailing } from "./PostgresFailingEndpoints.ts"

const { countedTo } = installationLimits

const counted = (from: string): string => `(select count(*)::int from (select ${from} limit ${countedTo}) counted)`

/** The one parameter: how long a thing must have been due to be overdue, in milliseconds. */
export const openWorkStatement = `
with due as materialized (${overdueWorkStatement})
select
  ${counted("from journeys where status = 'ACTIVE'")} as active_journeys,
  ${counted("from journeys where set_aside_at is not null")} as set_aside_journeys,
  ${counted(`from webhook_endpoints where ${isFailing}`)} as failing_endpoints,
  ${counted("from journeys where wake_at is not null and set_aside_at is null")} as alarms,
  ${counted("from deliveries where due_at is not null")} as deliveries,
  ${counted("from mails where due_at is not null")} as mails,
  (select max(age) from due where kind = 'journey') as alarms_age,
  (select max(age) from due where kind = 'endpoint') as deliveries_age,
  (select extract(epoch from now() - due_at)::float8 * 1000 from (${oldestDueMail}) oldest) as mails_age`

const age = column.orNull(column.number)

const OpenWorkRow = rowModel({
  activeJourneys: column.number,
  setAsideJourneys: column.number,
  failingEndpoints: column.number,
  alarms: column.number,
  deliveries: column.number,
  mails: column.number,
  alarmsAge: age,
  deliveriesAge: age,
  mailsAge: age
})

const nothing = {
  activeJourneys: 0,
  setAsideJourneys: 0,
  failingEndpoints: 0,
  alarms: 0,
  deliveries: 0,
  mails: 0,
  alarmsAge: null,
  deliveriesAge: null,
  mailsAge: null
}

export const layer = Layer.effect(
  OpenWork,
  Effect.map(SqlClient.SqlClient, (sql) =>
    OpenWork.of({
      counts: Effect.gen(function* () {
        const row = (yield* storeRead(OpenWorkRow.first(sql.unsafe(openWorkStatement, [0])))) ?? nothing
        const now = yield* Clock.currentTimeMillis
        const { activeJourneys, alarmsAge, deliveriesAge, failingEndpoints, mailsAge, setAsideJourneys } = row
        const queue = (waiting: number, oldest: number | null) => ({
          waiting,
          oldestDue: oldest === null ? null : now - oldest
        })
        return {
          activeJourneys,
          setAsideJourneys,
          failingEndpoints,
          alarms: queue(row.alarms, alarmsAge),
          deliveries: queue(row.deliveries, deliveriesAge),
          mails: queue(row.mails, mailsAge)
        }
      })
    })
  )
)
