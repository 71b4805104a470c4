/**
 * The stream of a journey's page: it tells the page that the journey has changed, and nothing about the journey. What has changed
 * the page asks for itself, as whoever is signed in then. The stream ends for good with the session, and when the session looks at another
 * company. It ends after half an hour, too, and when the node stops; then a browser connects anew by itself.
 */
import { Cause, Clock, Duration, Effect, Option, Queue, Stream, type Scope } from "effect"
import { consoleLimits } from "../frame/limits.ts"
import type { WatchedJourney, WatchNews } from "./JourneyWatch.ts"

/** What a stream needs to know. */
export interface LiveAsked {
  /** The mark of what the page shows; null when the page does not know. */
  readonly shown: string | null
  readonly open: Effect.Effect<WatchedJourney | null, never, Scope.Scope>
}

/** The event that makes the page ask for its changing part, and the one after which it does not connect again. */
export const changedEvent = "journey-changed"
export const endEvent = "live-end"

/** A text that the page shows in the place of the last one. */
const said = (text: string): string => `data: ${text}\n\n`

const updates = said("This page updates itself.")
const away = said("The database does not answer at the moment. This page goes on by itself as soon as it does.")
const tooMany = said("This page does not update itself: too many pages of journeys are open.")
const signedOut = said("This page does not update itself any more: nobody is signed in.")
const elsewhere = said("This page does not update itself any more: you are looking at another company now.")
const end = `event: ${endEvent}\ndata: \n\n`
const stillThere = ": still there\n\n"
const changed = (mark: string): string => `id: ${mark}\nevent: ${changedEvent}\ndata: \n\n`

const tooManyOpen = Stream.make(tooMany, end)

const endsAfterMillis = Duration.toMillis(consoleLimits.streamEndsAfter)

/** The next text of the stream, or its end. */
const textsOf = Effect.fnUntraced(function* (news: WatchedJourney, { shown }: LiveAsked) {
  const begunAt = yield* Clock.currentTimeMillis
  const state = { shown, isGreeted: false, isAway: false, isOver: false }

  const textOfMark = (mark: string): string => {
    const { isAway } = state
    state.isAway = false
    // What a page asked for while the database was away, it did not get.
    if (mark === state.shown && !isAway) return stillThere
    state.shown = mark
    return (isAway ? updates : "") + changed(mark)
  }

  const textFor = (one: WatchNews): string => {
    switch (one._tag) {
      case "Away":
        state.isAway = true
        return away
      case "Mark":
        return textOfMark(one.mark)
      case "SignedOut":
      case "Elsewhere":
        state.isOver = true
        return (one._tag === "SignedOut" ? signedOut : elsewhere) + end
    }
  }

  return Effect.gen(function* () {
    if (!state.isGreeted) {
      state.isGreeted = true
      return updates
    }
    const isLongEnough = (yield* Clock.currentTimeMillis) - begunAt >= endsAfterMillis
    if (state.isOver || isLongEnough) return yield* Cause.done()
    const one = yield* Effect.timeoutOption(Queue.take(news), consoleLimits.streamSaysSomethingEvery)
    return Option.match(one, { onNone: () => stillThere, onSome: textFor })
  })
})

export const liveStream = (asked: LiveAsked): Stream.Stream<Uint8Array> =>
  asked.open.pipe(
    Effect.map((news) =>
      news === null
        ? tooManyOpen
        : Stream.fromPull(Effect.map(textsOf(news, asked), (next) => Effect.map(next, (text) => [text] as const)))
    ),
    Stream.unwrap,
    Stream.encodeText
  )
