/** `journeys diagram`: the states of a journey as this version of the service knows them. It needs no running service. */
import { Console } from "effect"
import { Command, Flag } from "effect/cli"
import { statesPage } from "../../../actors/journey/rules/table/statesPage.ts"

export const diagram = Command.make(
  "diagram",
  {
    table: Flag.Boolean("table").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Print the rows, the messages and the steps as tables too")
    )
  },
  ({ table }) => Console.log(statesPage({ tables: table }).trimEnd())
).pipe(Command.withDescription("Print the states of a journey as Mermaid diagrams"))
