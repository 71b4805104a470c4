/** Requests that follow one another on a connection, with one between them that is no HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../support/companies.ts"
import { call, freshKey, RawConnection, type Conversation } from "../../support/requests.ts"
import { journeys, prepareGround, type Ground } from "../api/journeys/oracle.ts"

let ground: Ground

beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const common = () => `Host: journeys.example\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n`

const aStart = () => {
  const text = JSON.stringify(startBody("IDENTITY_DELIVERY"))
  const length = Buffer.byteLength(text)
  return `POST ${journeys} HTTP/1.1\r\n${common()}Content-Type: application/json\r\nIdempotency-Key: ${freshKey()}\r\nContent-Length: ${length}\r\n\r\n${text}`
}

const aList = () => `GET ${journeys}?size=1 HTTP/1.1\r\n${common()}\r\n`

/** All bytes in one write: the parser meets the last of them while the first start is being made. */
const conversation = async (bytes: string): Promise<Conversation> => {
  const connection = new RawConnection(ground.service)
  await connection.write(bytes)
  const all = await connection.conversation({ answers: Number.POSITIVE_INFINITY })
  connection.close()
  return all
}

const journeyCount = async (): Promise<number> =>
  (await call(ground.service, { key: ground.dealer.testKey, path: `${journeys}?size=1` })).data.totalElements

const outcomes = ({ replies }: Conversation) => replies.map(({ code, status }) => `${status} ${code ?? ""}`.trim())

describe("what is wrong behind a start on the same connection", () => {
  it.each<[string, string, () => string]>([
    ["garbage", "400 VALIDATION_FAILED", () => "GARBAGE\r\n\r\n"],
    ["a body longer than its announced length", "400 VALIDATION_FAILED", () => '{"type": "DELIVERY"}'],
    [
      "headers over their limit",
      "431 HEADERS_TOO_LARGE",
      () => `GET ${journeys} HTTP/1.1\r\n${common()}X: ${"a".repeat(20_000)}\r\n\r\n`
    ],
    ["CONNECT", "405 METHOD_NOT_ALLOWED", () => `CONNECT journeys.example:443 HTTP/1.1\r\n${common()}\r\n`]
  ])("is refused after the answer to the start: %s (BAD-H30)", async (_, expected, wrong) => {
    const before = await journeyCount()
    const talk = await conversation(`${aStart()}${wrong()}`)
    expect(outcomes(talk)).toEqual(["202", expected])
    expect(talk.closed).toBe(true)
    expect(await journeyCount()).toBe(before + 1)
  })

  it("leaves every request before it its answer, and what follows it is not read", async () => {
    const before = await journeyCount()
    const talk = await conversation(`${aStart()}${aList()}${aStart()}GARBAGE\r\n\r\n${aStart()}`)
    expect(outcomes(talk)).toEqual(["202", "200", "202", "400 VALIDATION_FAILED"])
    expect(await journeyCount()).toBe(before + 2)
  })

  it("is answered once, however many bytes follow it", async () => {
    const connection = new RawConnection(ground.service)
    await connection.write(`${aStart()}GARBAGE\r\n\r\n`)
    for (let more = 0; more < 20; more++) await connection.write("MORE GARBAGE\r\n\r\n")
    const talk = await connection.conversation({ answers: Number.POSITIVE_INFINITY })
    expect(outcomes(talk)).toEqual(["202", "400 VALIDATION_FAILED"])
  })

  it("is answered at once when it stands in a body that still comes", async () => {
    const chunks = aStart().replace(/Content-Length[^]*$/, "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n")
    const talk = await conversation(`${aList()}${chunks}`)
    expect(outcomes(talk)).toEqual(["200", "400 VALIDATION_FAILED"])
  })
})
