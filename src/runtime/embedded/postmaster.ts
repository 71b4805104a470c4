/**
 * PostgreSQL's first process as seen from outside: which process serves a data folder according to its pid file,
 * whether it lives, how it is started and ended. `EmbeddedPostgres.ts` decides when to do which.
 */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import type { DataFolder } from "./dataFolder.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { ServerPrograms } from "./serverPrograms.ts"
import { waitUntil } from "./waitUntil.ts"
import { embeddedLimits } from "./limits.ts"
import { fileProblem, hasCode } from "../files/fileProblem.ts"

export interface Postmaster {
  readonly pid: number
  readonly port: number
}

/** These settings are given on the command line, where they override postgresql.conf. */
const serverSettings = {
  listen_addresses: "127.0.0.1",
  // No socket file: its path may have at most 107 bytes, and DATA_DIR may lie deeper.
  unix_socket_directories: "",
  // The pool of this service takes ten connections. The others are for a person who looks into the database.
  max_connections: "50",
  shared_buffers: "128MB",
  // What a commit promises. The values are the defaults, and they are named because the whole service relies on them.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  // Our statements are short. Compiling them, or spreading them over workers (which need /dev/shm), only costs time.
  jit: "off",
  max_parallel_workers_per_gather: "0",
  // A failed statement is reported to its caller. Its text and details in the log would be personal data in clear.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off"
}

/** Starts a server and does not wait for it. The log begins anew with each start, so that it cannot grow for ever. */
export const launch = Effect.fn("postmaster.launch")(function* (
  folder: DataFolder,
  programs: ServerPrograms,
  port: number,
  overrides: Readonly<Record<string, string>>
): Effect.fn.Return<Postmaster, EmbeddedPostgresError> {
  const settings = Object.entries({ ...serverSettings, ...overrides, port: String(port) })
  const args = ["-D", folder.path, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])]
  const pid = yield* Effect.tryPromise({
    try: async () => {
      await programs.own(folder.path)
      // A file, not a pipe: the server may outlive this process, and would die when it writes to a pipe that nobody
      // reads.
      const log = await Fs.open(logFile(folder), "w", 0o600)
      try {
        return programs.spawn("postgres", args, ["ignore", log.fd, log.fd]).pid
      } finally {
        await log.close()
      }
    },
    catch: (cause) => new EmbeddedPostgresError({ message: `PostgreSQL cannot be started: ${fileProblem(cause)}` })
  })
  if (pid === undefined) return yield* new EmbeddedPostgresError({ message: "PostgreSQL cannot be started" })
  return { pid, port }
})

const logFile = (folder: DataFolder) => Path.join(Path.dirname(folder.path), "postgres.log")

/** The last complaints of a server that ended by itself. */
export const lastWords = (folder: DataFolder): Effect.Effect<string> =>
  Effect.promise(async () => {
    const text = await Fs.readFile(logFile(folder), "utf8").catch(() => "")
    const lines = text.split("\n").filter((line) => line.includes("FATAL") || line.includes("could not"))
    return lines.slice(-3).join("; ") || `see ${logFile(folder)}`
  })

/**
 * The server that serves a data folder according to the pid file; `undefined` if none does. A process id in that file that
 * belongs to another process by now is replaced.
 */
export const findRunning = (folder: DataFolder): Effect.Effect<Postmaster | undefined> =>
  Effect.promise(async () => {
    const file = Path.join(folder.path, "postmaster.pid")
    const lines = (await Fs.readFile(file, "utf8").catch(() => "")).split("\n")
    const pid = Number(lines[0])
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    if (await isPostmasterOf(pid, folder)) return { pid, port: Number(lines[3]) }
    // The process id may belong to another process by now, and PostgreSQL would take that process for a rival.
    // PostgreSQL ignores the id of its own parent, so the file gets ours. The other lines stay, because PostgreSQL
    // finds out by them whether orphans of the last server still write to the folder.
    if (isAlive(pid)) await Fs.writeFile(file, [String(process.pid), ...lines.slice(1)].join("\n"))
    return undefined
  })

/** Judged by the command line. Unlike the working folder, it can be read whatever user the process runs as. */
const isPostmasterOf = async (pid: number, folder: DataFolder): Promise<boolean> => {
  if (process.platform === "linux") {
    const command = (await Fs.readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0")
    return command[0]?.endsWith("postgres") === true && command.includes(folder.path)
  }
  return new Promise((resolve) => {
    execFile("ps", ["-ww", "-o", "command=", "-p", String(pid)], (_, stdout) => {
      resolve(stdout.includes("postgres") && stdout.includes(folder.path))
    })
  })
}

/**
 * Whether a process has ended but its parent never asked for its exit code. In a container without an init, a server
 * that was taken over stays in this state.
 */
const isZombie = async (pid: number): Promise<boolean> => {
  if (process.platform !== "linux") return false
  const stat = await Fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  return stat.slice(stat.lastIndexOf(")")).startsWith(") Z")
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return hasCode(cause, "EPERM")
  }
}

export const hasEnded = (postmaster: Postmaster): Effect.Effect<boolean> =>
  Effect.promise(async () => !isAlive(postmaster.pid) || (await isZombie(postmaster.pid)))

/**
 * SIGINT rolls back open transactions and writes a checkpoint. SIGQUIT leaves both to the recovery of the next start,
 * and loses nothing. PostgreSQL 18.4 needs SIGQUIT when it is told to stop while it restarts after the crash of a
 * backend: it then waits for processes that nobody told to end.
 */
export const stop = Effect.fn("postmaster.stop")(function* (postmaster: Postmaster) {
  if (yield* hasEnded(postmaster)) return
  yield* signal(postmaster, "SIGINT")
  if (yield* waitUntil(hasEnded(postmaster), embeddedLimits.fastStopWithin)) return
  yield* Effect.logWarning(`PostgreSQL (process ${postmaster.pid}) takes too long to shut down: ending it at once`)
  yield* signal(postmaster, "SIGQUIT")
  if (yield* waitUntil(hasEnded(postmaster), embeddedLimits.immediateStopWithin)) return
  yield* Effect.logError(`PostgreSQL (process ${postmaster.pid}) does not end; the next start will find it`)
})

const signal = (postmaster: Postmaster, name: "SIGINT" | "SIGQUIT") =>
  Effect.sync(() => {
    try {
      process.kill(postmaster.pid, name)
    } catch {
      // The process ended between the check and the signal.
    }
  })
