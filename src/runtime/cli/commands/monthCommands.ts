/** `journeys months`: the months of the tables that only grow. A month leaves by itself, so there is nothing but to look. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { printWithList } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const list = Command.make(
  "list",
  {},
  Effect.fn("months list")(function* () {
    const client = yield* SettingsClient
    const found = yield* client.call("listMonths", {})
    yield* printWithList({ thing: found, list: { name: "content", entries: found.content } }, [
      ["MONTH", (one) => one.part],
      ["ENDS", (one) => one.endsAt],
      ["ROWS", (one) => one.rows],
      ["BYTES", (one) => one.bytes],
      ["OLDEST LIVE JOURNEY", (one) => one.oldestLiveJourney]
    ])
  })
).pipe(
  Command.withDescription(
    "List the months of journal, events and attempts, their sizes, and the live journey that keeps each"
  )
)

export const monthsCommand = Command.make("months").pipe(
  Command.withDescription("Months of the tables that only grow"),
  Command.withSubcommands([list])
)
