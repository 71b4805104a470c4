/** Redirects: neither client follows one, which would show its API key to another address; both say where it leads. */
import { expect, it } from "vitest"
import { UnexpectedAnswerError } from "../../../src/runtime/client/lib/errors.ts"
import { Transport } from "../../../src/runtime/client/lib/Transport.ts"
import { canSkipPython, inPython } from "./pythonTransport.ts"
import { answeringServer, done, type Reply } from "./standIns.ts"

const moved = (location: string): Reply => ({ status: 307, headers: { location, "request-id": "r-1" }, body: "" })
const replies = {
  "/away": [moved("https://user:secret@elsewhere.example:8443/target?token=secret")],
  "/within": [moved("/target")],
  "/nowhere": [moved("mailto:a@example.com")],
  "/unnamed": [{ status: 304 } as const],
  "/target": [done]
}

const wanted = (baseUrl: string) => [
  ["https://elsewhere.example:8443", expect.stringContaining("status 307 leads to https://elsewhere.example:8443")],
  [baseUrl, expect.stringContaining(`status 307 leads to ${baseUrl}`)],
  ["another address", expect.stringContaining("status 307 leads to another address")],
  [null, expect.stringContaining("status 304 is not one of the Journeys API")]
]
const paths = ["/away", "/within", "/nowhere", "/unnamed"]

it("the client in TypeScript says the status and the origin that a redirect leads to, and asks once", async () => {
  const server = await answeringServer(replies)
  const client = new Transport({ baseUrl: server.baseUrl, apiKey: "svc_test_x" }, () => undefined)
  const told = await Promise.all(
    paths.map((path) => client.call({ method: "GET", path }, {}).catch((error: UnexpectedAnswerError) => error))
  )
  expect(told.map((one) => one instanceof UnexpectedAnswerError && [one.redirectedTo, one.message])).toEqual(
    wanted(server.baseUrl)
  )
  for (const path of paths) expect(server.to(path)).toHaveLength(1)
  expect(server.to("/target")).toEqual([])
  server.close()
})

it.skipIf(canSkipPython)("the client in Python does the same", async () => {
  const asked = `[(one["redirected_to"], one["message"]) for one in (outcome("GET", path) for path in ${JSON.stringify(paths)})]`
  const { server, value } = await inPython(replies, asked)
  expect(value).toEqual(wanted(server.baseUrl))
  for (const path of paths) expect(server.to(path)).toHaveLength(1)
  expect(server.to("/target")).toEqual([])
})
