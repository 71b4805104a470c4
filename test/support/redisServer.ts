/**
 * A real Redis for tests, as a process on a free port of this machine. It can be killed, frozen, emptied and started
 * again. It stores nothing on disk unless a test asks for that. Without redis-server a suite is skipped by name; in CI
 * that is a failure.
 */
import { Redis } from "ioredis"
import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe } from "vitest"
import { eventually } from "./eventually.ts"
import { freePort } from "./freePort.ts"

const program = "redis-server"
const isHere = spawnSync(program, ["--version"]).status === 0

/** `describe` for suites that need Redis: `describeWithRedis("...", () => { ... })`. */
export const describeWithRedis: typeof describe | typeof describe.skip =
  isHere || process.env["CI"] === "true" ? describe : describe.skip

interface Wishes {
  /** Writes each change to a file in a temporary folder, so that the data survives a restart. */
  readonly appendOnly?: boolean
  /** More settings, as on the command line: `["--maxmemory", "2mb"]`. */
  readonly settings?: ReadonlyArray<string>
}

export interface RedisServer {
  readonly url: string
  /** SIGKILL and SIGTERM return when the process is gone. SIGSTOP freezes it, and SIGCONT lets it go on. */
  readonly kill: (signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT") => Promise<void>
  /** Kills the server if it runs, and starts it again on the same port. Without `appendOnly` it comes back empty. */
  readonly restart: () => Promise<void>
  /** One command on a new connection: `command("flushall")`. */
  readonly command: (name: string, ...parameters: ReadonlyArray<string | number>) => Promise<unknown>
  /** Ends the server and removes what it wrote. */
  readonly stop: () => Promise<void>
}

/** No server outlives the tests, even if a test fails before it stops its own. */
const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

const isGone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const gone = (child: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (isGone(child)) done()
    else child.once("exit", () => done())
  })

const commandAt = async (port: number, name: string, parameters: ReadonlyArray<string | number>): Promise<unknown> => {
  const client = new Redis(port, "127.0.0.1", { lazyConnect: true, retryStrategy: () => null })
  client.on("error", () => {})
  try {
    await client.connect()
    return await client.call(name, ...parameters)
  } finally {
    client.disconnect()
  }
}

const answers = async (child: ChildProcess, port: number): Promise<boolean> => {
  if (isGone(child)) return true
  return commandAt(port, "ping", []).then(
    (said) => said === "PONG",
    () => false
  )
}

export const startRedis = async ({ appendOnly = false, settings = [] }: Wishes = {}): Promise<RedisServer> => {
  const folder = await mkdtemp(join(tmpdir(), "journeys-redis-"))
  const keeping = appendOnly ? ["--appendonly", "yes", "--appendfsync", "always"] : []

  const startAt = async (port: number): Promise<ChildProcess> => {
    const child = spawn(
      program,
      ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...keeping, ...settings],
      { stdio: "ignore" }
    )
    running.add(child)
    child.once("exit", () => running.delete(child))
    await new Promise<void>((started, fail) => child.once("spawn", started).once("error", fail))
    await eventually(
      () => answers(child, port),
      (is) => is
    )
    return child
  }

  // Another program may take the port between the look and the start.
  const startAnywhere = async (triesLeft: number): Promise<{ readonly child: ChildProcess; readonly port: number }> => {
    const port = await freePort()
    const child = await startAt(port)
    if (!isGone(child)) return { child, port }
    if (triesLeft === 0) throw new Error(`${program} does not start`)
    return startAnywhere(triesLeft - 1)
  }

  const first = await startAnywhere(3)
  const { port } = first
  let { child } = first

  const kill: RedisServer["kill"] = async (signal) => {
    child.kill(signal)
    if (signal === "SIGKILL" || signal === "SIGTERM") {
      // A frozen process receives SIGTERM only when it goes on.
      child.kill("SIGCONT")
      await gone(child)
    }
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    restart: async () => {
      await kill("SIGKILL")
      child = await startAt(port)
      if (isGone(child)) throw new Error(`${program} does not start again`)
    },
    command: (name, ...parameters) => commandAt(port, name, parameters),
    stop: async () => {
      await kill("SIGKILL")
      await rm(folder, { recursive: true, force: true })
    }
  }
}
