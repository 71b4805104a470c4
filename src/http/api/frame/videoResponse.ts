/**
 * A kept video as an answer: whole, or the one part that the request's `Range` asks for, so that a player can find its index
 * and jump. A range that cannot be met, or that is not one range of bytes, gets the whole video (RFC 9110, 14.2). Who may look
 * is decided before; the audit log has each look, and the parts that a player asks for in the course of one look are one look.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import type { FinishedVideo } from "../../../actors/checks/video/Videos.ts"
import type { AuditAction } from "../../../schema/company/auditActions.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import type { CompanyId, JourneyId } from "../../../schema/ids.ts"
import { writeDown, writeDownLook } from "./asTeam.ts"
import { savedAs } from "./bytesAs.ts"

const mediaTypeOf = { MP4: "video/mp4", WEBM: "video/webm" } as const
const endingOf = { MP4: "mp4", WEBM: "webm" } as const

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
  readonly action: AuditAction
  readonly details: AuditLine["details"] & { readonly journeyId: JourneyId }
}

/** A part that does not begin the video belongs to the look before it, if there was one lately. */
const writeDownPart = ({ action, companyId, details }: Look, range: Range | null) =>
  range !== null && range.from > 0 ? writeDownLook(companyId, action, details) : writeDown(companyId, action, details)

export const videoResponse = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { bytes, content, kind, part }: FinishedVideo,
  look: Look
) {
  const range = rangeIn(request.headers["range"], bytes)
  yield* writeDownPart(look, range)
  const contentType = mediaTypeOf[kind]
  const headers = { "accept-ranges": "bytes", ...savedAs(look.details.journeyId, `video.${endingOf[kind]}`) }
  if (range === null) return HttpServerResponse.stream(content, { contentType, contentLength: bytes, headers })
  const { end, from } = range
  return HttpServerResponse.stream(part(from, end), {
    status: 206,
    contentType,
    contentLength: end - from,
    headers: { ...headers, "content-range": `bytes ${from}-${end - 1}/${bytes}` }
  })
})
