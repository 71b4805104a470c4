/** The process: reads the settings, runs the application until it is told to stop. */
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as App from "./App.ts"
import { Settings } from "./Settings.ts"

const announced = Layer.effectDiscard(
  Effect.flatMap(HttpServer.HttpServer, (server) =>
    Effect.log(`Listening on ${HttpServer.formatAddress(server.address)}`)
  )
)

Layer.launch(Layer.provide(announced, App.layer).pipe(Layer.provide(Settings.layer))).pipe(NodeRuntime.runMain)
