/**
 * The table of the environment variables that this service reads: type, unit, default and meaning of each, and how its
 * text becomes a value. A test compares the table in the documents with this one. The file reads nothing itself;
 * `Settings.ts` does, and it knows the rules that concern more than one variable.
 */
import * as Duration from "effect/Duration"
import type * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

interface Variable<A> {
  readonly type: string
  /** The unit of a number or a duration. */
  readonly unit?: string
  /** The value of an unset or empty variable, spelled as in the environment. */
  readonly default?: string
  /** What holds when the variable is unset or empty and no value stands for that. */
  readonly unset?: string
  readonly meaning: string
  /** Completes the sentence "NAME must be ..." when a value is refused. */
  readonly rule: string
  /** The value of a secret appears in no message, and its setting is `Redacted`. */
  readonly secret?: true
  /** `undefined` when the text breaks the rule. */
  readonly parse: (text: string) => A | undefined
}

/** A variable that always has a value. */
const variable = <A>(definition: Variable<A> & { readonly default: string }) => definition

/** A variable that may be unset. */
const optional = <A>(definition: Variable<A> & { readonly unset: string }) => definition

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

const urlOf = (...protocols: ReadonlyArray<string>) => {
  return (text: string): string | undefined => {
    const url = URL.parse(text)
    return url !== null && protocols.includes(url.protocol) ? text : undefined
  }
}

const secret = <A>(parse: (text: string) => A | undefined) => {
  return (text: string): Redacted.Redacted<A> | undefined => {
    const value = parse(text)
    return value === undefined ? undefined : Redacted.make(value)
  }
}

const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

const longestSandboxStep = Duration.hours(1)

const duration = (text: string): Duration.Duration | undefined => {
  // The parser takes any text, though its type asks for a template.
  const value = Option.getOrUndefined(Duration.fromInput(text as Duration.Input))
  if (value === undefined || Duration.isLessThan(value, Duration.millis(1))) return undefined
  return Duration.isGreaterThan(value, longestSandboxStep) ? undefined : value
}
const durationRule = 'a duration from "1 millis" to "1 hour", such as "500 millis" or "5 seconds"'

const hostAndPort = (text: string): { readonly host: string; readonly port: number } | undefined => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = wholeNumber(1, 65_535)(match?.[3] ?? "")
  return host === undefined || port === undefined ? undefined : { host, port }
}

const publicAddress = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined
  if (url.username !== "" || url.password !== "" || text.includes("?") || text.includes("#")) return undefined
  return url.href.replace(/\/+$/, "")
}

/**
 * Options in the query of the URL would be dropped in silence, so a URL with a query is refused. User and password must
 * decode.
 */
const mailServer = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") return undefined
  if (!["", "/"].includes(url.pathname) || /[?#]/.test(text)) return undefined
  if (!isDecodable(url.username) || !isDecodable(url.password)) return undefined
  return url.username === "" && url.password !== "" ? undefined : text
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export const encryptionKeyBytes = 32

/** Random bytes of an operator token that the service generates itself. */
export const operatorTokenBytes = 32

/** Shorter names have honest neighbours: orchestrators set PORT0 and PORT1, shells VHOST and HOSTS. */
export const shortestGuardedName = 6

/**
 * Strict base64. `Buffer.from` alone skips characters that it does not know, and a mistyped key would pass as another
 * key.
 */
const encryptionKey = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, "base64")
  return bytes.length === encryptionKeyBytes && bytes.toString("base64") === text ? new Uint8Array(bytes) : undefined
}

const logLevels: Readonly<Record<string, LogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
}

