/** The client in Python: it repeats by the same rules as the one in TypeScript, and refuses the same mistakes before it sends. */
import { expect, it } from "vitest"
import { canSkipPython, inPython } from "./pythonTransport.ts"
import { done, page, refused, type Reply } from "./standIns.ts"

const content = (entry: string): Reply => ({
  status: 200,
  body: { success: true, data: { content: [entry], next: "1" } }
})
const date = "Tue, 03 Nov 2026 10:00:00 GMT"

it.skipIf(canSkipPython)("repeats what may be repeated, keeps its key, and says what came of it", async () => {
  const { server, value } = await inPython(
    {
      "/lost": ["lost", refused(500, "INTERNAL_ERROR"), done],
      "/once": ["lost", done],
      "/later": [refused(503, "TEMPORARILY_UNAVAILABLE", { "retry-after": "0" }), done],
      "/long": [refused(429, "RATE_LIMITED", { "retry-after": "61" })],
      "/none": [refused(404, "JOURNEY_NOT_FOUND", { link: '</docs/errors/JOURNEY_NOT_FOUND>; rel="help"' })],
      "/slow": ["silent", "silent"],
      "/pages": [content("a"), content("b")]
    },
    `{
    **{path: outcome("POST", path, is_keyed=path == "/lost") for path in ("/lost", "/once", "/later", "/long", "/none")},
    "/slow": outcome("GET", "/slow", by=client_of(timeout=0.2), retries=1),
    "/pages": list(listing.Listing(lambda turn: client.call("GET", "/pages", query=turn), {"after": "0"}, "after"))
}`
  )
  expect(value).toEqual({
    "/lost": "data",
    "/once": expect.objectContaining({ name: "ConnectionFailed" }),
    "/later": "data",
    "/long": expect.objectContaining({ name: "ApiError", code: "RATE_LIMITED", retry_after: 61 }),
    "/none": expect.objectContaining({ name: "NotFound", help: `${server.baseUrl}/docs/errors/JOURNEY_NOT_FOUND` }),
    "/slow": expect.objectContaining({ name: "TimedOut" }),
    "/pages": ["a", "b"]
  })
  const keys = server.to("/lost").map(({ headers }) => headers["idempotency-key"])
  expect(keys).toHaveLength(3)
  expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]))
})

it.skipIf(canSkipPython)(
  "waits for a proxy's Retry-After, and asks again for its pages where repeating is safe",
  async () => {
    const errors = [{ errors: "no" }, { errors: [null] }, { errors: [{ message: "no" }] }]
    const { server, value } = await inPython(
      {
        "/limited": [page(429, { "retry-after": "0" }), page(503, { "retry-after": date, date }), done],
        "/long": [page(503, { "retry-after": "Tue, 03 Nov 2026 10:01:01 GMT", date })],
        "/odd": [page(503, { "retry-after": "soon" }), done],
        "/safe": [200, 408, 429, 503, 504].map((status) => page(status)).concat(done),
        "/unsafe": [page(200), done],
        "/page": [page(200), page(200)],
        "/none": [page(404), done],
        ...Object.fromEntries(errors.map((body, at) => [`/errors${at}`, [{ status: 400, body }, done]]))
      },
      `{
    "/limited": outcome("POST", "/limited"), "/long": outcome("POST", "/long"), "/odd": outcome("GET", "/odd"),
    "/safe": outcome("GET", "/safe"), "/unsafe": outcome("POST", "/unsafe"), "/page": outcome("GET", "/page", retries=1),
    **{path: outcome("GET", path)["name"] for path in ("/none", "/errors0", "/errors1", "/errors2")}
}`
    )
    expect(value).toEqual({
      "/limited": "data",
      "/long": expect.objectContaining({ name: "UnexpectedAnswer", status: 503, retry_after: 61 }),
      "/odd": "data",
      "/safe": "data",
      "/unsafe": expect.objectContaining({ name: "UnexpectedAnswer", status: 200 }),
      "/page": expect.objectContaining({ name: "UnexpectedAnswer", status: 200 }),
      "/none": "UnexpectedAnswer",
      "/errors0": "UnexpectedAnswer",
      "/errors1": "UnexpectedAnswer",
      "/errors2": "UnexpectedAnswer"
    })
    expect(["/unsafe", "/page", "/none"].map((path) => server.to(path).length)).toEqual([1, 2, 1])
  }
)

