/**
 * Removes what has been kept long enough: test data (decision S9), videos nobody finished, photos and videos of checks and
 * journeys that are over, old links and sessions, and what the built-in mailbox keeps. One node does it at a time; two at
 * once would do no harm. A customer's erasure does not wait for this.
 */
import { checkLimits } from "../../actors/checks/limits.ts"
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { atMostFor } from "../../actors/customer/Sessions.ts"
import { Videos } from "../../actors/checks/Videos.ts"
import { pollStatusOf } from "../../actors/kernel/PollStatus.ts"
import { isLeader, Leadership } from "../../actors/kernel/Leadership.ts"
import { withStatementTimeout } from "../postgres/timeouts.ts"
import * as statements from "../stores/retentionStatements.ts"
import { Settings } from "../Settings.ts"

const lookEvery = Duration.minutes(10)

/** From the start of a test journey. */
const testDataKeptFor = Duration.days(30)

/** From the beginning of an attempt at a check: by then its journey has heard of it, if it ever does. */
const attemptRunsFor = Duration.hours(1)

/** From the end of a link. */
const linksKeptFor = Duration.days(30)

/** Videos in one statement, which takes a tenth of a second for each. */
const videosAtOnce = 5

/** Journeys whose photos go in one statement. */
const journeysAtOnce = 50

export interface Removal {
  /** The subject of a sentence, in the plural. */
  readonly what: string
  /** Removes some of what is there at this time, in epoch milliseconds: how many. It is asked until there are none. */
  readonly some: (now: number) => Effect.Effect<number, unknown>
}

export const layerOf = (removals: ReadonlyArray<Removal>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const leadership = (yield* Leadership).of("retention")
      const watched = removals.map((removal) => ({ ...removal, pollStatus: pollStatusOf(`${removal.what} to remove`) }))
      const look = Effect.gen(function* () {
        if (!isLeader(yield* leadership.role)) return
        const now = yield* Clock.currentTimeMillis
        yield* Effect.forEach(watched, ({ pollStatus, some }) =>
          Effect.repeat(some(now), { while: (removed) => removed > 0 }).pipe(
            Effect.andThen(pollStatus.ok),
            // Whatever it was, the others and the next look must come.
            Effect.catchCause((cause) => Effect.andThen(pollStatus.failed(cause), leadership.stepDown))
          )
        )
      })
      yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))
    })
  )

const before = (now: number, kept: Duration.Duration): number => now - Duration.toMillis(kept)

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { mailRetentionDays } = yield* Settings
    const videos = yield* Videos
    const sql = yield* SqlClient.SqlClient

    const removing = (statement: string, ...values: ReadonlyArray<unknown>) =>
      Effect.map(withStatementTimeout(sql.unsafe(statement, values)), (removed) => removed.length)

    return layerOf([
      {
        what: "Test data",
        some: (now) => removing(statements.removeTestDataStatement, new Date(before(now, testDataKeptFor)))
      },
      {
        what: "Unfinished videos",
        some: (now) => videos.removeUnfinished(before(now, checkLimits.uploadOpenFor), videosAtOnce)
      },
      { what: "Videos", some: (now) => videos.removeEnded(now, videosAtOnce) },
      {
        what: "Photos of decided checks",
        some: (now) => removing(statements.removeDecidedStatement, new Date(before(now, attemptRunsFor)))
      },
      { what: "Photos", some: (now) => removing(statements.removePhotosStatement, new Date(now), journeysAtOnce) },
      {
        what: "Links",
        some: (now) => removing(statements.removeLinksStatement, new Date(before(now, linksKeptFor)))
      },
      {
        what: "Sessions",
        some: (now) => removing(statements.removeSessionsStatement, new Date(before(now, atMostFor)))
      },
      {
        what: "Mails",
        some: (now) => removing(statements.removeMailStatement, new Date(before(now, Duration.days(mailRetentionDays))))
      }
    ])
  })
)
