/**
 * The process: reads the settings, runs the application, says where it is, and stops cleanly when told to. What keeps it
 * from starting is one line on stderr and exit code 1; a signal is exit code 0.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { HttpServer } from "effect/http"
import { announcement } from "./announcement.ts"
import * as App from "./App.ts"
import { firstStart } from "./firstStart.ts"
import * as logging from "./logging.ts"
import { baseUrlOf, Settings, withoutEffectWarning } from "./Settings.ts"
import { startFailure } from "./startFailure.ts"

const warnings = Effect.gen(function* () {
  const settings = yield* Settings
  const ignored = withoutEffectWarning(settings.withoutEffect)
  if (ignored !== undefined) yield* Effect.logWarning(ignored)
  if (settings.webhookAllowInsecure) {
    yield* Effect.logWarning(
      "WEBHOOK_ALLOW_INSECURE is on: webhooks and providers may use plain http, any port and private addresses"
    )
  }
})

const announced = Effect.gen(function* () {
  const settings = yield* Settings
  const { address } = yield* HttpServer.HttpServer
  const port = "port" in address ? address.port : settings.port
  const baseUrl = settings.baseUrl ?? baseUrlOf(settings.host, port)
  yield* Console.log(announcement(baseUrl, yield* firstStart(baseUrl), process.cwd()))
})

const service = warnings.pipe(
  Effect.andThen(Effect.andThen(announced, Effect.never).pipe(Effect.provide(App.layer))),
  Effect.provide(logging.layer.pipe(Layer.provideMerge(Settings.layer)))
)

service.pipe(
  Effect.tapCause((cause) => {
    const failure = startFailure(cause)
    return failure === null ? Effect.void : Console.error(failure)
  }),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
  })
)
