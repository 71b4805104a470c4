/** `journeys encryption`: the encryption keys of the service and what stands under them. The keys are settings of the nodes. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { printWithList } from "./frame/printing.ts"
import { SettingsClient } from "./frame/SettingsClient.ts"

const status = Command.make(
  "status",
  {},
  Effect.fn("encryption status")(function* () {
    const client = yield* SettingsClient
    const found = yield* client.call("getEncryptionStatus", {})
    yield* printWithList({ thing: found, list: { name: "keys", entries: found.keys } }, [
      ["KEY", (one) => one.id],
      ["USE", (one) => one.use],
      ["VALUES", (one) => one.values],
      ["MAY BE RETIRED", (one) => one.mayBeRetired]
    ])
  })
).pipe(Command.withDescription("Count values under each encryption key, and say which key may be retired"))

export const encryptionCommand = Command.make("encryption").pipe(
  Command.withDescription("Encryption keys"),
  Command.withSubcommands([status])
)
