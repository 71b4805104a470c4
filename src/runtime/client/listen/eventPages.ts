/**
 * Pages of the events API, waited for: a service that is away or has had enough of this key is asked again until it
 * answers. Only what will not get better by waiting is a failure. What happens with the events is `listen.ts`.
 */
import { ApiError, ConnectionError, TimeoutError, UnexpectedAnswerError } from "../lib/errors.ts"
import { clientLimits, listenLimits } from "../lib/limits.ts"
import { sleep, type Transport } from "../lib/Transport.ts"
import { ListenFailed } from "./ListenFailed.ts"
import { pauseBefore } from "./pauseBefore.ts"

/** An event to be forwarded. */
export interface FollowedEvent {
  /** As the service gave it: written as JSON again, it has the bytes of a delivery. A test holds on to it. */
  readonly content: { readonly id: string; readonly type: string }
  readonly journeyId: string | null
  readonly sequence: number | null
}

export interface FollowedPage {
  readonly events: ReadonlyArray<FollowedEvent>
  readonly next: string
  /** More is there already. */
  readonly isFull: boolean
}

type Thing = Readonly<Record<string, unknown>>

const isThing = (value: unknown): value is Thing => typeof value === "object" && value !== null

const followed = (entry: unknown): FollowedEvent | null => {
  if (!isThing(entry) || !isThing(entry["event"])) return null
  const { event, sequence } = entry
  const { data, id, type } = event
  if (typeof id !== "string" || typeof type !== "string" || !isThing(data)) return null
  if (sequence !== null && !Number.isInteger(sequence)) return null
  const { journeyId = null } = data
  if (journeyId !== null && typeof journeyId !== "string") return null
  const number = sequence as number | null
  return { content: event as FollowedEvent["content"], sequence: number, journeyId: number === null ? null : journeyId }
}

/** Null for what is no page of events. */
const pageOf = (data: unknown): FollowedPage | null => {
  if (!isThing(data) || !Array.isArray(data["content"]) || typeof data["next"] !== "string") return null
  const entries = data["content"].map(followed)
  const events = entries.filter((entry) => entry !== null)
  if (events.length < entries.length) return null
  return { events, next: data["next"], isFull: events.length === listenLimits.eventsAtOnce }
}

/** What waiting helps against. */
type Trouble = { readonly reason: string } | { readonly retryAfterMillis: number }

interface Followed {
  readonly transport: Transport
  readonly baseUrl: string
  readonly signal: AbortSignal
  /** Prints one line when the service is away, and one when the service is back. */
  readonly print: (message: string) => void
}

/** Asks for the page behind a place, as long as it takes: a cursor, `latest` for the end, null for the beginning. */
export const eventPages = ({ baseUrl, print, signal, transport }: Followed) => {
  const stranger = () => new ListenFailed(`what answers at ${baseUrl} is not this service, or another version of it`)

  const ask = async (after: string | null): Promise<FollowedPage> => {
    const query = { size: listenLimits.eventsAtOnce, after }
    const page = pageOf(await transport.call({ method: "GET", path: "/api/v1/events", query }, { retries: 0, signal }))
    if (page === null) throw stranger()
    return page
  }

  /** Throws what waiting does not help against. */
  const troubleIn = (error: unknown): Trouble => {
    if (error instanceof ConnectionError || error instanceof TimeoutError) return { reason: "does not answer" }
    if (!(error instanceof ApiError || error instanceof UnexpectedAnswerError)) throw error
    const { retryAfterSeconds, status } = error
    if (status >= 500) return { reason: `answers ${status}` }
    if (status === 429) {
      const asked = retryAfterSeconds === null ? listenLimits.usualRetryAfterMillis : retryAfterSeconds * 1000
      return { retryAfterMillis: Math.min(asked, clientLimits.longestRetryAfterMillis) }
    }
    if (error instanceof ApiError) throw refused(error)
    throw error.redirectedTo === null ? stranger() : new ListenFailed(error.message)
  }

  return async (after: string | null): Promise<FollowedPage> => {
    for (let failures = 0; ;) {
      try {
        const page = await ask(after)
        if (failures > 0) print(`the service at ${baseUrl} answers again`)
        return page
      } catch (error) {
        const trouble = troubleIn(error)
        if ("retryAfterMillis" in trouble) await sleep(trouble.retryAfterMillis, signal)
        else {
          if (failures === 0) print(`the service at ${baseUrl} ${trouble.reason}; asking again until it does`)
          failures += 1
          await sleep(pauseBefore(failures), signal)
        }
      }
    }
  }
}

const refused = ({ code, problems: [first] }: ApiError): ListenFailed =>
  new ListenFailed(
    first?.field === "after"
      ? `the service does not know the kept place (${first.message}); begin with the first event (--from-start) or with another --state`
      : `the key cannot be used (${code}): ${first?.message}`
  )
