/** `journeys mail`: mail that the service kept because no SMTP server is set. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { given, page, textFlag } from "./parameters.ts"
import { printPage } from "./printing.ts"
import { SettingsClient } from "./SettingsClient.ts"

const list = Command.make(
  "list",
  {
    to: textFlag("to", "Only mail to this address"),
    journey: textFlag("journey", "Only mail about this journey"),
    ...page
  },
  Effect.fn("mail list")(function* ({ journey, to, ...flags }) {
    const client = yield* SettingsClient
    const query = { ...flags, ...given({ to, journeyId: journey }) }
    const found = yield* client.call("listMail", { query })
    yield* printPage(found, [
      ["AT", (one) => one.createdAt],
      ["TO", (one) => one.to],
      ["KIND", (one) => one.kind],
      ["SUBJECT", (one) => one.subject]
    ])
  })
).pipe(Command.withDescription("List kept mail, newest first; --json shows the whole text"))

export const mailCommand = Command.make("mail").pipe(
  Command.withDescription("The built-in mailbox"),
  Command.withSubcommands([list])
)
