/** `journeys customers`: what can be done about a person whose data the service has. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { company, segment } from "./parameters.ts"
import { printOne } from "./printing.ts"
import { SettingsClient } from "./SettingsClient.ts"
import { ErasureResource } from "../../schema/company/Erasure.ts"

const erase = Command.make(
  "erase",
  {
    company,
    customer: Argument.String("customer").pipe(Argument.withDescription("The customerReference of journeys and events"))
  },
  Effect.fn("customers erase")(function* ({ company, customer }) {
    const client = yield* SettingsClient
    const path = `/companies/${segment(company)}/customers/${segment(customer)}` as const
    yield* printOne(yield* client.call(ErasureResource, { method: "DELETE", path }))
  })
).pipe(
  Command.withDescription(
    "Cancel the customer's running journeys and erase everything personal of them, for good; safe to repeat"
  )
)

export const customers = Command.make("customers").pipe(
  Command.withDescription("Customers of a company"),
  Command.withSubcommands([erase])
)
