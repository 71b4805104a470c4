/**
 * A kept video as an answer: whole, or the one part that the request's `Range` asks for, so that a player can find its index
 * and jump. A range that cannot be met, or that is not one range of bytes, gets the whole video (RFC 9110, 14.2). Who may look
 * is decided before; the audit log has each look, and the parts that a player asks for in the course of one look are one look.
 */
import { Clock, Duration, Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { AuditLog } from "../../actors/company/AuditLog.ts"
import type { FinishedVideo } from "../../actors/checks/Videos.ts"
import { OutcomeUnknown } from "../../actors/kernel/StoreError.ts"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { CompanyId } from "../../schema/ids.ts"
import { auditLine } from "./change.ts"
import { httpLimits } from "../server/limits.ts"

const mediaTypeOf = { MP4: "video/mp4", WEBM: "video/webm" } as const

interface Range {
  readonly from: number
  /** The byte after the last. */
  readonly end: number
}

const asked = /^bytes=(\d{0,15})-(\d{0,15})$/

/** The range that is asked for; null: the whole. */
export const rangeIn = (header: string | undefined, bytes: number): Range | null => {
  const [, first = "", last = ""] = asked.exec(header ?? "") ?? []
  if (first === "" && last === "") return null
  const from = first === "" ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === "" || last === "" ? bytes : Math.min(bytes, Number(last) + 1)
  return from < end ? { from, end } : null
}

interface Look {
  readonly companyId: CompanyId
  readonly action: string
  readonly details: AuditLine["details"]
}

/** A part that does not begin the video belongs to the look before it, if there was one lately. */
const writeDownLook = Effect.fnUntraced(function* ({ action, companyId, details }: Look, range: Range | null) {
  const log = yield* AuditLog
  const line = yield* auditLine(action, details)
  const isPart = range !== null && range.from > 0
  const since = (yield* Clock.currentTimeMillis) - Duration.toMillis(httpLimits.oneLookLasts)
  const writing = isPart ? log.writeUnlessSince(companyId, line, since) : log.write(companyId, line)
  yield* Effect.mapError(writing, () => new OutcomeUnknown())
})

export const videoResponse = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { bytes, content, kind, part }: FinishedVideo,
  look: Look
) {
  const range = rangeIn(request.headers["range"], bytes)
  yield* writeDownLook(look, range)
  const contentType = mediaTypeOf[kind]
  const headers = { "accept-ranges": "bytes" }
  if (range === null) return HttpServerResponse.stream(content, { contentType, contentLength: bytes, headers })
  const { end, from } = range
  return HttpServerResponse.stream(part(from, end), {
    status: 206,
    contentType,
    contentLength: end - from,
    headers: { ...headers, "content-range": `bytes ${from}-${end - 1}/${bytes}` }
  })
})
