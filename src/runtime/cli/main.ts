/**
 * `npm run journeys -- <command>`: the settings of a running service from a shell. Exit code 0 when it was done, 1 with
 * the reason on stderr when it was not.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Runtime } from "effect"
import { stopped } from "./commands/listenCommand.ts"
import { program } from "./program.ts"

program(process.argv.slice(2)).pipe(
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => Runtime.defaultTeardown(exit, (code) => onExit(stopped.bySignal ? 0 : code))
  })
)
