import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as EmbeddedPostgres from "../../../src/runtime/embedded/EmbeddedPostgres.ts"
import { waitUntil } from "../../../src/runtime/embedded/waitUntil.ts"
import { ask, startService, temporaryFolder } from "../postgres/ServiceProcess.ts"

const timeout = 60_000

const postmasterOf = (dataDir: string) => {
  const [pid] = Fs.readFileSync(Path.join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")
  return Number(pid)
}
/** The names of the variables that the server was started with: none of the service's, which hold its secrets. */
const environmentOf = (pid: number) =>
  Fs.readFileSync(`/proc/${pid}/environ`, "latin1")
    .split("\0")
    .flatMap((one) => one.split("=").slice(0, one === "" ? 0 : 1))
    .toSorted()
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const version = "SELECT current_setting('server_version_num')::integer / 10000"

describe("EmbeddedPostgres", () => {
  it.effect(
    "starts on a new folder, ends with its scope, and finds its data on the next start",
    () =>
      Effect.gen(function* () {
        const dataDir = Path.join(yield* temporaryFolder, "data")
        const pid = yield* Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* EmbeddedPostgres.start(dataDir)
            assert.strictEqual(yield* ask(url, version), 18)
            assert.strictEqual(yield* ask(url, "SELECT current_database()::text"), "journeys")
            assert.strictEqual(yield* ask(url, "SHOW fsync"), "on")
            assert.strictEqual(yield* ask(url, "SHOW timezone"), "UTC")
            assert.strictEqual(yield* ask(url, "SELECT upper('grün')"), "GRÜN")
            yield* ask(url, "CREATE TABLE kept AS SELECT 42 AS a")
            const server = postmasterOf(dataDir)
            if (process.platform === "linux") assert.deepStrictEqual(environmentOf(server), ["LC_ALL", "PATH", "TZ"])
            return server
          })
        )
        assert.isFalse(isAlive(pid))
        assert.isFalse(Fs.existsSync(Path.join(dataDir, "postgres", "postmaster.pid")))
        const { url } = yield* EmbeddedPostgres.start(dataDir)
        assert.strictEqual(yield* ask(url, "SELECT a FROM kept"), 42)
      }),
    timeout
  )

  it.effect(
    "refuses a wrong password, and keeps the right one to its owner",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const { url } = yield* EmbeddedPostgres.start(dataDir)
        const wrong = new URL(Redacted.value(url))
        wrong.password = "guess"
        const error = yield* Effect.flip(ask(wrong.href, "SELECT 1"))
        assert.strictEqual(error.reason._tag, "AuthenticationError")
        const file = Path.join(dataDir, "postgres", "journeys.password")
        assert.strictEqual(Fs.statSync(file).mode & 0o777, 0o600)
      }),
    timeout
  )

  it.effect(
    "starts in a folder deeper than the path of a socket may be",
    () =>
      Effect.gen(function* () {
        const { url } = yield* EmbeddedPostgres.start(Path.join(yield* temporaryFolder, "d".repeat(120), "data"))
        assert.strictEqual(yield* ask(url, version), 18)
      }),
    timeout
  )

  it.effect(
    "takes over the server of a service that was killed, and ends it",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const killed = yield* startService(dataDir)
        const { url = "" } = yield* killed.answer
        yield* ask(url, "CREATE TABLE kept AS SELECT 42 AS a")
        const pid = postmasterOf(dataDir)
        yield* killed.kill
        assert.isTrue(isAlive(pid))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const next = yield* EmbeddedPostgres.start(dataDir)
            assert.strictEqual(Redacted.value(next.url), url)
            assert.strictEqual(postmasterOf(dataDir), pid)
            assert.strictEqual(yield* ask(next.url, "SELECT a FROM kept"), 42)
          })
        )
        assert.isTrue(
          yield* waitUntil(
            Effect.sync(() => !isAlive(pid)),
            Duration.seconds(10)
          )
        )
      }),
    timeout
  )

  it.effect(
    "recovers when service and server were killed together, and their process id is another's by now",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const killed = yield* startService(dataDir)
        const { url = "" } = yield* killed.answer
        yield* ask(url, "CREATE TABLE kept AS SELECT 42 AS a")
        const pid = postmasterOf(dataDir)
        yield* killed.kill
        process.kill(pid, "SIGKILL")
        yield* waitUntil(
          Effect.sync(() => !isAlive(pid)),
          Duration.seconds(10)
        )

        const other = yield* Effect.acquireRelease(
          Effect.sync(() => spawn("sleep", ["60"], { stdio: "ignore" })),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        const file = Path.join(dataDir, "postgres", "postmaster.pid")
        const [, ...rest] = Fs.readFileSync(file, "utf8").split("\n")
        Fs.writeFileSync(file, [String(other.pid), ...rest].join("\n"))

        const next = yield* EmbeddedPostgres.start(dataDir)
        assert.strictEqual(yield* ask(next.url, "SELECT a FROM kept"), 42)
        assert.isTrue(isAlive(other.pid ?? 0))
      }),
    timeout
  )

  it.effect(
    "begins anew when the first start was killed half-way",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const isUnfinished = () => Fs.readdirSync(dataDir).some((name) => name.startsWith("postgres.unfinished-"))
        const killed = yield* startService(dataDir)
        yield* waitUntil(Effect.sync(isUnfinished), Duration.seconds(20))
        yield* killed.kill
        assert.isTrue(isUnfinished())
        assert.isFalse(Fs.existsSync(Path.join(dataDir, "postgres")))

        const { url } = yield* EmbeddedPostgres.start(dataDir)
        assert.strictEqual(yield* ask(url, version), 18)
        assert.isFalse(isUnfinished())
      }),
    timeout
  )

  it.effect(
    "refuses a second live service on the same folder and leaves the first alone",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const { url } = yield* EmbeddedPostgres.start(dataDir)
        const second = yield* startService(dataDir)
        const here = yield* Effect.flip(Effect.scoped(EmbeddedPostgres.start(dataDir)))
        const message = `${dataDir} is in use by another running service: stop it, or give this one another DATA_DIR`
        assert.strictEqual((yield* second.answer).error, message)
        assert.strictEqual(here.message, message)
        assert.strictEqual(yield* ask(url, version), 18)
      }),
    timeout
  )

  it.effect(
    "lets one of two first starts at the same moment win",
    () =>
      Effect.gen(function* () {
        const dataDir = Path.join(yield* temporaryFolder, "data")
        const both = yield* Effect.all([startService(dataDir), startService(dataDir)])
        const answers = yield* Effect.forEach(both, (service) => service.answer)
        assert.strictEqual(answers.filter(({ url }) => url !== undefined).length, 1)
        assert.strictEqual(answers.filter(({ error }) => error?.includes("in use by another") === true).length, 1)
      }),
    timeout
  )

  it.effect(
    "starts the server again, at the same address, when it dies",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const { url } = yield* EmbeddedPostgres.start(dataDir)
        const pid = postmasterOf(dataDir)
        process.kill(pid, "SIGKILL")
        const answersAgain = Effect.match(ask(url, version), {
          onFailure: () => false,
          onSuccess: () => postmasterOf(dataDir) !== pid
        })
        assert.isTrue(yield* waitUntil(answersAgain, Duration.seconds(30)))
      }),
    timeout
  )

  it.effect(
    "refuses data of another major version",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        Fs.mkdirSync(Path.join(dataDir, "postgres"))
        Fs.writeFileSync(Path.join(dataDir, "postgres", "PG_VERSION"), "17\n")
        const error = yield* Effect.flip(Effect.scoped(EmbeddedPostgres.start(dataDir)))
        assert.include(error.message, "was written by PostgreSQL 17 and the embedded one is 18")
      }),
    timeout
  )

  it.effect(
    "says what the server said when it does not start",
    () =>
      Effect.gen(function* () {
        const options = { serverSettings: { shared_buffers: "no amount" } }
        const error = yield* Effect.flip(Effect.scoped(EmbeddedPostgres.start(yield* temporaryFolder, options)))
        assert.include(error.message, 'invalid value for parameter "shared_buffers"')
      }),
    timeout
  )
})
