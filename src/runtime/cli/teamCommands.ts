/** `journeys journeys`: the team's own steps on one journey, and its timeline. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { JourneyResource } from "../../schema/journey/resource.ts"
import { TimelineEntryResource } from "../../schema/journey/timeline.ts"
import { company, page, pageOf, pageQuery, segment } from "./parameters.ts"
import { printOne, printPage } from "./printing.ts"
import { SettingsClient } from "./SettingsClient.ts"

const journey = Argument.String("journey").pipe(Argument.withDescription("The journey's id"))

const pathOf = (flags: { readonly company: string; readonly journey: string }) =>
  `/companies/${segment(flags.company)}/journeys/${segment(flags.journey)}` as const

const timeline = Command.make(
  "timeline",
  { company, journey, ...page },
  Effect.fn("journeys timeline")(function* (flags) {
    const client = yield* SettingsClient
    const path = `${pathOf(flags)}/timeline` as const
    const found = yield* client.call(pageOf(TimelineEntryResource), { method: "GET", path, query: pageQuery(flags) })
    yield* printPage(found, [
      ["AT", (one) => one.at],
      ["SENDER", (one) => one.sender],
      ["MESSAGE", (one) => one.message],
      ["EVENTS", (one) => one.events.map(({ type }) => type)],
      ["DELIVERED", (one) => one.events.map(({ delivery }) => delivery?.status)],
      ["MAILS", (one) => one.mails.map(({ kind, state }) => `${kind}:${state}`)],
      ["VEHICLE", (one) => one.vehicle],
      ["NOTE", (one) => one.note?.replaceAll(/\s+/g, " ")]
    ])
  })
).pipe(Command.withDescription("List every message from the start on, and what came of it"))

const step = (name: "resend-check" | "resend-link" | "cancel-handover", description: string) =>
  Command.make(
    name,
    { company, journey },
    Effect.fn(`journeys ${name}`)(function* (flags) {
      const client = yield* SettingsClient
      yield* printOne(yield* client.call(JourneyResource, { method: "POST", path: `${pathOf(flags)}/${name}` }))
    })
  ).pipe(Command.withDescription(description))

export const team = Command.make("journeys").pipe(
  Command.withDescription("What the team does with one journey"),
  Command.withSubcommands([
    timeline,
    step("resend-check", "Resend an identity check that could not be started"),
    step("resend-link", "Mail the customer a new link, to the address on file"),
    step("cancel-handover", "Cancel the handover, and the journey with it")
  ])
)
