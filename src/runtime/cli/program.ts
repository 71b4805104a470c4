/**
 * One command from its parameters to its end: what it prints goes to `Console`, and a failure has been printed when it fails. The
 * process around it, with its signals and exit codes, is `main.ts`; the commands themselves are in `journeysCommand.ts`.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer } from "effect"
import { CliConfig, type CliError, Command, GlobalFlag } from "effect/cli"
import { apiVersion } from "../../schema/apiVersion.ts"
import { CommandFailed, encoded, explained } from "./frame/CommandFailed.ts"
import * as HelpFormatter from "./frame/helpFormatter.ts"
import { journeys } from "./commands/journeysCommand.ts"

/** The name of a group of commands does nothing, so that a script that forgot the rest must not go on. */
const withoutSubcommand = (shown: CliError.ShowHelp) =>
  shown.errors.length > 0
    ? shown
    : new CommandFailed({ message: `give one of the subcommands above: ${shown.commandPath.join(" ")} <subcommand>` })

/** Runs `journeys` with these parameters; the settings come from the `ConfigProvider`, which is the environment by default. */
export const program = (parameters: ReadonlyArray<string>) =>
  Command.runWith(journeys, { version: apiVersion })(parameters).pipe(
    Effect.mapError((error) => (error._tag === "ShowHelp" ? withoutSubcommand(error) : error)),
    Effect.tapErrorTag("CommandFailed", (failure) =>
      Console.error(parameters.includes("--json") ? encoded(failure) : explained(failure))
    ),
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        HelpFormatter.layer,
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
      )
    )
  )
