/** `journeys operator-tokens`: the operator's named tokens. A new token's text is printed once, by the command that made it. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { uuid } from "../../../schema/uuid.ts"
import { OperatorScope, operatorScopes } from "../../../schema/installation/OperatorToken.ts"
import { everyPage } from "../frame/everyPage.ts"
import { page, required, textFlag } from "../frame/parameters.ts"
import { printOne, printPage } from "../frame/printing.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const what = "Make a token for a person, a pipeline or a monitor"

/** A line for each scope: the sentence of the flag would be a page without an end. */
const scopeLines = OperatorScope.literals.map((scope) => `\n    ${scope}: ${operatorScopes[scope]}`).join("")

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("What the audit log calls it, such as deploy")),
    scopes: Flag.Literals("scope", OperatorScope.literals).pipe(
      required("What it may do; repeat it for several"),
      Flag.between(1, OperatorScope.literals.length)
    ),
    expiresAt: textFlag("expires-at", "When it ends, such as 2030-01-31T09:30:00Z, or never; else after a year")
  },
  Effect.fn("operator-tokens create")(function* ({ expiresAt, ...chosen }) {
    const client = yield* SettingsClient
    const ends = Option.match(expiresAt, {
      onNone: () => ({}),
      onSome: (at) => ({ expiresAt: at === "never" ? null : at })
    })
    const made = yield* client.call("createOperatorToken", { payload: { ...chosen, ...ends } })
    yield* printOne(made, ["", "The token is shown only now: keep it safe."])
  })
).pipe(Command.withDescription(`${what}. What each scope permits:${scopeLines}`), Command.withShortDescription(what))

const list = Command.make(
  "list",
  page,
  Effect.fn("operator-tokens list")(function* (query) {
    const client = yield* SettingsClient
    yield* printPage(yield* client.call("listOperatorTokens", { query }), [
      ["ID", (one) => one.id],
      ["NAME", (one) => one.name],
      ["ENDS WITH", (one) => one.last4],
      ["SCOPES", (one) => one.scopes],
      ["USED", (one) => one.lastUsedAt],
      ["EXPIRES", (one) => one.expiresAt],
      ["REVOKED", (one) => one.revokedAt]
    ])
  })
).pipe(Command.withDescription("List the tokens, newest first"))

/** The id of the token with this name; the name itself where no token has it, and then no token is found. */
const idOfName = Effect.fnUntraced(function* (name: string) {
  const client = yield* SettingsClient
  const tokens = yield* everyPage((page) =>
    client.call("listOperatorTokens", { query: { page, size: largestPageSize } })
  )
  return tokens.find((one) => one.name === name)?.id ?? name
})

const revoke = Command.make(
  "revoke",
  { token: Argument.String("token").pipe(Argument.withDescription("The token's id, or its name")) },
  Effect.fn("operator-tokens revoke")(function* ({ token }) {
    const client = yield* SettingsClient
    // Names are never given twice, and what is written like an id is an id.
    const tokenId = uuid.test(token) ? token : yield* idOfName(token)
    yield* printOne(yield* client.call("revokeOperatorToken", { params: { tokenId } }))
  })
).pipe(Command.withDescription("End a token at once and for good"))

export const operatorTokensCommand = Command.make("operator-tokens").pipe(
  Command.withDescription("Named tokens of the operator, each with what it may do and until when"),
  Command.withSubcommands([create, list, revoke])
)
