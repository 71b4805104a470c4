/** `journeys handovers`: the handovers that brokers have named a company for as the dealer. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { companyArgument, given, page, textFlag } from "../frame/parameters.ts"
import { printPiece, printSections } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const list = Command.make(
  "list",
  {
    company: companyArgument,
    ...queryFlags("listHandovers"),
    // What the list does not search for, as it is personal, is searched for by another operation.
    search: textFlag(
      "search",
      "The vehicle's registration, the customer's email, the broker's name, or the journey's id"
    ),
    cursor: textFlag("cursor", "Where to go on, as the command before said"),
    size: page.size
  },
  Effect.fn("journeys handovers list")(function* ({ company, cursor, search, size, standing }) {
    const client = yield* SettingsClient
    const params = { companyId: company }
    const asked = { ...given({ standing, after: cursor }), size }
    // What is personal goes into the body.
    const found = yield* Option.match(search, {
      onNone: () => client.call("listHandovers", { params, query: asked }),
      onSome: (sought) => client.call("searchHandovers", { params, payload: { ...asked, search: sought } })
    })
    yield* printPiece(found, [
      ["JOURNEY", (one) => one.journeyId],
      ["BROKER", (one) => one.broker],
      ["CUSTOMER", (one) => one.customerName],
      ["REGISTRATION", (one) => one.registration],
      ["TYPE", (one) => one.type],
      ["STATUS", (one) => one.status],
      ["WAITING-ON", (one) => one.waitingOn],
      ["CREATED", (one) => one.createdAt]
    ])
  })
).pipe(Command.withDescription("List or search the handovers that brokers have named this dealer for, newest first"))

const show = Command.make(
  "show",
  { company: companyArgument, journey: Argument.String("journey").pipe(Argument.withDescription("The journey's id")) },
  Effect.fn("journeys handovers show")(function* ({ company, journey }) {
    const client = yield* SettingsClient
    yield* printSections(yield* client.call("getHandover", { params: { companyId: company, journeyId: journey } }))
  })
).pipe(
  Command.withDescription(
    "Read one: customer, vehicle, address, notes, reviews and events; the audit log has every look"
  )
)

export const handoversCommand = Command.make("handovers").pipe(
  Command.withDescription("What a dealer sees of the handovers that brokers have named it for"),
  Command.withSubcommands([list, show])
)
