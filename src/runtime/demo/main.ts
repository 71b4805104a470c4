/**
 * `npm run demo`: runs the whole service on a free port with a database of its own and a company's receiver of webhooks
 * on another port, and takes one sandbox journey of each of the five shapes from start to COMPLETED, with a line for
 * each event. Everything goes through the REST API and webhooks, as a company's own programs would do it. The demo ends
 * by itself, within a minute; `-- --stay` is in `staying.ts`.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit, FileSystem, Layer, Queue, Redacted, Runtime } from "effect"
import { HttpServer } from "effect/http"
import type { JourneyResource } from "../../schema/journey/resource.ts"
import { Shape } from "../../schema/journey/statuses.ts"
import * as App from "../App.ts"
import * as logging from "../node/logging.ts"
import { Settings } from "../settings/Settings.ts"
import { DemoClient, DemoRefused } from "./DemoClient.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { freePort } from "../embedded/freePort.ts"
import { followJourneys } from "./following.ts"
import { openReceiver, type Receiver } from "./Receiver.ts"
import { staying } from "./staying.ts"
import * as story from "./story.ts"
import { demoLimits } from "./limits.ts"

/** Sends a ping, and checks that the receiver accepts the ping and refuses a changed copy of it. */
const tryOut = Effect.fnUntraced(function* (client: DemoClient, receiver: Receiver) {
  const ping = yield* client.ping
  yield* Console.log(story.ping(ping))
  if (ping.status !== "DELIVERED") return yield* new DemoFailed({ message: "The ping was not delivered" })
  const arrival = yield* Queue.take(receiver.arrivals)
  if (arrival._tag !== "Taken" || arrival.event.id !== ping.id) {
    return yield* new DemoFailed({ message: "The receiver was sent something else than the ping" })
  }
  yield* Console.log(story.pingTaken)
  const reason = receiver.judgeChanged(arrival)
  if (reason === null) return yield* new DemoFailed({ message: "The receiver took a changed delivery for genuine" })
  yield* Console.log(story.changedRefused(reason))
})

const demo = Effect.gen(function* () {
  const server = yield* HttpServer.HttpServer
  const settings = yield* Settings
  const receiver = yield* openReceiver
  const baseUrl = HttpServer.formatAddress(server.address)
  yield* Console.log(story.opening(baseUrl, receiver.url))
  const client = yield* DemoClient.connect(baseUrl, Redacted.value(settings.operatorToken))
  receiver.trust(yield* client.receiveAt(receiver.url))
  yield* tryOut(client, receiver)

  const started: Array<readonly [Shape, JourneyResource]> = []
  for (const shape of Shape.literals) {
    const journey = yield* client.start(shape)
    started.push([shape, journey])
    yield* Console.log(story.started(shape, journey))
  }
  yield* Console.log(story.heading)
  const { events, journeys } = yield* followJourneys(client, receiver, started)
  yield* Console.log(story.ending(journeys, events))
  if (!journeys.every(({ status }) => status === "COMPLETED")) {
    return yield* new DemoFailed({ message: "Not every journey was completed" })
  }
})

/** The demo that ends by itself must end whatever happens. */
const bounded = Effect.timeoutOrElse({
  duration: demoLimits.endWithin,
  orElse: () => Effect.fail(new DemoFailed({ message: "The demo took too long" }))
})

const stays = process.argv.slice(2).includes("--stay")
const unknown = process.argv.slice(2).filter((one) => one !== "--stay")

const program = Effect.gen(function* () {
  if (unknown.length > 0) {
    return yield* new DemoFailed({ message: `The demo takes --stay and nothing else, not ${unknown.join(" ")}` })
  }
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped({ prefix: "journeys-demo-" })
  const port = stays ? yield* freePort : 0
  const baseUrl = stays ? `http://127.0.0.1:${port}` : "http://127.0.0.1"
  // The receiver is on this machine, which only the development setting allows. The demo does not show the warning
  // about it.
  const settings = Settings.layerOf({
    PORT: String(port),
    // Links in mail need the port. Nobody opens the mail of the demo that ends by itself, so any free port will do there.
    BASE_URL: baseUrl,
    DATA_DIR: folder,
    LOG_LEVEL: "warn",
    WEBHOOK_ALLOW_INSECURE: "true",
    SANDBOX_STEP: demoLimits.sandboxStep,
    SANDBOX_CALLER_STEP: demoLimits.sandboxCallerStep
  })
  const context = yield* Layer.build(App.layer.pipe(Layer.provideMerge(logging.layer), Layer.provideMerge(settings)))
  yield* stays ? Effect.provideContext(staying(baseUrl), context) : Effect.provideContext(demo, context)
}).pipe((run) => (stays ? run : bounded(run)), Effect.scoped, Effect.provide(NodeServices.layer))

let isHeard = true
// A reader that has seen enough (`npm run demo | head`) closes the pipe. The demo then ends as if it were interrupted,
// and so ends the database too.
process.stdout.on("error", () => {
  if (isHeard) process.kill(process.pid, "SIGINT")
  isHeard = false
})

const explained = (cause: Cause.Cause<unknown>): string => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  return failure instanceof DemoFailed || failure instanceof DemoRefused ? failure.message : Cause.pretty(cause)
}

NodeRuntime.runMain(
  Effect.tapCause(program, (cause) => (isHeard ? Console.error(explained(cause)) : Effect.void)),
  {
    disableErrorReporting: true,
    // Ctrl-C is how a demo that stays is meant to end.
    teardown: (exit, onExit) =>
      isHeard && !(stays && Exit.hasInterrupts(exit)) ? Runtime.defaultTeardown(exit, onExit) : onExit(0)
  }
)
