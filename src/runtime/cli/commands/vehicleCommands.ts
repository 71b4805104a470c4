/** `journeys vehicles`: commands that list and change the vehicles in a company's stock. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { VehicleStatus } from "../../../schema/company/StockVehicle.ts"
import { choiceArgument, companyArgument, given, piece } from "../frame/parameters.ts"
import { printOne, printPiece } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const list = Command.make(
  "list",
  {
    company: companyArgument,
    ...queryFlags("listVehicles"),
    ...piece
  },
  Effect.fn("vehicles list")(function* ({ company, size, ...filters }) {
    const client = yield* SettingsClient
    const query = { ...given(filters), size }
    const found = yield* client.call("listVehicles", { params: { companyId: company }, query })
    yield* printPiece(found, [
      ["ID", (one) => one.id],
      ["STATUS", (one) => one.status],
      ["SOLD BY", (one) => one.soldBy],
      ["CHANGED", (one) => one.changedAt]
    ])
  })
).pipe(Command.withDescription("List the stock, last changed first; with --search by their ids"))

const set = Command.make(
  "set",
  {
    company: companyArgument,
    vehicle: Argument.String("vehicle").pipe(Argument.withDescription("The inventoryVehicleId of starts")),
    status: choiceArgument("status", VehicleStatus.literals, "What it is now")
  },
  Effect.fn("vehicles set")(function* ({ company, status, vehicle }) {
    const client = yield* SettingsClient
    const params = { companyId: company, vehicleId: vehicle }
    yield* printOne(yield* client.call("saveVehicle", { params, payload: { status } }))
  })
).pipe(Command.withDescription("Make a vehicle known to the stock, or change its status"))

export const vehiclesCommand = Command.make("vehicles").pipe(
  Command.withDescription("The stock of a company"),
  Command.withSubcommands([list, set])
)
