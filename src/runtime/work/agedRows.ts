/**
 * Rows that go because of their age alone, kind by kind: in which table, which column says how old they are, and how long they are kept.
 * A kind that is added is added here. What also depends on a journey or a customer is in `stores/erasure/retentionStatements.ts`.
 */
import { Duration } from "effect"
import { challengeLimits } from "../../actors/checks/limits.ts"
import { customerLimits } from "../../actors/customer/limits.ts"
import { memberLimits } from "../../actors/members/limits.ts"
import { companyLimits } from "../../schema/company/limits.ts"
import { retentionLimits } from "./limits.ts"

interface AgedRows {
  /** The subject of log lines, in the plural. */
  readonly what: string
  readonly table: string
  /** The column that says how old a row is; an index begins with it. */
  readonly at: string
  /** SQL of what a row must be older than, where the column is no time. $1 is that time. */
  readonly before?: string
  readonly keptFor: Duration.Duration
  /** Rows that one statement removes: some ten milliseconds of work. */
  readonly atOnce: number
}

export const agedRows: ReadonlyArray<AgedRows> = [
  {
    what: "Sessions",
    table: "customer_sessions",
    at: "opened_at",
    keptFor: customerLimits.sessionRowKeptFor,
    atOnce: 500
  },
  {
    what: "Links to the console",
    table: "console_links",
    at: "expires_at",
    keptFor: retentionLimits.linksKeptFor,
    atOnce: 500
  },
  {
    what: "Sessions of the console",
    table: "console_sessions",
    at: "opened_at",
    keptFor: memberLimits.sessionLifetime,
    atOnce: 500
  },
  {
    what: "Counts of mails to addresses",
    table: "mail_allowances",
    at: "last_at",
    keptFor: retentionLimits.mailsCountedFor,
    atOnce: 500
  },
  {
    what: "Counts of companies' mail",
    table: "mail_hours",
    at: "hour",
    keptFor: retentionLimits.mailHoursKeptFor,
    atOnce: 5000
  },
  {
    what: "Counts of attempts",
    table: "endpoint_hours",
    at: "hour",
    keptFor: retentionLimits.endpointHoursKeptFor,
    atOnce: 5000
  },
  {
    what: "Counts of uploads",
    table: "upload_days",
    at: "day",
    before: "($1::timestamptz at time zone 'UTC')::date",
    keptFor: retentionLimits.uploadsCountedFor,
    atOnce: 5000
  },
  // What a video was asked for stands beside the video.
  {
    what: "Challenges of videos",
    table: "video_challenges",
    at: "asked_at",
    keptFor: challengeLimits.keptFor,
    atOnce: 5000
  },
  // The lines of the audit log stay.
  {
    what: "Addresses beside the audit log",
    table: "audit_addresses",
    at: "at",
    keptFor: Duration.days(companyLimits.askersAddressDays),
    atOnce: 5000
  },
  { what: "Sent forms", table: "sent_forms", at: "sent_at", keptFor: retentionLimits.sentFormsKeptFor, atOnce: 500 },
  {
    what: "Looks at reviews",
    table: "review_looks",
    at: "seen_at",
    keptFor: retentionLimits.reviewLooksKeptFor,
    atOnce: 500
  }
]

/** Removes some rows that are older than $1. A row that somebody changes meanwhile stays until the next look. */
export const removeAgedStatement = ({ at, atOnce, before = "$1::timestamptz", table }: AgedRows): string => `
delete from ${table} where ctid = any(array(select ctid from ${table} where ${at} < ${before} limit ${atOnce})) returning ${at}`