const wrongMade: Readonly<Record<string, ReadonlyArray<string>>> = {
  base_url: [
    '""',
    '"journeys.example"',
    '"https://journeys.example?tenant=a"',
    '"https://journeys.example/#top"',
    '"https://key:word@journeys.example"',
    '"https://journeys.example:99999"',
    '"https://[journeys"',
    '"https://journeys..example"',
    '"https://journeys.example/api/v1"',
    '"https://gateway.example/journeys/settings/v1/"',
    '"https://j\u00f6urneys.example/"',
    "None"
  ],
  api_key: ['""', '"svc_test_x\\n"', '"svc_test\u2013x"', "None"],
  timeout: ["0", "-1", 'float("nan")', 'float("inf")', "1e10", "2147484", '"30"', "None"]
}

it.skipIf(canSkipPython)("no client of settings is made with what is no token", async () => {
  const values = ['""', '"a token"', '"token\\n"', '"t\u00f6ken"', "None"]
  const { value } = await inPython(
    {},
    `[${values.map((one) => `mistake(lambda: request.judged_operator_token(${one}))`).join(", ")}]`
  )
  expect(value).toEqual(values.map(() => expect.stringMatching(/^TypeError: operator_token /)))
})

it.skipIf(canSkipPython)("is not made with what no request could succeed with: a TypeError names it", async () => {
  const made = Object.entries(wrongMade).flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
  const { value } = await inPython({}, `[${made.map((one) => `mistake(lambda: repr(client_of(${one})))`).join(", ")}]`)
  expect(value).toEqual(
    Object.entries(wrongMade).flatMap(([name, values]) =>
      values.map(() => expect.stringMatching(new RegExp(`^TypeError: ${name} `)))
    )
  )
})

const wrongCalls: ReadonlyArray<readonly [call: string, told: string]> = [
  ['"POST", "/sent", is_keyed=True, idempotency_key="deal\u20131004"', "The header Idempotency-Key "],
  ['"POST", "/sent", is_keyed=True, idempotency_key="deal\\r\\n1004"', "The header Idempotency-Key "],
  ['"GET", "/sent", headers={"Sandbox-Clock": "\u2013"}', "The header Sandbox-Clock "],
  ['"GET", "/sent", timeout=1e10', "timeout "],
  ['"GET", "/sent", query={"externalReference": "\\ud800"}', "externalReference "],
  ['"POST", "/sent", form=("journey", "customerFace"), body={"customerFace": "photo.jpg"}', "customerFace .* bytes"],
  [
    '"POST", "/sent", form=("journey", "customerFace"), body={"type": "DELIVERY", "customerFace": {}}',
    "customerFace .* beside it, as journey$"
  ],
  ...["", ".", "..", "\\ud800"].map(
    (id) => [`"GET", "/{journey_id}", in_path={"journey_id": "${id}"}`, "journey_id "] as const
  )
]

it.skipIf(canSkipPython)("sends nothing for a call that is a mistake: a TypeError says which", async () => {
  const calls = wrongCalls.map(([call]) => `mistake(lambda: client.call(${call}))`)
  const { server, value } = await inPython({ "/sent": [done] }, `[${calls.join(", ")}]`)
  expect(value).toEqual(wrongCalls.map(([, told]) => expect.stringMatching(new RegExp(`^TypeError: ${told}`))))
  expect(server.to("/sent")).toEqual([])
})

it.skipIf(canSkipPython)(
  "sends an empty key as it is, an id as one segment, and bytes of any kind as a photo",
  async () => {
    const { server, value } = await inPython(
      { "/journeys/..%2Fa%3Fb": [done], "/photo": [done, done, done] },
      `[
    outcome("POST", "/journeys/{journey_id}", in_path={"journey_id": "../a?b"}, is_keyed=True, idempotency_key=""),
    *(outcome("POST", "/photo", form=("journey", "customerFace"), body={"journey": {}, "customerFace": photo})
      for photo in (b"photo", bytearray(b"photo"), memoryview(b"photo")))
]`
    )
    expect(value).toEqual(["data", "data", "data", "data"])
    expect(server.to("/journeys/..%2Fa%3Fb").map(({ headers }) => headers["idempotency-key"])).toEqual([""])
    expect(server.to("/photo").map(({ body }) => /octet-stream\r\n\r\n(\w+)\r\n/.exec(body)?.[1])).toEqual([
      "photo",
      "photo",
      "photo"
    ])
  }
)
