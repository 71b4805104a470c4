/**
 * `npm run journeys -- <command>`: the settings of a running service from a shell. Exit code 0 when it was done, 1 with
 * the reason on stderr when it was not.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Runtime } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { apiVersion } from "../../schema/apiVersion.ts"
import { encoded, explained } from "./CommandFailed.ts"
import { auditCommand, companiesCommand, sandboxCommand } from "./companyCommands.ts"
import { customersCommand } from "./customerCommands.ts"
import { diagram } from "./diagramCommand.ts"
import { keysCommand } from "./keyCommands.ts"
import { listenCommand, stopped } from "./listenCommand.ts"
import { mailCommand } from "./mailCommands.ts"
import { Json } from "./printing.ts"
import { reviewsCommand } from "./reviewCommands.ts"
import * as SettingsClient from "./SettingsClient.ts"
import { teamCommand } from "./teamCommands.ts"
import { vehiclesCommand } from "./vehicleCommands.ts"
import { walletsCommand } from "./walletCommands.ts"
import { webhooksCommand } from "./webhookCommands.ts"

const journeys = Command.make("journeys").pipe(
  Command.withDescription(
    "Settings of a running service, found by BASE_URL or HOST and PORT, opened by OPERATOR_TOKEN or the one in DATA_DIR"
  ),
  Command.withSubcommands([
    companiesCommand,
    keysCommand,
    sandboxCommand,
    walletsCommand,
    webhooksCommand,
    reviewsCommand,
    teamCommand,
    vehiclesCommand,
    customersCommand,
    auditCommand,
    mailCommand,
    listenCommand,
    diagram
  ]),
  Command.provide(SettingsClient.layer),
  Command.withGlobalFlags([Json])
)

Command.run(journeys, { version: apiVersion }).pipe(
  Effect.tapErrorTag("CommandFailed", (failure) =>
    Console.error(process.argv.includes("--json") ? encoded(failure) : explained(failure))
  ),
  Effect.provide(Layer.merge(NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }))),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => Runtime.defaultTeardown(exit, (code) => onExit(stopped.bySignal ? 0 : code))
  })
)
