/** The command `journeys` with all its commands. How it is run, and how its failures are told, is in `main.ts`. */
import { Command } from "effect/cli"
import { brandCommand } from "./brandCommands.ts"
import { auditCommand } from "./auditCommand.ts"
import { clocksCommand } from "./clockCommands.ts"
import { companiesCommand, sandboxCommand } from "./companyCommands.ts"
import { customersCommand } from "./customerCommands.ts"
import { diagram } from "./diagramCommand.ts"
import { encryptionCommand } from "./encryptionCommand.ts"
import { doctor } from "./doctorCommand.ts"
import { exportCase } from "./exportCaseCommand.ts"
import { installationCommand } from "./installationCommands.ts"
import { handoversCommand } from "./handoverCommands.ts"
import { keysCommand } from "./keyCommands.ts"
import { listenCommand } from "./listenCommand.ts"
import { mailCommand } from "./mailCommands.ts"
import { membersCommand, sessionsCommand } from "./memberCommands.ts"
import { monthsCommand } from "./monthCommands.ts"
import { operatorTokensCommand } from "./operatorTokenCommands.ts"
import { Json } from "../frame/printing.ts"
import { requestsCommand } from "./requestCommand.ts"
import { requestErrorsCommand } from "./requestErrorsCommand.ts"
import { reviewsCommand } from "./reviewCommands.ts"
import * as SettingsClient from "../frame/SettingsClient.ts"
import { teamCommand } from "./teamCommands.ts"
import { vehiclesCommand } from "./vehicleCommands.ts"
import { walletsCommand } from "./walletCommands.ts"
import { webhooksCommand } from "./webhookCommands.ts"

export const journeys = Command.make("journeys").pipe(
  Command.withDescription(
    "Asks a running service, as its operator: the service at BASE_URL, else at HOST and PORT; with OPERATOR_TOKEN, else the token in DATA_DIR. Begin with: companies list. What a command needs, it says with --help"
  ),
  Command.withSubcommands([
    companiesCommand,
    brandCommand,
    keysCommand,
    sandboxCommand,
    clocksCommand,
    walletsCommand,
    webhooksCommand,
    requestsCommand,
    requestErrorsCommand,
    reviewsCommand,
    teamCommand,
    handoversCommand,
    vehiclesCommand,
    customersCommand,
    membersCommand,
    sessionsCommand,
    auditCommand,
    mailCommand,
    installationCommand,
    encryptionCommand,
    monthsCommand,
    operatorTokensCommand,
    listenCommand,
    exportCase,
    doctor,
    diagram
  ]),
  Command.provide(SettingsClient.layer),
  Command.withGlobalFlags([Json])
)
