import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../../support/companies.ts"
import {
  jpeg,
  jsonPart,
  multipartBytes,
  part,
  photoPart,
  sendForm,
  sendFormBytes,
  type SentPart
} from "../../../support/multipart.ts"
import { freshKey, raw, RawConnection, type Reply } from "../../../support/requests.ts"
import { changed } from "../../../schema/start/judge.ts"
import { expectRefusal, journeys, prepareGround, refuses, type Ground } from "./oracle.ts"

const mebibyte = 1024 * 1024

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const body = () => startBody("FINANCE_SALE")
const send = (...parts: ReadonlyArray<SentPart>) => sendForm(ground.service, ground.dealer.testKey, { parts })
const sendBytes = (contentType: string, bytes: Uint8Array, idempotencyKey = freshKey()): Promise<Reply> =>
  sendFormBytes(ground.service, ground.dealer.testKey, { contentType, bytes, idempotencyKey })

const cash = () => startBody("CASH_SALE")
const journeyFile = (content: string, type = "application/json") =>
  part(['Content-Disposition: form-data; name="journey"; filename="sale.json"', `Content-Type: ${type}`], content)
const field = (name: string, content: string) => part([`Content-Disposition: form-data; name="${name}"`], content)

describe("parts", () => {
  it("may come with a file name, the JSON part too", async () => {
    const reply = await send(journeyFile(JSON.stringify(body())), photoPart())
    expect(reply.status).toBe(202)
  })

  it.each<[string, ReadonlyArray<SentPart> | (() => ReadonlyArray<SentPart>), string, string]>([
    ["no part at all", [], "400 VALIDATION_FAILED", "journey"],
    ["no journey (BAD-M4)", [photoPart()], "400 VALIDATION_FAILED", "journey"],
    [
      "journey twice (BAD-M5)",
      () => [jsonPart(body()), jsonPart(body()), photoPart()],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    [
      "customerFace twice (BAD-M6)",
      () => [jsonPart(body()), photoPart(), photoPart()],
      "400 VALIDATION_FAILED",
      "customerFace"
    ],
    ["an extra field", () => [jsonPart(body()), photoPart(), field("note", "x")], "400 VALIDATION_FAILED", "body"],
    [
      "a part named __proto__ (BAD-M7)",
      () => [field("__proto__", "x"), jsonPart(body()), photoPart()],
      "400 VALIDATION_FAILED",
      "body"
    ],
    [
      "a part named constructor (BAD-M7)",
      () => [field("constructor", "x"), jsonPart(body())],
      "400 VALIDATION_FAILED",
      "body"
    ],
    ["a part without a name (BAD-M7)", () => [field("", "x"), jsonPart(body())], "400 VALIDATION_FAILED", "body"],
    [
      "a part without a disposition",
      () => [part(["Content-Type: application/json"], "{}")],
      "400 VALIDATION_FAILED",
      "body"
    ],
    [
      "a part whose name writes from right to left",
      () => [field("\u{202e}x", "x"), jsonPart(body())],
      "400 VALIDATION_FAILED",
      "body"
    ],
    ["names in other letters", () => [jsonPart(body(), "Journey"), photoPart()], "400 VALIDATION_FAILED", "body"],
    [
      "journey as a file of another type (BAD-M9)",
      () => [journeyFile(JSON.stringify(body()), "text/plain"), photoPart()],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    [
      "journey as a file and once more",
      () => [journeyFile(JSON.stringify(body())), jsonPart(body()), photoPart()],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    [
      "journey as a file that is too large",
      () => [journeyFile(" ".repeat(524_289)), photoPart()],
      "413 PAYLOAD_TOO_LARGE",
      "journey"
    ],
    [
      "journey without a type (BAD-M9)",
      () => [field("journey", JSON.stringify(body())), photoPart()],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    [
      "journey as text (BAD-M9)",
      () => [
        part(['Content-Disposition: form-data; name="journey"', "Content-Type: text/plain"], JSON.stringify(body())),
        photoPart()
      ],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    [
      "journey in another character set",
      () => [journeyFile(JSON.stringify(body()), "application/json; charset=utf-16"), photoPart()],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    ["journey that is no JSON", [jsonPart("{"), photoPart()], "400 VALIDATION_FAILED", "body"],
    ["journey that is empty", [jsonPart(""), photoPart()], "400 VALIDATION_FAILED", "body"],
    [
      "customerFace as a field (BAD-M11)",
      () => [jsonPart(body()), field("customerFace", "x")],
      "400 CUSTOMER_FACE_REQUIRED",
      "customerFace"
    ],
    ["no customerFace", () => [jsonPart(body())], "400 CUSTOMER_FACE_REQUIRED", "customerFace"],
    [
      "no customerFace object (V10)",
      () => [jsonPart(changed(body(), { customerFace: undefined })), photoPart()],
      "400 VALIDATION_FAILED",
      "customerFace.source"
    ],
    [
      "a photo for a cash sale (V9)",
      () => [jsonPart(cash()), photoPart()],
      "400 CUSTOMER_FACE_NOT_USED",
      "customerFace"
    ],
    [
      "a photo in base64 (BAD-M13)",
      () => [
        jsonPart(body()),
        part(
          [
            'Content-Disposition: form-data; name="customerFace"; filename="f.jpg"',
            "Content-Type: image/jpeg",
            "Content-Transfer-Encoding: base64"
          ],
          jpeg().toString("base64")
        )
      ],
      "400 UNSUPPORTED_IMAGE_TYPE",
      "customerFace"
    ],
    [
      "an empty photo",
      () => [jsonPart(body()), photoPart(Buffer.alloc(0))],
      "400 UNSUPPORTED_IMAGE_TYPE",
      "customerFace"
    ],
    ["a GIF", () => [jsonPart(body()), photoPart(Buffer.from("GIF89a"))], "400 UNSUPPORTED_IMAGE_TYPE", "customerFace"],
    [
      "HTML called JPEG",
      () => [jsonPart(body()), photoPart(Buffer.from("<html>"), "image/jpeg")],
      "400 UNSUPPORTED_IMAGE_TYPE",
      "customerFace"
    ],
    [
      "a journey part of more than 512 KiB",
      () => [jsonPart(`${JSON.stringify(body())}${" ".repeat(600_000)}`), photoPart()],
      "413 PAYLOAD_TOO_LARGE",
      "journey"
    ]
  ])("are refused: %s", async (_, parts, expected, field) => {
    await refuses(ground, () => send(...(typeof parts === "function" ? parts() : parts)), expected, field)
  })

  it("of another journey may come as multipart, without a photo (V9)", async () => {
    for (const shape of ["CASH_SALE", "IDENTITY_DELIVERY", "FINANCE_SUBMIT_VIA_MIRA"] as const) {
      expect((await send(jsonPart(startBody(shape)))).status).toBe(202)
    }
  })
})

const good = () => multipartBytes([jsonPart(body()), photoPart()])

describe("a form that is none", () => {
  it.each<[string, string, () => Uint8Array]>([
    ["no boundary (BAD-M1)", "multipart/form-data", good],
    ["an empty boundary (BAD-M1)", "multipart/form-data; boundary=", good],
    [
      "a boundary of 71 characters (BAD-M1)",
      `multipart/form-data; boundary=${"b".repeat(71)}`,
      () => multipartBytes([jsonPart(body()), photoPart()], "b".repeat(71))
    ],
    [
      "a boundary of 5,000 characters (BAD-M1)",
      `multipart/form-data; boundary=${"b".repeat(5000)}`,
      () => multipartBytes([jsonPart(body())], "b".repeat(5000))
    ],
    ["a boundary with a space", "multipart/form-data; boundary=a-boundary b", good],
    ["a boundary whose quotation mark does not close", 'multipart/form-data; boundary="a-boundary', good],
    ["another boundary than the body's", "multipart/form-data; boundary=other", good],
    ["an empty body", "multipart/form-data; boundary=a-boundary", () => Buffer.alloc(0)],
    ["no form", "multipart/form-data; boundary=a-boundary", () => Buffer.from("hello")],
    ["no last boundary (BAD-M2)", "multipart/form-data; boundary=a-boundary", () => good().subarray(0, -20)],
    ["cut inside a part's headers", "multipart/form-data; boundary=a-boundary", () => good().subarray(0, 40)],
    [
      "a part header of 20 KB",
      "multipart/form-data; boundary=a-boundary",
      () => multipartBytes([jsonPart(body()), part([...photoPart().headers, `X-Long: ${"x".repeat(20_000)}`], jpeg())])
    ],
    [
      "a part header that is none",
      "multipart/form-data; boundary=a-boundary",
      () => Buffer.from("--a-boundary\r\nno header at all\r\n\r\nx\r\n--a-boundary--\r\n")
    ]
  ])("is refused: %s", async (_, contentType, bytes) => {
    await refuses(ground, () => sendBytes(contentType, bytes()), "400 VALIDATION_FAILED")
  })
})

describe("the content type of a form", () => {
  it.each(["multipart/form-data; boundary=a-boundary;", 'multipart/form-data; boundary="a-boundary" ; '])(
    "may end with a semicolon: %j",
    async (contentType) => {
      const sent = await sendBytes(contentType, multipartBytes([jsonPart(startBody("IDENTITY_DELIVERY"))]))
      expect(sent.status).toBe(202)
    }
  )
})

const large = (bytes: number) => multipartBytes([jsonPart(body()), photoPart(jpeg(bytes))])

describe("the 6 MiB a form may have", () => {
  it("are judged by the announced length, and the answer arrives", async () => {
    const bytes = large(7 * mebibyte)
    const connection = new RawConnection(ground.service)
    connection.read(false)
    await connection.write(
      `POST ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n` +
        `Content-Type: multipart/form-data; boundary=a-boundary\r\nIdempotency-Key: ${freshKey()}\r\n` +
        `Content-Length: ${bytes.length}\r\n\r\n`
    )
    await connection.write(bytes)
    connection.read(true)
    const { replies } = await connection.conversation()
    connection.close()
    expectRefusal(replies[0] ?? expect.fail("the answer was lost"), "413 PAYLOAD_TOO_LARGE", "body")
  })

  it.each<[string, () => ReadonlyArray<Uint8Array>]>([
    ["a photo of 20 MiB", () => [large(20 * mebibyte)]],
    ["a preamble of 10 MiB (BAD-M3)", () => [Buffer.alloc(10 * mebibyte, 0x20), Buffer.from("\r\n"), large(64)]],
    ["an epilogue of 10 MiB", () => [large(64), Buffer.alloc(10 * mebibyte, 0x20)]]
  ])("are counted as they come, in chunks: %s", async (_, pieces) => {
    const sendChunked = async () => {
      const connection = new RawConnection(ground.service)
      connection.read(false)
      await connection.write(
        `POST ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n` +
          `Content-Type: multipart/form-data; boundary=a-boundary\r\nIdempotency-Key: ${freshKey()}\r\n` +
          "Transfer-Encoding: chunked\r\n\r\n"
      )
      for (const piece of pieces()) {
        await connection.write(`${piece.length.toString(16)}\r\n`)
        await connection.write(piece)
        await connection.write("\r\n")
      }
      await connection.write("0\r\n\r\n")
      connection.read(true)
      const { replies } = await connection.conversation()
      connection.close()
      return replies[0] ?? expect.fail("the answer was lost")
    }
    await refuses(ground, sendChunked, "413 PAYLOAD_TOO_LARGE", "body")
  })

  it("is given leave to be sent", async () => {
    const bytes = large(1000)
    const head =
      `POST ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n` +
      `Content-Type: multipart/form-data; boundary=a-boundary\r\nIdempotency-Key: ${freshKey()}\r\n` +
      `Expect: 100-continue\r\nContent-Length: ${bytes.length}\r\n\r\n`
    const { interim, replies } = await raw(ground.service, Buffer.concat([Buffer.from(head), bytes]))
    expect([interim, replies[0]?.status]).toEqual([[100], 202])
  })
})
