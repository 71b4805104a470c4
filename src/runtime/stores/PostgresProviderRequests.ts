/** What outside providers were asked, and what they called back with, in PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ProviderRequests, type KnownRequest, type ProviderRequest } from "../../actors/effects/ProviderRequests.ts"
import type { CompanyRow } from "./companyRows.ts"
import { storeRead, writeFailure } from "../postgres/storeCalls.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"

/**
 * Callbacks kept of one request. A check may fail five times a day for as long as its customer has to finish, ninety days
 * at most; who sends more than that with the right signature is broken, and must not fill the disk.
 */
const mostCallbacks = 1000

interface RequestRow extends Pick<CompanyRow, "identity_provider" | "finance_panel"> {
  readonly id: string
  readonly kind: ProviderRequest["kind"]
  readonly journey_id: string
  readonly company_id: string
  readonly check_number: number | null
}

const requestOf = ({ check_number: check, company_id: companyId, id, journey_id: journeyId }: RequestRow) => {
  const about = { id, journeyId, companyId }
  return check === null ? ({ ...about, kind: "FINANCE" } as const) : ({ ...about, kind: "IDENTITY", check } as const)
}

const knownRequest = (row: RequestRow): KnownRequest => ({
  request: requestOf(row),
  company: { id: row.company_id, identityProvider: row.identity_provider, financePanel: row.finance_panel }
})

export const layer = Layer.effect(
  ProviderRequests,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return ProviderRequests.of({
      begin: (request, at) =>
        withStatementTimeout(
          sql`insert into provider_requests (id, kind, journey_id, company_id, check_number, created_at)
            values (${request.id}, ${request.kind}, ${request.journeyId}, ${request.companyId},
              ${request.kind === "IDENTITY" ? request.check : null}, ${new Date(at)})
            on conflict (id) do nothing`
        ).pipe(Effect.asVoid, Effect.catch(writeFailure)),
      find: (kind, id) =>
        storeRead(
          sql<RequestRow>`
            select r.id, r.kind, r.journey_id, r.company_id, r.check_number, c.identity_provider, c.finance_panel
            from provider_requests r join companies c on c.id = r.company_id
            where r.id = ${id} and r.kind = ${kind}`
        ).pipe(Effect.map(([row]) => (row === undefined ? null : knownRequest(row)))),
      hear: ({ at, messageId, requestId, said }) =>
        withStatementTimeout(
          // The row that is there is touched, so that it comes back as well.
          sql<{ readonly outcome: string | null }>`
            insert into provider_callbacks (request_id, message_id, said, at)
            select ${requestId}::uuid, ${messageId}::uuid, ${said}::text, ${new Date(at)}::timestamptz
            where exists (select from provider_callbacks where request_id = ${requestId} and message_id = ${messageId})
              or (select count(*) from provider_callbacks where request_id = ${requestId}) < ${mostCallbacks}
            on conflict (request_id, message_id) do update set message_id = excluded.message_id
            returning outcome`
        ).pipe(
          Effect.map(([row]) => (row === undefined ? "TOO_MANY" : row.outcome === null ? "NEW" : "HEARD")),
          Effect.catch(writeFailure)
        ),
      heard: ({ messageId, requestId }, outcome) =>
        withStatementTimeout(
          sql`update provider_callbacks set outcome = ${outcome}
            where request_id = ${requestId} and message_id = ${messageId} and outcome is null`
        ).pipe(Effect.asVoid, Effect.catch(writeFailure))
    })
  })
)
