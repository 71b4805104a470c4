/**
 * A PostgreSQL of this machine with its client programs, for tests of the commands that operators type. What npm brings in has no
 * pg_dump, and pg_dump takes no server that is newer than itself: both come from one installation (`apt-get install postgresql`). Without
 * one a suite is skipped by name; in CI that is a failure.
 */
import { spawn, spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe } from "vitest"
import { eventually } from "./eventually.ts"
import { freePort } from "./freePort.ts"

const root = "/usr/lib/postgresql"
const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(a) - Number(b)) : []
const folder = versions
  .map((version) => join(root, version, "bin"))
  .findLast((bin) => ["initdb", "postgres", "pg_dump", "pg_restore"].every((program) => existsSync(join(bin, program))))

/** `describe` for suites that need it. */
export const describeWithInstalledPostgres: typeof describe | typeof describe.skip =
  folder !== undefined || process.env["CI"] === "true" ? describe : describe.skip

/** PostgreSQL does not run as root: the account that its package makes. */
const account = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const [, , uid, gid] = (/^postgres:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))?.[0] ?? "").split(":")
  return { uid: Number(uid), gid: Number(gid) }
}

export interface InstalledPostgres {
  readonly url: string
  /** Runs one of its programs and fails with what it wrote: `run("pg_dump", "--format=custom", url)`. */
  readonly run: (program: string, ...args: ReadonlyArray<string>) => void
  readonly stop: () => Promise<void>
}

export const startInstalledPostgres = async (): Promise<InstalledPostgres> => {
  const bin = folder ?? root
  const as = account()
  const data = mkdtempSync(join(tmpdir(), "journeys-postgres-"))
  if (as.uid !== undefined && as.gid !== undefined) chownSync(data, as.uid, as.gid)
  const run: InstalledPostgres["run"] = (program, ...args) => {
    const { status, stderr } = spawnSync(join(bin, program), args, { encoding: "utf8" })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
  }
  const cluster = join(data, "cluster")
  const init = spawnSync(join(bin, "initdb"), ["-D", cluster, "-U", "journeys", "-A", "trust", "--encoding=UTF8"], {
    ...as,
    cwd: data,
    encoding: "utf8"
  })
  if (init.status !== 0) throw new Error(`initdb: ${init.stderr}`)
  const port = await freePort()
  const server = spawn(
    join(bin, "postgres"),
    ["-D", cluster, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${data}`],
    { ...as, cwd: data, stdio: "ignore" }
  )
  const url = `postgres://journeys@127.0.0.1:${port}/postgres`
  await eventually(
    () => Promise.resolve(spawnSync(join(bin, "pg_isready"), ["-d", url]).status),
    (status) => status === 0
  )
  return {
    url,
    run,
    stop: () =>
      new Promise((done) => {
        server.once("exit", () => {
          rmSync(data, { recursive: true, force: true })
          done()
        })
        server.kill("SIGQUIT")
      })
  }
}
