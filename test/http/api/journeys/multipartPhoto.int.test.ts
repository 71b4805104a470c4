import { readdirSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startBody } from "../../../support/companies.ts"
import {
  jpeg,
  jsonPart,
  multipartBytes,
  part,
  photoPart,
  png,
  sendForm,
  sendFormBytes,
  startWithPhoto,
  type SentPart
} from "../../../support/multipart.ts"
import { call, freshKey, RawConnection, type Reply } from "../../../support/requests.ts"
import { changed } from "../../../schema/start/judge.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"

/** A temporary folder of this file's own, named before any module asks where the temporary folder is. */
const temporaryFolder = await vi.hoisted(async () => {
  const { mkdtempSync } = await import("node:fs")
  const { tmpdir } = await import("node:os")
  const folder = mkdtempSync(`${tmpdir()}/journeys-photos-`)
  process.env["TMPDIR"] = folder
  return folder
})

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

  it("may have bytes in its photo that look like a boundary (BAD-M21)", async () => {
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

  it("is judged by the bytes of the photo and not by its label (BAD-M17)", async () => {
    for (const type of ["image/png", "image/gif", "application/octet-stream", "text/plain"]) {
      expect((await send(jsonPart(body()), photoPart(jpeg(), type))).status).toBe(202)
    }
    const unlabelled = part(['Content-Disposition: form-data; name="customerFace"; filename="f"'], jpeg())
    expect((await send(jsonPart(body()), unlabelled)).status).toBe(202)
  })

  it("may have a photo of exactly 5 MiB, and not one byte more (BAD-M15)", async () => {
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
  it("is the same start with another boundary and another order of parts, and a different one with one byte changed (BAD-K15)", async () => {
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

describe("a client that stops in the middle of its photo (BAD-M19)", () => {
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
describe("the temporary folder", () => {
  it("has seen no photo", () => {
    expect(readdirSync(temporaryFolder)).toEqual([])
  })
})
