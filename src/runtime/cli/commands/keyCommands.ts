/** `journeys keys`: API keys. A new key's text is printed once, by the command that made it. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ApiKeyBody, ApiKeyPatch, KeyScope, type NewApiKeyResource } from "../../../schema/company/ApiKey.ts"
import { optionalFlags, requiredFlags } from "../frame/modelFlags.ts"
import { companyArgument, given, page, textFlag } from "../frame/parameters.ts"
import { printOne, printPage } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const key = Argument.String("key").pipe(Argument.withDescription("The key's id"))

const { mode } = requiredFlags(ApiKeyBody)
const { developer, name } = optionalFlags(ApiKeyPatch)

const chosen = {
  name,
  scopes: Flag.Literals("scope", KeyScope.literals).pipe(
    Flag.withDescription("What it may do; repeat it for several; a new key without it may do everything"),
    Flag.between(0, KeyScope.literals.length)
  ),
  expiresAt: textFlag("expires-at", "When it ends, such as 2030-01-31T09:30:00Z, or never; a new key after a year"),
  addresses: textFlag("addresses", "Addresses and blocks from which it is taken, with commas between, or any"),
  developer
}

const patchOf = (flags: {
  readonly name: Option.Option<string>
  readonly scopes: ReadonlyArray<KeyScope>
  readonly expiresAt: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly developer: Option.Option<boolean>
}): ApiKeyPatch => ({
  ...given({ developer: flags.developer, name: flags.name }),
  ...(flags.scopes.length === 0 ? {} : { scopes: flags.scopes }),
  ...Option.match(flags.expiresAt, {
    onNone: () => ({}),
    onSome: (at) => ({ expiresAt: at === "never" ? null : at })
  }),
  ...Option.match(flags.addresses, {
    onNone: () => ({}),
    onSome: (text) => ({ addresses: text === "any" ? [] : text.split(",").map((one) => one.trim()) })
  })
})

const paramsOf = (flags: { readonly company: string; readonly key: string }) => ({
  companyId: flags.company,
  keyId: flags.key
})

const printNew = (made: NewApiKeyResource) => printOne(made, ["", "The key is shown only now: keep it safe."])

const create = Command.make(
  "create",
  {
    company: companyArgument,
    mode,
    ...chosen
  },
  Effect.fn("keys create")(function* ({ company, mode, ...flags }) {
    const client = yield* SettingsClient
    const payload: ApiKeyBody = { mode, ...patchOf(flags) }
    yield* printNew(yield* client.call("createApiKey", { params: { companyId: company }, payload }))
  })
).pipe(Command.withDescription("Make a key"))

const list = Command.make(
  "list",
  { company: companyArgument, ...page },
  Effect.fn("keys list")(function* ({ company, ...query }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listApiKeys", { params: { companyId: company }, query })
    yield* printPage(found, [
      ["ID", (one) => one.id],
      ["MODE", (one) => one.mode],
      ["NAME", (one) => one.name],
      ["ENDS WITH", (one) => one.last4],
      ["SCOPES", (one) => one.scopes],
      ["DEVELOPER", (one) => one.developer],
      ["EXPIRES", (one) => one.expiresAt],
      ["ADDRESSES", (one) => one.addresses],
      ["LAST USED", (one) => one.lastUsedAt],
      ["REVOKED", (one) => one.revokedAt]
    ])
  })
).pipe(Command.withDescription("List a company's keys, newest first"))

const show = Command.make(
  "show",
  { company: companyArgument, key },
  Effect.fn("keys show")(function* (flags) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("getApiKey", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Show a key, without its text"))

const update = Command.make(
  "update",
  { company: companyArgument, key, ...chosen },
  Effect.fn("keys update")(function* ({ company, key, ...flags }) {
    const client = yield* SettingsClient
    const params = paramsOf({ company, key })
    yield* printOne(yield* client.call("changeApiKey", { params, payload: patchOf(flags) }))
  })
).pipe(Command.withDescription("Change a key; what is not named stays"))

const revoke = Command.make(
  "revoke",
  { company: companyArgument, key },
  Effect.fn("keys revoke")(function* (flags) {
    const client = yield* SettingsClient
    yield* printOne(yield* client.call("revokeApiKey", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("End a key at once and for good"))

const rotate = Command.make(
  "rotate",
  { company: companyArgument, key },
  Effect.fn("keys rotate")(function* (flags) {
    const client = yield* SettingsClient
    yield* printNew(yield* client.call("rotateApiKey", { params: paramsOf(flags) }))
  })
).pipe(Command.withDescription("Put a new text in place of a key's; the old one ends at once"))

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("API keys of a company"),
  Command.withSubcommands([create, list, show, update, rotate, revoke])
)
