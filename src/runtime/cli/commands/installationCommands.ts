/** `journeys installation`: what whoever runs the service looks at over all companies, and another try for a journey. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { waitingOn } from "../../../schema/journey/steps.ts"
import { given, inAnyCase, piece } from "../frame/parameters.ts"
import { printOne, printPiece, printSections, printWithList } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const work = Command.make(
  "work",
  {},
  Effect.fn("installation work")(function* () {
    const client = yield* SettingsClient
    yield* printSections(yield* client.call("getOpenWork", {}))
  })
).pipe(Command.withDescription("Count what is open over all companies"))

const runners = Command.make(
  "runners",
  {},
  Effect.fn("installation runners")(function* () {
    const client = yield* SettingsClient
    const found = yield* client.call("listRunners", {})
    yield* printWithList({ thing: found, list: { name: "content", entries: found.content } }, [
      ["ADDRESS", (one) => one.address],
      ["HEALTHY", (one) => one.healthy],
      ["SINCE", (one) => one.since],
      ["SHARDS", (one) => one.shards]
    ])
  })
).pipe(Command.withDescription("List the nodes that run journeys"))

const waiting = Command.make(
  "waiting",
  {
    on: Flag.ChoiceWithValue("on", inAnyCase(waitingOn)).pipe(
      Flag.withDescription("Only journeys that wait on this"),
      Flag.optional
    ),
    olderThan: Flag.Int("older-than").pipe(
      Flag.withDescription("Only journeys that have waited for more hours than this"),
      Flag.optional
    ),
    ...piece
  },
  Effect.fn("installation waiting")(function* ({ cursor, olderThan, on, size }) {
    const client = yield* SettingsClient
    const query = { size, ...given({ waitingOn: on, olderThan, after: cursor }) }
    const found = yield* client.call("listWaitingJourneys", { query })
    yield* printPiece(found, [
      ["JOURNEY", (one) => one.journeyId],
      ["COMPANY", (one) => one.companyName],
      ["MODE", (one) => one.mode],
      ["TYPE", (one) => one.type],
      ["WAITS ON", (one) => one.waitingOn],
      ["SINCE", (one) => one.since]
    ])
  })
).pipe(Command.withDescription("List active journeys by what they wait on, the longest waiting first"))

const setAside = Command.make(
  "set-aside",
  piece,
  Effect.fn("installation set-aside")(function* ({ cursor, size }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listSetAsideJourneys", { query: { size, ...given({ after: cursor }) } })
    yield* printPiece(found, [
      ["JOURNEY", (one) => one.journeyId],
      ["COMPANY", (one) => one.companyName],
      ["MODE", (one) => one.mode],
      ["SINCE", (one) => one.since],
      ["REASON", (one) => one.reason]
    ])
  })
).pipe(Command.withDescription("List journeys that were set aside because they cannot be woken"))

const retry = Command.make(
  "retry",
  { journey: Argument.String("journey").pipe(Argument.withDescription("The journey's id")) },
  Effect.fn("installation retry")(function* ({ journey }) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("retryJourney", { params: { journeyId: journey } }))
  })
).pipe(Command.withDescription("Give a journey that was set aside another try"))

const endpoints = Command.make(
  "endpoints",
  piece,
  Effect.fn("installation endpoints")(function* ({ cursor, size }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listFailingEndpoints", { query: { size, ...given({ after: cursor }) } })
    yield* printPiece(found, [
      ["COMPANY", (one) => one.companyName],
      ["MODE", (one) => one.mode],
      ["URL", (one) => one.url],
      ["FAILING SINCE", (one) => one.failingSince],
      ["OFF SINCE", (one) => one.offSince]
    ])
  })
).pipe(Command.withDescription("List webhook endpoints that nothing reaches"))

export const installationCommand = Command.make("installation").pipe(
  Command.withDescription("The installation, over all companies"),
  Command.withSubcommands([work, runners, waiting, setAside, retry, endpoints])
)
