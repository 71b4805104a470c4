/**
 * The audit log in PostgreSQL: its list, and lines that come with no change of a row. Lines are listed by their time and then
 * by their number. An index holds that order for each filter there can be, so that a piece reads its own lines only.
 */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog, type AuditCheck, type AuditFilter } from "../../../actors/company/AuditLog.ts"
import { AccessChange } from "../../../schema/company/accessChanges.ts"
import { AuditEntry } from "../../../schema/company/AuditEntry.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import { pieceOf, type PieceRequest } from "../../../schema/page.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { column, rowModel, type RowOf } from "../../postgres/rows.ts"
import { bytesOrNull, textArray } from "../../postgres/parameters.ts"
import { inSpan } from "../../postgres/inSpan.ts"
import { storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { auditChainStatement, AuditCheckRow } from "./auditChain.ts"
import { lineDetails, lineParameters, linePerRow } from "../kernel/auditedChange.ts"
import { storeLimits } from "../kernel/limits.ts"

const auditRows = modelColumns(AuditEntry.row)

/**
 * Keeps others from the company's log until the transaction ends, by the lock that each new line takes. A statement sees what was written before
 * it began: only one that begins after this one sees the line of somebody who was faster.
 */
const holdLogStatement = "select pg_advisory_xact_lock(1635083369, hashtext($1::uuid::text))"

/** A message that is sent again is the same action: its line is there already. */
const writeStatement = `
with ${linePerRow(`
  where ${lineDetails} ->> 'messageId' is null or not exists (
    select from audit where company_id = $1::uuid and action = $3::text and details ->> 'messageId' = ${lineDetails} ->> 'messageId'
  )`)}
select from line`

/** The statement looks at the latest lines only: a company that writes many at once gets one too many now and then. */
const writeUnlessSinceStatement = `
with ${linePerRow(`
  where not exists (
    select from (select * from audit where company_id = $1::uuid order by at desc, id desc limit ${storeLimits.auditLinesLookedAt}) latest
    where at >= $6::timestamptz and actor = $2::text and action = $3::text and details::text = ${lineDetails}::text
  )`)}
select from line`

const accessChangesStatement = `
select l.actor, l.action, l.details, l.at, f.ip_address, count(*) over ()::int4 as total
from audit l left join audit_addresses f on f.line_id = l.id
where l.company_id = $1::uuid and l.at >= $2::timestamptz and l.at < $3::timestamptz and l.action = any($4::text[])
order by array_position($4::text[], l.action), l.at, l.id limit $5::int4`

const AccessRow = rowModel({
  actor: column.text,
  action: column.oneOf(AccessChange),
  details: column.json,
  at: column.millis,
  ipAddress: column.orNull(column.text),
  total: column.number
})
const mailedActions = textArray(AccessChange.literals)
const readDetails = Schema.decodeUnknownSync(AuditEntry.row.fields.details)

/** One line more than a piece has. */
export const auditLines = (
  sql: SqlClient.SqlClient,
  companyId: CompanyId,
  { action, actor, since, until }: AuditFilter,
  { after, size }: PieceRequest
) => {
  const asked = sql.and([
    sql`company_id = ${companyId}`,
    ...(action === null ? [] : [sql`action = ${action}`]),
    ...(actor === null ? [] : [sql`actor = ${actor}`]),
    ...inSpan(sql, { since, until }),
    ...(after === null
      ? []
      : [sql`(at, id) < (select at, id from audit where company_id = ${companyId} and id = ${BigInt(after)}::bigint)`])
  ])
  return sql`
    select l.*, f.ip_address from (select * from audit where ${asked} order by at desc, id desc limit ${size + 1}) l
    left join audit_addresses f on f.line_id = l.id order by l.at desc, l.id desc`
}

const checkOf = (row: RowOf<typeof AuditCheckRow>): AuditCheck => ({
  checked: row.checked,
  last: row.lastNumber === null || row.lastHash === null ? null : { number: row.lastNumber, hash: row.lastHash },
  broken:
    row.brokenNumber === null || row.brokenReason === null
      ? null
      : { number: row.brokenNumber, reason: row.brokenReason },
  isEnd: row.checked < storeLimits.auditLinesChecked
})

export const layer = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    AuditLog.of({
      write: (companyId, line) => {
        const writing = sql.unsafe(writeStatement, [...lineParameters(companyId, line)])
        const once = sql.withTransaction(Effect.andThen(sql.unsafe(holdLogStatement, [companyId]), writing))
        return Effect.asVoid(storeWrite(line.details["messageId"] === undefined ? writing : once))
      },
      writeUnlessSince: (companyId, line, since) =>
        Effect.asVoid(
          storeWrite(sql.unsafe(writeUnlessSinceStatement, [...lineParameters(companyId, line), new Date(since)]))
        ),
      list: (companyId, filter, piece) =>
        storeRead(auditRows.all(auditLines(sql, companyId, filter, piece))).pipe(
          Effect.map((found) => pieceOf(found, piece.size, ({ id }) => id))
        ),
      accessChanges: (companyId, { from, until }, most) =>
        Effect.map(
          storeRead(
            AccessRow.all(
              sql.unsafe(accessChangesStatement, [companyId, new Date(from), new Date(until), mailedActions, most])
            )
          ),
          (rows) => ({
            lines: rows.map(({ action, actor, at, details, ipAddress }) => ({
              actor,
              action,
              details: readDetails(details),
              at,
              ipAddress
            })),
            total: rows[0]?.total ?? 0
          })
        ),
      check: (companyId, after) =>
        storeRead(
          AuditCheckRow.first(
            sql.unsafe(auditChainStatement, [
              companyId,
              BigInt(after?.number ?? 0),
              bytesOrNull(after === null || after.hash === null ? null : Buffer.from(after.hash, "hex"))
            ])
          )
        ).pipe(
          Effect.flatMap((row) =>
            row === null ? Effect.die(new Error("a check of the audit log has one row")) : Effect.succeed(checkOf(row))
          )
        )
    })
  )
)
