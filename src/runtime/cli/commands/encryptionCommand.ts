/** `journeys encryption`: the encryption keys of the service and what stands under them. The keys are settings of the nodes. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { printSections } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const status = Command.make(
  "status",
  {},
  Effect.fn("encryption status")(function* () {
    const client = yield* SettingsClient
    const found = yield* client.call("getEncryptionStatus", {})
    const keys = found.keys.map(({ hasSealed, id, mayBeRetired, use, values }) => ({
      key: id,
      use,
      values,
      "has sealed": hasSealed,
      "may be retired": mayBeRetired
    }))
    const content = found.content.map(({ keyId, values, what }) => ({ what, key: keyId, values }))
    yield* printSections(found, { keys, content })
  })
).pipe(Command.withDescription("Count values under each encryption key, and say which key may be retired"))

export const encryptionCommand = Command.make("encryption").pipe(
  Command.withDescription("Encryption keys"),
  Command.withSubcommands([status])
)
