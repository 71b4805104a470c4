/** `journeys doctor`: all that is wrong with an installation at once, with its cures, without a running service. */
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { migrations } from "../../../src/runtime/postgres/migrations/all.ts"
import { makeCompany } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { commandsScript, run, temporaryFolder } from "../../support/processes.ts"
import { freePort } from "../../support/freePort.ts"
import { freshDatabase, startService } from "../../support/service.ts"

// A process takes ten seconds and more to begin on a loaded machine.
vi.setConfig({ testTimeout: 120_000 })

const secrets = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  OPERATOR_TOKEN: "test-operator-token-000000000000000000000000"
}

interface Finding {
  readonly check: string
  readonly status: string
  readonly found: string
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let databaseUrl: string
beforeAll(async () => {
  folder = await temporaryFolder()
  databaseUrl = await freshDatabase()
})
afterAll(() => folder.remove())

const doctor = (environment: Readonly<Record<string, string>>, ...flags: ReadonlyArray<string>) =>
  run(process.execPath, [commandsScript, "doctor", ...flags], { cwd: folder.path, environment })

it("says everything that is wrong with a production installation, what is well, and exits with 1", async () => {
  const { code, stderr, stdout } = await doctor(
    {
      ...secrets,
      PROFILE: "production",
      DATABASE_URL: databaseUrl,
      BASE_URL: "http://journeys.example",
      REDIS_URL: `redis://:redis-canary@127.0.0.1:${await freePort()}`,
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      MAIL_FROM: "journeys@example.com",
      WEBHOOK_ALLOW_INSECURE: "true",
      RATE_LIMIT_PER_MINUT: "5"
    },
    "--json"
  )
  expect([code, JSON.parse(stderr).message]).toEqual([1, expect.stringMatching(/^5 of \d+ checks found/)])
  const { findings, ...rest } = JSON.parse(stdout)
  expect(rest).toMatchObject({ profile: "production", because: "PROFILE says so", wrong: 5 })
  const named = (status: string) =>
    findings.filter((one: { status: string }) => one.status === status).map((one: { check: string }) => one.check)
  expect(named("wrong")).toEqual(["settings", "role", "redis", "mail", "BASE_URL"])
  for (const well of ["database", "version", "fsync", "synchronous_commit", "clock", "DATABASE_URL", "DATA_DIR"]) {
    expect(named("ok")).toContain(well)
  }
  for (const { cure, status } of findings) expect([status, cure === null]).toEqual([status, status === "ok"])
  expect(findings.find(({ check }: Finding) => check === "mail").cure).toContain("host and port of SMTP_URL")
  expect(stdout + stderr).not.toContain("canary")
})

it("says which key is missing, and which file of the journal cannot be read, as a start would", async () => {
  const made = await freshDatabase()
  const service = await startService({ DATABASE_URL: made })
  await makeCompany(service)
  await service.stop()
  const { path: journal, remove } = await temporaryFolder()
  await writeFile(join(journal, "good.ended.jsonl"), "")
  const environment = { ...secrets, PROFILE: "development", DATABASE_URL: made, ERASURE_JOURNAL: journal }
  const found = async (more: Readonly<Record<string, string>> = {}) => {
    const { stdout } = await doctor({ ...environment, ...more }, "--json")
    const { findings } = JSON.parse(stdout) as { readonly findings: ReadonlyArray<Finding> }
    return findings.filter(({ status }) => status === "wrong").map(({ check, found: says }) => [check, says])
  }
  expect(await found()).toEqual([])
  await writeFile(join(journal, "torn.ended.jsonl"), '{"broken')
  expect(await found()).toEqual([])
  const line = { at: "2026-01-15T10:31:07.218Z", what: "JOURNEY", journeyId: "-" }
  await writeFile(join(journal, "torn.ended.jsonl"), `${JSON.stringify(line)}\n{"broken\n`)
  const other = Buffer.alloc(32, 8).toString("base64")
  expect(await found({ ENCRYPTION_KEY: other })).toEqual([
    ["ENCRYPTION_KEY", expect.stringContaining("has values under a key that is not given")],
    ["journal of what has ended", "has lines that are none of it, in torn.ended.jsonl"]
  ])
  expect(await found({ ENCRYPTION_KEY: other, ENCRYPTION_KEYS_RETIRED: secrets.ENCRYPTION_KEY })).toEqual([
    ["journal of what has ended", expect.any(String)]
  ])
  await mkdir(join(journal, "copied"))
  await writeFile(join(journal, "copied", "other.ended.jsonl"), "")
  expect(await found()).toEqual([
    ["journal of what has ended", `has files that are not read: ${join("copied", "other.ended.jsonl")}`]
  ])
  await remove()
})

it("says which migrations a start would make, and refuses a database that a newer version has migrated, as a start does", async () => {
  const made = await freshDatabase()
  const environment = { ...secrets, PROFILE: "development", DATABASE_URL: made }
  const found = async () => {
    const { code, stdout } = await doctor(environment, "--json")
    const { findings } = JSON.parse(stdout) as { readonly findings: ReadonlyArray<Finding> }
    const one = findings.find(({ check }) => check === "migrations")
    return [code, one?.status, one?.found]
  }
  expect(await found()).toEqual([0, "ok", "the database has all of this version"])
  await queryDirectly(made, "delete from migrations where id > $1", [migrations.length - 2])
  expect(await found()).toEqual([0, "ok", "the next start makes 2 migrations"])
  await queryDirectly(made, "insert into migrations (id, name) values ($1, 'future')", [migrations.length + 1])
  const refusal = `the database has migration ${migrations.length + 1} (future), which this version does not know`
  expect(await found()).toEqual([1, "wrong", expect.stringContaining(refusal)])
  await expect(startService({ DATABASE_URL: made })).rejects.toThrow(refusal)
  expect(await queryDirectly(made, "select from migrations")).toHaveLength(migrations.length - 1)
})

it("says of the keys what it knows before an upgrade, and what it cannot know until the upgrade is done", async () => {
  const made = await freshDatabase()
  const service = await startService({ DATABASE_URL: made })
  await makeCompany(service)
  await service.stop()
  const environment = { ...secrets, PROFILE: "development", DATABASE_URL: made }
  const other = Buffer.alloc(32, 8).toString("base64")
  const found = async (more: Readonly<Record<string, string>> = {}) => {
    const { stderr, stdout } = await doctor({ ...environment, ...more }, "--json")
    const { findings } = JSON.parse(stdout) as { readonly findings: ReadonlyArray<Finding> }
    const one = findings.find(({ check }) => check === "ENCRYPTION_KEY") ?? expect.fail(stdout + stderr)
    return [one.status, one.found]
  }
  const known = ["ok", "the keys that are given open what the database holds"]
  // As it was before two of the migrations.
  await queryDirectly(made, "alter table webhook_endpoints drop column sealed_previous_secret3")
  await queryDirectly(made, "alter table mails drop column sealed_recipient")
  expect(await found()).toEqual(known)
  expect(await found({ ENCRYPTION_KEY: other })).toEqual([
    "wrong",
    expect.stringContaining("values under a key that is not given")
  ])
  await queryDirectly(
    made,
    "insert into encryption_keys (id, sealing_since) values ('passed-over', now() - interval '1 day')"
  )
  expect(await found()).toEqual([
    "advice",
    "nothing that the database has now stands under a key that is not given (passed-over); the next start makes webhook_endpoints.sealed_previous_secret3, mails.sealed_recipient, of which nothing can be known before"
  ])
  // As it was before keys had ids.
  await queryDirectly(made, "drop table encryption_keys")
  expect(await found()).toEqual(known)
  expect(await found({ ENCRYPTION_KEY: other })).toEqual([
    "wrong",
    expect.stringContaining("was made with a key that is not given")
  ])
})

// Nobody makes folders there, root neither.
const nowhere = "/sys/journeys"
// Nor there, where the system says that the folder is missing: Node's own way to make folders then never ends.
const endless = "/proc/journeys/ended"

it("says that the journal cannot be written, as a start does, and makes no folder for it", async () => {
  const { path, remove } = await temporaryFolder()
  const file = join(path, "file")
  await writeFile(file, "")
  const environment = { ...secrets, PROFILE: "development", DATABASE_URL: databaseUrl }
  for (const journal of [nowhere, endless, join(file, "journal")]) {
    const { code, stdout } = await doctor({ ...environment, ERASURE_JOURNAL: journal }, "--json")
    const { findings } = JSON.parse(stdout) as { readonly findings: ReadonlyArray<Finding> }
    expect([code, findings.filter(({ status }) => status === "wrong")]).toEqual([
      1,
      [
        expect.objectContaining({
          check: "journal of what has ended",
          found: expect.stringMatching(/^cannot be written: (?!Error)/),
          cure: expect.stringMatching(/^name in ERASURE_JOURNAL a folder of a disk/)
        })
      ]
    ])
    await expect(startService({ DATABASE_URL: databaseUrl, ERASURE_JOURNAL: journal })).rejects.toThrow(
      /the journal of erasures \(ERASURE_JOURNAL\) cannot be written: (?!Error).*; name in ERASURE_JOURNAL a folder of a disk/
    )
  }
  const { stdout } = await doctor({ ...environment, ERASURE_JOURNAL: join(path, "later", "journal") }, "--json")
  expect(stdout).toContain("the first start makes it")
  expect(await readdir(path)).toEqual(["file"])
  await remove()
})

it("is content with a machine of one's own, makes nothing there, and prints a table", async () => {
  const { code, stderr, stdout } = await doctor({})
  expect([code, stderr]).toEqual([0, ""])
  expect(stdout).toMatch(/^profile +development$/m)
  expect(stdout).toMatch(/^STATUS +CHECK +FOUND/m)
  expect(await readdir(folder.path)).toEqual([])
})

it("says what a development profile allows and production would refuse", async () => {
  const { code, stdout } = await doctor({ BASE_URL: "http://journeys.example" }, "--json")
  const found = JSON.parse(stdout).findings.find(({ check }: { check: string }) => check === "BASE_URL")
  expect([code, found.status]).toEqual([0, "allowed"])
})

it("a start in production refuses a superuser, and development switches beside live companies, at once", async () => {
  const service = await startService({ DATABASE_URL: databaseUrl })
  await makeCompany(service)
  await service.stop()
  const refused = startService({ DATABASE_URL: databaseUrl, PROFILE: "production", WEBHOOK_ALLOW_INSECURE: "true" })
  const message = await refused.then(
    () => "",
    (cause: unknown) => String(cause)
  )
  expect(message.split("\n").map((line) => /may not be used: (the role|plain http)/.exec(line)?.[1])).toEqual([
    "the role",
    "plain http"
  ])
})
