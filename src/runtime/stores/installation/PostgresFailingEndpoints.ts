/** Webhook endpoints that nothing reaches, in PostgreSQL: the index `webhook_endpoints_failing` holds them. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { FailingEndpoints } from "../../../actors/installation/FailingEndpoints.ts"
import { CompanyId, EndpointId } from "../../../schema/ids.ts"
import { microsColumn, microsOf, momentOf, placeParameters } from "../../postgres/places.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const FailingRow = rowModel({
  id: column.id(EndpointId),
  companyId: column.id(CompanyId),
  companyName: column.text,
  livemode: column.bool,
  url: column.text,
  failingSince: column.millis,
  lastFailedAt: column.orNull(column.millis),
  enabled: column.bool,
  offSince: column.orNull(column.millis),
  ...microsColumn
})

/**
 * Whether an endpoint is failing. One that its owner turned off is not: nobody expects it to answer. `OpenWork` counts the
 * same endpoints.
 */
export const isFailing = `failing_since is not null and removed_at is null and off_reason is distinct from 'BY_HAND'`

/** The parameters: the place behind which to go on, and how many. */
export const failingStatement = `
select w.*, c.name as company_name, ${microsOf("w.failing_since")}
from (
  select id, company_id, livemode, url, failing_since, last_failed_at, enabled, off_since from webhook_endpoints
  where ${isFailing} and (failing_since, id) > (${momentOf("$1")}, $2::uuid)
  order by failing_since, id limit $3::int4
) w join companies c on c.id = w.company_id
order by w.failing_since, w.id`

export const layer = Layer.effect(
  FailingEndpoints,
  Effect.map(SqlClient.SqlClient, (sql) =>
    FailingEndpoints.of({
      list: (after, size) =>
        Effect.map(storeRead(FailingRow.all(sql.unsafe(failingStatement, [...placeParameters(after), size]))), (rows) =>
          rows.map(({ micros, ...endpoint }) => ({ ...endpoint, place: { micros, id: endpoint.id } }))
        )
    })
  )
)
