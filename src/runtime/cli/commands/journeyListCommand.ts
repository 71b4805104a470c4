/** `journeys journeys list`: a company's journeys, filtered and searched. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { modeOf } from "../../../schema/Mode.ts"
import { companyArgument, given, page, textFlag } from "../frame/parameters.ts"
import { printPiece } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

export const journeyListCommand = Command.make(
  "list",
  {
    company: companyArgument,
    ...queryFlags("listCompanyJourneys"),
    // What the list does not search for, as it is personal, is searched for by another operation.
    search: textFlag("search", "Email, registration, external reference or its beginning, id, event id, Request-Id"),
    after: textFlag("after", "Where to go on, as the command before said"),
    size: page.size
  },
  Effect.fn("journeys list")(function* ({ company, search, size, ...filters }) {
    const client = yield* SettingsClient
    const params = { companyId: company }
    const asked = { ...given(filters), size }
    // What is personal goes into the body, and so does everything else that is searched for.
    const found = yield* Option.match(search, {
      onNone: () => client.call("listCompanyJourneys", { params, query: asked }),
      onSome: (sought) => client.call("searchJourneys", { params, payload: { ...asked, search: sought } })
    })
    yield* printPiece(
      found,
      [
        ["ID", ({ journey }) => journey.id],
        ["CUSTOMER", (one) => one.customerName],
        ["REGISTRATION", (one) => one.registration],
        ["TYPE", ({ journey }) => journey.type],
        ["MODE", ({ journey }) => modeOf(journey.livemode)],
        ["STATUS", ({ journey }) => journey.status],
        ["WAITS ON", (one) => one.waitingOn],
        ["SINCE", (one) => one.waitingSince],
        ["CREATED", ({ journey }) => journey.createdAt],
        ["ENDED", (one) => one.endedAt],
        ["REFERENCE", ({ journey }) => journey.externalReference]
      ],
      "after"
    )
  })
).pipe(Command.withDescription("List or search a company's journeys, newest first"))
