/**
 * One POST over one connection, as a handler of undici's events. It keeps the beginning of the answer, stops reading an
 * answer that is too long, and reports the result exactly once. The channel chooses the connection.
 */
import type { Dispatcher } from "undici"
import { classOf, failed } from "../../actors/webhook/rules/classification.ts"
import type { Sign } from "../../actors/webhook/actor/Sender.ts"
import type { Exchange } from "../../actors/webhook/rules/Exchange.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"
import type { Deadlines, Timed } from "./Deadlines.ts"

const { keptAnswerBytes, readAnswerBytes } = webhookLimits

/** The connection an exchange goes over. */
export interface Carrier {
  /** Exchanges completed since the connection was opened. */
  answered: number
  readonly dispatch: (exchange: PostExchange) => void
  readonly end: () => void
}

/** The channel that gave the exchange its connection. */
export interface Owner {
  /** The connection is free of this exchange. Never called from inside one of undici's handlers. */
  readonly leave: (carrier: Carrier) => void
  /** The exchange is over time, and its connection is still not open. */
  readonly giveUp: (carrier: Carrier) => void
}

export class PostExchange implements Dispatcher.DispatchHandler, Timed {
  readonly startedAt = performance.now()
  /** The headers of a request that leaves now. */
  readonly sign: Sign
  readonly body: string
  /** The body is sent in pieces. */
  readonly isSlow: boolean
  readonly #owner: Owner
  readonly #deadlines: Deadlines<PostExchange>
  readonly #done: (exchange: Exchange) => void
  #carrier: Carrier | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isSettled = false
  #isHeard = false
  #isAgain = false
  #status = 0
  #read = 0
  readonly #kept: Array<Buffer> = []

  constructor(
    sign: Sign,
    body: string,
    owner: Owner,
    deadlines: Deadlines<PostExchange>,
    done: (exchange: Exchange) => void,
    isSlow = false
  ) {
    this.isSlow = isSlow
    this.sign = sign
    this.body = body
    this.#owner = owner
    this.#deadlines = deadlines
    this.#done = done
    deadlines.watch(this)
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  startOn(carrier: Carrier): void {
    this.#carrier = carrier
    carrier.dispatch(this)
  }

  /** Ends the exchange because the service itself cannot go on. */
  cancel(): void {
    this.#settle(failed("SERVICE_FAILURE"))
  }

  runOver(isOwnFault: boolean): void {
    // An exchange without a connection has asked nothing of the receiver.
    const failure = isOwnFault || this.#carrier === undefined ? "SERVICE_FAILURE" : "TIMEOUT"
    this.#settle(this.#status === 0 ? failed(failure) : this.#answered())
    if (this.#controller !== undefined) this.#controller.abort(new Error("over time"))
    else if (this.#carrier !== undefined) this.#owner.giveUp(this.#carrier)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isSettled) controller.abort(new Error("over time"))
  }

  onResponseStarted(): void {
    this.#isHeard = true
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // An interim answer such as 103 is not the answer.
    if (status < 200) return
    const overrun = this.#deadlines.overrun(this)
    if (overrun === "NO") {
      this.#status = status
      return
    }
    this.#settle(failed(overrun === "OURS" ? "SERVICE_FAILURE" : "TIMEOUT"))
    controller.abort(new Error("over time"))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = keptAnswerBytes - this.#read
    // A copy, because the chunk is a view of a larger buffer, which a slow answer would keep in memory.
    if (room > 0) this.#kept.push(Buffer.from(chunk.subarray(0, room)))
    this.#read += chunk.length
    if (this.#read <= readAnswerBytes) return
    this.#settle(this.#answered())
    controller.abort(new Error("too long an answer"))
  }

  onResponseEnd(): void {
    const carrier = this.#carrier
    if (carrier !== undefined) {
      carrier.answered += 1
      this.#leave(carrier)
    }
    this.#settle(this.#answered())
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const carrier = this.#carrier
    if (!this.#isSettled && this.#status === 0) {
      const failure = classOf(error)
      if (carrier !== undefined && failure === "CONNECTION_RESET" && this.#isWorthAnother(carrier)) {
        this.#isAgain = true
        this.#controller = undefined
        queueMicrotask(() => this.startOn(carrier))
        return
      }
      this.#settle(failed(failure))
    }
    this.#settle(this.#answered())
    if (carrier !== undefined) this.#leave(carrier)
  }

  /**
   * A receiver may close a kept connection at the moment when something is sent. This is no failure of the receiver, so the
   * exchange is made once more over a new connection. A receiver that has read both knows the event by its id.
   */
  #isWorthAnother({ answered }: Carrier): boolean {
    return answered > 0 && !this.#isHeard && !this.#isAgain
  }

  /** Deferred until undici has finished with the connection. */
  #leave(carrier: Carrier): void {
    queueMicrotask(() => this.#owner.leave(carrier))
  }

  /** `done` is deferred: undici would treat an error of `done` as an error of the exchange. */
  #settle(exchange: Exchange): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#deadlines.forget(this)
    queueMicrotask(() => this.#done(exchange))
  }

  #answered(): Exchange {
    return { _tag: "Answered", status: this.#status, answer: textOf(this.#kept, this.#read > keptAnswerBytes) }
  }
}

/** The kept bytes as text. U+0000 is replaced, because the database's text cannot hold it. */
const textOf = (kept: ReadonlyArray<Buffer>, isCut: boolean): string => {
  const [first, second] = kept
  if (first === undefined) return ""
  const bytes = second === undefined ? first : Buffer.concat(kept)
  // Only a cut answer can end inside a character. The decoder leaves that character out; it is made only when needed.
  const text = isCut ? new TextDecoder().decode(bytes, { stream: true }) : bytes.toString()
  return text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text
}
