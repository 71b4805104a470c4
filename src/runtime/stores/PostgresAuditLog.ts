/** Lines of the audit log that come with no change of a row. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../actors/company/AuditLog.ts"
import { storeWrite } from "../postgres/storeCalls.ts"
import { lineParameters } from "./auditedChange.ts"

/** A message that is sent again is the same action: its line is there already. */
const writeStatement = `
insert into audit (company_id, actor, action, details, at)
select $1::uuid, $2::text, $3::text, $4::json, $5::timestamptz
where $4::json ->> 'messageId' is null or not exists (
  select from audit where company_id = $1::uuid and action = $3::text and details ->> 'messageId' = $4::json ->> 'messageId'
)`

export const layer = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    AuditLog.of({
      write: (companyId, line) =>
        Effect.asVoid(storeWrite(sql.unsafe(writeStatement, [...lineParameters(companyId, line)])))
    })
  )
)
