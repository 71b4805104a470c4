/**
 * Whether a PostgreSQL server can keep what this service promises: it is new enough, every safeguard that makes a commit last is
 * on, and in production nobody works on it with more rights than needed. Pure checks of a few facts, which the start
 * (`Database.ts`) and `journeys doctor` share.
 */
import { well, wrong, type Finding } from "../honesty/Finding.ts"
import { column, rowModel, type RowOf } from "./rows.ts"

/** `version` is as PostgreSQL counts: 15.4 is 150004. */
export const DatabaseFacts = rowModel({
  version: column.number,
  encoding: column.text,
  fsync: column.text,
  fullPageWrites: column.text,
  synchronousCommit: column.text,
  role: column.text,
  isSuperuser: column.bool
})
export type DatabaseFacts = RowOf<typeof DatabaseFacts>

export const databaseFactsStatement = `
SELECT
  current_setting('server_version_num')::integer AS version,
  current_setting('server_encoding') AS encoding,
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_user::text AS role,
  current_setting('is_superuser') = 'on' AS is_superuser`

const oldestMajorVersion = 15

const switchedOn = (name: string, value: string, loss: string): Finding =>
  value === "off"
    ? wrong(name, `${name} is off: ${loss}`, `set ${name} = on in postgresql.conf, and restart PostgreSQL`)
    : well(name, `${name} is ${value}`)

/** What must hold of every database. */
export const databaseFindings = (facts: DatabaseFacts): ReadonlyArray<Finding> => {
  const major = Math.floor(facts.version / 10_000)
  return [
    major < oldestMajorVersion
      ? wrong(
          "version",
          `it is PostgreSQL ${major}; ${oldestMajorVersion} is the oldest that will do`,
          "upgrade the server"
        )
      : well("version", `it is PostgreSQL ${major}`),
    facts.encoding === "UTF8"
      ? well("encoding", "its encoding is UTF8")
      : wrong(
          "encoding",
          `its encoding is ${facts.encoding} and must be UTF8`,
          "create the database anew: create database journeys encoding 'UTF8' template template0"
        ),
    switchedOn("fsync", facts.fsync, "a power cut would lose or corrupt what was committed"),
    switchedOn("full_page_writes", facts.fullPageWrites, "a power cut would corrupt pages half written"),
    // The other values (`local`, `remote_write`, `remote_apply`) all wait for this server's own disk.
    switchedOn("synchronous_commit", facts.synchronousCommit, "a crash would lose what was committed last")
  ]
}

/** What must hold in production of a database that the operator names; the embedded one is nobody else's. */
export const roleFinding = ({ isSuperuser, role }: DatabaseFacts): Finding =>
  isSuperuser
    ? wrong(
        "role",
        `the role ${role} is a superuser: whoever gets its password has the whole server, its files included`,
        "create role journeys login password '...'; alter database ... owner to journeys; and name that role in DATABASE_URL"
      )
    : well("role", `the role ${role} is no superuser`)

export const LiveKeys = rowModel({ companies: column.number })

/** Companies with a live key in use. Before the first migration there is no table of keys. */
export const hasKeysStatement = "select 1 where to_regclass('api_keys') is not null"
export const liveKeysStatement = `
select count(distinct c.id)::int as companies from companies c join api_keys k on k.company_id = c.id
where c.active and k.livemode and k.revoked_at is null`

/** In production: what is for development only, beside companies that do real business. */
export const switchesFinding = (isInsecureAllowed: boolean, liveCompanies: number): Finding =>
  isInsecureAllowed && liveCompanies > 0
    ? wrong(
        "WEBHOOK_ALLOW_INSECURE",
        `plain http and private addresses are allowed, and ${liveCompanies === 1 ? "1 company has" : `${liveCompanies} companies have`} live keys`,
        "unset WEBHOOK_ALLOW_INSECURE"
      )
    : well("WEBHOOK_ALLOW_INSECURE", isInsecureAllowed ? "it is on, and no company has a live key" : "it is off")
