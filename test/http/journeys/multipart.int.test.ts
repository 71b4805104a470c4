import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../support/companies.ts"
import {
  jpeg,
  jsonPart,
  multipartBytes,
  photoPart,
  png,
  sendForm,
  startWithPhoto,
  type SentPart
} from "../../support/multipart.ts"
import { call, freshKey, raw, RawConnection, type Reply } from "../../support/requests.ts"
import { changed } from "../../schema/start/judge.ts"
import { expectRefusal, journeys, prepareGround, refuses, type Ground } from "./oracle.ts"

const mebibyte = 1024 * 1024

/** Other test runs use the same folder; a photo's temporary file would have none of their names. */
const temporaryFiles = () =>
  readdirSync(tmpdir()).filter((name) => !/^(journeys|bash_jobs|vitest|node-|test_|pg|v8-)/.test(name))

let ground: Ground
let filesBefore: ReadonlyArray<string>
beforeAll(async () => {
  filesBefore = temporaryFiles()
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const body = () => startBody("FINANCE_SALE")
const send = (...parts: ReadonlyArray<SentPart>) => sendForm(ground.service, ground.dealer.testKey, { parts })
const part = (headers: ReadonlyArray<string>, content: string | Uint8Array): SentPart => ({ headers, content })

/** A request with a content type and body of one's own. */
const sendBytes = (contentType: string, bytes: Uint8Array, idempotencyKey = freshKey()): Promise<Reply> =>
  call(ground.service, {
    key: ground.dealer.testKey,
    method: "POST",
    body: bytes,
    headers: { "content-type": contentType, "idempotency-key": idempotencyKey }
  })

describe("a FINANCE_SALE with its photo", () => {
  it("starts, whichever part comes first and whatever surrounds them", async () => {
    const good = multipartBytes([jsonPart(body()), photoPart()], "b")
    const replies = [
      await send(jsonPart(body()), photoPart()),
      await send(photoPart(), jsonPart(body())),
      await send(jsonPart(body()), photoPart(png(), "image/png")),
      await sendBytes("multipart/form-data; boundary=b", Buffer.concat([Buffer.from("a preamble\r\n"), good])),
      await sendBytes("multipart/form-data; boundary=b", Buffer.concat([good, Buffer.from("an epilogue\r\n")])),
      await sendBytes('Multipart/Form-Data; charset=utf-8; boundary="b"', good)
    ]
    expect(replies.map((reply) => `${reply.status} ${reply.code}`)).toEqual(replies.map(() => "202 null"))
    expect(replies[0]?.data).toMatchObject({
      type: "DELIVERY",
      delivery: { saleType: "FINANCE_SALE", status: "AWAITING_VIDEO" }
    })
  })

  it("starts when sent by the platform's own FormData", async () => {
    const form = new FormData()
    form.append("journey", new Blob([JSON.stringify(body())], { type: "application/json" }))
    form.append("customerFace", new Blob([jpeg()], { type: "image/jpeg" }), "face.jpg")
    const reply = await call(ground.service, {
      key: ground.dealer.testKey,
      method: "POST",
      body: form,
      headers: { "idempotency-key": freshKey() }
    })
    expect(reply.status).toBe(202)
  })

  it.each([
    "x",
    "b".repeat(70),
    "----WebKitFormBoundary7MA4YWxkTrZu0gW",
    "a-json-urlencoded-octet-stream-boundary",
    "'()+_,-./:=?"
  ])("may choose its boundary: %s", async (boundary) => {
    const parts = [jsonPart(body()), photoPart()]
    const reply = await sendBytes(`multipart/form-data; boundary="${boundary}"`, multipartBytes(parts, boundary))
    expect(`${reply.status} ${reply.code}`).toBe("202 null")
  })

  it("M21 may hold what looks like a boundary in its photo", async () => {
    const parts = ["\r\n--a-boundar", "--a-boundary", "\n--a-boundary--", "\r\n--a-boundarx\r\n", "\r\n\r\n-", "\r"]
    for (const text of parts) {
      const reply = await send(jsonPart(body()), photoPart(Buffer.concat([jpeg(), Buffer.from(text), jpeg()])))
      expect(reply.status, JSON.stringify(text)).toBe(202)
    }
  })

  it.each([
    ['filename="a;b.jpg"'],
    ['filename="a\\"b.jpg"'],
    ["filename=face.jpg"],
    ['filename="face.jpg";size=3'],
    ["filename*=UTF-8''f%C3%A4ce.jpg"],
    ['filename="../../etc/passwd"'],
    ['filename="fäce.jpg"']
  ])("may have any file name: %s", async (name) => {
    const photo = part(
      [`Content-Disposition: form-data; name="customerFace"; ${name}`, "Content-Type: image/jpeg"],
      jpeg()
    )
    expect((await send(jsonPart(body()), photo)).status).toBe(202)
  })

  it("M17 is judged by its bytes, not by its label (pinned)", async () => {
    for (const type of ["image/png", "image/gif", "application/octet-stream", "text/plain"]) {
      expect((await send(jsonPart(body()), photoPart(jpeg(), type))).status).toBe(202)
    }
    const unlabelled = part(['Content-Disposition: form-data; name="customerFace"; filename="f"'], jpeg())
    expect((await send(jsonPart(body()), unlabelled)).status).toBe(202)
  })

  it("M15 may have 5 MiB to the byte, and not one more", async () => {
    expect((await send(jsonPart(body()), photoPart(jpeg(5 * mebibyte)))).status).toBe(202)
    await refuses(
      ground,
      () => send(jsonPart(body()), photoPart(jpeg(5 * mebibyte + 1))),
      "400 VALIDATION_FAILED",
      "customerFace"
    )
  })
})

describe("sent again", () => {
  it("K15 is the same with another boundary and another order of parts, and not with one byte changed", async () => {
    const idempotencyKey = freshKey()
    const first = await startWithPhoto(ground.service, ground.dealer.testKey, body(), jpeg(), idempotencyKey)
    expect(first.status).toBe(202)
    const again = (parts: ReadonlyArray<SentPart>, boundary = "another") =>
      sendForm(ground.service, ground.dealer.testKey, { parts, boundary, idempotencyKey })
    const spelled = JSON.stringify(Object.fromEntries(Object.entries(body()).toReversed()), null, 2)
    for (const parts of [
      [jsonPart(body()), photoPart()],
      [photoPart(), jsonPart(body())],
      [jsonPart(spelled), photoPart(jpeg(), "image/png")]
    ]) {
      const reply = await again(parts)
      expect([reply.status, reply.header("idempotent-replayed"), reply.data.id]).toEqual([200, "true", first.data.id])
    }
    const otherPhoto = jpeg()
    otherPhoto[otherPhoto.length - 1] = 8
    await refuses(ground, () => again([jsonPart(body()), photoPart(otherPhoto)]), "409 IDEMPOTENCY_KEY_REUSED")
    await refuses(ground, () => again([jsonPart(body()), photoPart(jpeg(65))]), "409 IDEMPOTENCY_KEY_REUSED")
    const other = changed(body(), { "customer.firstName": "Ann" })
    await refuses(ground, () => again([jsonPart(other), photoPart()]), "409 IDEMPOTENCY_KEY_REUSED")
    await refuses(
      ground,
      () =>
        call(ground.service, {
          key: ground.dealer.testKey,
          body: body(),
          headers: { "idempotency-key": idempotencyKey }
        }),
      "409 IDEMPOTENCY_KEY_REUSED"
    )
  })

  it("20 times at once is one journey", async () => {
    const idempotencyKey = freshKey()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        sendForm(ground.service, ground.dealer.testKey, {
          parts: [jsonPart(body()), photoPart(jpeg(100_000))],
          boundary: `boundary-${at}`,
          idempotencyKey
        })
      )
    )
    expect(replies.filter((reply) => reply.status === 202)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(19)
    expect(new Set(replies.map((reply) => reply.data.id)).size).toBe(1)
  })
})

const cash = () => startBody("CASH_SALE")
const field = (name: string, content: string) => part([`Content-Disposition: form-data; name="${name}"`], content)

describe("parts", () => {
  it.each<[string, ReadonlyArray<SentPart> | (() => ReadonlyArray<SentPart>), string, string]>([
    ["no part at all", [], "400 VALIDATION_FAILED", "journey"],
    ["M4 no journey", [photoPart()], "400 VALIDATION_FAILED", "journey"],
    ["M5 journey twice", () => [jsonPart(body()), jsonPart(body()), photoPart()], "400 VALIDATION_FAILED", "journey"],
    [
      "M6 customerFace twice",
      () => [jsonPart(body()), photoPart(), photoPart()],
      "400 VALIDATION_FAILED",
      "customerFace"
    ],
    ["an extra field", () => [jsonPart(body()), photoPart(), field("note", "x")], "400 VALIDATION_FAILED", "body"],
    [
      "M7 a part named __proto__",
      () => [field("__proto__", "x"), jsonPart(body()), photoPart()],
      "400 VALIDATION_FAILED",
      "body"
    ],
    [
      "M7 a part named constructor",
      () => [field("constructor", "x"), jsonPart(body())],
      "400 VALIDATION_FAILED",
      "body"
    ],
    ["M7 a part without a name", () => [field("", "x"), jsonPart(body())], "400 VALIDATION_FAILED", "body"],
    [
      "a part without a disposition",
      () => [part(["Content-Type: application/json"], "{}")],
      "400 VALIDATION_FAILED",
      "body"
    ],
    ["names in other letters", () => [jsonPart(body(), "Journey"), photoPart()], "400 VALIDATION_FAILED", "body"],
    [
      "M9 journey as a file",
      () => [
        part(
          ['Content-Disposition: form-data; name="journey"; filename="j.json"', "Content-Type: application/json"],
          JSON.stringify(body())
        ),
        photoPart()
      ],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    [
      "M9 journey without a type",
      () => [field("journey", JSON.stringify(body())), photoPart()],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    [
      "M9 journey as text",
      () => [
        part(['Content-Disposition: form-data; name="journey"', "Content-Type: text/plain"], JSON.stringify(body())),
        photoPart()
      ],
      "400 VALIDATION_FAILED",
      "journey"
    ],
    ["journey that is no JSON", [jsonPart("{"), photoPart()], "400 VALIDATION_FAILED", "body"],
    ["journey that is empty", [jsonPart(""), photoPart()], "400 VALIDATION_FAILED", "body"],
    [
      "M11 customerFace as a field",
      () => [jsonPart(body()), field("customerFace", "x")],
      "400 CUSTOMER_FACE_REQUIRED",
      "customerFace"
    ],
    ["no customerFace", () => [jsonPart(body())], "400 CUSTOMER_FACE_REQUIRED", "customerFace"],
    [
      "V10 no customerFace object",
      () => [jsonPart(changed(body(), { customerFace: undefined })), photoPart()],
      "400 VALIDATION_FAILED",
      "customerFace.source"
    ],
    ["V9 a photo for a cash sale", () => [jsonPart(cash()), photoPart()], "400 CUSTOMER_FACE_NOT_USED", "customerFace"],
    [
      "M13 a photo in base64",
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

  it("V9 of another journey may come as multipart, without a photo", async () => {
    for (const shape of ["CASH_SALE", "IDENTITY_DELIVERY", "FINANCE_SUBMIT_VIA_MIRA"] as const) {
      expect((await send(jsonPart(startBody(shape)))).status).toBe(202)
    }
  })
})

describe("a form that is none", () => {
  const good = () => multipartBytes([jsonPart(body()), photoPart()])

  it.each<[string, string, () => Uint8Array]>([
    ["M1 no boundary", "multipart/form-data", good],
    ["M1 an empty boundary", "multipart/form-data; boundary=", good],
    [
      "M1 a boundary of 71 characters",
      `multipart/form-data; boundary=${"b".repeat(71)}`,
      () => multipartBytes([jsonPart(body()), photoPart()], "b".repeat(71))
    ],
    [
      "M1 a boundary of 5,000 characters",
      `multipart/form-data; boundary=${"b".repeat(5000)}`,
      () => multipartBytes([jsonPart(body())], "b".repeat(5000))
    ],
    ["another boundary than the body's", "multipart/form-data; boundary=other", good],
    ["an empty body", "multipart/form-data; boundary=a-boundary", () => Buffer.alloc(0)],
    ["no form", "multipart/form-data; boundary=a-boundary", () => Buffer.from("hello")],
    ["M2 no last boundary", "multipart/form-data; boundary=a-boundary", () => good().subarray(0, -20)],
    ["cut inside a part's headers", "multipart/form-data; boundary=a-boundary", () => good().subarray(0, 40)],
    [
      "a part header that is none",
      "multipart/form-data; boundary=a-boundary",
      () => Buffer.from("--a-boundary\r\nno header at all\r\n\r\nx\r\n--a-boundary--\r\n")
    ]
  ])("is refused: %s", async (_, contentType, bytes) => {
    await refuses(ground, () => sendBytes(contentType, bytes()), "400 VALIDATION_FAILED")
  })
})

describe("the 6 MiB a form may have", () => {
  const large = (bytes: number) => multipartBytes([jsonPart(body()), photoPart(jpeg(bytes))])

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
    ["M3 a preamble of 10 MiB", () => [Buffer.alloc(10 * mebibyte, 0x20), Buffer.from("\r\n"), large(64)]],
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

describe("M19 a client that stops in the middle of its photo", () => {
  it("leaves nothing, and can send it again with the same key", async () => {
    const idempotencyKey = freshKey()
    const bytes = multipartBytes([jsonPart(body()), photoPart(jpeg(2 * mebibyte))])
    const before = await ground.service.query("select count(*) from journeys")
    for (let round = 0; round < 5; round++) {
      const connection = new RawConnection(ground.service)
      await connection.write(
        `POST ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n` +
          `Content-Type: multipart/form-data; boundary=a-boundary\r\nIdempotency-Key: ${idempotencyKey}\r\n` +
          `Content-Length: ${bytes.length}\r\n\r\n`
      )
      await connection.write(bytes.subarray(0, mebibyte))
      connection.close()
    }
    expect(await ground.service.query("select count(*) from journeys")).toEqual(before)
    const reply = await sendBytes("multipart/form-data; boundary=a-boundary", bytes, idempotencyKey)
    expect(reply.status).toBe(202)
  })
})

// Last, for it looks back on everything above.
describe("the disk", () => {
  it("has seen no photo", () => {
    expect(temporaryFiles()).toEqual(filesBefore)
  })
})
