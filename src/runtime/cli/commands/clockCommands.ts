/** `journeys clocks`: test clocks of a company, by which journeys of its sandbox run. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { ClockStep } from "../../../schema/requests/TestClock.ts"
import { companyArgument, given } from "../frame/parameters.ts"
import { printOne, printWithList } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const clock = Argument.String("clock").pipe(Argument.withDescription("The clock's id"))
const ofOne = { company: companyArgument, clock }

const paramsOf = (flags: { readonly company: string; readonly clock: string }) => ({
  companyId: flags.company,
  clockId: flags.clock
})

const create = Command.make(
  "create",
  {
    company: companyArgument,
    startsAt: Flag.String("starts-at").pipe(
      Flag.optional,
      Flag.withDescription("Where it stands at first, such as 2030-01-31T09:30:00Z; left out, now")
    )
  },
  Effect.fn("clocks create")(function* ({ company, startsAt }) {
    const client = yield* SettingsClient
    const params = { companyId: company }
    yield* printOne(yield* client.call("createCompanyClock", { params, payload: given({ startsAt }) }))
  })
).pipe(
  Command.withDescription("Make a clock; start journeys on it with the header Sandbox-Clock, or with sandbox start")
)

const list = Command.make(
  "list",
  { company: companyArgument },
  Effect.fn("clocks list")(function* ({ company }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listCompanyClocks", { params: { companyId: company } })
    yield* printWithList({ thing: found, list: { name: "content", entries: found.content } }, [
      ["ID", (one) => one.id],
      ["NOW", (one) => one.now],
      ["STATUS", (one) => one.status],
      ["TARGET", (one) => one.target],
      ["JOURNEYS", (one) => one.journeys],
      ["ENDS AT", (one) => one.endsAt]
    ])
  })
).pipe(Command.withDescription("List the clocks that have not ended"))

const show = Command.make(
  "show",
  ofOne,
  Effect.fn("clocks show")(function* (flags) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("getCompanyClock", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Show a clock"))

const whatOf = (step: ClockStep) =>
  step.kind === "JOURNEY" ? step.messages : `${step.type}, attempt ${step.attempts}: ${step.status}`

const advance = Command.make(
  "advance",
  {
    ...ofOne,
    by: Flag.String("by").pipe(Flag.optional, Flag.withDescription("How far: P30D is thirty days, PT8H eight hours")),
    to: Flag.String("to").pipe(Flag.optional, Flag.withDescription("Where to, such as 2030-01-31T09:30:00Z"))
  },
  Effect.fn("clocks advance")(function* ({ by, to, ...flags }) {
    const client = yield* SettingsClient
    const done = yield* client.call("advanceCompanyClock", { params: paramsOf(flags), payload: given({ by, to }) })
    const { clock, complete, steps } = done
    yield* printWithList(
      { thing: { now: clock.now, target: clock.target, complete, steps }, list: { name: "steps", entries: steps } },
      [
        ["AT", (one) => one.at],
        ["JOURNEY", (one) => one.journeyId],
        ["WHAT", whatOf],
        ["EVENTS", (one) => (one.kind === "JOURNEY" ? one.events : [])]
      ]
    )
  })
).pipe(Command.withDescription("Advance a clock, and show what happened; it may take half a minute"))

const end = Command.make(
  "end",
  ofOne,
  Effect.fn("clocks end")(function* (flags) {
    const client = yield* SettingsClient
    const ended = yield* client.call("endCompanyClock", { params: paramsOf(flags) })
    yield* printOne(ended, ["The clock has ended. This is how it stood; its journeys stay where they are."])
  })
).pipe(Command.withDescription("End a clock; its journeys stay where they are"))

export const clocksCommand = Command.make("clocks").pipe(
  Command.withDescription("Test clocks of a company: windows, reminders and webhook retries within seconds"),
  Command.withSubcommands([create, list, show, advance, end])
)
