/**
 * The port that makes one exchange with an endpoint: a POST, and what came of it. How a delivery is signed, whether an
 * answer counts and what follows from it are not its business. Callbacks, not Effects: thousands a second go through.
 */
import { Context, type Effect, type Scope } from "effect"
import type { FailureClass } from "../../../schema/failureClass.ts"

/** Milliseconds for a whole exchange, from looking the host up to the answer's status (§6.3.3). */
export const exchangeWithin = 10_000

/** What came of an exchange. */
export type Exchange =
  /** `answer` is the beginning of the body as text, whatever the body's end was. */
  | { readonly _tag: "Answered"; readonly status: number; readonly answer: string }
  | { readonly _tag: "Failed"; readonly error: FailureClass; readonly isOwn: boolean }

export interface Channel {
  /**
   * Sends the body as it is, with these headers and those that every delivery has (W10: `Content-Type` and
   * `User-Agent`). Calls `done` exactly once, never before it returns, within `exchangeWithin` and a second.
   */
  readonly post: (headers: Readonly<Record<string, string>>, body: string, done: (exchange: Exchange) => void) => void
}

export class Sender extends Context.Service<
  Sender,
  {
    /** A channel to one URL with at most `connections` connections, which are closed with the scope. */
    readonly open: (url: string, connections: number) => Effect.Effect<Channel, never, Scope.Scope>
  }
>()("journeys/actors/Sender") {}