export const environment = {
  HOST: variable({
    type: "host name or address",
    default: "127.0.0.1",
    meaning: "address the service listens on",
    rule: "a host name or an IP address",
    parse: matching(/^[A-Za-z0-9._:-]{1,253}$/)
  }),
  PORT: variable({
    type: "whole number",
    default: "3000",
    meaning: "port the service listens on; 0 takes any free one",
    rule: "a whole number from 0 to 65535",
    parse: wholeNumber(0, 65_535)
  }),
  BASE_URL: optional({
    type: "URL",
    unset: "from host and port",
    meaning: "public address, used in links",
    rule: "an http or https URL without credentials, query or fragment",
    parse: publicAddress
  }),
  DATABASE_URL: optional({
    type: "URL",
    unset: "unset: embedded",
    meaning: "PostgreSQL 15 or newer",
    rule: "a URL such as postgres://user:password@host:5432/journeys",
    secret: true,
    parse: secret(urlOf("postgres:", "postgresql:"))
  }),
  DATA_DIR: variable({
    type: "folder",
    default: ".journeys",
    meaning: "embedded database, generated secrets (mode 600), demo keys",
    rule: "a path to a folder",
    parse: matching(/^[^\0]+$/)
  }),
  REDIS_URL: optional({
    type: "URL",
    unset: "unset: one node, coordination in memory",
    meaning: "Redis 6.2 or newer; needed for more than one node",
    rule: "a URL such as redis://host:6379 or rediss://host:6379",
    secret: true,
    parse: secret(urlOf("redis:", "rediss:"))
  }),
  RUNNER_ADDRESS: optional({
    type: "host:port",
    unset: "unset: one node",
    meaning: "address other nodes reach this one at; needs REDIS_URL",
    rule: "host:port, such as node-1.internal:34431",
    parse: hostAndPort
  }),
  OPERATOR_TOKEN: optional({
    type: "token",
    unset: "generated into DATA_DIR",
    meaning: "bearer token of the settings API",
    rule: "16 to 200 characters of letters, digits and - . _ ~ + / =",
    secret: true,
    parse: secret(matching(/^[A-Za-z0-9._~+/=-]{16,200}$/))
  }),
  ENCRYPTION_KEY: optional({
    type: "base64",
    unit: "32 bytes",
    unset: "generated into DATA_DIR; obligatory with DATABASE_URL",
    meaning: "keeps personal data and secrets encrypted at rest",
    rule: "32 bytes in base64 (openssl rand -base64 32)",
    secret: true,
    parse: secret(encryptionKey)
  }),
  SMTP_URL: optional({
    type: "URL",
    unset: "unset: built-in mailbox",
    meaning: "where mail goes; without it mail is kept and shown to the operator, in the console too",
    rule: "a URL such as smtps://user:password@host:465, without path or query",
    secret: true,
    parse: secret(mailServer)
  }),
  MAIL_FROM: optional({
    type: "mail address",
    unset: "unset: built-in mailbox",
    meaning: "sender of mail; obligatory with SMTP_URL",
    rule: "a mail address, or a name and an address: Journeys <journeys@example.com>",
    parse: matching(/^(?:[^\s<>@]+@[^\s<>@]+|[^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>)$/)
  }),
  MAIL_RETENTION_DAYS: variable({
    type: "whole number",
    unit: "days",
    default: "30",
    meaning: "how long the built-in mailbox keeps what a mail said",
    rule: "a whole number from 1 to 365",
    parse: wholeNumber(1, 365)
  }),
  WEBHOOK_ALLOW_INSECURE: variable({
    type: "true or false",
    default: "false",
    meaning: "development only: http, any port and private addresses for webhook endpoints and providers",
    rule: "true or false",
    parse: (text): boolean | undefined => (text === "true" ? true : text === "false" ? false : undefined)
  }),
  SANDBOX_STEP: variable({
    type: "duration",
    unit: "named in the value",
    default: "5 seconds",
    meaning: "pace of test journeys",
    rule: durationRule,
    parse: duration
  }),
  SANDBOX_CALLER_STEP: variable({
    type: "duration",
    unit: "named in the value",
    default: "30 seconds",
    meaning: "pace of those steps of test journeys that a caller may take first",
    rule: durationRule,
    parse: duration
  }),
  RATE_LIMIT_PER_MINUTE: variable({
    type: "whole number",
    unit: "requests a minute",
    default: "500",
    meaning: "requests allowed per key",
    rule: "a whole number from 1 to 100000000",
    parse: wholeNumber(1, 100_000_000)
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional({
    type: "URL",
    unset: "unset: no telemetry leaves",
    meaning: "receiver of traces, metrics and logs over OTLP/HTTP",
    rule: "an http or https URL",
    parse: urlOf("http:", "https:")
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    type: "number",
    unit: "share of traces, 0 to 1",
    default: "1",
    meaning: "share of traces that is sent",
    rule: "a number from 0 to 1",
    parse: (text) => (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text) ? Number(text) : undefined)
  }),
  LOG_LEVEL: variable({
    type: "log level",
    default: "info",
    meaning: "logs are one JSON object a line when stdout is no terminal",
    rule: "one of trace, debug, info, warn, error, fatal, none",
    parse: (text) => logLevels[text]
  })
}

export type VariableName = keyof typeof environment

export const variableNames: ReadonlyArray<VariableName> = Object.keys(environment) as Array<VariableName>
