/**
 * `npm run demo`: the whole service on a free port and a database of its own, and one sandbox journey of each of the
 * five shapes from start to COMPLETED, told as it happens. Everything goes through the REST API, as an integrator's
 * program would; only the events are read from the database, as long as nothing delivers them. Ends by itself.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Duration, Effect, FileSystem, Layer, Redacted, Schedule } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import type { JourneyResource } from "../../schema/journeyResource.ts"
import { Shape } from "../../schema/statuses.ts"
import * as App from "../App.ts"
import { Settings } from "../Settings.ts"
import * as story from "./story.ts"
import { DemoClient } from "./DemoClient.ts"

/** A step a second: fast enough to watch in one go, slow enough to read. */
const pace = { SANDBOX_STEP: "1 second", SANDBOX_CALLER_STEP: "4 seconds" }
const lookEvery = Duration.millis(200)
/** Far beyond what five journeys take: the demo must end, come what may. */
const longest = Duration.seconds(80)

class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly message: string }> {}

interface EventRow {
  readonly journey_id: string
  readonly sequence: number
  readonly type: string
  readonly body: string
}

const isRunning = (journey: JourneyResource): boolean => journey.status === "ACTIVE"

/** Prints every event as it is recorded, until all journeys have ended and nothing is left to tell. */
const follow = Effect.fnUntraced(function* (client: DemoClient, journeys: ReadonlyMap<string, Shape>) {
  const sql = yield* SqlClient.SqlClient
  const told = new Map<string, number>()
  const waitedFor = new Map<string, JourneyResource["nextAction"]>()
  const look = Effect.gen(function* () {
    const resources = yield* Effect.forEach(journeys.keys(), client.get)
    const rows = yield* sql<EventRow>`select journey_id, sequence, type, body from events order by created_at, sequence`
    for (const row of rows) {
      const shape = journeys.get(row.journey_id)
      if (shape === undefined || row.sequence <= (told.get(row.journey_id) ?? 0)) continue
      told.set(row.journey_id, row.sequence)
      yield* Console.log(story.event(shape, row.sequence, row.body))
    }
    for (const journey of resources) {
      const shape = journeys.get(journey.id)
      if (shape === undefined || waitedFor.get(journey.id) === journey.nextAction) continue
      waitedFor.set(journey.id, journey.nextAction)
      if (journey.nextAction !== null) yield* Console.log(story.waiting(shape, journey.nextAction))
    }
    return resources
  })
  yield* Effect.repeat(look, {
    schedule: Schedule.spaced(lookEvery),
    until: (resources: ReadonlyArray<JourneyResource>) => !resources.some(isRunning)
  })
  // The reads above may be older than the last events.
  return yield* look
})

const demo = Effect.gen(function* () {
  const server = yield* HttpServer.HttpServer
  const settings = yield* Settings
  const baseUrl = HttpServer.formatAddress(server.address)
  yield* Console.log(story.opening(baseUrl))
  const client = yield* DemoClient.connect(baseUrl, Redacted.value(settings.operatorToken))
  const journeys = new Map<string, Shape>()
  for (const shape of Shape.literals) {
    const journey = yield* client.start(shape)
    journeys.set(journey.id, shape)
    yield* Console.log(story.started(shape, journey))
  }
  const ended = yield* follow(client, journeys)
  yield* Console.log(story.ending(ended))
  if (!ended.every((journey) => journey.status === "COMPLETED")) {
    return yield* new DemoFailed({ message: "Not every journey was completed" })
  }
})

const program = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped({ prefix: "journeys-demo-" })
  const settings = Settings.layerOf({ PORT: "0", DATA_DIR: folder, LOG_LEVEL: "warn", ...pace })
  const context = yield* Layer.build(Layer.provideMerge(App.layer, settings))
  yield* Effect.provideContext(demo, context)
}).pipe(
  Effect.timeoutOrElse({
    duration: longest,
    orElse: () => Effect.fail(new DemoFailed({ message: "The demo took too long" }))
  }),
  Effect.scoped,
  Effect.provide(NodeServices.layer)
)

// A reader that has seen enough (`npm run demo | head`) closes the pipe: end as if interrupted, with the database.
process.stdout.on("error", () => process.kill(process.pid, "SIGINT"))

NodeRuntime.runMain(program)
