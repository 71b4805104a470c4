/**
 * Lets a service die at one exact moment of its writing. A transaction of the test writes first what the service is
 * about to write, so the service's statement waits as long as the test wants.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Exit, Redacted, Scope } from "effect"
import { eventually } from "../support/eventually.ts"

export interface HeldRows {
  /** Runs a statement in the transaction, which takes the locks. */
  readonly take: (text: string, values?: ReadonlyArray<unknown>) => Promise<unknown>
  /**
   * Waits until so many statements with these words wait for a lock. PostgreSQL shows the first 1,024 bytes of a statement:
   * the words must stand there.
   */
  readonly awaited: (words: string, count?: number) => Promise<unknown>
  /**
   * Rolls back once every other session has ended. Otherwise PostgreSQL would carry out a waiting statement although
   * the service that sent it is dead.
   */
  readonly letGo: () => Promise<void>
  /** Ends a transaction that the test has committed or rolled back itself; nobody else is touched. */
  readonly end: () => Promise<void>
}

/** More time than a busy machine needs. */
const awaitedWithinMillis = 150_000

/** Without this, PostgreSQL shows the same statistics of its sessions for the whole transaction. */
const lookAnew = "select pg_stat_clear_snapshot()"
const othersIn = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"

export const holdRows = async (databaseUrl: string): Promise<HeldRows> => {
  const scope = Scope.makeUnsafe()
  const connection = await Effect.runPromise(
    Scope.provide(PgConnection.make({ url: Redacted.make(databaseUrl) }), scope)
  )
  const run = (text: string, values: ReadonlyArray<unknown> = []) => Effect.runPromise(connection.query(text, values))
  const look = async (text: string, values: ReadonlyArray<unknown> = []) => {
    await run(lookAnew)
    return (await run(text, values)).rows.length
  }
  const end = () => Effect.runPromise(Scope.close(scope, Exit.void))
  await run("begin")
  return {
    take: run,
    awaited: (words, count = 1) =>
      eventually(
        () => look(`select 1 ${othersIn} and wait_event_type = 'Lock' and query like '%' || $1::text || '%'`, [words]),
        (waiting) => waiting >= count,
        awaitedWithinMillis
      ),
    letGo: async () => {
      await run(lookAnew)
      const ended = await run(`select pg_terminate_backend(pid), pid ${othersIn}`)
      const pids = ended.rows.map(({ pid }) => pid)
      await eventually(
        () => look(`select 1 ${othersIn} and pid = any($1::int4[])`, [`{${pids.join()}}`]),
        (left) => left === 0,
        awaitedWithinMillis
      )
      await run("rollback")
      await end()
    },
    end
  }
}
