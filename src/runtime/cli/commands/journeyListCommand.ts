/** `journeys journeys list`: a company's journeys, filtered and searched. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { WaitingOn } from "../../../schema/company/ListedJourney.ts"
import { JourneyStatus, JourneyType } from "../../../schema/journey/statuses.ts"
import { modeOf, Mode } from "../../../schema/Mode.ts"
import { companyArgument, given, inAnyCase, page, span, textFlag } from "../frame/parameters.ts"
import { printPiece } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const choice = <const Word extends string>(name: string, words: ReadonlyArray<Word>, description: string) =>
  Flag.ChoiceWithValue(name, inAnyCase(words)).pipe(Flag.withDescription(description), Flag.optional)

export const journeyListCommand = Command.make(
  "list",
  {
    company: companyArgument,
    status: choice("status", JourneyStatus.literals, "Only journeys with this status"),
    type: choice("type", JourneyType.literals, "Only journeys of this type"),
    mode: choice("mode", Mode.literals, "Only live journeys, or only test ones"),
    waitingOn: choice("waiting-on", WaitingOn.literals, "Only journeys that wait on this"),
    waitingSince: textFlag("waiting-since", "Only journeys that wait since before, such as 2030-01-31T09:30:00Z"),
    ...span,
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
