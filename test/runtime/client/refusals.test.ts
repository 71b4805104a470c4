/** The refusals of the client's test kit: byte for byte what the service answers, and told by the client as the service's own. */
import { HttpServerResponse } from "effect/http"
import { expect, it } from "vitest"
import { problemResponse, problems } from "../../../src/http/server/answers/problems.ts"
import { ApiError } from "../../../src/runtime/client/lib/errors.ts"
import { refusalFrom } from "../../../src/runtime/client/lib/refusals.ts"
import { Transport } from "../../../src/runtime/client/lib/Transport.ts"
import { errorCatalogue } from "../../../src/schema/problems.ts"

const usual = {
  VALIDATION_FAILED: { status: 400, field: "customer.email", message: "a rule" },
  JOURNEY_FINISHED: { status: 409, field: "journey", message: errorCatalogue.JOURNEY_FINISHED.meaning },
  RATE_LIMITED: { status: 429, field: "key", message: errorCatalogue.RATE_LIMITED.meaning },
  TEMPORARILY_UNAVAILABLE: { status: 503, field: "service", message: errorCatalogue.TEMPORARILY_UNAVAILABLE.meaning }
} as const

const codeOf = async (call: Promise<unknown>) => {
  const error = await call.catch((cause: unknown) => cause)
  if (!(error instanceof ApiError)) throw new Error("it was not refused")
  return [error.code, error.status, error.retryAfterSeconds, error.problems.map(({ field }) => field).join()]
}

const clientOf = (answer: () => Response, retries = 0) => {
  let sent = 0
  const fetch = () => {
    sent += 1
    return Promise.resolve(answer())
  }
  const transport = new Transport(
    { baseUrl: "http://journeys.example", apiKey: "svc_test_x", retries, fetch },
    () => undefined
  )
  return { call: transport.call({ method: "POST", path: "/x", isKeyed: true }, {}), sent: () => sent }
}

it("a refusal is byte for byte what the service answers, with every problem of the request", async () => {
  const second = { field: "journey", code: "JOURNEY_FINISHED", message: usual.JOURNEY_FINISHED.message } as const
  const errors = [{ field: "vehicle.year", code: "VALIDATION_FAILED", message: "no" }, second] as const
  const real = HttpServerResponse.toWeb(problemResponse(problems(errors)))
  const ours = refusalFrom(usual, [errors[0], { code: "JOURNEY_FINISHED" }])
  expect([ours.status, await ours.text()]).toEqual([real.status, await real.text()])
  for (const name of ["content-type", "link"]) expect(ours.headers.get(name)).toBe(real.headers.get(name))
})

it("a refusal is told by the client with its code, and a 429 and a 503 are tried again at once", async () => {
  expect(await codeOf(clientOf(() => refusalFrom(usual, "JOURNEY_FINISHED")).call)).toEqual([
    "JOURNEY_FINISHED",
    409,
    null,
    "journey"
  ])
  for (const code of ["RATE_LIMITED", "TEMPORARILY_UNAVAILABLE"] as const) {
    const { call, sent } = clientOf(() => refusalFrom(usual, code), 2)
    expect(await codeOf(call)).toEqual([code, usual[code].status, 0, usual[code].field])
    expect(sent()).toBe(3)
  }
})

it("a refusal asks to wait as long as the test says", async () => {
  const { call } = clientOf(() => refusalFrom(usual, "RATE_LIMITED", { retryAfterSeconds: 61 }), 2)
  expect((await codeOf(call))[2]).toBe(61)
})
