/**
 * The operator's settings, read from the environment once, at the start. This is the only file that reads
 * `process.env`. A value that breaks its rule, a name that is nearly one of ours, and settings that do not fit together
 * each fail the start with one line. The variables themselves stand in the table of `environment.ts`.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as Path from "node:path"
import type { AddressBlocks } from "../../schema/addressBlocks.ts"
import { environment, type ProfileName, type VariableName } from "./environment.ts"
import { isLoopback } from "./isLoopback.ts"
import { misspelled } from "./misspelled.ts"
import { sameSecrets } from "./sameSecrets.ts"
import { secretsOfFiles } from "./secretFiles.ts"
import { generatedSecrets, keptTexts, type SecretsError } from "./secrets.ts"

type Table = typeof environment

/** The value of a variable; `undefined` only where the table names no default. */
type Setting<N extends VariableName> =
  | Exclude<ReturnType<Table[N]["parse"]>, undefined>
  | (Table[N] extends { readonly default: string } ? never : undefined)

type Environment = Readonly<Record<string, string | undefined>>

/** Every problem of the environment, one on each line. */
export class SettingsError extends Data.TaggedError("SettingsError")<{ readonly problems: ReadonlyArray<string> }> {
  override readonly message = this.problems.join("\n")
}

export class Settings extends Context.Service<
  Settings,
  {
    readonly host: string
    /** With 0 the server takes any free port. The port is then known once the server listens. */
    readonly port: number
    /** Where health and metrics listen apart from everything else. `undefined`: they do not. */
    readonly ops: { readonly host: string; readonly port: number } | undefined
    readonly trustedProxies: AddressBlocks
    /** `undefined`: by the address and the database (`profile.ts`). */
    readonly profile: ProfileName | undefined
    /**
     * Has no slash at its end. `undefined` only while `port` is 0 and BASE_URL is unset; `baseUrlOf` gives it once the
     * port is known.
     */
    readonly baseUrl: string | undefined
    /** `undefined` means the embedded database under `dataDir`. */
    readonly databaseUrl: Redacted.Redacted | undefined
    /** An absolute path. */
    readonly dataDir: string
    /** An absolute path; `undefined`: what has ended is written down nowhere but in the database. */
    readonly erasureJournal: string | undefined
    readonly redisUrl: Redacted.Redacted | undefined
    readonly runnerAddress: { readonly host: string; readonly port: number } | undefined
    /** One or two, the one that is spoken first; `undefined` where all nodes are on this machine. */
    readonly clusterSecret: Redacted.Redacted<ReadonlyArray<string>> | undefined
    readonly operatorToken: Redacted.Redacted
    /** 32 bytes. */
    readonly encryptionKey: Redacted.Redacted<Uint8Array>
    /** Keys that open and do not seal. */
    readonly retiredEncryptionKeys: Redacted.Redacted<ReadonlyArray<Uint8Array>>
    readonly smtpUrl: Redacted.Redacted | undefined
    readonly mailFrom: string | undefined
    readonly mailRetentionDays: number
    readonly webhookAllowInsecure: boolean
    readonly sandboxStep: Duration.Duration
    readonly sandboxCallerStep: Duration.Duration
    readonly rateLimitPerMinute: number
    /** Megabytes; `undefined`: by the memory. */
    readonly bodyBudget: number | undefined
    readonly otlpEndpoint: string | undefined
    /** The share of traces that is sent, 0 to 1. */
    readonly tracesSamplerRatio: number
    readonly logLevel: LogLevel.LogLevel
    /** Whether the service keeps the encryption key itself, beside the data. */
    readonly isKeyBesideData: boolean
    /** Files with secrets that everybody on this machine can read, a sentence each. */
    readonly openSecretFiles: ReadonlyArray<string>
    /** Variables that hold one secret, such as "CLUSTER_SECRET and OPERATOR_TOKEN". */
    readonly sameSecrets: ReadonlyArray<string>
    /** Whether Node verifies certificates where nothing else is said. */
    readonly areCertificatesVerified: boolean
  }
>()("journeys/runtime/Settings") {
  /** Settings from an environment that is given as a record, for tests and the demo. */
  static readonly layerOf = (record: Environment): Layer.Layer<Settings, SettingsError | SecretsError> =>
    Layer.effect(Settings, settingsFrom(record))

  /** Settings from the environment of this process. */
  static readonly layer: Layer.Layer<Settings, SettingsError | SecretsError> = Layer.suspend(() =>
    // No other line reads the environment: everything else takes Settings, which tests can give.
    Settings.layerOf(process.env)
  )
}

/**
 * The address of a server that listens at `host` and `port`. For a server that listens on every interface it is this
 * machine.
 */
