/**
 * A change whose outcome is unknown is looked up by its line of the audit log, which is written with it or not at all, and made once
 * more if it was not made. What must follow a change, as a line of the journal of what has ended, follows then too: also when the
 * database came back too late for the caller. What the changes are is the stores' business.
 */
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { CommitUnknown, StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import { knownWrite, storeWrite } from "../../postgres/storeCalls.ts"
import { lineDetails, lineParameters } from "./auditedChange.ts"
import { storeLimits } from "./limits.ts"

type Statement<A> = Effect.Effect<A, SqlError | StoreUnavailable>

interface LinedChange<A> {
  readonly companyId: CompanyId
  /** A function where the change itself makes the line: null as long as it has made none, and then it has written nothing. */
  readonly line: AuditLine | (() => AuditLine | null)
  /** Holds the row of the change: a first attempt that still runs has ended then. */
  readonly hold: Effect.Effect<unknown, SqlError>
  readonly write: Statement<A>
  /** What the change that was made answers, as far as the rows still tell. */
  readonly written: Effect.Effect<A, SqlError>
  readonly after: (answer: A) => Effect.Effect<void, StoreUnavailable>
}

const lineStatement = `
select from audit where company_id = $1::uuid and actor = $2::text and action = $3::text
  and details::jsonb = ${lineDetails}::jsonb and at = $5::timestamptz`

export const makeKnownChange = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scope = yield* Effect.scope

  /** `made` or `notMade`, as it was. */
  const lookedUp = <A, B>({ companyId, hold, line }: LinedChange<A>, made: Statement<B>, notMade: Statement<B>) =>
    Effect.gen(function* () {
      yield* hold
      const written = typeof line === "function" ? line() : line
      const lines = written === null ? [] : yield* sql.unsafe(lineStatement, lineParameters(companyId, written))
      return yield* lines.length > 0 ? made : notMade
    }).pipe(sql.withTransaction)

  /** Nobody waits for an answer any more: what was not made is not made now. */
  const followLater = <A>(change: LinedChange<A>) =>
    lookedUp(change, Effect.map(change.written, change.after), Effect.succeed(Effect.void)).pipe(
      storeWrite,
      Effect.retry(Schedule.spaced(storeLimits.lookUpEvery)),
      Effect.flatMap(Effect.ignore),
      Effect.forkIn(scope)
    )

  return <A>(change: LinedChange<A>): Effect.Effect<A, StoreUnavailable | CommitUnknown> =>
    knownWrite(change.write, lookedUp(change, change.written, change.write)).pipe(
      Effect.tap(change.after),
      Effect.tapErrorTag("CommitUnknown", () => followLater(change))
    )
})
