/**
 * A receiver of webhooks as a company would write it, with the package export `journeys/webhooks`. It verifies every
 * delivery over the bytes that arrived, takes each event once, and answers before anything else is done. Whoever takes
 * the arrivals decides what becomes of the events.
 */
import { Effect, Exit, Queue } from "effect"
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from "journeys/webhooks"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

interface Delivery {
  readonly body: Uint8Array
  readonly headers: IncomingHttpHeaders
}

/**
 * A delivery and its outcome: a new event, an event that had arrived before, or a delivery whose signature is wrong.
 */
export type Arrival = Delivery &
  (
    | { readonly _tag: "Taken"; readonly event: WebhookEvent }
    | { readonly _tag: "Repeated"; readonly event: WebhookEvent }
    | { readonly _tag: "Refused"; readonly reason: string }
  )

export interface Receiver {
  readonly url: string
  /** Everything that arrived, in order. The events of five journeys are so few that the queue needs no limit. */
  readonly arrivals: Queue.Dequeue<Arrival>
  /** Sets the secret that the settings API showed. Without it every delivery is refused. */
  readonly trust: (secret: string) => void
  /** Why a copy of a delivery with one changed bit is refused; null if the copy is accepted. */
  readonly judgeChanged: (delivery: Delivery) => string | null
}

/** Opens a receiver on a free port of this machine. It closes with the scope. */
export const openReceiver = Effect.gen(function* () {
  const arrivals = yield* Queue.unbounded<Arrival>()
  const taken = new Set<string>()
  let secret: string | undefined

  const judge = (delivery: Delivery): Arrival => {
    try {
      if (secret === undefined) return { ...delivery, _tag: "Refused", reason: "NO_SECRET" }
      const event = verifyWebhook({ ...delivery, secret })
      return { ...delivery, _tag: taken.has(event.id) ? "Repeated" : "Taken", event }
    } catch (error) {
      // Any other error would end the process and leave the database running.
      return {
        ...delivery,
        _tag: "Refused",
        reason: error instanceof WebhookVerificationError ? error.reason : String(error)
      }
    }
  }

  const receive = (delivery: Delivery): number => {
    const arrival = judge(delivery)
    if (arrival._tag === "Taken") taken.add(arrival.event.id)
    Queue.offerUnsafe(arrivals, arrival)
    return arrival._tag === "Refused" ? 400 : 204
  }

  const server = createServer((request, response) => {
    request.toArray().then(
      (chunks: Array<Uint8Array>) =>
        response.writeHead(receive({ body: Buffer.concat(chunks), headers: request.headers })).end(),
      // The request was cut off. Nothing arrived, and the sender tries again.
      () => response.destroy()
    )
  })
  const port = yield* Effect.acquireRelease(listening(server), () => closed(server))

  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrivals,
    trust: (shown: string) => {
      secret = shown
    },
    judgeChanged: ({ body, headers }: Delivery) => {
      const changed = Uint8Array.from(body)
      const middle = changed.length >> 1
      changed[middle] = (changed[middle] ?? 0) ^ 1
      const arrival = judge({ body: changed, headers })
      return arrival._tag === "Refused" ? arrival.reason : null
    }
  } satisfies Receiver
})

type Server = ReturnType<typeof createServer>

const listening = (server: Server): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.once("error", (error) => resume(Effect.die(error)))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })

/** The service keeps its connections for later requests, so they are closed here. */
const closed = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Exit.void))
    server.closeAllConnections()
  })
