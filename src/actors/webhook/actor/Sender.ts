/**
 * The port that makes one exchange with an endpoint: a POST, and what came of it. How a delivery is signed, whether an
 * answer counts and what follows from it is decided in `rules/`. The port works with callbacks instead of Effects, because
 * thousands of exchanges a second go through it.
 */
import { Context, type Effect, type Scope } from "effect"
import type { Exchange } from "../rules/Exchange.ts"

/**
 * Signs a request that is about to leave, and gives its headers. Called when a connection is open, so that the time in the signature
 * is the time of the bytes. It is not called when no connection comes about, and once more for a request that is made once more:
 * what it gave last was sent.
 */
export type Sign = () => Readonly<Record<string, string>>

export interface Channel {
  /**
   * Sends the body as it is, with the headers of `sign` and those that every delivery has (W10: `Content-Type` and `User-Agent`).
   * Calls `done` exactly once, never before `post` returns, and at the latest a second after the exchange's time is over.
   * `pace`: `SLOWLY` sends the body in pieces, for a check of the receiver.
   */
  readonly post: (sign: Sign, body: string, done: (exchange: Exchange) => void, pace?: "AT_ONCE" | "SLOWLY") => void
}

export class Sender extends Context.Service<
  Sender,
  {
    /** A channel to one URL with at most `connections` connections. The connections close with the scope. */
    readonly open: (url: string, connections: number) => Effect.Effect<Channel, never, Scope.Scope>
  }
>()("journeys/actors/Sender") {}
