/**
 * `npm run journeys -- <command>`: the settings of a running service from a shell. Exit code 0 when it was done, 1 with
 * the reason on stderr when it was not.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Runtime } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { apiVersion } from "../../schema/apiVersion.ts"
import { encoded, explained } from "./CommandFailed.ts"
import * as HelpFormatter from "./helpFormatter.ts"
import { journeys } from "./journeysCommand.ts"
import { stopped } from "./listenCommand.ts"

Command.run(journeys, { version: apiVersion }).pipe(
  Effect.tapErrorTag("CommandFailed", (failure) =>
    Console.error(process.argv.includes("--json") ? encoded(failure) : explained(failure))
  ),
  Effect.provide(
    Layer.mergeAll(
      NodeServices.layer,
      HelpFormatter.layer,
      CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
    )
  ),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => Runtime.defaultTeardown(exit, (code) => onExit(stopped.bySignal ? 0 : code))
  })
)
