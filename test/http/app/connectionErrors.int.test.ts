/** What the HTTP parser itself refuses under /app is a page, too, and for a script JSON. The envelope's side: malformedHttp.int.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { raw, type Reply } from "../../support/requests.ts"
import { startService, type Service } from "../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const answered = async (bytes: string): Promise<Reply> =>
  (await raw(service, bytes)).replies[0] ?? expect.fail("no answer came")

const host = "Host: journeys.example\r\n"
const many = Array.from({ length: 2500 }, (_, at) => `x-${at}: y\r\n`).join("")
const chunked = `${host}Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`

const refused: ReadonlyArray<[string, number, (path: string, more: string) => string]> = [
  ["a NUL in a header", 400, (path, more) => `GET ${path} HTTP/1.1\r\n${host}${more}X: a\0b\r\n\r\n`],
  [
    "two lengths",
    400,
    (path, more) => `POST ${path} HTTP/1.1\r\n${more}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`
  ],
  ["no host", 400, (path, more) => `GET ${path} HTTP/1.1\r\n${more}X: y\r\n\r\n`],
  ["2,500 headers", 431, (path, more) => `GET ${path} HTTP/1.1\r\n${host}${more}${many}\r\n`],
  ["a huge chunk extension", 413, (path, more) => `POST ${path} HTTP/1.1\r\n${more}${chunked}2;${"x".repeat(100_000)}`],
  ["a path that cannot be decoded", 404, (path, more) => `GET ${path}/%zz HTTP/1.1\r\n${host}${more}\r\n`],
  ["a semicolon in the path", 404, (path, more) => `GET ${path};a HTTP/1.1\r\n${host}${more}\r\n`],
  ["an unknown method", 405, (path, more) => `PURGE ${path} HTTP/1.1\r\n${host}${more}\r\n`]
]

describe("a request under /app that is refused before any page is asked", () => {
  it.each(refused)("is answered with a page and a way back: %s", async (_, status, bytes) => {
    const reply = await answered(bytes("/app/journey", ""))
    expect([reply.status, reply.header("content-type")]).toEqual([status, "text/html; charset=utf-8"])
    expect(reply.header("content-security-policy")).toContain("default-src 'none'")
    expect(reply.header("x-frame-options")).toBe("DENY")
    expect(reply.header("request-id")).not.toBeNull()
    expect(reply.text).toContain("<h1>")
    expect(reply.text).toContain(`href="/app/journey"`)
  })

  it.each(refused)("is answered with JSON when a script asks: %s", async (_, status, bytes) => {
    const reply = await answered(bytes("/app/journey", "Accept: application/json\r\n"))
    expect([reply.status, reply.header("content-type")]).toEqual([status, "application/json"])
    expect(reply.json).toMatchObject({ success: false, data: null })
    expect(reply.header("content-security-policy")).toContain("frame-ancestors 'none'")
  })
})

describe("a connection that never sent anything", () => {
  it("is closed without an answer, which a browser would take for that of its first request", async () => {
    const silent = await raw(service, "", { withinMillis: 20_000 })
    expect(silent).toEqual({ replies: [], interim: [], closed: true })
  })
})
