/**
 * Statements that change a company, its keys, its stock or its customers, together with a line of the audit log. Each
 * begins with the same five parameters: the company's id and the line (actor, action, details, time). The line is written
 * exactly when the statement changed a row.
 */
import { PgTypes } from "@effect/sql-pg"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { CompanyId } from "../../schema/ids.ts"

/** The first five parameters. */
export const lineParameters = (companyId: CompanyId, line: AuditLine): ReadonlyArray<unknown> => [
  companyId,
  line.actor,
  line.action,
  PgTypes.json(line.details),
  new Date(line.at)
]

/** The number of the first parameter that a change has of its own. */
export const afterLine = 6

/** Writes the line of a change whose rows are `changed`. */
export const auditLineStatement = `
  insert into audit (company_id, actor, action, details, at)
  select $1::uuid, $2::text, $3::text, $4::json, $5::timestamptz from changed`

/** The change with its line. The statement answers with the rows that it changed. */
export const audited = (change: string): string => `
with changed as (${change} returning *),
line as (${auditLineStatement})
select * from changed`
