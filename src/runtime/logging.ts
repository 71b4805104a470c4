/** Where log lines go and how they look: pretty for a person at a terminal, one JSON object a line for everything else. */
import { Effect, Layer, Logger, References } from "effect"
import { Settings } from "./Settings.ts"

export const layer = Layer.unwrap(
  Effect.map(Settings, ({ logLevel }) =>
    Layer.merge(
      Logger.layer([process.stdout.isTTY ? Logger.consolePretty() : Logger.consoleJson]),
      Layer.succeed(References.MinimumLogLevel, logLevel)
    )
  )
)
