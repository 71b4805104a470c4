/**
 * What must hold in the profile `production` (`../settings/profile.ts`) and can be told from the settings and from the files beside them:
 * pure checks, which the start and `journeys doctor` share. What only the database can tell is in `postgres/databaseChecks.ts`.
 */
import { Redacted } from "effect"
import * as Path from "node:path"
import { databaseHostOf, isDatabaseByTls } from "../settings/databaseHost.ts"
import { isLoopback } from "../settings/isLoopback.ts"
import { profileOf } from "../settings/profile.ts"
import type { GivenSettings } from "../settings/Settings.ts"
import { advice, well, wrong, type Finding } from "./Finding.ts"

export interface Surroundings {
  readonly settings: GivenSettings
  /** The folder of the data and the files with secrets that somebody else on the machine can open. */
  readonly openToOthers: ReadonlyArray<string>
  /** Where a debugger of this process listens; undefined: nowhere. */
  readonly debuggerAt?: string | undefined
}

type Check = (surroundings: Surroundings) => Finding

const address: Check = ({ settings: { baseUrl } }) => {
  const name = "BASE_URL"
  const url = baseUrl === undefined ? null : URL.parse(baseUrl)
  if (url === null) return well(name, "the address is this machine's")
  const { hostname, protocol } = url
  if (protocol === "https:") return well(name, "pages and links are https")
  if (isLoopback(hostname)) return well(name, "http does not leave this machine")
  return wrong(
    name,
    `${baseUrl} is http: keys, links and sessions cross the network in the open`,
    "put a proxy that ends TLS before the service, and set BASE_URL to its https address"
  )
}

const database: Check = ({ settings: { databaseUrl } }) => {
  const name = "DATABASE_URL"
  if (databaseUrl === undefined) return well(name, "the database is embedded")
  const url = new URL(Redacted.value(databaseUrl))
  if (isDatabaseByTls(url)) return well(name, "PostgreSQL is reached by TLS")
  const host = databaseHostOf(url)
  if (host.startsWith("/") || isLoopback(host)) return well(name, "PostgreSQL is on this machine")
  return wrong(
    name,
    `PostgreSQL at ${host} is reached without TLS`,
    "add sslmode=verify-full to DATABASE_URL (NODE_EXTRA_CA_CERTS names the certificate of a private authority)"
  )
}

const redis: Check = ({ settings: { redisUrl } }) => {
  const name = "REDIS_URL"
  if (redisUrl === undefined) return well(name, "there is one node, and no Redis")
  const { hostname, protocol } = new URL(Redacted.value(redisUrl))
  if (protocol === "rediss:") return well(name, "Redis is reached by TLS")
  if (isLoopback(hostname)) return well(name, "Redis is on this machine")
  return wrong(name, `Redis at ${hostname} is reached without TLS`, "use rediss:// and a Redis that listens with TLS")
}

const mail: Check = ({ settings }) => {
  const name = "SMTP_URL"
  const { smtpUrl } = settings
  if (smtpUrl === undefined) {
    return profileOf(settings).name === "development"
      ? well(name, "mail stays in the built-in mailbox")
      : advice(
          name,
          "no mail leaves: customers and members get none, and only the operator sees it, in the built-in mailbox",
          "set SMTP_URL and MAIL_FROM, unless nobody outside is to get mail yet"
        )
  }
  const { hostname, protocol, username } = new URL(Redacted.value(smtpUrl))
  if (protocol === "smtps:") return well(name, "mail leaves by TLS")
  // With a user nodemailer insists on STARTTLS (`smtp/SmtpMailer.ts`).
  if (username !== "") return well(name, "mail leaves by STARTTLS or not at all")
  if (isLoopback(hostname)) return well(name, "the mail server is on this machine")
  return wrong(
    name,
    `mail goes to ${hostname} in the open if the server offers no TLS`,
    "use smtps://, or smtp:// with a user, which insists on TLS"
  )
}

const telemetry: Check = ({ settings: { otlpEndpoint } }) => {
  const name = "OTEL_EXPORTER_OTLP_ENDPOINT"
  if (otlpEndpoint === undefined) return well(name, "no telemetry leaves")
  const { hostname, protocol } = new URL(otlpEndpoint)
  if (protocol === "https:") return well(name, "telemetry leaves by TLS")
  if (isLoopback(hostname)) return well(name, "the receiver of telemetry is on this machine")
  return wrong(
    name,
    `telemetry goes to ${hostname} without TLS`,
    "use https://, or a collector on this machine that speaks it"
  )
}

