/**
 * Watches the journeys that are open on pages of this node, and the sessions of these pages: once a second, with one statement each, and
 * not at all while no page is open. A page hears of every change of its journey, when the database is away, and when its session may not
 * see the journey any more. What a page does then is not known here.
 */
import { type Cause, Context, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import { pollStatusOf } from "../../../actors/kernel/PollStatus.ts"
import { ConsoleSessions, type ConsoleSession } from "../../../actors/members/ConsoleSessions.ts"
import { JourneyMarks } from "../../../actors/review/JourneyMarks.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { consoleLimits } from "../frame/limits.ts"

/** The session has ended, or looks at another company than when the page was opened. Nothing comes after it. */
type LastNews = { readonly _tag: "SignedOut" } | { readonly _tag: "Elsewhere" }

/** `mark` is another one after each change. AWAY: the database does not answer, so nobody knows. */
export type WatchNews = { readonly _tag: "Mark"; readonly mark: string } | { readonly _tag: "Away" } | LastNews

/** The session of a page, and the company that it looks at there. */
type WatchingSession = Pick<ConsoleSession, "id" | "company">

/** The news of one journey. They end when the node stops. */
export type WatchedJourney = Queue.Dequeue<WatchNews, Cause.Done>

export class JourneyWatch extends Context.Service<
  JourneyWatch,
  {
    /** Watches until the scope ends. Null: the session, or the node, has as many open pages as it may have. */
    readonly open: (
      journeyId: JourneyId,
      session: WatchingSession
    ) => Effect.Effect<WatchedJourney | null, never, Scope.Scope>
    /** Ends everything that is watched, and whatever is opened from now on. */
    readonly end: Effect.Effect<void>
    readonly openPages: () => number
  }
>()("journeys/http/JourneyWatch") {}

interface Watcher {
  readonly journeyId: JourneyId
  readonly session: WatchingSession
  readonly news: Queue.Queue<WatchNews, Cause.Done>
  /** The newest mark that the page was told; null before the first, and while the database is away. */
  mark: string | null
  isAway: boolean
}

/** News that nobody has read yet give way to newer ones: a page needs to know only the newest. */
const newsKept = 1

const hear = (watcher: Watcher, mark: string): void => {
  if (watcher.mark === mark) return
  watcher.mark = mark
  watcher.isAway = false
  Queue.offerUnsafe(watcher.news, { _tag: "Mark", mark })
}

const hearNothing = (watcher: Watcher): void => {
  if (watcher.isAway) return
  watcher.mark = null
  watcher.isAway = true
  Queue.offerUnsafe(watcher.news, { _tag: "Away" })
}

/** What a page hears last; null: its session may see the journey. */
const lastNewsOf = (
  { session }: Watcher,
  companies: ReadonlyMap<ConsoleSession["id"], ConsoleSession["company"]>
): LastNews | null => {
  const company = companies.get(session.id)
  if (company === undefined) return { _tag: "SignedOut" }
  return company === session.company ? null : { _tag: "Elsewhere" }
}

export const layer = Layer.effect(
  JourneyWatch,
  Effect.gen(function* () {
    const marks = yield* JourneyMarks
    const sessions = yield* ConsoleSessions
    const pollStatus = pollStatusOf("Changes of journeys that are open in the console")
    const watchers = new Set<Watcher>()
    let isEnded = false

    /** The page is not watched any more, so that no other news takes the place of this one. */
    const hearLast = (watcher: Watcher, news: LastNews): void => {
      watchers.delete(watcher)
      Queue.offerUnsafe(watcher.news, news)
    }

    const look = Effect.suspend(() => {
      if (watchers.size === 0) return Effect.void
      const asked = [...watchers]
      // The sessions are looked up last: what changed after one of them ended is never told to it.
      return Effect.zip(
        marks.of([...new Set(asked.map(({ journeyId }) => journeyId))]),
        sessions.companies([...new Set(asked.map(({ session }) => session.id))])
      ).pipe(
        Effect.andThen(([found, companies]) => {
          for (const watcher of asked) {
            const last = lastNewsOf(watcher, companies)
            // A journey that is gone has changed, too: its page says so.
            if (last === null) hear(watcher, found.get(watcher.journeyId) ?? "")
            else hearLast(watcher, last)
          }
          return pollStatus.ok
        }),
        Effect.catchCause((cause) => {
          for (const watcher of asked) hearNothing(watcher)
          return pollStatus.failed(cause)
        })
      )
    })
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(consoleLimits.lookForChangesEvery)))

    const hasRoom = ({ id }: WatchingSession): boolean =>
      watchers.size < consoleLimits.livePagesOfNode &&
      [...watchers].filter(({ session }) => session.id === id).length < consoleLimits.livePagesOfSession

    return JourneyWatch.of({
      open: Effect.fnUntraced(function* (journeyId, session) {
        if (!hasRoom(session)) return null
        const news = yield* Queue.sliding<WatchNews, Cause.Done>(newsKept)
        const watcher: Watcher = { journeyId, session, news, mark: null, isAway: false }
        if (isEnded) {
          yield* Queue.end(news)
          return news
        }
        watchers.add(watcher)
        yield* Effect.addFinalizer(() => Effect.sync(() => watchers.delete(watcher)))
        return news
      }),
      end: Effect.suspend(() => {
        isEnded = true
        return Effect.forEach([...watchers], ({ news }) => Queue.end(news), { discard: true })
      }),
      openPages: () => watchers.size
    })
  })
)

/** Must be built last of all, so that it ends first: a server that stops waits for answers under way, and a stream is one. */
export const endedFirst = Layer.effectDiscard(
  Effect.flatMap(JourneyWatch, (watch) => Effect.addFinalizer(() => watch.end))
)
