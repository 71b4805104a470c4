/** Which profile a node starts in, and what production refuses of the settings: each with its cure, all at once. */
import { Effect } from "effect"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { adviceLines, problemLines } from "../../../src/runtime/honesty/Finding.ts"
import { openToOthers } from "../../../src/runtime/honesty/openToOthers.ts"
import { settingsFindings } from "../../../src/runtime/honesty/settingsChecks.ts"
import * as startHonesty from "../../../src/runtime/honesty/startHonesty.ts"
import { profileOf } from "../../../src/runtime/settings/profile.ts"
import { readSettings, Settings } from "../../../src/runtime/settings/Settings.ts"
import { temporaryFolder } from "../../support/processes.ts"

const key = Buffer.alloc(32, 7).toString("base64")
const secrets = { ENCRYPTION_KEY: key, OPERATOR_TOKEN: "operator-token-of-a-test-of-checks" }

const profile = (environment: Readonly<Record<string, string>>) => {
  const { name, isLowered } = profileOf(readSettings(environment).given)
  return isLowered ? `${name} in place of production` : name
}

describe("the profile", () => {
  it.each([
    [{}, "development"],
    [{ HOST: "0.0.0.0" }, "development"],
    [{ BASE_URL: "http://localhost:3001" }, "development"],
    [{ BASE_URL: "http://192.168.1.7:3000" }, "development"],
    [{ BASE_URL: "http://[fd00::1]" }, "development"],
    [{ BASE_URL: "https://journeys.local" }, "development"],
    [{ BASE_URL: "http://node-1:3000" }, "development"],
    [{ BASE_URL: "https://journeys.example" }, "production"],
    [{ BASE_URL: "http://203.1.2.3" }, "production"],
    [{ BASE_URL: "https://[2a00:1450::1]" }, "production"],
    [{ DATABASE_URL: "postgres://localhost/journeys", ENCRYPTION_KEY: key }, "production"],
    [{ PROFILE: "production" }, "production"],
    [{ PROFILE: "development" }, "development"],
    [{ PROFILE: "development", BASE_URL: "https://journeys.example" }, "development in place of production"]
  ])("of %j is %s", (environment, expected) => {
    expect(profile(environment)).toBe(expected)
  })
})

const names = (environment: Readonly<Record<string, string>>, opened: ReadonlyArray<string> = []) =>
  settingsFindings({ settings: readSettings(environment).given, openToOthers: opened }).flatMap(({ isWell, name }) =>
    isWell ? [] : [name]
  )

