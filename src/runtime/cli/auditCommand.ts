/** `journeys audit`: who changed or looked at what, with filters. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { companyArgument, given, piece, textFlag } from "./parameters.ts"
import { printPiece } from "./printing.ts"
import { SettingsClient } from "./SettingsClient.ts"

export const auditCommand = Command.make(
  "audit",
  {
    company: companyArgument,
    action: textFlag("action", "Only this action, such as wallet.credited"),
    actor: textFlag("actor", "Only what this one did, such as operator"),
    since: textFlag("since", "Only from then on, such as 2030-01-31T09:30:00Z"),
    ...piece
  },
  Effect.fn("audit")(function* ({ company, size, ...filters }) {
    const client = yield* SettingsClient
    const query = { ...given(filters), size }
    const found = yield* client.call("listChanges", { params: { companyId: company }, query })
    yield* printPiece(found, [
      ["AT", (one) => one.at],
      ["ACTOR", (one) => one.actor],
      ["ACTION", (one) => one.action],
      ["DETAILS", (one) => one.details]
    ])
  })
).pipe(Command.withDescription("Who changed or looked at what, newest first"))
