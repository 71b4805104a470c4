/**
 * The table of the environment variables that this service reads: type, unit, default and meaning of each, and how its
 * text becomes a value. A test compares the table in the documents with this one. The file reads nothing itself;
 * `Settings.ts` does, and it knows the rules that concern more than one variable.
 */
import * as Duration from "effect/Duration"
import { readAddressBlocks } from "../../schema/addressBlocks.ts"
import {
  clusterSecrets,
  duration,
  hostAndPort,
  hostName,
  keyOfBytes,
  keysOfBytes,
  logLevels,
  mailServer,
  matching,
  publicAddress,
  secret,
  urlOf,
  wholeNumberFrom,
  strongToken,
  strongTokenRule
} from "./settingTexts.ts"

export type ProfileName = "development" | "production"

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

const longestSandboxStep = Duration.hours(1)
const durationRule = 'a duration from "1 millis" to "1 hour", such as "500 millis" or "5 seconds"'

export const encryptionKeyBytes = 32

/** No secret is longer than a few lines. */
export const largestSecretFileBytes = 16 * 1024

/** A key that is retired leaves the list as soon as nothing stands under it. */
const mostRetiredKeys = 8

/** Random bytes of an operator token that the service generates itself. */
export const operatorTokenBytes = 32

/** Shorter names have honest neighbours: orchestrators set PORT0 and PORT1, shells VHOST and HOSTS. */
export const shortestGuardedName = 6

export const environment = {
  HOST: variable({
    type: "host name or address",
    default: "127.0.0.1",
    meaning: "address the service listens on",
    rule: "a host name or an IP address",
    parse: matching(hostName)
  }),
  PORT: variable({
    type: "whole number",
    default: "3000",
    meaning: "port the service listens on; 0 takes any free one",
    rule: "a whole number from 0 to 65535",
    parse: wholeNumberFrom(0, 65_535)
  }),
  PROFILE: optional({
    type: "development or production",
    unset: "production with DATABASE_URL or a public BASE_URL, else development",
    meaning: "production refuses to start with what is not safe there; npm run journeys -- doctor says what",
    rule: "development or production",
    parse: (text): ProfileName | undefined => (text === "development" || text === "production" ? text : undefined)
  }),
  OPS_HOST: optional({
    type: "host name or address",
    unset: "unset: HOST",
    meaning: "address that health and metrics listen on; needs OPS_PORT",
    rule: "a host name or an IP address",
    parse: matching(hostName)
  }),
  OPS_PORT: optional({
    type: "whole number",
    unset: "unset: health and metrics on PORT",
    meaning: "port of its own for /health and /metrics, which PORT then does not answer",
    rule: "a whole number from 1 to 65535",
    parse: wholeNumberFrom(1, 65_535)
  }),
  TRUSTED_PROXIES: optional({
    type: "addresses",
    unset: "unset: none",
    meaning: "proxies that connections come through; their X-Forwarded-For names the client that limits count",
    rule: "addresses and blocks separated by commas, such as 10.0.0.0/8,192.168.1.7",
    parse: readAddressBlocks
  }),
  BASE_URL: optional({
    type: "URL",
    unset: "from host and port",
    meaning: "public address, used in links",
    rule: "an http or https URL without credentials, path, query or fragment",
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
  ERASURE_JOURNAL: optional({
    type: "folder",
    unset: "erasures in DATA_DIR while embedded, else none is kept",
    meaning: "what has ended, apart from the database: replayed into a restored one",
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
  CLUSTER_SECRET: optional({
    type: "secret, or two",
    unset: "unset: nodes on this machine only",
    meaning:
      "proves to other nodes that this is one of them; the same on all; while it changes the new one and the old one",
    rule: `${strongTokenRule} (openssl rand -hex 32), or two such with a comma between`,
    secret: true,
    parse: secret(clusterSecrets)
  }),
  OPERATOR_TOKEN: optional({
    type: "token",
    unset: "generated into DATA_DIR",
    meaning: "bearer token of the settings API",
    rule: `${strongTokenRule} (openssl rand -hex 24)`,
    secret: true,
    parse: secret(strongToken)
  }),
  ENCRYPTION_KEY: optional({
    type: "base64",
    unit: "32 bytes",
    unset: "generated into DATA_DIR; obligatory with DATABASE_URL",
    meaning: "keeps personal data and secrets encrypted at rest",
    rule: "32 bytes in base64 (openssl rand -base64 32)",
    secret: true,
    parse: secret(keyOfBytes(encryptionKeyBytes))
  }),
  ENCRYPTION_KEYS_RETIRED: optional({
    type: "base64, with commas between keys",
    unit: "32 bytes each",
    unset: "unset: none",
    meaning:
      "further keys that open what they sealed and seal nothing new; what stands under them moves to ENCRYPTION_KEY",
    rule: "up to 8 different keys of 32 bytes in base64, with commas between them",
    secret: true,
    parse: secret(keysOfBytes(encryptionKeyBytes, mostRetiredKeys))
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
    parse: wholeNumberFrom(1, 365)
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
    parse: duration(longestSandboxStep)
  }),
  SANDBOX_CALLER_STEP: variable({
    type: "duration",
    unit: "named in the value",
    default: "30 seconds",
    meaning: "pace of those steps of test journeys that a caller may take first",
    rule: durationRule,
    parse: duration(longestSandboxStep)
  }),
  RATE_LIMIT_PER_MINUTE: variable({
    type: "whole number",
    unit: "requests a minute",
    default: "500",
    meaning: "requests allowed per key",
    rule: "a whole number from 1 to 100000000",
    parse: wholeNumberFrom(1, 100_000_000)
  }),
  BODY_BUDGET: optional({
    type: "whole number",
    unit: "megabytes",
    unset: "an eighth of the memory, 128 to 512",
    meaning: "memory for the large bodies that a node reads at once; what is over is answered 503",
    rule: "a whole number from 64 to 65536",
    parse: wholeNumberFrom(64, 65_536)
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
