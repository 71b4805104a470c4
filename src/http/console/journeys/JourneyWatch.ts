/**
 * Watches the journeys that are open on pages of this node: once a second, with one statement, and not at all while no page is
 * open. A page hears of every change of its journey, and when the database is away. What a page does then is not known here.
 */
import { type Cause, Context, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import { pollStatusOf } from "../../../actors/kernel/PollStatus.ts"
import { JourneyMarks } from "../../../actors/review/JourneyMarks.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import { consoleLimits } from "../frame/limits.ts"

/** `mark` is another one after each change. AWAY: the database does not answer, so nobody knows. */
export type WatchNews = { readonly _tag: "Mark"; readonly mark: string } | { readonly _tag: "Away" }

/** The news of one journey. They end when the node stops. */
export type WatchedJourney = Queue.Dequeue<WatchNews, Cause.Done>

export class JourneyWatch extends Context.Service<
  JourneyWatch,
  {
    /** Watches until the scope ends. Null: the session, or the node, has as many open pages as it may have. */
    readonly open: (journeyId: JourneyId, sessionId: string) => Effect.Effect<WatchedJourney | null, never, Scope.Scope>
    /** Ends everything that is watched, and whatever is opened from now on. */
    readonly end: Effect.Effect<void>
    readonly openPages: () => number
  }
>()("journeys/http/JourneyWatch") {}

interface Watcher {
  readonly journeyId: JourneyId
  readonly sessionId: string
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

export const layer = Layer.effect(
  JourneyWatch,
  Effect.gen(function* () {
    const marks = yield* JourneyMarks
    const pollStatus = pollStatusOf("Changes of journeys that are open in the console")
    const watchers = new Set<Watcher>()
    let isEnded = false

    const look = Effect.suspend(() => {
      if (watchers.size === 0) return Effect.void
      const asked = [...watchers]
      return marks.of([...new Set(asked.map(({ journeyId }) => journeyId))]).pipe(
        Effect.andThen((found) => {
          // A journey that is gone has changed, too: its page says so.
          for (const watcher of asked) hear(watcher, found.get(watcher.journeyId) ?? "")
          return pollStatus.ok
        }),
        Effect.catchCause((cause) => {
          for (const watcher of asked) hearNothing(watcher)
          return pollStatus.failed(cause)
        })
      )
    })
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(consoleLimits.lookForChangesEvery)))

    const hasRoom = (sessionId: string): boolean =>
      watchers.size < consoleLimits.livePagesOfNode &&
      [...watchers].filter((one) => one.sessionId === sessionId).length < consoleLimits.livePagesOfSession

    return JourneyWatch.of({
      open: Effect.fnUntraced(function* (journeyId, sessionId) {
        if (!hasRoom(sessionId)) return null
        const news = yield* Queue.sliding<WatchNews, Cause.Done>(newsKept)
        const watcher: Watcher = { journeyId, sessionId, news, mark: null, isAway: false }
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
