/**
 * Makes exchanges with endpoints over HTTP/1.1 connections, which are kept for further exchanges. This file holds the layer
 * and the channel, which chooses the connection of each exchange. One exchange is in `PostExchange.ts`, one connection in
 * `ReceiverLine.ts`, its opening in `publicConnection.ts`, the time limit in `Deadlines.ts`.
 */
import { Duration, Effect, Layer } from "effect"
import type { Resolver } from "../../actors/webhook/actor/Resolver.ts"
import { type Channel, Sender } from "../../actors/webhook/actor/Sender.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import { Deadlines } from "./Deadlines.ts"
import { type Carrier, type Owner, PostExchange } from "./PostExchange.ts"
import { type Connect, toAnyAddress, toPublicAddresses, trustIn } from "./publicConnection.ts"
import { ReceiverLine } from "./ReceiverLine.ts"
import { Settings } from "../settings/Settings.ts"

const exchangeMillis = Duration.toMillis(webhookLimits.exchangeTimeout)

class UndiciChannel implements Channel, Owner {
  readonly #connections: number
  readonly #deadlines: Deadlines<PostExchange>
  readonly #open: () => ReceiverLine
  readonly #lines = new Set<Carrier>()
  /** The connection that was used last comes first, so that connections that are not needed become idle and close. */
  readonly #free: Array<Carrier> = []
  readonly #waiting: Array<PostExchange> = []
  #isClosed = false

  constructor(url: URL, connections: number, deadlines: Deadlines<PostExchange>, connect: Connect) {
    this.#connections = connections
    this.#deadlines = deadlines
    this.#open = () => new ReceiverLine(url, connect)
  }

  readonly post: Channel["post"] = (sign, body, done, pace = "AT_ONCE") => {
    const exchange = new PostExchange(sign, body, this, this.#deadlines, done, pace === "SLOWLY")
    if (this.#isClosed) exchange.cancel()
    else this.#start(exchange)
  }

  leave(carrier: Carrier): void {
    if (!this.#lines.has(carrier)) return
    const next = this.#nextWaiting()
    if (next === undefined) this.#free.push(carrier)
    else next.startOn(carrier)
  }

  giveUp(carrier: Carrier): void {
    if (!this.#lines.delete(carrier)) return
    carrier.end()
    const next = this.#nextWaiting()
    if (next !== undefined) this.#start(next)
  }

  close(): void {
    this.#isClosed = true
    for (const exchange of this.#waiting.splice(0)) exchange.cancel()
    for (const line of this.#lines) line.end()
    this.#lines.clear()
  }

  #start(exchange: PostExchange): void {
    const free = this.#free.pop()
    if (free !== undefined) exchange.startOn(free)
    else if (this.#lines.size < this.#connections) {
      const line = this.#open()
      this.#lines.add(line)
      exchange.startOn(line)
    } else this.#waiting.push(exchange)
  }

  /** An exchange that ran over time while it waited is still in the queue; it is skipped. */
  #nextWaiting(): PostExchange | undefined {
    let next = this.#waiting.shift()
    while (next?.isSettled === true) next = this.#waiting.shift()
    return next
  }
}

export const layerOf = (options: {
  readonly allowInsecure: boolean
  /** Milliseconds for an exchange. */
  readonly within?: number
  /** Authorities to trust besides the system's, as PEM. */
  readonly certificates?: ReadonlyArray<string>
}): Layer.Layer<Sender, never, Resolver> =>
  Layer.effect(
    Sender,
    Effect.gen(function* () {
      const trust = trustIn(options.certificates ?? [])
      const connect = options.allowInsecure
        ? toAnyAddress(trust)
        : toPublicAddresses(yield* Effect.context<Resolver>(), trust)
      const deadlines = yield* Effect.acquireRelease(
        Effect.sync(() => new Deadlines<PostExchange>(options.within ?? exchangeMillis)),
        (deadlines) => Effect.sync(() => deadlines.close())
      )
      return Sender.of({
        open: (url, connections) =>
          Effect.acquireRelease(
            Effect.sync(() => new UndiciChannel(new URL(url), connections, deadlines, connect)),
            (channel) => Effect.sync(() => channel.close())
          )
      })
    })
  )

export const layer: Layer.Layer<Sender, never, Resolver | Settings> = Layer.unwrap(
  Effect.map(Settings, ({ webhookAllowInsecure }) => layerOf({ allowInsecure: webhookAllowInsecure }))
)
