/**
 * Whether a PostgreSQL keeps what this service promises: new enough, and with every safeguard on that makes a commit
 * last. A pure question about a few of its settings; `Database.ts` asks it before anything else.
 */
export interface DatabaseFacts {
  /** As PostgreSQL counts: 15.4 is 150004. */
  readonly version: number
  readonly encoding: string
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
}

/** One row with the columns of `DatabaseFacts`. */
export const databaseFactsStatement = `
SELECT
  current_setting('server_version_num')::integer AS version,
  current_setting('server_encoding') AS encoding,
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS "fullPageWrites",
  current_setting('synchronous_commit') AS "synchronousCommit"`

const oldestMajorVersion = 15

/** What is wrong with it, one sentence each; nothing for a database that may be used. */
export const unsafe = (facts: DatabaseFacts): ReadonlyArray<string> => {
  const major = Math.floor(facts.version / 10_000)
  return [
    major < oldestMajorVersion ? `it is PostgreSQL ${major}; ${oldestMajorVersion} is the oldest that will do` : [],
    facts.encoding === "UTF8" ? [] : `its encoding is ${facts.encoding} and must be UTF8`,
    facts.fsync === "off" ? "fsync is off: a power cut would lose or corrupt what was committed" : [],
    facts.fullPageWrites === "off" ? "full_page_writes is off: a power cut would corrupt pages half written" : [],
    // `local`, `remote_write` and `remote_apply` all wait for this server's own disk.
    facts.synchronousCommit === "off" ? "synchronous_commit is off: a crash would lose what was committed last" : []
  ].flat()
}
