/** `journeys companies`, `journeys sandbox` and `journeys audit`: a company, what is configured for it, who changed it. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { AuditEntryResource, CompanyKind, CompanyResource } from "../../schema/company/Company.ts"
import type { CompanyBody, CompanyPatch } from "../../schema/company/settingsBodies.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { company, given, page, pageOf, pageQuery, segment, text, toggle } from "./parameters.ts"
import { printOne, printPage } from "./printing.ts"
import { providerFlags, providersOf } from "./providerFlags.ts"
import { SettingsClient } from "./SettingsClient.ts"

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("The company's name")),
    kind: Flag.Literals("kind", CompanyKind.literals).pipe(Flag.withDescription("A dealer or a broker")),
    adminEmail: Flag.String("admin-email").pipe(Flag.withDescription("Where mail for the company goes"))
  },
  Effect.fn("companies create")(function* (body: CompanyBody) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call(CompanyResource, { method: "POST", path: "/companies", body }))
  })
).pipe(Command.withDescription("Make a company"))

const list = Command.make(
  "list",
  page,
  Effect.fn("companies list")(function* (flags) {
    const client = yield* SettingsClient
    const found = yield* client.call(pageOf(CompanyResource), {
      method: "GET",
      path: "/companies",
      query: pageQuery(flags)
    })
    yield* printPage(found, [
      ["ID", (one) => one.id],
      ["NAME", (one) => one.name],
      ["KIND", (one) => one.kind],
      ["ACTIVE", (one) => one.active],
      ["CREATED", (one) => one.createdAt]
    ])
  })
).pipe(Command.withDescription("List companies, newest first"))

const show = Command.make(
  "show",
  { company },
  Effect.fn("companies show")(function* (flags) {
    const client = yield* SettingsClient
    const path = `/companies/${segment(flags.company)}` as const
    yield* printOne(yield* client.call(CompanyResource, { method: "GET", path }))
  })
).pipe(Command.withDescription("Show a company"))

const change = Effect.fnUntraced(function* (companyId: string, body: CompanyPatch) {
  const client = yield* SettingsClient
  return yield* client.call(CompanyResource, { method: "PATCH", path: `/companies/${segment(companyId)}`, body })
})

const update = Command.make(
  "update",
  {
    company,
    name: text("name", "Another name"),
    adminEmail: text("admin-email", "Another address for the company's mail"),
    active: toggle("active", "Whether its keys work"),
    ...providerFlags,
    identityWindowDays: Flag.Int("identity-window-days").pipe(
      Flag.withDescription("Days a customer has for the identity check, 1 to 90"),
      Flag.optional
    ),
    handoverWindowDays: Flag.Int("handover-window-days").pipe(
      Flag.withDescription("Days a customer has for the handover, 1 to 90"),
      Flag.optional
    ),
    mediaRetentionDays: Flag.Int("media-retention-days").pipe(
      Flag.withDescription("Days that photos and videos are kept after their journey's end, 1 to 365"),
      Flag.optional
    )
  },
  Effect.fn("companies update")(function* (flags) {
    const { active, adminEmail, handoverWindowDays, identityWindowDays, mediaRetentionDays, name } = flags
    const body: CompanyPatch = {
      ...given({ active, adminEmail, handoverWindowDays, identityWindowDays, mediaRetentionDays, name }),
      ...(yield* providersOf(flags))
    }
    yield* printOne(yield* change(flags.company, body))
  })
).pipe(Command.withDescription("Change a company; what is not named stays"))

export const companies = Command.make("companies").pipe(
  Command.withDescription("Companies"),
  Command.withSubcommands([create, list, show, update])
)

const setSandbox = Command.make(
  "set",
  {
    company,
    identityConfigured: toggle("identity-configured", "Whether test journeys find an identity provider"),
    panelConfigured: toggle("panel-configured", "Whether test journeys find a finance panel"),
    credits: toggle("credits", "Whether test journeys find credit"),
    pace: text("pace", "Seconds a step, 1 to 60; manual; or default for the service's own")
  },
  Effect.fn("sandbox set")(function* ({ company, credits, identityConfigured, pace, panelConfigured }) {
    const sandbox = {
      ...given({ credits, identityConfigured, panelConfigured }),
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
    : Effect.fail(new CommandFailed({ message: "--pace must be 1 to 60, manual or default" }))
}

export const sandbox = Command.make("sandbox").pipe(
  Command.withDescription("The sandbox of a company"),
  Command.withSubcommands([setSandbox])
)

export const audit = Command.make(
  "audit",
  { company, ...page },
  Effect.fn("audit")(function* (flags) {
    const client = yield* SettingsClient
    const found = yield* client.call(pageOf(AuditEntryResource), {
      method: "GET",
      path: `/companies/${segment(flags.company)}/audit`,
      query: pageQuery(flags)
    })
    yield* printPage(found, [
      ["AT", (one) => one.at],
      ["ACTOR", (one) => one.actor],
      ["ACTION", (one) => one.action],
      ["DETAILS", (one) => one.details]
    ])
  })
).pipe(Command.withDescription("Who changed what, newest first"))
