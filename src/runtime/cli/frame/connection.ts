/**
 * Where the service is and what opens its settings, read from the same variables the service reads: BASE_URL or HOST and
 * PORT; OPERATOR_TOKEN, its file, or the token the service made in DATA_DIR. It makes nothing: a tool that is run in the wrong
 * folder must not leave secrets there.
 */
import { Config, Effect, Option, Redacted, Schema } from "effect"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { environment } from "../../settings/environment.ts"
import { fileVariableOf, secretsOfFiles } from "../../settings/secretFiles.ts"
import { baseUrlOf } from "../../settings/Settings.ts"
import { CommandFailed } from "./CommandFailed.ts"

export interface Connection {
  readonly baseUrl: string
  readonly operatorToken: Redacted.Redacted
}

type Name = "BASE_URL" | "DATA_DIR" | "HOST" | "OPERATOR_TOKEN" | "PORT"

const SecretsFile = Schema.fromJsonString(Schema.Struct({ operatorToken: Schema.String }))

const variable = (name: string) => Effect.map(Effect.orDie(Config.option(Config.String(name))), Option.getOrUndefined)

/** What the variable or the file of a secret says. */
const textFor = Effect.fnUntraced(function* (name: Name) {
  const given = yield* variable(name)
  const file = fileVariableOf(name)
  if (file === undefined) return given
  const { problems, values } = secretsOfFiles({ [name]: given, [file]: yield* variable(file) })
  if (problems.length > 0) return yield* new CommandFailed({ message: problems.join("\n") })
  return values.get(name) ?? given
})

/** The variable's value, `undefined` when it is unset or empty; one that breaks its rule ends the command. */
const read = <N extends Name>(name: N) =>
  Effect.gen(function* () {
    const given = yield* textFor(name)
    if (given === undefined || given === "") return undefined
    const { parse, rule } = environment[name]
    const value = parse(given)
    if (value === undefined) return yield* new CommandFailed({ message: `${name} must be ${rule}` })
    // The table's union of parsers loses which name has which type; the name tells.
    return value as Exclude<ReturnType<(typeof environment)[N]["parse"]>, undefined>
  })

const tokenOf = Effect.fnUntraced(function* (dataDir: string) {
  const file = Path.resolve(dataDir, "secrets.json")
  const missing = new CommandFailed({
    message: `no operator token: OPERATOR_TOKEN is not set and ${file} cannot be read; run this where the service runs`
  })
  const text = yield* Effect.tryPromise({ try: () => Fs.readFile(file, "utf8"), catch: () => missing })
  const { operatorToken } = yield* Effect.mapError(Schema.decodeEffect(SecretsFile)(text), () => missing)
  return Redacted.make(operatorToken)
})

/** The service's address; it opens nothing. */
export const serviceUrl: Effect.Effect<string, CommandFailed> = Effect.gen(function* () {
  const port = (yield* read("PORT")) ?? 3000
  const baseUrl =
    (yield* read("BASE_URL")) ?? (port === 0 ? undefined : baseUrlOf((yield* read("HOST")) ?? "127.0.0.1", port))
  if (baseUrl === undefined) {
    return yield* new CommandFailed({ message: "PORT is 0, any free one: say with BASE_URL where the service listens" })
  }
  return baseUrl
})

/** The folder of the service that runs here. */
export const dataDir: Effect.Effect<string, CommandFailed> = Effect.map(read("DATA_DIR"), (given) =>
  Path.resolve(given ?? ".journeys")
)

export const connection: Effect.Effect<Connection, CommandFailed> = Effect.gen(function* () {
  const baseUrl = yield* serviceUrl
  const operatorToken = (yield* read("OPERATOR_TOKEN")) ?? (yield* tokenOf(yield* dataDir))
  return { baseUrl, operatorToken }
})
