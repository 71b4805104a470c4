/**
 * Pages of the events API, waited for: a service that is away or has had enough of this key is asked again until it
 * answers. Only what will not get better by waiting is a failure. What happens with the events is `listenCommand.ts`.
 */
import { Data, Duration, Effect, Redacted, Schema } from "effect"
import { HttpClient, type HttpClientResponse } from "effect/http"
import { eventOperations } from "../../../http/api/events.ts"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { cliLimits } from "../frame/limits.ts"
import { sendUnjudged } from "../frame/sendUnjudged.ts"
import { listenLimits, listenRetries } from "./limits.ts"
import { EventId } from "../../../schema/ids.ts"

const [listEvents] = eventOperations.endpoints

/** An event to be forwarded. */
export interface FollowedEvent {
  readonly id: EventId
  readonly type: string
  readonly journeyId: string | null
  readonly sequence: number | null
  /** The bytes that a delivery has. */
  readonly body: string
}

export interface FollowedPage {
  readonly events: ReadonlyArray<FollowedEvent>
  readonly next: string
  /** More is there already. */
  readonly isFull: boolean
}

class ServiceAway extends Data.TaggedError("ServiceAway")<{ readonly reason: string }> {}
class RateLimited extends Data.TaggedError("RateLimited")<{ readonly retryAfter: Duration.Duration }> {}

const Page = Schema.Struct({
  data: Schema.Struct({
    content: Schema.Array(Schema.Struct({ sequence: Schema.NullOr(Schema.Int), event: Schema.Unknown })),
    next: Schema.String
  })
})
const Event = Schema.Struct({
  id: EventId,
  type: Schema.String,
  data: Schema.Struct({ journeyId: Schema.optionalKey(Schema.String) })
})
const Refusal = Schema.Struct({
  errors: Schema.Array(Schema.Struct({ field: Schema.String, code: Schema.String, message: Schema.String }))
})

const followed = (json: unknown, sequence: number | null) =>
  Effect.map(Schema.decodeUnknownEffect(Event)(json), ({ data, id, type }): FollowedEvent => ({
    id,
    type,
    journeyId: sequence === null ? null : (data.journeyId ?? null),
    sequence,
    // The service made the body in this very way, so these are its bytes again; a test holds on to it.
    body: JSON.stringify(json)
  }))

const pageOf = Effect.fnUntraced(function* (json: unknown) {
  const { data } = yield* Schema.decodeUnknownEffect(Page)(json)
  const events = yield* Effect.forEach(data.content, ({ event, sequence }) => followed(event, sequence))
  return { events, next: data.next, isFull: events.length === largestPageSize } satisfies FollowedPage
})

/** What a 4xx says; null for what is not an answer of this service. */
const refusalOf = (response: HttpClientResponse.HttpClientResponse) =>
  response.json.pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Refusal)),
    Effect.map(({ errors }) => errors[0] ?? null),
    Effect.orElseSucceed(() => null)
  )

/** Waiting does not help. */
const refused = ({ code, field, message }: (typeof Refusal.Type)["errors"][number]) =>
  new CommandFailed({
    message:
      field === "after"
        ? `the service does not know the kept place (${message}); begin with the first event (--from-start) or with another --state`
        : `the key cannot be used (${code}): ${message}`
  })

const secondsOf = (text: string | undefined): Duration.Duration =>
  text !== undefined && /^\d{1,5}$/.test(text) ? Duration.seconds(Number(text)) : listenLimits.usualRetryAfter

export interface Followed {
  readonly baseUrl: string
  readonly key: string
  /** Prints one line when the service is away, and one when the service is back. */
  readonly print: (message: string) => Effect.Effect<void>
}

/** Asks for the page behind a place, as long as it takes: a cursor, `latest` for the end, null for the beginning. */
export const follow = Effect.fnUntraced(function* ({ baseUrl, key, print }: Followed) {
  const httpClient = yield* HttpClient.HttpClient
  const to = { baseUrl, token: Redacted.make(key) }
  const stranger = new CommandFailed({
    message: `what answers at ${baseUrl} is not this service, or another version of it`
  })

  const ask = Effect.fnUntraced(function* (after: string | null) {
    const query = { size: largestPageSize, ...(after === null ? {} : { after }) }
    const response = yield* sendUnjudged(listEvents, to, { query }).pipe(
      Effect.provideService(HttpClient.HttpClient, httpClient),
      Effect.timeout(cliLimits.answerWithin),
      Effect.mapError((error) =>
        error._tag === "CommandFailed" ? error : new ServiceAway({ reason: "does not answer" })
      )
    )
    const { headers, status } = response
    if (status >= 500) return yield* new ServiceAway({ reason: `answers ${status}` })
    if (status === 429) return yield* new RateLimited({ retryAfter: secondsOf(headers["retry-after"]) })
    if (status !== 200) {
      const refusal = yield* refusalOf(response)
      return yield* refusal === null ? stranger : refused(refusal)
    }
    const text = yield* Effect.mapError(response.text, () => new ServiceAway({ reason: "broke off its answer" }))
    return yield* Effect.mapError(
      Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))(text), pageOf),
      () => stranger
    )
  })

  return Effect.fnUntraced(function* (after: string | null) {
    let isAway = false
    const page = yield* ask(after).pipe(
      Effect.tapErrorTag("RateLimited", ({ retryAfter }) => Effect.sleep(retryAfter)),
      Effect.retry({ while: ({ _tag }) => _tag === "RateLimited" }),
      Effect.catchTag("RateLimited", (error) => Effect.die(error)),
      Effect.tapErrorTag("ServiceAway", ({ reason }) => {
        const isKnown = isAway
        isAway = true
        return isKnown ? Effect.void : print(`the service at ${baseUrl} ${reason}; asking again until it does`)
      }),
      Effect.retry({ schedule: listenRetries, while: ({ _tag }) => _tag === "ServiceAway" }),
      Effect.catchTag("ServiceAway", (error) => Effect.die(error))
    )
    if (isAway) yield* print(`the service at ${baseUrl} answers again`)
    return page
  })
})
