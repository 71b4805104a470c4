/** `journeys export-case`: a journey's journal as a test case, printed as JSON. What is in it is the service's to say. */
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { SettingsClient } from "../frame/SettingsClient.ts"

export const exportCase = Command.make(
  "export-case",
  { journey: Argument.String("journey").pipe(Argument.withDescription("The journey's id")) },
  Effect.fn("export-case")(function* ({ journey }) {
    const client = yield* SettingsClient
    const found = yield* client.call("exportTestCase", { params: { journeyId: journey } })
    yield* Console.log(JSON.stringify(found, null, 2))
  })
).pipe(Command.withDescription("Print a journey's journal as a test case, without personal data"))
