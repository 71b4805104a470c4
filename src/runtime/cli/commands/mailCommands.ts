/** `journeys mail`: mail that the service kept because no SMTP server is set, and how mail of companies to customers stands. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ReturnedAs } from "../../../schema/mail/MailStanding.ts"
import { choiceArgument, companyArgument, given, page } from "../frame/parameters.ts"
import { printOne, printPage } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const list = Command.make(
  "list",
  {
    ...queryFlags("listMail"),
    ...page
  },
  Effect.fn("mail list")(function* ({ page: number, size, ...filters }) {
    const client = yield* SettingsClient
    const query = { ...given(filters), page: number, size }
    const found = yield* client.call("listMail", { query })
    yield* printPage(found, [
      ["AT", (one) => one.createdAt],
      ["TO", (one) => one.to],
      ["KIND", (one) => one.kind],
      ["SUBJECT", (one) => one.subject]
    ])
  })
).pipe(Command.withDescription("List kept mail, newest first; --json shows the whole text"))

const standing = Command.make(
  "standing",
  { company: companyArgument },
  Effect.fn("mail standing")(function* ({ company }) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("getMailStanding", { params: { companyId: company } }))
  })
).pipe(Command.withDescription("Show what a company mails to customers, what came back, and whether it is stopped"))

const setStopped = (name: "start" | "stop", about: string) =>
  Command.make(
    name,
    { company: companyArgument },
    Effect.fn(`mail ${name}`)(function* ({ company }) {
      const client = yield* SettingsClient
      const payload = { stopped: name === "stop" }
      yield* printOne(yield* client.call("changeMailStanding", { params: { companyId: company }, payload }))
    })
  ).pipe(Command.withDescription(about))

const allow = Command.make(
  "allow",
  {
    company: companyArgument,
    perDay: Flag.Int("per-day").pipe(
      Flag.withDescription("Mails to customers in 24 hours; without it, as the company's age has it"),
      Flag.optional
    )
  },
  Effect.fn("mail allow")(function* ({ company, perDay }) {
    const client = yield* SettingsClient
    const payload = { perDay: Option.getOrNull(perDay) }
    yield* printOne(yield* client.call("changeMailStanding", { params: { companyId: company }, payload }))
  })
).pipe(Command.withDescription("Set how many mails to customers a company may send in a day"))

const returned = Command.make(
  "returned",
  {
    mail: Argument.String("mail").pipe(Argument.withDescription("The mail's id: its Message-ID up to the @")),
    as: choiceArgument("as", ReturnedAs.literals, "What came back: a bounce or a complaint")
  },
  Effect.fn("mail returned")(function* ({ as, mail }) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("recordReturnedMail", { params: { mailId: mail }, payload: { as } }))
  })
).pipe(Command.withDescription("Record a bounce or a complaint that came to the mailbox of MAIL_FROM"))

export const mailCommand = Command.make("mail").pipe(
  Command.withDescription("The built-in mailbox, and mail of companies to customers"),
  Command.withSubcommands([
    list,
    standing,
    setStopped("start", "Start a company's mail to customers again"),
    setStopped("stop", "Stop a company's mail to customers"),
    allow,
    returned
  ])
)