const certificates: Check = ({ settings: { areCertificatesVerified } }) =>
  areCertificatesVerified
    ? well("NODE_TLS_REJECT_UNAUTHORIZED", "certificates are verified")
    : wrong(
        "NODE_TLS_REJECT_UNAUTHORIZED",
        "it is 0: whoever stands between may be PostgreSQL or the receiver of telemetry",
        "unset it, and name the certificate of a private authority in NODE_EXTRA_CA_CERTS"
      )

/** The largest blocks that a network of one's own has: 10.0.0.0/8 and fc00::/7. */
const fewestBits = { ipv4: 8, ipv6: 7 } as const

const proxies: Check = ({ settings: { trustedProxies } }) =>
  trustedProxies.every(([block, bits]) => bits >= fewestBits[block.kind()])
    ? well("TRUSTED_PROXIES", "callers cannot invent their addresses")
    : wrong(
        "TRUSTED_PROXIES",
        "it takes in a large part of the internet: callers invent their addresses, and no limit of an address counts them",
        "name the addresses of your proxies alone"
      )

const debugging: Check = ({ debuggerAt }) => {
  const name = "debugger"
  if (debuggerAt === undefined) return well(name, "no debugger listens")
  const { host, hostname } = new URL(debuggerAt)
  if (isLoopback(hostname)) return well(name, "the debugger is reached from this machine alone")
  return wrong(
    name,
    `it listens at ${host}: whoever reaches it runs programs in this service`,
    "take --inspect out of NODE_OPTIONS, or let it listen on 127.0.0.1"
  )
}

const files: Check = ({ openToOthers, settings: { dataDir } }) =>
  openToOthers.length === 0
    ? well("DATA_DIR", `nobody else on this machine reads ${dataDir} or files with secrets`)
    : wrong(
        "DATA_DIR",
        `others on this machine can open ${openToOthers.join(", ")}`,
        `chmod -R go= ${openToOthers.join(" ")}`
      )

const secretFiles: Check = ({ settings: { openSecretFiles } }) =>
  openSecretFiles.length === 0
    ? well("*_FILE", "files with secrets are closed to others, or there are none")
    : wrong(
        "*_FILE",
        openSecretFiles.join("; "),
        "chmod 400 (Docker: mode 0400 of the secret; Kubernetes: defaultMode 0400 of its volume)"
      )

const ownSecrets: Check = ({ settings: { sameSecrets } }) =>
  sameSecrets.length === 0
    ? well("secrets", "no secret serves two purposes")
    : wrong(
        "secrets",
        `the same value stands in ${sameSecrets.join(", and in ")}: whoever learns it for one purpose has the other, too`,
        'give each a value of its own; docs/operators.md says under "Keys" how each is changed while the service runs'
      )

const encryptionKey: Check = ({ settings: { dataDir, isKeyBesideData } }) =>
  isKeyBesideData
    ? advice(
        "ENCRYPTION_KEY",
        `the key lies in ${dataDir} beside the data: whoever copies the folder can read all of it, customers included who are erased later`,
        "set ENCRYPTION_KEY and OPERATOR_TOKEN (or their *_FILE) to what secrets.json there says, and take that file out of the folder"
      )
    : well("ENCRYPTION_KEY", "the key is not kept beside the data")

const journal: Check = ({ settings: { dataDir, databaseUrl, erasureJournal } }) => {
  const name = "ERASURE_JOURNAL"
  if (erasureJournal === undefined) {
    return advice(
      name,
      "it is not set: a restored backup of the database brings back who was erased and what was revoked since",
      "name a folder apart from the database that outlives this machine and that all nodes share"
    )
  }
  const isBeside = databaseUrl === undefined && !Path.relative(dataDir, erasureJournal).startsWith("..")
  return isBeside
    ? advice(
        name,
        `it lies in ${dataDir}: an older copy of the folder, put back whole, does not know who was erased since`,
        "name a folder elsewhere, or put the newer journal back with the older copy"
      )
    : well(name, `what has ended is written down in ${erasureJournal}`)
}

const checks: ReadonlyArray<Check> = [
  address,
  database,
  redis,
  mail,
  telemetry,
  certificates,
  proxies,
  debugging,
  files,
  secretFiles,
  ownSecrets,
  encryptionKey,
  journal
]

export const settingsFindings = (surroundings: Surroundings): ReadonlyArray<Finding> =>
  checks.map((check) => check(surroundings))
