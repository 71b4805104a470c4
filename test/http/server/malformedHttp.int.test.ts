import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../support/companies.ts"
import { call, freshKey, raw, RawConnection, start, type Reply } from "../../support/requests.ts"
import { expectRefusal, journeys, prepareGround, refuses, type Ground } from "../api/journeys/oracle.ts"

let ground: Ground
let id: string

beforeAll(async () => {
  ground = await prepareGround()
  id = (await start(ground.service, ground.dealer.testKey, startBody("IDENTITY_DELIVERY"))).data.id
})
afterAll(() => ground.service.stop())

const common = () => `Host: journeys.example\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n`
const json = () => `Content-Type: application/json\r\nIdempotency-Key: ${freshKey()}\r\n`
const chunked = () => `POST ${journeys} HTTP/1.1\r\n${common()}${json()}Transfer-Encoding: chunked\r\n\r\n`

const answered = async (bytes: string): Promise<Reply> => {
  const { replies } = await raw(ground.service, bytes)
  return replies[0] ?? expect.fail("no answer came")
}

describe("a request that is no HTTP, or doubtful HTTP", () => {
  it.each<[string, string, () => string]>([
    ["garbage (BAD-H1)", "400 VALIDATION_FAILED", () => "GARBAGE\r\n\r\n"],
    ["the preface of HTTP/2 (BAD-H1)", "400 VALIDATION_FAILED", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown version", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/9.9\r\n${common()}\r\n`],
    ["the version of HTTP/2", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/2.0\r\n${common()}\r\n`],
    ["the version of HTTP/0.9", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/0.9\r\n${common()}\r\n`],
    ["a target of one asterisk", "404 NOT_FOUND", () => `GET * HTTP/1.1\r\n${common()}\r\n`],
    ["an asterisk before a path", "404 NOT_FOUND", () => `GET *${journeys.slice(1)} HTTP/1.1\r\n${common()}\r\n`],
    [
      "compressed chunks",
      "400 VALIDATION_FAILED",
      () => `${chunked().replace("chunked", "gzip, chunked")}2\r\n{}\r\n0\r\n\r\n`
    ],
    ["lines ending in LF alone", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/1.1\nHost: x\n\n`],
    ["a NUL in a header", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/1.1\r\n${common()}X: a\0b\r\n\r\n`],
    ["a folded header", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/1.1\r\n${common()}X: a\r\n b\r\n\r\n`],
    ["a space before the colon", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/1.1\r\n${common()}X : a\r\n\r\n`],
    [
      "2,500 headers (BAD-H3)",
      "431 HEADERS_TOO_LARGE",
      () =>
        `GET ${journeys} HTTP/1.1\r\n${common()}${Array.from({ length: 2500 }, (_, at) => `x-${at}: y\r\n`).join("")}\r\n`
    ],
    [
      "two lengths (BAD-H5)",
      "400 VALIDATION_FAILED",
      () => `POST ${journeys} HTTP/1.1\r\n${common()}${json()}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`
    ],
    [
      "a length and chunks",
      "400 VALIDATION_FAILED",
      () =>
        `POST ${journeys} HTTP/1.1\r\n${common()}${json()}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    ],
    ["a chunk of no size (BAD-H7)", "400 VALIDATION_FAILED", () => `${chunked()}zz\r\n{}\r\n0\r\n\r\n`],
    ["a second chunk of no size (BAD-H7)", "400 VALIDATION_FAILED", () => `${chunked()}2\r\n{}\r\nzz\r\n`],
    ["a chunk of more than 2^64 bytes (BAD-H7)", "400 VALIDATION_FAILED", () => `${chunked()}fffffffffffffffff\r\n`],
    ["a huge chunk extension (BAD-H7)", "413 PAYLOAD_TOO_LARGE", () => `${chunked()}2;${"x".repeat(100_000)}`],
    ["two hosts (BAD-H9)", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/1.1\r\n${common()}Host: b\r\n\r\n`],
    ["no host", "400 VALIDATION_FAILED", () => `GET ${journeys} HTTP/1.1\r\nX: y\r\n\r\n`],
    [
      "a target of 20 KB (BAD-H11)",
      "431 HEADERS_TOO_LARGE",
      () => `GET ${journeys}?externalReference=${"a".repeat(20_000)} HTTP/1.1\r\n${common()}\r\n`
    ],
    ["%zz (BAD-H17)", "404 NOT_FOUND", () => `GET ${journeys}/%zz HTTP/1.1\r\n${common()}\r\n`],
    ["%ff (BAD-H17)", "404 NOT_FOUND", () => `GET ${journeys}/%ff HTTP/1.1\r\n${common()}\r\n`],
    ["an encoded slash", "404 JOURNEY_NOT_FOUND", () => `GET ${journeys}/a%2Fb HTTP/1.1\r\n${common()}\r\n`],
    ["dots", "404 NOT_FOUND", () => `GET ${journeys}/../../../etc/passwd HTTP/1.1\r\n${common()}\r\n`],
    ["a semicolon in the path", "404 NOT_FOUND", () => `GET ${journeys};status=ACTIVE HTTP/1.1\r\n${common()}\r\n`],
    ["CONNECT", "405 METHOD_NOT_ALLOWED", () => `CONNECT journeys.example:443 HTTP/1.1\r\n${common()}\r\n`],
    ["an unknown path", "404 NOT_FOUND", () => `GET /api/v2/journeys HTTP/1.1\r\n${common()}\r\n`],
    ["other letters in the path", "404 NOT_FOUND", () => `GET /API/v1/journeys HTTP/1.1\r\n${common()}\r\n`]
  ])("is refused in the envelope: %s", async (_, expected, bytes) => {
    await refuses(ground, () => answered(bytes()), expected)
  })

  it("loses the connection where the parser lost its place", async () => {
    const connection = new RawConnection(ground.service)
    await connection.write("GARBAGE\r\n\r\n")
    expect(await connection.closes()).toBe(true)
  })

  it("may come by HTTP/1.0 without a host", async () => {
    const reply = await answered(`GET ${journeys} HTTP/1.0\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n\r\n`)
    expect(reply.status).toBe(200)
  })
})

describe("methods and paths", () => {
  it.each([
    ["DELETE", () => `${journeys}/${id}`, "GET, HEAD"],
    ["DELETE", () => `${journeys}/${id}/`, "GET, HEAD"],
    ["DELETE", () => `//api//v1/journeys/${id}`, "GET, HEAD"],
    ["PATCH", () => `${journeys}/${id}/cancel`, "POST"],
    ["GET", () => `${journeys}/${id}/simulate`, "POST"],
    ["PUT", () => journeys, "POST, GET, HEAD"],
    ["TRACE", () => journeys, "POST, GET, HEAD"],
    ["QUERY", () => journeys, "POST, GET, HEAD"],
    ["OPTIONS", () => journeys, "POST, GET, HEAD"]
  ])("%s is answered with the methods that the path has (BAD-H13)", async (method, path, allow) => {
    const reply = await refuses(
      ground,
      () => answered(`${method} ${path()} HTTP/1.1\r\n${common()}\r\n`),
      "405 METHOD_NOT_ALLOWED"
    )
    expect(reply.header("allow")).toBe(allow)
  })

  it.each([
    ["GET", `${journeys}/validate`, "POST"],
    ["DELETE", `${journeys}/validate/`, "POST"],
    ["GET", "/settings/v1/companies/x/journeys/search", "POST"],
    ["DELETE", "/settings/v1/companies/x/members/y/passkeys/options", "POST"],
    ["GET", "/app/video-uploads/challenge", "POST"]
  ])("%s %s asks for nothing whose id is the last word of the path", async (method, path, allow) => {
    const reply = await answered(`${method} ${path} HTTP/1.1\r\n${common()}\r\n`)
    expect(`${reply.status} ${reply.header("allow")}`).toBe(`405 ${allow}`)
  })

  it.each(["//api/v1/journeys", "/api/v1/journeys/", "/api//v1///journeys//"])(
    "doubled and trailing slashes lead to the same path: %s (BAD-H15)",
    async (path) => {
      const reply = await answered(`GET ${path}?size=1 HTTP/1.1\r\n${common()}\r\n`)
      expect(reply.status).toBe(200)
      expect(reply.data.size).toBe(1)
    }
  )

  it("HEAD is GET without the body", async () => {
    const get = await call(ground.service, { key: ground.dealer.testKey, path: `${journeys}/${id}` })
    const head = await call(ground.service, { method: "HEAD", key: ground.dealer.testKey, path: `${journeys}/${id}` })
    expect([head.status, head.text]).toEqual([200, ""])
    expect(head.header("content-length")).toBe(String(Buffer.byteLength(get.text)))
  })

  it("no answer gives access to a page of another origin (BAD-H31)", async () => {
    const preflight = `OPTIONS ${journeys} HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization\r\n\r\n`
    const simple = `GET ${journeys} HTTP/1.1\r\n${common()}Origin: https://evil.example\r\n\r\n`
    for (const bytes of [preflight, simple]) {
      const reply = await answered(bytes)
      for (const name of ["origin", "methods", "headers", "credentials"]) {
        expect(reply.header(`access-control-allow-${name}`)).toBeNull()
      }
    }
  })
})

const startText = () => JSON.stringify(startBody("IDENTITY_DELIVERY"))

const send = (type: string | null, path = journeys, text = startText()) =>
  answered(
    `POST ${path} HTTP/1.1\r\n${common()}${type === null ? "" : `Content-Type: ${type}\r\n`}Idempotency-Key: ${freshKey()}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  )

describe("content types", () => {
  it.each([
    null,
    "",
    "text/plain",
    "text/json",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "multipart/mixed; boundary=x",
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/json, text/plain"
  ])("refuses a start of type %j (BAD-H25, BAD-H27)", async (type) => {
    await refuses(ground, () => send(type), "415 UNSUPPORTED_MEDIA_TYPE", "body")
  })

  it.each(["gzip", "br", "identity, gzip"])("refuses a body in the encoding %s", async (encoding) => {
    const type = `application/json\r\nContent-Encoding: ${encoding}`
    await refuses(ground, () => send(type), "415 UNSUPPORTED_MEDIA_TYPE", "body")
  })

  it("takes a body that says it has no encoding", async () => {
    expect((await send("application/json\r\nContent-Encoding: identity")).status).toBe(202)
  })

  it.each(["text/plain", null, "multipart/form-data; boundary=x", "application/json;charset=utf-16"])(
    "refuses an operation as %j",
    async (type) => {
      const reason = JSON.stringify({ reason: "a reason long enough" })
      await refuses(ground, () => send(type, `${journeys}/${id}/cancel`, reason), "415 UNSUPPORTED_MEDIA_TYPE", "body")
    }
  )

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; foo=bar"
  ])("takes %s", async (type) => {
    expect((await send(type)).status).toBe(202)
  })
})

const post = (headers: string) =>
  `POST ${journeys} HTTP/1.1\r\n${common()}${json()}${headers}Content-Length: ${Buffer.byteLength(startText())}\r\n\r\n`

describe("what HTTP offers beside", () => {
  it("leave to send a body is given to clients that ask for it", async () => {
    const { interim, replies } = await raw(ground.service, `${post("Expect: 100-continue\r\n")}${startText()}`)
    expect([interim, replies[0]?.status]).toEqual([[100], 202])
  })

  it("leave to send a body is not given for a body over the limit, or without a key (BAD-H23)", async () => {
    const asking = `POST ${journeys} HTTP/1.1\r\n${common()}${json()}Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n`
    const large = await raw(ground.service, asking)
    expect(large.interim).toEqual([])
    expectRefusal(large.replies[0] ?? expect.fail("no answer"), "413 PAYLOAD_TOO_LARGE", "body")
    const stranger = await raw(ground.service, post("Expect: 100-continue\r\n").replace(ground.dealer.testKey, "x"))
    expect(stranger.interim).toEqual([])
    expectRefusal(stranger.replies[0] ?? expect.fail("no answer"), "401 INVALID_API_KEY")
  })

  it("an unknown expectation is ignored", async () => {
    expect((await answered(`${post("Expect: a-miracle\r\n")}${startText()}`)).status).toBe(202)
  })

  it.each(["h2c", "websocket", "h3, h2c"])(
    "an offer to speak %s is ignored, with a body of any framing",
    async (other) => {
      const offer = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${other}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`
      expect((await answered(`${post(offer)}${startText()}`)).status).toBe(202)
      const bytes = `POST ${journeys} HTTP/1.1\r\n${common()}${json()}${offer}Transfer-Encoding: chunked\r\n\r\n`
      const size = Buffer.byteLength(startText()).toString(16)
      expect((await answered(`${bytes}${size}\r\n${startText()}\r\n0\r\n\r\n`)).status).toBe(202)
    }
  )
})
