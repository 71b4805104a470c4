/** `journeys customers`: what can be done about a person whose data the service has. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { companyArgument } from "./parameters.ts"
import { printOne } from "./printing.ts"
import { SettingsClient } from "./SettingsClient.ts"

const erase = Command.make(
  "erase",
  {
    company: companyArgument,
    customer: Argument.String("customer").pipe(Argument.withDescription("The customerReference of journeys and events"))
  },
  Effect.fn("customers erase")(function* ({ company, customer }) {
    const client = yield* SettingsClient
    const params = { companyId: company, customerReference: customer }
    yield* printOne(yield* client.call("eraseCustomer", { params }))
  })
).pipe(
  Command.withDescription(
    "Cancel the customer's running journeys and erase everything personal of them, for good; safe to repeat"
  )
)

export const customersCommand = Command.make("customers").pipe(
  Command.withDescription("Customers of a company"),
  Command.withSubcommands([erase])
)
