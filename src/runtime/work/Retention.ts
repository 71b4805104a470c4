/**
 * Removes data that has been kept long enough: test data (decision S9), unfinished videos, photos and videos of checks and
 * journeys that are over, old links and sessions, and the mail of the built-in mailbox. One node does it at a time; two nodes
 * at once would do no harm. The erasure of a customer does not wait for this.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { customerLimits } from "../../actors/customer/limits.ts"
import { checkLimits } from "../../actors/checks/limits.ts"
import { Uploads } from "../../actors/checks/uploads/Uploads.ts"
import { startDueWork } from "../../actors/kernel/DueWork.ts"
import { Leadership } from "../../actors/kernel/Leadership.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import * as statements from "../stores/erasure/retentionStatements.ts"
import { requestLogLimits } from "../../schema/company/limits.ts"
import { requestLogStoreLimits } from "../stores/kernel/limits.ts"
import { oldestDayAt, slotOf } from "../stores/company/PostgresRequestLog.ts"
import { Settings } from "../settings/Settings.ts"
import { agedRows, removeAgedStatement } from "./agedRows.ts"
import { makeCustomersOver } from "./customersOver.ts"
import { makeDeclinedApplications } from "./declinedApplications.ts"
import { retentionLimits } from "./limits.ts"

export interface Removal {
  /** The subject of log lines, in the plural. */
  readonly what: string
  /** Removes some of what is old enough at this time, in epoch milliseconds, and says how many. Called until it removes none. */
  readonly some: (now: number) => Effect.Effect<number, unknown>
}

/** Each kind of data has its own status, so that one that cannot be removed does not hide the others. */
export const retentionOf = (removals: ReadonlyArray<Removal>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const leadership = (yield* Leadership).of("retention")
      const kinds = removals.map((removal) => ({ ...removal, status: pollStatusOf(`${removal.what} to remove`) }))
      yield* startDueWork({
        name: "What is to be removed",
        lookEvery: retentionLimits.lookEvery,
        leadership,
        concurrency: retentionLimits.concurrency,
        batch: retentionLimits.batch,
        look: ({ now }) => Effect.succeed(kinds.map((kind) => ({ kind, now }))),
        keyOf: ({ kind }) => kind.what,
        run: ({ kind: { some, status }, now }) =>
          Effect.repeat(some(now), { while: (removed) => removed > 0 }).pipe(
            Effect.andThen(status.ok),
            Effect.catchCause((cause) => Effect.andThen(status.failed(cause), leadership.stepDown))
          )
      })
    })
  )

const before = (now: number, kept: Duration.Duration): number => now - Duration.toMillis(kept)

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { mailRetentionDays } = yield* Settings
    const uploads = yield* Uploads
    const sql = yield* SqlClient.SqlClient
    const declinedApplications = yield* makeDeclinedApplications
    const customersOver = yield* makeCustomersOver

    const removing = (statement: string, ...values: ReadonlyArray<unknown>) =>
      Effect.map(withStatementTimeout(sql.unsafe(statement, values)), (removed) => removed.length)

    /** The removal whose statement asks for nothing but the time before which what it removes was made. */
    const older = (statement: string, keptFor: Duration.Duration) => (now: number) =>
      removing(statement, new Date(before(now, keptFor)))

    return retentionOf([
      { what: "Test data", some: older(statements.removeTestDataStatement, retentionLimits.testDataKeptFor) },
      {
        what: "Test data on clocks",
        some: older(statements.removeClockDataStatement, retentionLimits.testDataKeptFor)
      },
      { what: "Test clocks", some: older(statements.removeClocksStatement, retentionLimits.testDataKeptFor) },
      {
        what: "Requests in the log",
        // The slot of tomorrow holds a day of a month ago, and nothing else. A day that was not emptied in time goes line by line.
        some: (now) => {
          const slot = slotOf(now + Duration.toMillis(requestLogStoreLimits.slotLasts))
          const old = before(now, requestLogLimits.keptFor)
          return Effect.flatMap(removing(statements.slotHasOldStatement(slot), new Date(old)), (found) =>
            found === 0
              ? removing(statements.removeRequestsStatement, new Date(oldestDayAt(now)))
              : Effect.as(removing(statements.emptySlotStatement(slot)), 1)
          )
        }
      },
      {
        what: "Unfinished uploads",
        some: (now) => uploads.removeUnfinished(before(now, checkLimits.uploadOpenFor), retentionLimits.videosAtOnce)
      },
      {
        what: "Photos that waited for a check",
        some: (now) => uploads.removePhotos(before(now, checkLimits.photosKeptFor), retentionLimits.photosAtOnce)
      },
      {
        what: "Photos of decided checks",
        some: older(statements.removeDecidedStatement, retentionLimits.attemptRunsFor)
      },
      {
        what: "Portraits and pages of decided checks",
        some: older(statements.removeDecidedResultsStatement, retentionLimits.attemptRunsFor)
      },
      {
        what: "Photos and videos",
        some: (now) => removing(statements.removeMediaStatement, new Date(now), retentionLimits.journeysAtOnce)
      },
      { what: "Declined applications", some: declinedApplications },
      { what: "Customers", some: (now) => Effect.map(customersOver(now), ({ length }) => length) },
      {
        what: "Links",
        some: (now) => {
          const endedBefore = before(now, retentionLimits.linksKeptFor)
          const madeBefore = before(endedBefore, customerLimits.linkLifetime)
          return removing(statements.removeLinksStatement, new Date(endedBefore), new Date(madeBefore))
        }
      },
      ...agedRows.map((rows) => ({ what: rows.what, some: older(removeAgedStatement(rows), rows.keptFor) })),
      { what: "Mails", some: older(statements.removeMailStatement, Duration.days(mailRetentionDays)) }
    ])
  })
)