export const baseUrlOf = (host: string, port: number): string => {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`
}

/** Whether every node of the cluster must be on this machine: by where the others reach this one, or by where a client finds them. */
const hasNodesHereOnly = ({
  redisUrl,
  runnerAddress
}: Pick<Settings["Service"], "redisUrl" | "runnerAddress">): boolean => {
  if (redisUrl === undefined) return true
  return isLoopback(runnerAddress?.host ?? new URL(Redacted.value(redisUrl)).hostname)
}

/** The settings without the secrets that the service may make itself. */
export type GivenSettings = Omit<Settings["Service"], "encryptionKey" | "operatorToken">

const samePort = ({ ops, port }: Pick<Settings["Service"], "ops" | "port">): ReadonlyArray<string> =>
  ops?.port === port
    ? [`OPS_PORT and PORT are the same, ${port}: give health and metrics a port of their own, or unset OPS_PORT`]
    : []

type Need = readonly [name: VariableName, other: VariableName, why: string]

/** What a variable, where it is set, needs beside it. */
const needs: ReadonlyArray<Need> = [
  ["DATABASE_URL", "ENCRYPTION_KEY", "a key made on one machine would be lost with it, and the data with the key"],
  ["OPS_HOST", "OPS_PORT", "health and metrics listen on PORT without it"],
  ["ENCRYPTION_KEYS_RETIRED", "ENCRYPTION_KEY", "the key that the service has made is the only one"],
  ["RUNNER_ADDRESS", "REDIS_URL", "nodes find each other there"],
  ["SMTP_URL", "MAIL_FROM", "mail must have a sender"]
]

const needOfSeveralMachines: Need = [
  "REDIS_URL",
  "CLUSTER_SECRET",
  "nodes on several machines prove to each other with it that they are nodes"
]

const unmet = (text: (name: VariableName) => string | undefined, given: GivenSettings): ReadonlyArray<string> =>
  [...needs, ...(hasNodesHereOnly(given) ? [] : [needOfSeveralMachines])]
    .filter(([name, other]) => text(name) !== undefined && text(other) === undefined)
    .map(([name, other, why]) => `${name} needs ${other}: ${why}`)

/** A value that is refused, without the password that a URL may hold. */
const shown = (given: string): string => JSON.stringify(given.replace(/\/\/.*@/, "//...@"))

/** What an environment says: values, and what is wrong with them. Makes nothing. */
export const readSettings = (record: Environment) => {
  const files = secretsOfFiles(record)
  const problems = [...misspelled(Object.keys(record)), ...files.problems]
  // An empty value counts as unset, because compose files and shells write `NAME=` for "not set".
  const text = (name: VariableName) => (record[name] === "" ? undefined : record[name]) ?? files.values.get(name)

  const read = <N extends VariableName>(name: N): Setting<N> => {
    const variable = environment[name]
    const given = text(name)
    const value = given === undefined ? undefined : variable.parse(given)
    if (given !== undefined && value === undefined) {
      problems.push(`${name} must be ${variable.rule}${"secret" in variable ? "" : `, not ${shown(given)}`}`)
    }
    // The type of the table forgets which variable has which type of value. The name tells.
    return (value ?? ("default" in variable ? variable.parse(variable.default) : undefined)) as Setting<N>
  }

  const host = read("HOST")
  const port = read("PORT")
  const opsHost = read("OPS_HOST") ?? host
  const opsPort = read("OPS_PORT")
  const journal =
    read("ERASURE_JOURNAL") ??
    (text("DATABASE_URL") === undefined ? Path.join(read("DATA_DIR"), "erasures") : undefined)
  const given: GivenSettings = {
    host,
    port,
    ops: opsPort === undefined ? undefined : { host: opsHost, port: opsPort },
    trustedProxies: read("TRUSTED_PROXIES") ?? [],
    profile: read("PROFILE"),
    baseUrl: read("BASE_URL") ?? (port === 0 ? undefined : baseUrlOf(host, port)),
    databaseUrl: read("DATABASE_URL"),
    dataDir: Path.resolve(read("DATA_DIR")),
    erasureJournal: journal === undefined ? undefined : Path.resolve(journal),
    redisUrl: read("REDIS_URL"),
    runnerAddress: read("RUNNER_ADDRESS"),
    clusterSecret: read("CLUSTER_SECRET"),
    smtpUrl: read("SMTP_URL"),
    mailFrom: read("MAIL_FROM"),
    mailRetentionDays: read("MAIL_RETENTION_DAYS"),
    webhookAllowInsecure: read("WEBHOOK_ALLOW_INSECURE"),
    sandboxStep: read("SANDBOX_STEP"),
    sandboxCallerStep: read("SANDBOX_CALLER_STEP"),
    rateLimitPerMinute: read("RATE_LIMIT_PER_MINUTE"),
    bodyBudget: read("BODY_BUDGET"),
    otlpEndpoint: read("OTEL_EXPORTER_OTLP_ENDPOINT"),
    tracesSamplerRatio: read("OTEL_TRACES_SAMPLER_ARG"),
    retiredEncryptionKeys: read("ENCRYPTION_KEYS_RETIRED") ?? Redacted.make<ReadonlyArray<Uint8Array>>([]),
    logLevel: read("LOG_LEVEL"),
    isKeyBesideData: text("ENCRYPTION_KEY") === undefined,
    openSecretFiles: files.warnings,
    sameSecrets: sameSecrets(text, keptTexts(read("DATA_DIR"))),
    areCertificatesVerified: record["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0"
  }
  const operatorToken = read("OPERATOR_TOKEN")
  const encryptionKey = read("ENCRYPTION_KEY")
  return { given, operatorToken, encryptionKey, problems: [...problems, ...unmet(text, given), ...samePort(given)] }
}

/** What the environment of this process says. */
export const settingsHere = (): ReturnType<typeof readSettings> => readSettings(process.env)

const settingsFrom = Effect.fn("Settings.settingsFrom")(function* (
  record: Environment
): Effect.fn.Return<Settings["Service"], SettingsError | SecretsError> {
  const { encryptionKey, given, operatorToken, problems } = readSettings(record)
  if (problems.length > 0) return yield* new SettingsError({ problems })
  if (operatorToken !== undefined && encryptionKey !== undefined) return { ...given, operatorToken, encryptionKey }
  const made = yield* generatedSecrets(given.dataDir)
  return {
    ...given,
    operatorToken: operatorToken ?? made.operatorToken,
    encryptionKey: encryptionKey ?? made.encryptionKey
  }
})
