import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../support/companies.ts"
import { call, freshKey, raw, RawConnection, start, type Reply } from "../../support/requests.ts"
import { journeys, prepareGround, refuses, type Ground } from "../api/journeys/oracle.ts"

const mebibyte = 1024 * 1024

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const head = (framing: string, key = ground.dealer.testKey) =>
  `POST ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
  `Idempotency-Key: ${freshKey()}\r\n${framing}\r\n\r\n`

const piece = Buffer.alloc(64 * 1024, 0x20)

/** Writes everything before it reads anything, as the plainest of clients do. */
const writeThenRead = async (first: string, bytes: number, last = ""): Promise<Reply> => {
  const connection = new RawConnection(ground.service)
  connection.read(false)
  await connection.write(first)
  for (let left = bytes; left > 0; left -= piece.length) await connection.write(piece.subarray(0, left))
  if (last !== "") await connection.write(last)
  connection.read(true)
  const { replies } = await connection.conversation()
  connection.close()
  return replies[0] ?? expect.fail("the answer was lost")
}

const padded = (bytes: number) => {
  const text = JSON.stringify(startBody("IDENTITY_DELIVERY"))
  return text + " ".repeat(bytes - Buffer.byteLength(text))
}

describe("a JSON body", () => {
  it("may have exactly 1 MiB, and not one byte more", async () => {
    expect((await start(ground.service, ground.dealer.testKey, padded(mebibyte))).status).toBe(202)
    await refuses(
      ground,
      () => start(ground.service, ground.dealer.testKey, padded(mebibyte + 1)),
      "413 PAYLOAD_TOO_LARGE",
      "body"
    )
  })

  it("is the same start whether it was large, and read on the thread, or small (I2)", async () => {
    const { service, dealer } = ground
    const key = freshKey()
    const large = padded(mebibyte)
    const first = await start(service, dealer.testKey, large, key)
    expect(first.status).toBe(202)
    const again = await start(service, dealer.testKey, large.trim(), key)
    expect([again.status, again.header("idempotent-replayed"), again.data.id]).toEqual([200, "true", first.data.id])
  })

  it.each([1, 6, 20, 200])(
    "of more than %i MiB is refused with an answer that arrives (BAD-H21, BAD-J13)",
    async (size) => {
      const bytes = size * mebibyte + 1
      await refuses(
        ground,
        () => writeThenRead(head(`Content-Length: ${bytes}`), bytes),
        "413 PAYLOAD_TOO_LARGE",
        "body"
      )
    }
  )

  it.each([2, 20])("of %i MiB in chunks is refused with an answer that arrives (BAD-H7)", async (size) => {
    const bytes = size * mebibyte
    await refuses(
      ground,
      () => writeThenRead(`${head("Transfer-Encoding: chunked")}${bytes.toString(16)}\r\n`, bytes, "\r\n0\r\n\r\n"),
      "413 PAYLOAD_TOO_LARGE",
      "body"
    )
  })

  it("that never ends is refused as soon as its sender pauses", async () => {
    await refuses(
      ground,
      () => writeThenRead(`${head("Transfer-Encoding: chunked")}ffffffff\r\n`, 3 * mebibyte),
      "413 PAYLOAD_TOO_LARGE",
      "body"
    )
  })

  it("of a stranger is answered, too", async () => {
    const bytes = 20 * mebibyte
    await refuses(
      ground,
      () => writeThenRead(head(`Content-Length: ${bytes}`, "nobody"), bytes),
      "413 PAYLOAD_TOO_LARGE",
      "body"
    )
  })

  it("of a size that is refused for another reason is answered, too", async () => {
    const bytes = 20 * mebibyte
    const post = `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`
    await refuses(ground, () => writeThenRead(post, bytes), "404 NOT_FOUND", "path")
  })

  it("with a name of 900 KB is refused, and the answer cuts the name short (BAD-J23)", async () => {
    const reply = await refuses(
      ground,
      () =>
        start(ground.service, ground.dealer.testKey, { ...startBody("IDENTITY_DELIVERY"), ["n".repeat(900_000)]: 1 }),
      "400 VALIDATION_FAILED"
    )
    expect(reply.text.length).toBeLessThan(2000)
  })

  it("with a name of 1 MB is refused as too large (BAD-J23)", async () => {
    await refuses(
      ground,
      () => start(ground.service, ground.dealer.testKey, { ["n".repeat(1_100_000)]: 1 }),
      "413 PAYLOAD_TOO_LARGE"
    )
  })
})

describe("the connection of a refused upload", () => {
  it("serves the next request", async () => {
    const bytes = 2 * mebibyte
    const get = `GET ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n\r\n`
    const all = Buffer.concat([
      Buffer.from(head(`Content-Length: ${bytes}`)),
      Buffer.alloc(bytes, 0x20),
      Buffer.from(get)
    ])
    const { replies } = await raw(ground.service, all, { answers: 2 })
    expect(replies.map((reply) => reply.status)).toEqual([413, 200])
  })

  it("may be cut by the client at any moment", async () => {
    const connection = new RawConnection(ground.service)
    await connection.write(head(`Content-Length: ${2 * mebibyte}`))
    await connection.write(piece)
    connection.close()
    expect((await call(ground.service, { key: ground.dealer.testKey })).status).toBe(200)
  })
})
