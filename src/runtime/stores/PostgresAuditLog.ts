/** Lines of the audit log that come with no change of a row. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../actors/company/AuditLog.ts"
import { storeWrite } from "../postgres/storeCalls.ts"
import { lineParameters } from "./auditedChange.ts"
import { storeLimits } from "./limits.ts"

/** A message that is sent again is the same action: its line is there already. */
const writeStatement = `
insert into audit (company_id, actor, action, details, at)
select $1::uuid, $2::text, $3::text, $4::json, $5::timestamptz
where $4::json ->> 'messageId' is null or not exists (
  select from audit where company_id = $1::uuid and action = $3::text and details ->> 'messageId' = $4::json ->> 'messageId'
)`

/** The statement looks at the latest lines only: a company that writes many at once gets one too many now and then. */
const writeUnlessSinceStatement = `
insert into audit (company_id, actor, action, details, at)
select $1::uuid, $2::text, $3::text, $4::json, $5::timestamptz
where not exists (
  select from (select * from audit where company_id = $1::uuid order by id desc limit ${storeLimits.auditLinesLookedAt}) latest
  where at >= $6::timestamptz and actor = $2::text and action = $3::text and details::text = $4::json::text
)`

export const layer = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    AuditLog.of({
      write: (companyId, line) =>
        Effect.asVoid(storeWrite(sql.unsafe(writeStatement, [...lineParameters(companyId, line)]))),
      writeUnlessSince: (companyId, line, since) =>
        Effect.asVoid(
          storeWrite(sql.unsafe(writeUnlessSinceStatement, [...lineParameters(companyId, line), new Date(since)]))
        )
    })
  )
)
