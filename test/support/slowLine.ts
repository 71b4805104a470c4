/**
 * A slow line to the service: one request whose body goes out at so many bytes a second, over a socket of its own. What the
 * service answers, and when it answers, is the service's business.
 */
import { RawConnection, type Conversation } from "./requests.ts"
import type { Service } from "./service.ts"

interface Slow {
  /** Request line and headers, without the length. */
  readonly head: ReadonlyArray<string>
  readonly body: Uint8Array
  /** What the request says that it will send. Without it: what it sends. */
  readonly announced?: number
  readonly bytesPerSecond: number
}

/** Bytes leave this often. */
const piecesPerSecond = 4

/** The longest that a test sends or waits. */
const longestMillis = 120_000

export const sendSlowly = async (
  service: Pick<Service, "baseUrl">,
  { announced, body, bytesPerSecond, head }: Slow
): Promise<Conversation> => {
  const connection = new RawConnection(service)
  await connection.write(`${head.join("\r\n")}\r\nContent-Length: ${announced ?? body.length}\r\n\r\n`)
  const piece = Math.ceil(bytesPerSecond / piecesPerSecond)
  const pause = { withinMillis: 1000 / piecesPerSecond }
  let conversation = await connection.conversation({ withinMillis: 10 })
  for (let at = 0; at < body.length && conversation.replies.length === 0 && !conversation.closed; at += piece) {
    await connection.write(body.subarray(at, at + piece))
    conversation = await connection.conversation(pause)
  }
  conversation = await connection.conversation({ withinMillis: longestMillis })
  connection.close()
  return conversation
}
