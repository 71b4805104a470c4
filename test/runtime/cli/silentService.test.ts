/** A service that begins to answer and falls silent keeps no command waiting. */
import { expect, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { cliLimits } from "../../../src/runtime/cli/frame/limits.ts"
import * as SettingsClient from "../../../src/runtime/cli/frame/SettingsClient.ts"
import { operatorToken } from "../../support/service.ts"

/** Its address. It sends the head of an answer and the beginning of its body, and never the rest. */
const silentServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"success": true')
    })
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    return server
  }),
  (server) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

it.effect("a service whose answer does not end has not answered", () =>
  Effect.gen(function* () {
    const baseUrl = yield* silentServer
    const begun = yield* Deferred.make<void>()
    const fetchAndTell: typeof fetch = async (...asked) => {
      const response = await fetch(...asked)
      Effect.runSync(Deferred.succeed(begun, undefined))
      return response
    }
    const environment = ConfigProvider.fromEnvRecord({ BASE_URL: baseUrl, OPERATOR_TOKEN: operatorToken })
    const asking = yield* Effect.gen(function* () {
      const client = yield* SettingsClient.SettingsClient
      return yield* Effect.flip(client.call("getOpenWork", {}))
    }).pipe(
      Effect.provide(SettingsClient.layer),
      Effect.provideService(FetchHttpClient.Fetch, fetchAndTell),
      Effect.provideService(ConfigProvider.ConfigProvider, environment),
      Effect.forkChild
    )
    yield* Deferred.await(begun)
    yield* TestClock.adjust(cliLimits.answerWithin)
    const { message } = yield* Fiber.join(asking)
    expect(message).toContain(`the service does not answer at ${baseUrl}; is it running (npm start)`)
  })
)
