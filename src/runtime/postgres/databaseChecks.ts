/**
 * Whether a PostgreSQL server can keep what this service promises: it is new enough, and every safeguard that makes a commit
 * last is on. A pure question about a few settings of the server; `Database.ts` asks it before anything else.
 */
import { column, rowModel, type RowOf } from "./rows.ts"

/** `version` is as PostgreSQL counts: 15.4 is 150004. */
export const DatabaseFacts = rowModel({
  version: column.number,
  encoding: column.text,
  fsync: column.text,
  fullPageWrites: column.text,
  synchronousCommit: column.text
})
export type DatabaseFacts = RowOf<typeof DatabaseFacts>

export const databaseFactsStatement = `
SELECT
  current_setting('server_version_num')::integer AS version,
  current_setting('server_encoding') AS encoding,
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit`

const oldestMajorVersion = 15

/** What is wrong with the database, one sentence for each problem; nothing when it may be used. */
export const unsafe = (facts: DatabaseFacts): ReadonlyArray<string> => {
  const major = Math.floor(facts.version / 10_000)
  return [
    major < oldestMajorVersion ? `it is PostgreSQL ${major}; ${oldestMajorVersion} is the oldest that will do` : [],
    facts.encoding === "UTF8" ? [] : `its encoding is ${facts.encoding} and must be UTF8`,
    facts.fsync === "off" ? "fsync is off: a power cut would lose or corrupt what was committed" : [],
    facts.fullPageWrites === "off" ? "full_page_writes is off: a power cut would corrupt pages half written" : [],
    // The other values (`local`, `remote_write`, `remote_apply`) all wait for this server's own disk.
    facts.synchronousCommit === "off" ? "synchronous_commit is off: a crash would lose what was committed last" : []
  ].flat()
}
