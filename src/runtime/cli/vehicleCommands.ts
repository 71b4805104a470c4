/** `journeys vehicles`: commands that list and change the vehicles in a company's stock. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { StockVehicleResource, VehicleStatus, type VehicleBody } from "../../schema/company/StockVehicle.ts"
import { company, page, pageOf, pageQuery, segment } from "./parameters.ts"
import { printOne, printPage } from "./printing.ts"
import { SettingsClient } from "./SettingsClient.ts"

const vehiclesPath = (companyId: string) => `/companies/${segment(companyId)}/vehicles` as const

const list = Command.make(
  "list",
  { company, ...page },
  Effect.fn("vehicles list")(function* (flags) {
    const client = yield* SettingsClient
    const path = vehiclesPath(flags.company)
    const found = yield* client.call(pageOf(StockVehicleResource), { method: "GET", path, query: pageQuery(flags) })
    yield* printPage(found, [
      ["ID", (one) => one.id],
      ["STATUS", (one) => one.status],
      ["SOLD BY", (one) => one.soldBy],
      ["CHANGED", (one) => one.changedAt]
    ])
  })
).pipe(Command.withDescription("List the stock, last changed first"))

const set = Command.make(
  "set",
  {
    company,
    vehicle: Argument.String("vehicle").pipe(Argument.withDescription("The inventoryVehicleId of starts")),
    status: Argument.Literals("status", VehicleStatus.literals).pipe(Argument.withDescription("What it is now"))
  },
  Effect.fn("vehicles set")(function* ({ company, status, vehicle }) {
    const client = yield* SettingsClient
    const body: VehicleBody = { status }
    const path = `${vehiclesPath(company)}/${segment(vehicle)}` as const
    yield* printOne(yield* client.call(StockVehicleResource, { method: "PUT", path, body }))
  })
).pipe(Command.withDescription("Make a vehicle known to the stock, or change its status"))

export const vehicles = Command.make("vehicles").pipe(
  Command.withDescription("The stock of a company"),
  Command.withSubcommands([list, set])
)
