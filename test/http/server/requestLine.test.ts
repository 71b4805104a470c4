/** What the request log notes is what the caller was answered, also when the handling broke off. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestLog, type RequestLine } from "../../../src/actors/company/RequestLog.ts"
import { CurrentRequestId } from "../../../src/actors/kernel/RequestId.ts"
import { JourneyUnreadable, OutcomeUnknown, StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import type { HandlerFailure } from "../../../src/http/server/answers/answering.ts"
import { noted } from "../../../src/http/server/endpoints/requestLine.ts"
import { ApiKeyId, CompanyId, JourneyId } from "../../../src/schema/ids.ts"

const key = {
  keyId: ApiKeyId.make("019a0000-0000-7000-8000-000000000001"),
  livemode: true,
  company: { id: CompanyId.make("019a0000-0000-7000-8000-000000000002") }
}
const journeyId = JourneyId.make("019a0000-0000-7000-8000-000000000003")

/** The status and the code of the one line that a request leaves. */
const lineOf = (handling: Effect.Effect<HttpServerResponse.HttpServerResponse, HandlerFailure>) => {
  const lines: Array<RequestLine> = []
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/api/v1/journeys"))
  return noted("GET /api/v1/journeys", request, (notes) => {
    notes.key = key as typeof notes.key
    return handling
  }).pipe(
    Effect.provideService(RequestLog, { note: (line) => void lines.push(line) } as RequestLog["Service"]),
    Effect.provideService(CurrentRequestId, "request-1"),
    Effect.exit,
    Effect.map(() => lines.map(({ code, status }) => [status, code]))
  )
}

describe("a line of the request log", () => {
  it.effect("has the status of the answer", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* lineOf(Effect.succeed(HttpServerResponse.empty({ status: 202 }))), [[202, null]])
    })
  )

  it.effect.each([
    ["a store that is away", Effect.fail(new StoreUnavailable({ cause: "away" })), 503, "TEMPORARILY_UNAVAILABLE"],
    ["a handling that was interrupted within", Effect.interrupt, 503, "TEMPORARILY_UNAVAILABLE"],
    [
      "a journey that cannot be read",
      Effect.fail(new JourneyUnreadable({ journeyId, cause: "not read" })),
      500,
      "INTERNAL_ERROR"
    ],
    ["a defect", Effect.die("a defect"), 500, "INTERNAL_ERROR"]
  ] as const)("of %s has the status that the caller sees", ([, handling, status, code]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* lineOf(handling), [[status, code]])
    })
  )

  it.effect("has no status when the connection was dropped, and is no success", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* lineOf(Effect.fail(new OutcomeUnknown())), [[null, "INTERNAL_ERROR"]])
    })
  )
})