describe("production", () => {
  it.each([
    [{ BASE_URL: "http://journeys.example" }, "BASE_URL"],
    [{ BASE_URL: "http://192.168.1.7" }, "BASE_URL"],
    [{ DATABASE_URL: "postgres://me@db.example/journeys" }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres://me@db.example/journeys?sslmode=prefer" }, "DATABASE_URL"],
    // The parameters of a URL name where the database is, and the last of two counts.
    [{ DATABASE_URL: "postgres://me@127.0.0.1/journeys?host=db.example" }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres:///journeys?user=me&host=db.example" }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres://me@db.example/journeys?host=localhost&host=db.example" }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres://me@db.example/journeys?sslmode=require&sslmode=disable" }, "DATABASE_URL"],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, "NODE_TLS_REJECT_UNAUTHORIZED"],
    [{ TRUSTED_PROXIES: "0.0.0.0/0" }, "TRUSTED_PROXIES"],
    [{ TRUSTED_PROXIES: "10.0.0.0/8,::/0" }, "TRUSTED_PROXIES"],
    [{ TRUSTED_PROXIES: "0.0.0.0/1,128.0.0.0/1" }, "TRUSTED_PROXIES"],
    [{ TRUSTED_PROXIES: "10.0.0.0/7" }, "TRUSTED_PROXIES"],
    [{ TRUSTED_PROXIES: "fc00::/6" }, "TRUSTED_PROXIES"],
    [{ REDIS_URL: "redis://cache.example" }, "REDIS_URL"],
    // A name that begins as this machine's address does is somebody else's.
    [{ REDIS_URL: "redis://127.0.0.1.cache.example" }, "REDIS_URL"],
    [{ SMTP_URL: "smtp://mail.example" }, "SMTP_URL"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT"]
  ])("refuses %j", (environment, name) => {
    expect(names(environment)).toEqual([name])
  })

  it.each([
    { BASE_URL: "https://journeys.example" },
    { BASE_URL: "http://127.0.0.1:3000" },
    { DATABASE_URL: "postgres://me@db.example/journeys?sslmode=verify-full" },
    { DATABASE_URL: "postgres://me@db.example/journeys?sslmode=require" },
    { DATABASE_URL: "postgres://me@127.0.0.1/journeys" },
    { DATABASE_URL: "postgres://me@[::1]/journeys" },
    { DATABASE_URL: "postgres:///journeys?user=me&host=/var/run/postgresql" },
    { DATABASE_URL: "postgres://me@db.example/journeys?host=localhost" },
    { DATABASE_URL: "postgres://me@db.example/journeys?sslmode=disable&sslmode=verify-full" },
    { NODE_TLS_REJECT_UNAUTHORIZED: "1" },
    { TRUSTED_PROXIES: "10.0.0.0/8,fc00::/7,203.0.113.7" },
    { REDIS_URL: "rediss://cache.example" },
    { REDIS_URL: "redis://localhost" },
    { SMTP_URL: "smtps://mail.example" },
    { SMTP_URL: "smtp://me:word@mail.example" },
    { SMTP_URL: "smtp://localhost:25" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" }
  ])("takes %j", (environment) => {
    expect(names(environment as Readonly<Record<string, string>>)).toEqual([])
  })

  it.each([
    ["ws://0.0.0.0:9229/id", ["debugger"]],
    ["ws://192.168.1.7:9229/id", ["debugger"]],
    ["ws://127.0.0.1:9229/id", []],
    ["ws://[::1]:9229/id", []],
    [undefined, []]
  ])("refuses a debugger that others reach: at %s", (debuggerAt, expected) => {
    const findings = settingsFindings({ settings: readSettings({}).given, openToOthers: [], debuggerAt })
    expect(findings.flatMap(({ isWell, name }) => (isWell ? [] : [name]))).toEqual(expected)
  })

  it("refuses folders and secrets that others on the machine can open, and takes closed ones", async () => {
    const folder = await temporaryFolder()
    const data = join(folder.path, "data")
    await mkdir(data, { mode: 0o700 })
    await writeFile(join(data, "secrets.json"), "{}", { mode: 0o600 })
    expect(await Effect.runPromise(openToOthers(data))).toEqual([])
    await chmod(data, 0o755)
    await chmod(join(data, "secrets.json"), 0o644)
    const opened = await Effect.runPromise(openToOthers(data))
    expect(opened).toEqual([data, join(data, "secrets.json")])
    expect(names({}, opened)).toEqual(["DATA_DIR"])
    expect(await Effect.runPromise(openToOthers(join(folder.path, "none")))).toEqual([])
    // The group is others, too, and the keys of the demo companies are secrets.
    await writeFile(join(data, "demo.json"), "{}")
    for (const name of ["secrets.json", "demo.json"]) await chmod(join(data, name), 0o640)
    await chmod(data, 0o750)
    const files = [join(data, "secrets.json"), join(data, "demo.json")]
    expect(await Effect.runPromise(openToOthers(data))).toEqual([data, ...files])
    await folder.remove()
  })
})

it("production refuses a file with a secret that every user of the machine can read", async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, "key")
  await writeFile(file, key, { mode: 0o644 })
  expect(names({ ENCRYPTION_KEY_FILE: file })).toEqual(["*_FILE"])
  await chmod(file, 0o400)
  expect(names({ ENCRYPTION_KEY_FILE: file })).toEqual([])
  await folder.remove()
})

describe("one secret for two purposes", () => {
  const secret = Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString("base64")
  const [own, other] = ["another-secret-of-a-test-of-checks", "a-third-secret-of-a-test-of-checks"]
  it.each([
    [{ CLUSTER_SECRET: own, OPERATOR_TOKEN: own }, "CLUSTER_SECRET and OPERATOR_TOKEN"],
    [{ CLUSTER_SECRET: secret, ENCRYPTION_KEY: secret }, "CLUSTER_SECRET and ENCRYPTION_KEY"],
    [{ CLUSTER_SECRET: `${other},${own}`, OPERATOR_TOKEN: own }, "CLUSTER_SECRET and OPERATOR_TOKEN"],
    [{ OPERATOR_TOKEN: secret, ENCRYPTION_KEY: secret }, "OPERATOR_TOKEN and ENCRYPTION_KEY"],
    [
      { OPERATOR_TOKEN: secret, ENCRYPTION_KEY: key, ENCRYPTION_KEYS_RETIRED: secret },
      "OPERATOR_TOKEN and ENCRYPTION_KEYS_RETIRED"
    ]
  ])("is refused by production, by the names of the settings and never by the value", (environment, said) => {
    const lines = problemLines(settingsFindings({ settings: readSettings(environment).given, openToOthers: [] }))
    expect(lines).toEqual([expect.stringContaining(`the same value stands in ${said}: `)])
    expect(lines.join()).not.toMatch(/-secret-of-a-test|AAECAw/)
  })

  it("is noticed when the secret stands in a file", async () => {
    const folder = await temporaryFolder()
    const file = join(folder.path, "secret")
    await writeFile(file, `${own}\n`, { mode: 0o400 })
    expect(names({ CLUSTER_SECRET_FILE: file, OPERATOR_TOKEN: own })).toEqual(["secrets"])
    await folder.remove()
  })

  it("is noticed when the service itself has made one of the two", async () => {
    const folder = await temporaryFolder()
    const kept = { operatorToken: own, encryptionKey: secret }
    await writeFile(join(folder.path, "secrets.json"), JSON.stringify(kept), { mode: 0o600 })
    const here = { DATA_DIR: folder.path }
    expect(names({ ...here, CLUSTER_SECRET: own })).toEqual(["secrets"])
    expect(names({ ...here, CLUSTER_SECRET: secret })).toEqual(["secrets"])
    expect(names({ ...here, CLUSTER_SECRET: own, OPERATOR_TOKEN: other })).toEqual([])
    await folder.remove()
  })

  it.each([
    ["DATABASE_URL", `postgres://me:${own}@localhost/journeys`],
    ["DATABASE_URL", `postgres://me:${encodeURIComponent(secret)}@localhost/journeys`],
    ["REDIS_URL", `redis://:${own}@localhost`],
    ["SMTP_URL", `smtp://me:${own}@localhost`]
  ])("is noticed when it is a password in %s", (name, address) => {
    const environment = { CLUSTER_SECRET: own, OPERATOR_TOKEN: other, ENCRYPTION_KEY: secret, [name]: address }
    expect(names(environment)).toEqual(["secrets"])
    expect(names({ [name]: address })).toEqual([])
  })

  it.each([
    { CLUSTER_SECRET: own, OPERATOR_TOKEN: other, ENCRYPTION_KEY: secret, ENCRYPTION_KEYS_RETIRED: key },
    { ENCRYPTION_KEY: secret, ENCRYPTION_KEYS_RETIRED: `${key},${secret}` }
  ])("is not what differing secrets are, nor a retired key that seals again", (environment) => {
    expect(names(environment)).toEqual([])
  })
})

const insecure = {
  ...secrets,
  BASE_URL: "http://journeys.example",
  DATABASE_URL: "postgres://me:word-canary@db.example/journeys",
  REDIS_URL: "redis://:word-canary@cache.example",
  CLUSTER_SECRET: "word-canary-of-nodes-0123456789abcdef"
}

const started = (environment: Readonly<Record<string, string>>) =>
  Effect.runPromise(
    Effect.scoped(Effect.provide(Effect.void, startHonesty.layer)).pipe(
      Effect.provide(Settings.layerOf({ LOG_LEVEL: "none", ...environment })),
      Effect.match({ onFailure: ({ message }) => message.split("\n"), onSuccess: () => [] })
    )
  )

describe("a start", () => {
  it("is refused in production with every problem at once, each with its cure, and no secret", async () => {
    const lines = await started(insecure)
    expect(lines.map((line) => line.split(":")[0])).toEqual(["BASE_URL", "DATABASE_URL", "REDIS_URL"])
    for (const line of lines) expect(line).toContain("; cure: ")
    expect(lines.join()).not.toContain("word-canary")
  })

  it("goes on with PROFILE=development, and where nothing is wrong", async () => {
    expect(await started({ ...insecure, PROFILE: "development" })).toEqual([])
    expect(await started(secrets)).toEqual([])
    expect(await started({ ...secrets, DATABASE_URL: "postgres://me@localhost/journeys" })).toEqual([])
  })

  it("has a sentence and a cure for each problem", () => {
    const { given } = readSettings(insecure)
    expect(problemLines(settingsFindings({ settings: given, openToOthers: ["/data"] }))).toHaveLength(4)
  })
})

/** What is said where nothing is refused. */
const said = (environment: Readonly<Record<string, string>>) => {
  const findings = settingsFindings({ settings: readSettings(environment).given, openToOthers: [] })
  expect(problemLines(findings)).toEqual([])
  return adviceLines(findings)
}

describe("without refusing anything, a start says", () => {
  const mailServer = { SMTP_URL: "smtps://mail.example", MAIL_FROM: "journeys@journeys.example" }
  const database = { ...secrets, ...mailServer, DATABASE_URL: "postgres://me@127.0.0.1/journeys" }
  it("that a copied DATA_DIR opens itself and knows nothing of later erasures, while key and journal lie in it", () => {
    const lines = [
      expect.stringMatching(/^ENCRYPTION_KEY: .* whoever copies the folder can read all of it.*; cure: /),
      expect.stringMatching(/^ERASURE_JOURNAL: .* an older copy of the folder, put back whole/)
    ]
    expect(said({ PROFILE: "production", ...mailServer })).toEqual(lines)
    expect(said(secrets)).toEqual(lines.slice(1))
    expect(said({ ...secrets, ERASURE_JOURNAL: "/var/lib/erasures" })).toEqual([])
  })

  it("that a restored backup revives what has ended, while a database that is not embedded has no journal", () => {
    expect(said(database)).toEqual([expect.stringMatching(/^ERASURE_JOURNAL: it is not set: a restored backup/)])
    expect(said({ ...database, ERASURE_JOURNAL: "/var/lib/erasures" })).toEqual([])
    // No copy of DATA_DIR holds the database here.
    expect(said({ ...database, DATA_DIR: "/var/lib", ERASURE_JOURNAL: "/var/lib/erasures" })).toEqual([])
  })

  it("that customers and members get no mail, in production without a mail server", () => {
    const { SMTP_URL: _, MAIL_FROM: __, ...without } = { ...database, ERASURE_JOURNAL: "/var/lib/erasures" }
    expect(said(without)).toEqual([
      expect.stringMatching(/^SMTP_URL: no mail leaves.*customers and members.*; cure: set SMTP_URL and MAIL_FROM/)
    ])
    expect(said({ ...without, ...mailServer })).toEqual([])
    expect(said({ ...without, PROFILE: "development" })).toEqual([])
  })
})
