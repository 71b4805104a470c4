/**
 * `journeys journeys`: the list of them, and of one journey its case file, its timeline, the calls that it takes now and the
 * team's own steps.
 */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { buttonCalls, teamButtons, type ButtonCall } from "../../../schema/journey/actions.ts"
import { simulatableEvents } from "../../../schema/journey/events.ts"
import { lengthOfReason } from "../../../schema/company/reasonText.ts"
import { CaseReason } from "../../../schema/review/CaseFile.ts"
import { journeyListCommand } from "./journeyListCommand.ts"
import { choiceArgument, companyArgument, journeyArgument, page, required } from "../frame/parameters.ts"
import { printOne, printPage, printSections } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const paramsOf = (flags: { readonly company: string; readonly journey: string }) => ({
  companyId: flags.company,
  journeyId: flags.journey
})

const timeline = Command.make(
  "timeline",
  {
    company: companyArgument,
    journey: journeyArgument,
    newest: Flag.Boolean("newest").pipe(Flag.withDefault(false), Flag.withDescription("The newest line first")),
    ...page
  },
  Effect.fn("journeys timeline")(function* ({ newest, page, size, ...flags }) {
    const client = yield* SettingsClient
    const order = newest ? "NEWEST_FIRST" : "OLDEST_FIRST"
    const found = yield* client.call("getTimeline", { params: paramsOf(flags), query: { order, page, size } })
    yield* printPage(found, [
      ["AT", (one) => one.at],
      ["SENDER", (one) => one.sender],
      ["MESSAGE", (one) => one.message],
      ["REASONS", (one) => one.reasons],
      ["EVENTS", (one) => one.events.map(({ type }) => type)],
      ["DELIVERED", (one) => one.events.map(({ delivery }) => delivery?.status)],
      ["MAILS", (one) => one.mails.map(({ kind, state }) => `${kind}:${state}`)],
      [
        "WORK",
        ({ work }) => work && `${work.kind ?? "?"}:${work.attempt}${work.dueAt === null ? "" : `:${work.dueAt}`}`
      ],
      ["VEHICLE", (one) => one.vehicle],
      ["NOTE", (one) => one.note?.replaceAll(/\s+/g, " ")]
    ])
  })
).pipe(Command.withDescription("List every message from the start on, and what came of it"))

const caseFile = Command.make(
  "case",
  {
    company: companyArgument,
    journey: journeyArgument,
    reason: Flag.Literals("reason", CaseReason.literals).pipe(
      Flag.withDefault("support" as const),
      Flag.withDescription("Why it is read, for the audit log; left out, support")
    )
  },
  Effect.fn("journeys case")(function* ({ reason, ...flags }) {
    const client = yield* SettingsClient
    const found = yield* client.call("getCase", { params: paramsOf(flags), query: { reason } })
    const { frames, ...video } = found.video ?? { frames: [] }
    yield* printSections(found, found.video === null ? found : { ...found, video, frames })
  })
).pipe(
  Command.withDescription("Read the case file: customer, vehicle, address, finance, consents, checks, photos and video")
)

const exportCase = Command.make(
  "export-case",
  { company: companyArgument, journey: journeyArgument },
  Effect.fn("journeys export-case")(function* (flags) {
    const client = yield* SettingsClient
    yield* printSections(yield* client.call("exportCase", { params: paramsOf(flags) }))
  })
).pipe(
  Command.withDescription(
    "Export all that is kept of the customer in this journey, for a customer who asks; --json for a file"
  )
)

const show = Command.make(
  "show",
  { company: companyArgument, journey: journeyArgument },
  Effect.fn("journeys show")(function* (flags) {
    const client = yield* SettingsClient
    yield* printSections(yield* client.call("getCompanyJourney", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Show the journey with its steps"))

const actions = Command.make(
  "actions",
  { company: companyArgument, journey: journeyArgument },
  Effect.fn("journeys actions")(function* (flags) {
    const client = yield* SettingsClient
    yield* printSections(yield* client.call("getJourneyActions", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Show what it waits for, and which calls it would take now"))

const cancel = Command.make(
  "cancel",
  {
    company: companyArgument,
    journey: journeyArgument,
    reason: Flag.String("reason").pipe(required("Why, for the timeline: 10 to 500 characters"))
  },
  Effect.fn("journeys cancel")(function* ({ reason, ...flags }) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("cancelCompanyJourney", { params: paramsOf(flags), payload: { reason } }))
  })
).pipe(Command.withDescription("Cancel the journey, and its handover if there is one"))

const cancelHandover = Command.make(
  "cancel-handover",
  {
    company: companyArgument,
    journey: journeyArgument,
    reason: Flag.String("reason").pipe(Flag.optional, Flag.withDescription(`Why, for the timeline: ${lengthOfReason}`))
  },
  Effect.fn("journeys cancel-handover")(function* ({ reason, ...flags }) {
    const client = yield* SettingsClient
    const payload = Option.match(reason, { onNone: () => ({}), onSome: (text) => ({ reason: text }) })
    yield* printOne(yield* client.call("cancelHandover", { params: paramsOf(flags), payload }))
  })
).pipe(Command.withDescription("Cancel the handover, and the journey with it"))

const simulate = Command.make(
  "simulate",
  {
    company: companyArgument,
    journey: journeyArgument,
    event: choiceArgument("event", simulatableEvents, "What shall have happened")
  },
  Effect.fn("journeys simulate")(function* ({ event, ...flags }) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("forceOutcome", { params: paramsOf(flags), payload: { event } }))
  })
).pipe(Command.withDescription("Force an outcome of a test journey, with the steps before it"))

const button = (name: ButtonCall) => {
  const { as, help } = teamButtons[name]
  return Command.make(
    as,
    { company: companyArgument, journey: journeyArgument },
    Effect.fn(`journeys ${as}`)(function* (flags) {
      const client = yield* SettingsClient
      yield* printOne(yield* client.call(name, { params: paramsOf(flags) }))
    })
  ).pipe(Command.withDescription(help))
}

export const teamCommand = Command.make("journeys").pipe(
  Command.withDescription("A company's journeys, and what its team does with one"),
  Command.withSubcommands([
    journeyListCommand,
    caseFile,
    exportCase,
    show,
    timeline,
    actions,
    ...buttonCalls.map(button),
    cancel,
    cancelHandover,
    simulate
  ])
)
