/**
 * Webhook endpoints in PostgreSQL, as the settings read and change them. The statements are in `endpointStatements.ts`,
 * the rows in `deliveryColumns.ts`; what an endpoint's actor writes goes through `PostgresDeliveryStore.ts`.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Endpoint } from "../../actors/webhook/rules/Endpoint.ts"
import { EndpointStore } from "../../actors/webhook/actor/EndpointStore.ts"
import { textArray } from "../postgres/parameters.ts"
import { endpointOf, type EndpointRow } from "./deliveryColumns.ts"
import {
  addEndpointStatement,
  removeEndpointStatement,
  rollSecretStatement,
  saveEndpointStatement
} from "./endpointStatements.ts"
import { lineParameters } from "./auditedChange.ts"
import { storeRead, writeFailure } from "../postgres/storeCalls.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"

const asRead = ({ id, revision }: Endpoint): ReadonlyArray<unknown> => [id, revision]

export const layer = Layer.effect(
  EndpointStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const change = (statement: string, values: ReadonlyArray<unknown>) =>
      withStatementTimeout(sql.unsafe<EndpointRow>(statement, values)).pipe(
        Effect.map(([row]) => (row === undefined ? null : endpointOf(row))),
        Effect.catch(writeFailure)
      )

    return EndpointStore.of({
      find: ({ companyId, livemode }) =>
        sql<EndpointRow>`
          select * from webhook_endpoints where company_id = ${companyId} and livemode = ${livemode}`.pipe(
          storeRead,
          Effect.map(([row]) => (row === undefined ? null : endpointOf(row)))
        ),
      save: ({ enabled, events, id, scope, sealedSecret, url }, revision, line) =>
        change(revision === null ? addEndpointStatement : saveEndpointStatement, [
          ...lineParameters(scope.companyId, line),
          scope.livemode,
          url,
          textArray(events),
          enabled,
          sealedSecret === null ? null : PgTypes.bytea(sealedSecret),
          revision ?? id
        ]),
      roll: (endpoint, { previousUntil, sealedSecret }, line) =>
        change(rollSecretStatement, [
          ...lineParameters(endpoint.companyId, line),
          ...asRead(endpoint),
          PgTypes.bytea(sealedSecret),
          previousUntil === null ? null : new Date(previousUntil),
          PgTypes.bytea(endpoint.sealedSecret)
        ]),
      remove: (endpoint, line) =>
        change(removeEndpointStatement, [...lineParameters(endpoint.companyId, line), ...asRead(endpoint)])
    })
  })
)
