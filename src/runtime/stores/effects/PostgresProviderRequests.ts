/**
 * What outside providers were asked, and what they called back with, in PostgreSQL. What a callback means is the journey's
 * decision.
 */
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ProviderRequests, type KnownRequest } from "../../../actors/effects/ProviderRequests.ts"
import { isMarkedRequestId } from "../../../actors/effects/requestIds.ts"
import { journeyLimits } from "../../../actors/journey/rules/limits.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { Company } from "../../../schema/company/Company.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { column, rowModel, rowsDecodedBy } from "../../postgres/rows.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { storeLimits } from "../kernel/limits.ts"
import { makeMayBeThere } from "../kernel/mayBeThere.ts"
import { CheckId, CompanyId, JourneyId } from "../../../schema/ids.ts"

/** A journey ends after so long, and a callback that comes later changes nothing. */
const answeredForDays = Duration.toDays(journeyLimits.safetyCap)

const Request = rowModel({
  journeyId: column.id(JourneyId),
  companyId: column.id(CompanyId),
  checkNumber: column.orNull(column.number)
})
const IdRow = rowModel({ id: column.text })
const CheckRow = rowModel({ id: column.id(CheckId) })
const { financePanel, identityProvider } = Company.row.fields
const Providers = modelColumns(Schema.Struct({ financePanel, identityProvider }))

/** A request with its company's providers. Only requests for an identity check have a number. */
const KnownRow = rowsDecodedBy((row): KnownRequest => {
  const { checkNumber, ...about } = Request.decodeRow(row)
  return {
    request:
      checkNumber === null
        ? { ...about, ...IdRow.decodeRow(row), kind: "FINANCE" }
        : { ...about, ...CheckRow.decodeRow(row), kind: "IDENTITY", check: checkNumber },
    company: { id: about.companyId, ...Providers.decodeRow(row) }
  }
})

const findStatement = `
select r.id, r.journey_id, r.company_id, r.check_number, c.identity_provider, c.finance_panel
from provider_requests r join companies c on c.id = r.company_id
where r.id = $1::uuid and r.kind = $2::text`

const CallbackRow = rowModel({ outcome: column.orNull(column.oneOf({ literals: ["APPLIED", "IGNORED"] })) })

export const layer = Layer.effect(
  ProviderRequests,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const mayBeThere = yield* makeMayBeThere(
      `provider_requests where not is_marked and created_at > now() - interval '${answeredForDays} days'`
    )

    return ProviderRequests.of({
      begin: ({ marked, unmarked }, request, at) =>
        storeWrite(
          IdRow.first(sql`
            with before as (select id from provider_requests where id = ${unmarked}::uuid), added as (
              insert into provider_requests (id, kind, journey_id, company_id, check_number, created_at, is_marked)
              select ${marked}::uuid, ${request.kind}::text, ${request.journeyId}::uuid, ${request.companyId}::uuid,
                ${request.kind === "IDENTITY" ? request.check : null}::integer, ${new Date(at)}::timestamptz, true
              where not exists (select from before)
              on conflict (id) do nothing
            )
            select coalesce((select id from before), ${marked}::uuid) as id`)
        ).pipe(
          Effect.flatMap((row) =>
            row === null ? Effect.die(new Error("a request has one row")) : Effect.succeed(row.id)
          )
        ),
      find: (kind, id) =>
        Effect.flatMap(mayBeThere(isMarkedRequestId(id, vault)), (isPossible) =>
          isPossible ? storeRead(KnownRow.first(sql.unsafe(findStatement, [id, kind]))) : Effect.succeed(null)
        ),
      hear: ({ at, messageId, requestId, said }) =>
        storeWrite(
          // The statement touches a callback that is there already, so that its row comes back as well.
          CallbackRow.first(sql`
            insert into provider_callbacks (request_id, message_id, said, at)
            select ${requestId}::uuid, ${messageId}::uuid, ${said}::text, ${new Date(at)}::timestamptz
            where exists (select from provider_callbacks where request_id = ${requestId} and message_id = ${messageId})
              or (select count(*) from provider_callbacks where request_id = ${requestId}) < ${storeLimits.callbacksOfRequest}
            on conflict (request_id, message_id) do update set message_id = excluded.message_id
            returning outcome`)
        ).pipe(Effect.map((row) => (row === null ? "TOO_MANY" : row.outcome === null ? "NEW" : "HEARD"))),
      heard: ({ messageId, requestId }, outcome) =>
        storeWrite(
          sql`update provider_callbacks set outcome = ${outcome}
            where request_id = ${requestId} and message_id = ${messageId} and outcome is null`
        ).pipe(Effect.asVoid)
    })
  })
)
