/**
 * One event to the local server, as a webhook would bring it: with the same headers and bytes, signed anew at each attempt.
 * It is tried until it is answered 2xx, because what follows must stay behind it.
 */
import * as Http from "node:http"
import * as Https from "node:https"
import { signedDelivery } from "../lib/deliveries.ts"
import { listenLimits } from "../lib/limits.ts"
import { sleep } from "../lib/Transport.ts"
import type { FollowedEvent } from "./eventPages.ts"
import { pauseBefore } from "./pauseBefore.ts"

/** How the attempt went that was answered 2xx. */
export interface Forwarded {
  readonly event: FollowedEvent
  readonly at: Date
  readonly status: number
  readonly durationMillis: number
}

interface LocalServer {
  /** Where events are sent. */
  readonly url: string
  readonly secret: string
  readonly signal: AbortSignal
  /** Prints one line for each event that the local server does not take. */
  readonly print: (message: string) => void
}

/** A receiver sees the names of headers as deliveries spell them: `Service-Event-Id`. */
const asDelivered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase()), value])
  )

class NoAnswer extends Error {}

/** The status of the answer. The beginning of an answer is enough, as it is for deliveries. */
const post = ({ secret, signal, url }: LocalServer, { sequence, content }: FollowedEvent): Promise<number> =>
  new Promise((resolve, reject) => {
    const { body, headers } = signedDelivery(content, secret, sequence === null ? {} : { sequence })
    const { request } = url.startsWith("https:") ? Https : Http
    const length = { "Content-Length": String(Buffer.byteLength(body)) }
    // A connection of its own: a kept one may close just when the next event leaves.
    const options = { method: "POST", headers: { ...asDelivered(headers), ...length }, agent: false, signal } as const
    const sent = request(url, options, (response) => {
      response.on("error", () => {})
      response.on("close", () => clearTimeout(timer))
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    const seconds = listenLimits.answerMillis / 1000
    const timer = setTimeout(
      () => sent.destroy(new NoAnswer(`gave no answer within ${seconds} s`)),
      listenLimits.answerMillis
    )
    sent.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      reject(error instanceof NoAnswer ? error : new NoAnswer(`cannot be reached: ${error.code ?? error.message}`))
    })
    sent.end(body)
  })

const isTaken = (status: number): boolean => status >= 200 && status < 300

/** Ends with the answer 2xx, or with the reason of the signal. */
export const forwardEvent = async (server: LocalServer, event: FollowedEvent): Promise<Forwarded> => {
  const { id, type } = event.content
  for (let repetition = 1; ; repetition += 1) {
    const at = new Date()
    const began = performance.now()
    const answered = await post(server, event).catch((error: NoAnswer) => error.message)
    if (typeof answered === "number" && isTaken(answered)) {
      return { event, at, status: answered, durationMillis: Math.round(performance.now() - began) }
    }
    server.signal.throwIfAborted()
    if (repetition === 1) {
      const outcome = typeof answered === "number" ? `answers ${answered}` : answered
      server.print(`${server.url} ${outcome}; ${type} ${id} is sent again until it is answered 2xx`)
    }
    await sleep(pauseBefore(repetition), server.signal)
  }
}
