/** Answers that are pictures or videos: both clients give the file, and take nothing else for one. */
import { expect, it, vi } from "vitest"
import { UnexpectedAnswerError } from "../../../src/runtime/client/lib/errors.ts"
import { Transport } from "../../../src/runtime/client/lib/Transport.ts"
import { canSkipPython, inPython } from "./pythonTransport.ts"
import { clientOf, done, ended, page, refused, type Reply } from "./standIns.ts"

const picture: Reply = {
  status: 200,
  headers: { "content-type": "image/jpeg", "request-id": "r-2" },
  body: "a picture"
}
const video: Reply = { status: 200, headers: { "content-type": "video/webm" }, body: "a video" }

it("the client in TypeScript gives a picture and a video, and asks again after the page of a proxy", async () => {
  vi.useFakeTimers()
  try {
    for (const [reply, type, text] of [
      [picture, "image/jpeg", "a picture"],
      [video, "video/webm", "a video"]
    ] as const) {
      const { ask, sent } = clientOf(page(200), reply)
      const file = (await ended(ask({ isFile: true }))) as unknown as Blob
      expect([file.type, await file.text()]).toEqual([type, text])
      expect(sent).toHaveLength(2)
    }
  } finally {
    vi.useRealTimers()
  }
})

it("the client in TypeScript refuses a file as it refuses anything, and takes none where none was asked for", async () => {
  const { ask } = clientOf(refused(404, "JOURNEY_NOT_FOUND"))
  await expect(ask({ isFile: true })).rejects.toMatchObject({ status: 404, code: "JOURNEY_NOT_FOUND" })
  await expect(clientOf(picture).ask({}, { retries: 0 })).rejects.toThrow(UnexpectedAnswerError)
})

it.skipIf(canSkipPython)("the client in Python does the same", async () => {
  const { server, value } = await inPython(
    {
      "/picture": [page(200), picture],
      "/video": [video],
      "/none": [refused(404, "JOURNEY_NOT_FOUND")],
      "/data": [picture]
    },
    `{
    "/picture": client.call("GET", "/picture", is_file=True).decode(),
    "/video": client.call("GET", "/video", is_file=True).decode(),
    "/none": outcome("GET", "/none", is_file=True)["name"],
    "/data": outcome("GET", "/data", retries=0)["name"]
}`
  )
  expect(value).toEqual({
    "/picture": "a picture",
    "/video": "a video",
    "/none": "NotFound",
    "/data": "UnexpectedAnswer"
  })
  expect(server.to("/picture")).toHaveLength(2)
})

it("the client of settings shows the operator's token, and none is made with what is no token", async () => {
  const shown: Array<string | null> = []
  const client = new Transport(
    {
      baseUrl: "https://journeys.example",
      operatorToken: "a-token-of-the-operator",
      fetch: (_, init) => {
        shown.push(new Headers(init?.headers).get("authorization"))
        return Promise.resolve(new Response(JSON.stringify(typeof done === "string" ? null : done.body)))
      }
    },
    () => undefined
  )
  await client.call({ method: "GET", path: "/settings/v1/companies" }, {})
  expect(shown).toEqual(["Bearer a-token-of-the-operator"])
  for (const operatorToken of ["", "a token", "token\n", "t\u00f6ken", undefined as never]) {
    const make = () => new Transport({ baseUrl: "https://journeys.example", operatorToken }, () => undefined)
    expect(make, operatorToken).toThrow(/^operatorToken /)
  }
})
