/** The parts of a multipart form, however its bytes come, and what a form may cost. */
import { Effect, Result } from "effect"
import type { IncomingMessage } from "node:http"
import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { readFormParts } from "../../../src/http/server/bodies/formParts.ts"
import { problem } from "../../../src/http/server/answers/problems.ts"
import { multipartBytes, photoPart, type SentPart } from "../../support/multipart.ts"

const malformed = problem("VALIDATION_FAILED", "body", "no form")

/** Sends the bytes in pieces of so many, and answers with the contents of the parts and how many pieces they came in. */
const read = async (bytes: Uint8Array, pieceBytes = 64 * 1024) => {
  const body = Object.assign(new PassThrough({ highWaterMark: bytes.length + 1 }), {
    headers: { "content-type": "multipart/form-data; boundary=a-boundary" }
  })
  const parts = new Map<string, Buffer>()
  let pieces = 0
  const reading = readFormParts(body as unknown as IncomingMessage, {
    judgeSize: () => null,
    begin: ({ name }) => {
      const kept: Array<Buffer> = []
      return {
        add: (piece) => {
          pieces++
          kept.push(Buffer.from(piece))
          return null
        },
        end: () => parts.set(name, Buffer.concat(kept))
      }
    },
    done: () => Effect.void,
    malformed
  })
  const outcome = Effect.runPromise(Effect.result(reading))
  for (let at = 0; at < bytes.length; at += pieceBytes) body.write(bytes.subarray(at, at + pieceBytes))
  body.end()
  return { outcome: await outcome, parts, pieces }
}

const withHeaders = (...headers: ReadonlyArray<string>): SentPart => {
  const { content, headers: usual } = photoPart()
  return { content, headers: [...usual, ...headers] }
}

describe("the parts of a form", () => {
  it.each([1, 2, 3, 7, 64, 4096])("are the same when the form comes in pieces of %i bytes", async (pieceBytes) => {
    const content = Buffer.from("\r\n--a-bound\r\r\n--\r\n-\r\n--a-boundar\n\r")
    const bytes = multipartBytes([photoPart(content), photoPart(Buffer.alloc(0)), photoPart(content)])
    const { outcome, parts } = await read(bytes, pieceBytes)
    expect(Result.isSuccess(outcome)).toBe(true)
    expect(parts.get("customerFace")).toEqual(content)
  })

  it.each<[string, Buffer]>([
    ["carriage returns", Buffer.alloc(2 ** 20, "\r")],
    ["line breaks", Buffer.alloc(2 ** 20, "\r\n")],
    ["beginnings of the boundary", Buffer.alloc(2 ** 20, "\r\n--a-bound")]
  ])("are handed on in no more pieces than came, whatever their bytes are: %s", async (_, content) => {
    const bytes = multipartBytes([photoPart(content)])
    const { parts, pieces } = await read(bytes)
    expect(parts.get("customerFace")?.equals(content)).toBe(true)
    expect(pieces).toBeLessThanOrEqual(Math.ceil(bytes.length / (64 * 1024)) + 1)
  })

  it.each<[string, SentPart]>([
    // A search for the end of the name began anew at each of them: 400 KB kept the event loop for 18 s.
    ["a header of 20 KB", withHeaders(`X-Long: ${'filename="'.repeat(2000)}x`)],
    [
      "200 headers",
      withHeaders(...Array.from({ length: 200 }, (_, at) => `X-${String.fromCharCode(97 + (at % 26))}: ${at}`))
    ]
  ])("have bounded headers: %s", async (_, sent) => {
    const { outcome } = await read(multipartBytes([sent]))
    expect(outcome).toEqual(Result.fail(malformed))
  })

  it("have one type: a header that comes twice makes no form", async () => {
    const { outcome } = await read(multipartBytes([withHeaders("Content-Type: text/html")]))
    expect(outcome).toEqual(Result.fail(malformed))
  })
})
