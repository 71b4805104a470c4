/** `journeys members` and `journeys sessions`: who may sign in to a company's console, and where they are signed in. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { MemberBody, MemberPatch } from "../../../schema/members/Member.ts"
import { requiredFlags } from "../frame/modelFlags.ts"
import { companyArgument, page } from "../frame/parameters.ts"
import { printOne, printPage, printWithList } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const member = Argument.String("member").pipe(Argument.withDescription("The member's id"))

const paramsOf = (flags: { readonly company: string; readonly member: string }) => ({
  companyId: flags.company,
  memberId: flags.member
})

const list = Command.make(
  "list",
  { company: companyArgument, ...page },
  Effect.fn("members list")(function* ({ company, ...query }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listMembers", { params: { companyId: company }, query })
    yield* printPage(found, [
      ["ID", (one) => one.id],
      ["EMAIL", (one) => one.email],
      ["ROLE", (one) => one.role],
      ["INVITED", (one) => one.invitedAt],
      ["SEEN", (one) => one.seenAt],
      ["NOTICES", (one) => one.notices],
      ["PASSKEYS", (one) => one.passkeys]
    ])
  })
).pipe(Command.withDescription("List who may sign in to the console"))

const { email, role } = requiredFlags(MemberBody)

const invite = Command.make(
  "invite",
  { company: companyArgument, email, role },
  Effect.fn("members invite")(function* ({ company, ...payload }) {
    const client = yield* SettingsClient
    const params = { companyId: company }
    yield* printOne(yield* client.call("inviteMember", { params, payload }), ["", "The invitation is being mailed."])
  })
).pipe(Command.withDescription("Make somebody a member and mail them the invitation"))

const changeRole = Command.make(
  "role",
  { company: companyArgument, member, ...requiredFlags(MemberPatch) },
  Effect.fn("members role")(function* ({ role, ...flags }) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("changeMember", { params: paramsOf(flags), payload: { role } }))
  })
).pipe(Command.withDescription("Change a member's role"))

const notices = Command.make(
  "notices",
  {
    company: companyArgument,
    member,
    on: Argument.ChoiceWithValue("on", [
      ["on", true],
      ["off", false]
    ]).pipe(Argument.withDescription("Whether the member gets mail to the team: on, off"))
  },
  Effect.fn("members notices")(function* ({ on, ...flags }) {
    const client = yield* SettingsClient
    const payload = { notices: on }
    yield* printOne(yield* client.call("setNotices", { params: paramsOf(flags), payload }))
  })
).pipe(Command.withDescription("Choose whether a member gets mail to the team"))

const remove = Command.make(
  "remove",
  { company: companyArgument, member },
  Effect.fn("members remove")(function* (flags) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("removeMember", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Remove a member; their sessions end at once"))

const passkeys = Command.make(
  "passkeys",
  { company: companyArgument, member },
  Effect.fn("members passkeys")(function* (flags) {
    const client = yield* SettingsClient
    const entries = yield* client.call("listPasskeys", { params: paramsOf(flags) })
    yield* printWithList({ thing: { member: flags.member, passkeys: entries }, list: { name: "passkeys", entries } }, [
      ["ID", (one) => one.id],
      ["NAME", (one) => one.name],
      ["ADDED", (one) => one.addedAt],
      ["USED", (one) => one.usedAt]
    ])
  })
).pipe(Command.withDescription("List a member's passkeys"))

const removePasskey = Command.make(
  "remove-passkey",
  {
    company: companyArgument,
    member,
    passkey: Argument.String("passkey").pipe(Argument.withDescription("The passkey's id"))
  },
  Effect.fn("members remove-passkey")(function* ({ passkey, ...flags }) {
    const client = yield* SettingsClient
    const params = { ...paramsOf(flags), passkeyId: passkey }
    yield* printOne(yield* client.call("removePasskey", { params }))
  })
).pipe(Command.withDescription("Remove a passkey, such as that of a lost telephone"))

export const membersCommand = Command.make("members").pipe(
  Command.withDescription("Who may sign in to a company's console"),
  Command.withSubcommands([list, invite, changeRole, notices, remove, passkeys, removePasskey])
)

const listSessions = Command.make(
  "list",
  { company: companyArgument, ...page },
  Effect.fn("sessions list")(function* ({ company, ...query }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listSessions", { params: { companyId: company }, query })
    yield* printPage(found, [
      ["ID", (one) => one.id],
      ["EMAIL", (one) => one.email],
      ["BROWSER", (one) => one.browser],
      ["OPENED", (one) => one.openedAt],
      ["SEEN", (one) => one.seenAt]
    ])
  })
).pipe(Command.withDescription("List where members are signed in, last seen first"))

const end = Command.make(
  "end",
  {
    company: companyArgument,
    session: Argument.String("session").pipe(Argument.withDescription("The session's id"))
  },
  Effect.fn("sessions end")(function* ({ company, session }) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("endSession", { params: { companyId: company, sessionId: session } }))
  })
).pipe(Command.withDescription("End a session at once"))

const endAll = Command.make(
  "end-all",
  { company: companyArgument, member },
  Effect.fn("sessions end-all")(function* (flags) {
    const client = yield* SettingsClient
    const entries = yield* client.call("endSessions", { params: paramsOf(flags) })
    yield* printWithList({ thing: { member: flags.member, ended: entries }, list: { name: "ended", entries } }, [
      ["ID", (one) => one.id],
      ["BROWSER", (one) => one.browser],
      ["SEEN", (one) => one.seenAt]
    ])
  })
).pipe(Command.withDescription("End all sessions of a member at once, such as after a lost telephone"))

export const sessionsCommand = Command.make("sessions").pipe(
  Command.withDescription("Where the members of a company are signed in to the console"),
  Command.withSubcommands([listSessions, end, endAll])
)
