/** `journeys companies` and `journeys sandbox`: a company, and what is configured for it. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { Shape } from "../../../schema/journey/statuses.ts"
import { CompanyBody, CompanyPatch } from "../../../schema/company/Company.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { SandboxPatch } from "../../../schema/company/SandboxSwitches.ts"
import { CommandFailed } from "../frame/CommandFailed.ts"
import { optionalFlags, requiredFlags } from "../frame/modelFlags.ts"
import { choiceArgument, companyArgument, given, page, textFlag, textsOrNone } from "../frame/parameters.ts"
import { printOne, printPage, printSections } from "../frame/printing.ts"
import { providerFlags, providersOf } from "./providerFlags.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const { invite: _, ...needed } = requiredFlags(CompanyBody)

const create = Command.make(
  "create",
  { ...needed, invite: optionalFlags(CompanyBody).invite },
  Effect.fn("companies create")(function* ({ invite, ...body }) {
    const client = yield* SettingsClient
    const made = yield* client.call("createCompany", { payload: { ...body, ...given({ invite }) } })
    const isInvited = Option.getOrElse(invite, () => true)
    yield* printOne(made, isInvited ? ["", `An invitation to the console is being mailed to ${made.adminEmail}.`] : [])
  })
).pipe(Command.withDescription("Make a company"))

const list = Command.make(
  "list",
  { ...queryFlags("listCompanies"), ...page },
  Effect.fn("companies list")(function* ({ page: number, size, ...filters }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listCompanies", { query: { ...given(filters), page: number, size } })
    yield* printPage(found, [
      ["ID", (one) => one.id],
      ["NAME", (one) => one.name],
      ["KIND", (one) => one.kind],
      ["ACTIVE", (one) => one.active],
      ["CREATED", (one) => one.createdAt]
    ])
  })
).pipe(Command.withDescription("List companies, newest first, or find some"))

const show = Command.make(
  "show",
  { company: companyArgument },
  Effect.fn("companies show")(function* (flags) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("getCompany", { params: { companyId: flags.company } }))
  })
).pipe(Command.withDescription("Show a company"))

const overview = Command.make(
  "overview",
  { company: companyArgument },
  Effect.fn("companies overview")(function* (flags) {
    const client = yield* SettingsClient
    yield* printSections(yield* client.call("getOverview", { params: { companyId: flags.company } }))
  })
).pipe(Command.withDescription("Show what is done, what waits, what fails and what runs out"))

const change = Effect.fnUntraced(function* (companyId: string, body: CompanyPatch) {
  const client = yield* SettingsClient
  return yield* client.call("changeCompany", { params: { companyId }, payload: body })
})

const { active, adminEmail, name, ...limits } = optionalFlags(CompanyPatch)

const readyReasons = {
  approvalReasons: textFlag(
    "approval-reasons",
    "What reviewers can choose when they approve, one reason a line, or none"
  ),
  rejectionReasons: textFlag("rejection-reasons", "The same for when they reject, or none")
}

const update = Command.make(
  "update",
  { company: companyArgument, name, adminEmail, active, ...providerFlags, ...readyReasons, ...limits },
  Effect.fn("companies update")(function* ({
    approvalReasons,
    company,
    identity,
    identitySecret,
    panel,
    panelSecret,
    panelUrl,
    rejectionReasons,
    ...rest
  }) {
    const providers = yield* providersOf({ identity, identitySecret, panel, panelSecret, panelUrl })
    yield* printOne(
      yield* change(company, { ...given(rest), ...providers, ...textsOrNone({ approvalReasons, rejectionReasons }) })
    )
  })
).pipe(Command.withDescription("Change a company; what is not named stays"))

export const companiesCommand = Command.make("companies").pipe(
  Command.withDescription("Companies"),
  Command.withSubcommands([create, list, show, overview, update])
)

const { fastestPaceSeconds: fastest, slowestPaceSeconds: slowest } = companyLimits

const setSandbox = Command.make(
  "set",
  {
    company: companyArgument,
    ...optionalFlags(SandboxPatch),
    pace: textFlag("pace", `Seconds a step, ${fastest} to ${slowest}; manual; or default for the service's own`)
  },
  Effect.fn("sandbox set")(function* ({ company, pace, ...switches }) {
    const sandbox = {
      ...given(switches),
      ...(Option.isNone(pace) ? {} : { pace: yield* paceOf(pace.value) })
    }
    yield* printOne((yield* change(company, { sandbox })).sandbox)
  })
).pipe(Command.withDescription("Change what test keys meet; what is not named stays"))

/** Null is the service's own pace; text that is none of these is refused here, for a body could not carry it. */
const paceOf = (text: string): Effect.Effect<number | "manual" | null, CommandFailed> => {
  if (text === "default") return Effect.succeed(null)
  if (text === "manual") return Effect.succeed(text)
  return /^\d{1,3}$/.test(text)
    ? Effect.succeed(Number(text))
    : Effect.fail(new CommandFailed({ message: `--pace must be ${fastest} to ${slowest}, manual or default` }))
}

const startSandbox = Command.make(
  "start",
  {
    company: companyArgument,
    shape: choiceArgument("shape", Shape.literals, "Which example of a start"),
    clock: textFlag("clock", "The test clock by which it runs")
  },
  Effect.fn("sandbox start")(function* ({ clock, company, shape }) {
    const client = yield* SettingsClient
    const payload = { shape, ...given({ clock }) }
    yield* printOne(yield* client.call("startTestJourney", { params: { companyId: company }, payload }))
  })
).pipe(Command.withDescription("Start a test journey from the example of a shape"))

export const sandboxCommand = Command.make("sandbox").pipe(
  Command.withDescription("The sandbox of a company"),
  Command.withSubcommands([setSandbox, startSandbox])
)
