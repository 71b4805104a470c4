import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as EmbeddedPostgres from "../../../src/runtime/embedded/EmbeddedPostgres.ts"
import { ask, startService, temporaryFolder } from "../postgres/ServiceProcess.ts"

const timeout = 60_000
const version = "SELECT current_setting('server_version_num')::integer / 10000"

/** A folder that every user of this machine can reach. */
const openFolder = Effect.tap(temporaryFolder, (folder) => Effect.sync(() => Fs.chmodSync(folder, 0o755)))

/** CI runs as root; elsewhere these are skipped, because only root can become someone else. */
const cannotChangeUser = process.getuid?.() !== 0 && process.env["CI"] !== "true"
const nobody = { uid: 65_534, gid: 65_534 }

describe("serverPrograms (skipped where the tests do not run as root)", () => {
  it.effect.skipIf(cannotChangeUser)(
    "runs for root in a folder only root may enter, on files that stay root's",
    () =>
      Effect.gen(function* () {
        const dataDir = Path.join(yield* temporaryFolder, "data")
        const { url } = yield* EmbeddedPostgres.start(dataDir)
        assert.strictEqual(yield* ask(url, version), 18)
        assert.strictEqual(Fs.statSync(Path.join(dataDir, "postgres")).uid, 0)
      }),
    timeout
  )

  it.effect.skipIf(cannotChangeUser)(
    "runs for root in a folder anyone may enter",
    () =>
      Effect.gen(function* () {
        const { url } = yield* EmbeddedPostgres.start(Path.join(yield* openFolder, "data"))
        assert.strictEqual(yield* ask(url, version), 18)
      }),
    timeout
  )

  it.effect.skipIf(cannotChangeUser)(
    "runs for an ordinary user",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* openFolder
        Fs.chownSync(dataDir, nobody.uid, nobody.gid)
        const service = yield* startService(Path.join(dataDir, "data"), nobody)
        const { url = "" } = yield* service.answer
        assert.strictEqual(yield* ask(url, version), 18)
        assert.strictEqual(Fs.statSync(Path.join(dataDir, "data", "postgres")).uid, nobody.uid)
      }),
    timeout
  )

  it.effect.skipIf(cannotChangeUser)(
    "runs as an unprivileged user where root may have no user namespace, and as root's again where it may",
    () =>
      Effect.gen(function* () {
        const dataDir = Path.join(yield* openFolder, "data")
        const owner = Effect.sync(() => Fs.statSync(Path.join(dataDir, "postgres")).uid)
        yield* Effect.scoped(EmbeddedPostgres.start(dataDir))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* EmbeddedPostgres.start(dataDir, { userNamespaces: false })
            assert.strictEqual(yield* ask(url, version), 18)
            assert.notStrictEqual(yield* owner, 0)
            assert.strictEqual(Fs.statSync(dataDir).mode & 0o777, 0o711)
          })
        )
        const { url } = yield* EmbeddedPostgres.start(dataDir)
        assert.strictEqual(yield* ask(url, version), 18)
        assert.strictEqual(yield* owner, 0)
      }),
    timeout
  )

  it.effect.skipIf(cannotChangeUser)(
    "says what to do where neither a user namespace nor another user will do",
    () =>
      Effect.gen(function* () {
        const start = EmbeddedPostgres.start(Path.join(yield* temporaryFolder, "data"), { userNamespaces: false })
        const error = yield* Effect.flip(Effect.scoped(start))
        assert.include(error.message, "run the service as an ordinary user, or set DATABASE_URL")
      }),
    timeout
  )
})
