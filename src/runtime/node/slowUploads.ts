/**
 * The time that a customer's upload may take. Node has one time limit for all requests and reports a request that is over
 * it once. An upload that keeps its pace then goes on, and this file watches it, span by span, until the upload is in, stands
 * still, or has taken too long. Which requests may take longer is decided by the handlers (`http/server/admission/slowUploads.ts`).
 */
import * as Duration from "effect/Duration"
import type { IncomingMessage } from "node:http"
import { httpLimits } from "../../http/server/limits.ts"
import { slowSince } from "../../http/server/admission/slowUploads.ts"

const { fewestBytesPerSpan, longestUpload, uploadSpan } = httpLimits

/** The first span is over when Node reports the request. */
const mostSpans = Duration.toMillis(longestUpload) / Duration.toMillis(uploadSpan)

/** Whether the request goes on. `end` is called when the request is over its time after all. */
export const goesOn = (source: IncomingMessage, end: () => void): boolean => {
  let received = slowSince(source)
  if (received === null) return false
  let spans = 0
  const keepsPace = (): boolean => {
    const before = received ?? 0
    received = source.socket.bytesRead
    spans += 1
    return received - before >= fewestBytesPerSpan && spans < mostSpans
  }
  if (!keepsPace()) return false
  const watching = setInterval(() => {
    if (source.complete) return clearInterval(watching)
    if (keepsPace()) return
    clearInterval(watching)
    end()
  }, Duration.toMillis(uploadSpan))
  source.once("close", () => clearInterval(watching))
  return true
}
