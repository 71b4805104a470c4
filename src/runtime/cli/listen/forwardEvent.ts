/**
 * One event to the local server, as a webhook would bring it: by the sender that makes real deliveries, with the same
 * headers and bytes, signed anew at each attempt. It is tried until it is answered 2xx, because what follows must stay
 * behind it.
 */
import { Clock, Data, Effect } from "effect"
import { isDelivered } from "../../../actors/webhook/rules/classification.ts"
import { attemptSignature, webhookHeaders } from "../../../actors/webhook/rules/webhookHeaders.ts"
import type { Channel } from "../../../actors/webhook/actor/Sender.ts"
import type { Exchange } from "../../../actors/webhook/rules/Exchange.ts"
import { signingKey } from "../../../actors/webhook/rules/signature.ts"
import { listenRetries } from "./limits.ts"
import type { FollowedEvent } from "./followEvents.ts"

/** How the attempt went that was answered 2xx. */
export interface Forwarded {
  readonly event: FollowedEvent
  readonly at: number
  readonly status: number
  readonly durationMillis: number
}

class NotTaken extends Data.TaggedError("NotTaken")<{ readonly exchange: Exchange }> {}

/** A status, or the class of failure that the delivery log would show. */
const outcome = (exchange: Exchange): string =>
  exchange._tag === "Answered" ? `answers ${exchange.status}` : `cannot be reached: ${exchange.error}`

interface Receiver {
  readonly channel: Channel
  readonly secret: string
  readonly forwardTo: string
  /** Prints one line for each event that the local server does not take. */
  readonly print: (message: string) => Effect.Effect<void>
}

export const forward = ({ channel, forwardTo, secret, print }: Receiver) => {
  const keys = [signingKey(secret)]

  const attempt = Effect.fnUntraced(function* (event: FollowedEvent) {
    const clock = yield* Clock.Clock
    const at = clock.currentTimeMillisUnsafe()
    // A newer service may send types that this one does not know: a type is text here.
    const about = { eventId: event.id, sequence: event.sequence ?? 0, type: event.type }
    const sign = () => {
      const signedAt = clock.currentTimeMillisUnsafe()
      return webhookHeaders(about, signedAt, attemptSignature(event.body, keys, signedAt))
    }
    const exchange = yield* Effect.callback<Exchange>((resume) =>
      channel.post(sign, event.body, (exchange) => resume(Effect.succeed(exchange)))
    )
    if (exchange._tag === "Failed" || !isDelivered(exchange)) return yield* new NotTaken({ exchange })
    const durationMillis = Math.max(0, clock.currentTimeMillisUnsafe() - at)
    return { event, at, status: exchange.status, durationMillis } satisfies Forwarded
  })

  return (event: FollowedEvent): Effect.Effect<Forwarded> => {
    let isPrinted = false
    return attempt(event).pipe(
      Effect.tapError(({ exchange }) => {
        const isKnown = isPrinted
        isPrinted = true
        return isKnown
          ? Effect.void
          : print(`${forwardTo} ${outcome(exchange)}; ${event.type} ${event.id} is sent again until it is answered 2xx`)
      }),
      Effect.retry(listenRetries),
      // The schedule has no end.
      Effect.orDie
    )
  }
}
