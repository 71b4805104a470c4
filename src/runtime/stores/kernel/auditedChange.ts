/**
 * Statements that change a company, its keys, its stock or its customers, together with a line of the audit log. Each
 * begins with the same five parameters: the company's id and the line (actor, action, what it says, time). The line is written
 * exactly when the statement changed a row. What it says is its details, which the log keeps for ever, and the address of the network
 * from which it was asked, which is personal, is no part of the chain and goes after some months. A line about keys, members, webhook endpoints or passkeys owes the company's owners a
 * mail (decision M10), which tells all that is changed within the same minutes.
 */
import { PgTypes } from "@effect/sql-pg"
import { Duration } from "effect"
import { mailLimits } from "../../../actors/mail/limits.ts"
import { AccessChange } from "../../../schema/company/accessChanges.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import type { CompanyId, JourneyId } from "../../../schema/ids.ts"

/** The first five parameters. In place of the company's id a journey's may stand, by which the statement finds the company. */
export const lineParameters = (id: CompanyId | JourneyId, line: AuditLine): ReadonlyArray<unknown> => [
  id,
  line.actor,
  line.action,
  PgTypes.json({ details: line.details, ipAddress: line.ipAddress }),
  new Date(line.at)
]

/** The number of the first parameter that a change has of its own. */
export const afterLine = 6

/** The details of the line. */
export const lineDetails = "($4::json -> 'details')"

/** The parts of a statement that write the line with its address, once for each row of `from`. */
export const linePerRow = (from: string, companyId = "$1::uuid"): string => `line as (
  insert into audit (company_id, actor, action, details, at)
  select ${companyId}, $2::text, $3::text, ${lineDetails}, $5::timestamptz ${from} returning id
), line_address as (
  insert into audit_addresses (line_id, ip_address, at)
  select id, $4::json ->> 'ipAddress', $5::timestamptz from line where $4::json ->> 'ipAddress' is not null
)`

/** The same for a change whose rows are `changed`. */
export const lineOfChange = linePerRow("from changed")

const seconds = (duration: Duration.Duration) => Duration.toSeconds(duration)
const together = seconds(mailLimits.changesMailedTogether)
/** The mail leaves when the minutes that it tells are over, and what was begun in them is written. */
const leavesAfter = seconds(Duration.sum(mailLimits.changesMailedTogether, mailLimits.changesWrittenWithin))

const accessChanges = AccessChange.literals.map((action) => `'${action}'`).join(", ")

/** One mail for each company and span of minutes: the spans are the same on every node. */
const noticeStatement = `
  insert into mails (id, cause, kind, company_id, facts, created_at, due_at)
  select gen_random_uuid(), 'access|' || $1::uuid || '|' || n.from_second, 'ACCESS_CHANGED', $1::uuid,
    json_build_object('from', n.from_at, 'until', n.from_at + interval '${together} seconds'),
    $5::timestamptz, $5::timestamptz + interval '${leavesAfter} seconds'
  from (
    select s.from_second, to_timestamp(s.from_second) as from_at
    from (select (floor(extract(epoch from $5::timestamptz) / ${together}) * ${together})::bigint as from_second) s
  ) n
  where $3::text in (${accessChanges}) and exists (select from changed)
  on conflict (cause) do nothing`

/** The parts of a statement that write the line of a change, and owe the owners their mail. */
export const lineAndNotice = `${lineOfChange},
notice as (${noticeStatement})`

/** The change with its line. The statement answers with the rows that it changed. */
export const audited = (change: string): string => `
with changed as (${change} returning *),
${lineAndNotice}
select * from changed`

/** The same for what comes with a new company: nobody has been there whom it could surprise. */
export const auditedAtFirst = (change: string): string => `
with changed as (${change} returning *),
${lineOfChange}
select * from changed`
