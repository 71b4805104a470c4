/**
 * The process: it reads the settings, runs the application, prints where the service listens, and stops cleanly when it
 * is told to. A start that fails is one line on stderr and exit code 1. A signal is exit code 0. A node that makes no
 * progress on due work ends with exit code 70.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { announcement } from "./firstStart/announcement.ts"
import * as App from "./App.ts"
import { firstStart } from "./firstStart/firstStart.ts"
import { boundedStop, exitCodeOf } from "./node/health/ending.ts"
import { watchLoop } from "./node/health/watchLoop.ts"
import { Watchdog } from "./node/health/Watchdog.ts"
import { adviseOfSettings, warnOfLoweredProfile } from "./honesty/startHonesty.ts"
import * as logging from "./node/logging.ts"
import { baseUrlOf, Settings } from "./settings/Settings.ts"
import { startFailure } from "./node/startFailure.ts"

watchLoop()
const stop = boundedStop()

const warnings = Effect.gen(function* () {
  const settings = yield* Settings
  yield* warnOfLoweredProfile
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
  // A start that fails says why and nothing else.
  yield* adviseOfSettings
  const first = yield* firstStart(baseUrl)
  const isReadByPeople = process.stdout.isTTY || first._tag === "DemoMade" || first._tag === "DemoThere"
  if (isReadByPeople) return yield* Console.log(announcement(baseUrl, first, process.cwd()))
  // Whoever has named a database, and no terminal, collects the log, in which every line is JSON.
  yield* Effect.logInfo(`Journeys listens on ${baseUrl}`, { host: settings.host, port })
  if (first._tag === "NoCompany") {
    yield* Effect.logInfo(
      "There is no company yet: make one with npm run journeys -- companies create, and a key for it with npm run journeys -- keys create"
    )
  }
})

/** Waits until the watchdog finds that this node makes no progress; normally for ever. */
const untilStuck = Effect.flatMap(Watchdog, (watchdog) => watchdog.untilStuck).pipe(
  Effect.tapError(() => Effect.sync(stop.begins))
)

const service = warnings.pipe(
  Effect.andThen(Effect.andThen(announced, untilStuck).pipe(Effect.provide(App.layer))),
  Effect.provide(logging.layer.pipe(Layer.provideMerge(Settings.layer)))
)

service.pipe(
  Effect.tapCause((cause) => {
    const failure = startFailure(cause)
    return failure === null ? Effect.void : Console.error(failure)
  }),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(exitCodeOf(exit))
  })
)
