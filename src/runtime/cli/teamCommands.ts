/** `journeys journeys`: the team's own steps on one journey, and its timeline. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { companyArgument, page } from "./parameters.ts"
import { printOne, printPage } from "./printing.ts"
import { SettingsClient } from "./SettingsClient.ts"

const journey = Argument.String("journey").pipe(Argument.withDescription("The journey's id"))

const paramsOf = (flags: { readonly company: string; readonly journey: string }) => ({
  companyId: flags.company,
  journeyId: flags.journey
})

const timeline = Command.make(
  "timeline",
  { company: companyArgument, journey, ...page },
  Effect.fn("journeys timeline")(function* ({ page, size, ...flags }) {
    const client = yield* SettingsClient
    const found = yield* client.call("getTimeline", { params: paramsOf(flags), query: { page, size } })
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

const step = (name: string, operation: "resendCheck" | "resendLink" | "cancelHandover", description: string) =>
  Command.make(
    name,
    { company: companyArgument, journey },
    Effect.fn(`journeys ${name}`)(function* (flags) {
      const client = yield* SettingsClient
      yield* printOne(yield* client.call(operation, { params: paramsOf(flags) }))
    })
  ).pipe(Command.withDescription(description))

export const teamCommand = Command.make("journeys").pipe(
  Command.withDescription("What the team does with one journey"),
  Command.withSubcommands([
    timeline,
    step("resend-check", "resendCheck", "Resend an identity check that could not be started"),
    step("resend-link", "resendLink", "Mail the customer a new link, to the address on file"),
    step("cancel-handover", "cancelHandover", "Cancel the handover, and the journey with it")
  ])
)
