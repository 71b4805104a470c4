import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { environment, variableNames } from "../../../src/runtime/settings/environment.ts"
import { generatedSecrets } from "../../../src/runtime/settings/secrets.ts"
import { baseUrlOf, Settings } from "../../../src/runtime/settings/Settings.ts"

const key = randomBytes(32).toString("base64")
const given = { ENCRYPTION_KEY: key, OPERATOR_TOKEN: "operator-token-of-this-test-file" }

const clusterSecret = "a-secret-of-the-nodes-of-this-test-0001"

const settingsOf = (record: Readonly<Record<string, string | undefined>>) =>
  Settings.pipe(Effect.provide(Settings.layerOf(record)))

const messageOf = (record: Readonly<Record<string, string | undefined>>) =>
  Effect.map(Effect.flip(settingsOf(record)), (error) => error.message)

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "journeys-settings-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true }))
)

const modeOf = (path: string) => (Fs.statSync(path).mode & 0o777).toString(8)

const isSecret = (name: string) =>
  Object.entries(environment).some(([known, variable]) => known === name && variable.secret === true)

describe("Settings", () => {
  it.effect("has a default for everything that needs one", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf(given)
      assert.strictEqual(settings.host, "127.0.0.1")
      assert.strictEqual(settings.port, 3000)
      assert.strictEqual(settings.baseUrl, "http://127.0.0.1:3000")
      assert.strictEqual(settings.databaseUrl, undefined)
      assert.strictEqual(settings.dataDir, Path.resolve(".journeys"))
      assert.deepStrictEqual(settings.sandboxStep, Duration.seconds(5))
      assert.deepStrictEqual(settings.sandboxCallerStep, Duration.seconds(30))
      assert.strictEqual(settings.rateLimitPerMinute, 500)
      assert.strictEqual(settings.mailRetentionDays, 30)
      assert.strictEqual(settings.webhookAllowInsecure, false)
      assert.strictEqual(settings.tracesSamplerRatio, 1)
      assert.strictEqual(settings.logLevel, "Info")
    })
  )

  it.effect("reads every variable", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf({
        ...given,
        HOST: "::",
        PORT: "0",
        OPS_HOST: "10.0.0.1",
        OPS_PORT: "3100",
        TRUSTED_PROXIES: "10.0.0.0/8, fd00::1",
        PROFILE: "development",
        BASE_URL: "https://journeys.example/",
        DATABASE_URL: "postgres://me:secret@db.example/journeys?sslmode=require",
        DATA_DIR: "/var/lib/journeys",
        REDIS_URL: "rediss://cache.example",
        RUNNER_ADDRESS: "[fd00::1]:34431",
        CLUSTER_SECRET: clusterSecret,
        SMTP_URL: "smtps://me:secret@mail.example",
        MAIL_FROM: "Journeys <journeys@example.com>",
        MAIL_RETENTION_DAYS: "7",
        WEBHOOK_ALLOW_INSECURE: "true",
        SANDBOX_STEP: "500 millis",
        SANDBOX_CALLER_STEP: "2 minutes",
        RATE_LIMIT_PER_MINUTE: "7",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
        LOG_LEVEL: "debug"
      })
      assert.strictEqual(settings.port, 0)
      assert.deepStrictEqual(settings.ops, { host: "10.0.0.1", port: 3100 })
      assert.strictEqual(settings.trustedProxies.length, 2)
      assert.strictEqual(settings.profile, "development")
      assert.strictEqual(settings.baseUrl, "https://journeys.example")
      assert.strictEqual(settings.dataDir, "/var/lib/journeys")
      assert.deepStrictEqual(settings.runnerAddress, { host: "fd00::1", port: 34_431 })
      assert.deepStrictEqual(settings.clusterSecret && Redacted.value(settings.clusterSecret), [clusterSecret])
      assert.strictEqual(Redacted.value(settings.encryptionKey).length, 32)
      assert.deepStrictEqual(settings.sandboxStep, Duration.millis(500))
      assert.deepStrictEqual(settings.sandboxCallerStep, Duration.minutes(2))
      assert.strictEqual(settings.rateLimitPerMinute, 7)
      assert.strictEqual(settings.mailRetentionDays, 7)
      assert.strictEqual(settings.tracesSamplerRatio, 0.25)
      assert.strictEqual(settings.logLevel, "Debug")
      assert.notInclude(JSON.stringify(settings), "secret")
      assert.notInclude(JSON.stringify(settings), key)
    })
  )

  const bad: ReadonlyArray<readonly [name: string, value: string]> = [
    ["HOST", "http://127.0.0.1"],
    ["PORT", "65536"],
    ["PORT", "3000x"],
    ["PORT", "-1"],
    ["PORT", "0x10"],
    ["OPS_HOST", "http://127.0.0.1"],
    ["OPS_PORT", "0"],
    ["TRUSTED_PROXIES", "proxy.example"],
    ["PROFILE", "prod"],
    ["BASE_URL", "journeys.example"],
    ["BASE_URL", "https://journeys.example/?a=b"],
    ["BASE_URL", "https://journeys.example/path"],
    ["DATABASE_URL", "mysql://db.example/journeys"],
    ["DATA_DIR", "a\0b"],
    ["ERASURE_JOURNAL", "a\0b"],
    ["REDIS_URL", "cache.example:6379"],
    ["RUNNER_ADDRESS", "node-1"],
    ["RUNNER_ADDRESS", "node-1:0"],
    ["CLUSTER_SECRET", clusterSecret.slice(0, 31)],
    ["CLUSTER_SECRET", `${clusterSecret},`],
    ["CLUSTER_SECRET", [1, 2, 3].map((number) => `${clusterSecret}${number}`).join(",")],
    ["CLUSTER_SECRET", "a".repeat(40)],
    ["CLUSTER_SECRET", `${clusterSecret},${"abcdefg".repeat(6)}`],
    ["OPERATOR_TOKEN", "short"],
    ["OPERATOR_TOKEN", "with a space, and certainly long enough"],
    ["OPERATOR_TOKEN", "one-character-less-than-enough-x".slice(1)],
    ["OPERATOR_TOKEN", "abcdefgabcdefgabcdefgabcdefgabcdefgabcdefg"],
    ["ENCRYPTION_KEY", "not base64, and not long enough either"],
    ["ENCRYPTION_KEY", randomBytes(31).toString("base64")],
    ["ENCRYPTION_KEY", key.slice(0, -1)],
    ["ENCRYPTION_KEYS_RETIRED", key.slice(0, -1)],
    ["ENCRYPTION_KEYS_RETIRED", `${key},${key}`],
    ["SMTP_URL", "https://mail.example"],
    ["SMTP_URL", "smtp:"],
    ["SMTP_URL", "smtp://mail.example?tls.rejectUnauthorized=false"],
    ["SMTP_URL", "smtp://mail.example/path"],
    ["SMTP_URL", "smtp://me:100%@mail.example"],
    ["SMTP_URL", "smtp://:word@mail.example"],
    ["MAIL_FROM", "nobody"],
    ["MAIL_FROM", "A <a@example.com>\r\nBcc: b@example.com"],
    ["MAIL_RETENTION_DAYS", "0"],
    ["WEBHOOK_ALLOW_INSECURE", "yes"],
    ["SANDBOX_STEP", "5"],
    ["SANDBOX_STEP", "5 parsecs"],
    ["SANDBOX_STEP", "0 seconds"],
    ["SANDBOX_STEP", "Infinity"],
    ["SANDBOX_CALLER_STEP", "2 hours"],
    ["RATE_LIMIT_PER_MINUTE", "0"],
    ["RATE_LIMIT_PER_MINUTE", "1.5"],
    ["BODY_BUDGET", "63"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.1"],
    ["LOG_LEVEL", "INFO"]
  ]
  it.effect.each(bad)("refuses %s=%j with one line", ([name, value]) =>
    Effect.gen(function* () {
      const message = yield* messageOf({ ...given, [name]: value })
      const line = message.split("\n").find((line) => line.startsWith(`${name} must be `))
      assert.isDefined(line, message)
      assert.strictEqual(line?.includes(JSON.stringify(value)), !isSecret(name), line)
    })
  )

  it.effect.each(["BASE_URL", "OTEL_EXPORTER_OTLP_ENDPOINT"])("refuses %s without the password in it", (name) =>
    Effect.gen(function* () {
      const message = yield* messageOf({ ...given, [name]: "ftp://me:pass/word@journeys.example" })
      assert.include(message, `${name} must be `)
      assert.include(message, 'not "ftp://...@journeys.example"')
    })
  )

  it("has a bad value in this test for every variable", () => {
    assert.deepStrictEqual([...new Set(bad.map(([name]) => name))].toSorted(), [...variableNames].toSorted())
  })

  it.effect("names every problem at once", () =>
    Effect.gen(function* () {
      const message = yield* messageOf({ ...given, PORT: "none", LOG_LEVEL: "loud" })
      assert.strictEqual(
        message,
        'PORT must be a whole number from 0 to 65535, not "none"\nLOG_LEVEL must be one of trace, debug, info, warn, error, fatal, none, not "loud"'
      )
    })
  )

  it.effect("treats an empty value as unset", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf({ ...given, PORT: "", REDIS_URL: "" })
      assert.strictEqual(settings.port, 3000)
    })
  )

  it.effect("needs no secret between nodes of one machine, and takes two where there are more", () =>
    Effect.gen(function* () {
      for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
        yield* settingsOf({ ...given, REDIS_URL: `redis://${host}`, RUNNER_ADDRESS: `${host}:34431` })
        yield* settingsOf({ ...given, REDIS_URL: `redis://${host}` })
      }
      const several = { REDIS_URL: "redis://cache.internal", RUNNER_ADDRESS: "node-1:34431" }
      const { clusterSecret: both } = yield* settingsOf({
        ...given,
        ...several,
        CLUSTER_SECRET: `${clusterSecret}new,${clusterSecret}old`
      })
      assert.deepStrictEqual(both && Redacted.value(both), [`${clusterSecret}new`, `${clusterSecret}old`])
    })
  )

  it.effect.each([
    [{ DATABASE_URL: "postgres://db/journeys", ENCRYPTION_KEY: undefined }, "DATABASE_URL needs ENCRYPTION_KEY"],
    [{ ENCRYPTION_KEY: undefined, ENCRYPTION_KEYS_RETIRED: key }, "ENCRYPTION_KEYS_RETIRED needs ENCRYPTION_KEY"],
    [{ RUNNER_ADDRESS: "node-1:34431" }, "RUNNER_ADDRESS needs REDIS_URL"],
    [{ OPS_HOST: "10.0.0.1" }, "OPS_HOST needs OPS_PORT"],
    [{ PORT: "3100", OPS_PORT: "3100" }, "OPS_PORT and PORT are the same, 3100"],
    [{ OPS_PORT: "3000" }, "OPS_PORT and PORT are the same, 3000"],
    [{ REDIS_URL: "redis://127.0.0.1", RUNNER_ADDRESS: "node-1:34431" }, "REDIS_URL needs CLUSTER_SECRET"],
    [{ REDIS_URL: "redis://cache.internal" }, "REDIS_URL needs CLUSTER_SECRET"],
    [{ SMTP_URL: "smtp://mail.example" }, "SMTP_URL needs MAIL_FROM"]
  ] as const)("refuses settings that do not fit together: %j", ([record, start]) =>
    Effect.gen(function* () {
      assert.isTrue((yield* messageOf({ ...given, ...record })).startsWith(start))
    })
  )

  it.effect.each([
    ["JOURNEYS_PORT", "JOURNEYS_PORT is not a setting; did you mean PORT?"],
    ["JOURNEYS_DATABSE_URL", "JOURNEYS_DATABSE_URL is not a setting; did you mean DATABASE_URL?"],
    ["DATABASE_URI", "DATABASE_URI is not a setting; did you mean DATABASE_URL?"],
    ["DATABASEURL", "DATABASEURL is not a setting; did you mean DATABASE_URL?"],
    ["OPERATOR_TOKEN_FIL", "OPERATOR_TOKEN_FIL is not a setting; did you mean OPERATOR_TOKEN_FILE?"],
    ["ENCRYPTION_KEYS", "ENCRYPTION_KEYS is not a setting; did you mean ENCRYPTION_KEY?"],
    ["OPERATOR_TOKNE", "OPERATOR_TOKNE is not a setting; did you mean OPERATOR_TOKEN?"],
    ["log_level", "log_level is not a setting; did you mean LOG_LEVEL?"]
  ] as const)("refuses %s and says what was probably meant", ([name, message]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* messageOf({ ...given, [name]: "x" }), message)
    })
  )

  it.effect.each(["JOURNEYS_URL", "PORT0", "VHOST", "HOSTNAME", "OTEL_SERVICE_NAME", "PGDATABASE", "LOG"])(
    "leaves %s to whoever it belongs to",
    (name) => Effect.asVoid(settingsOf({ ...given, [name]: "x" }))
  )

  it("makes an address of host and port", () => {
    assert.strictEqual(baseUrlOf("0.0.0.0", 80), "http://localhost:80")
    assert.strictEqual(baseUrlOf("::1", 3000), "http://[::1]:3000")
    assert.strictEqual(baseUrlOf("journeys.local", 3000), "http://journeys.local:3000")
  })
})

describe("generated secrets", () => {
  it.effect("are made once, readable by their owner only, and read back on later starts", () =>
    Effect.gen(function* () {
      const dataDir = Path.join(yield* temporaryFolder, "data")
      const first = yield* settingsOf({ DATA_DIR: dataDir })
      const second = yield* settingsOf({ DATA_DIR: dataDir })
      assert.strictEqual(Redacted.value(second.operatorToken), Redacted.value(first.operatorToken))
      assert.deepStrictEqual(Redacted.value(second.encryptionKey), Redacted.value(first.encryptionKey))
      assert.strictEqual(Redacted.value(first.encryptionKey).length, 32)
      assert.strictEqual(modeOf(dataDir), "700")
      assert.strictEqual(modeOf(Path.join(dataDir, "secrets.json")), "600")
      assert.deepStrictEqual(Fs.readdirSync(dataDir), ["secrets.json"])
    })
  )

  it.effect("are the same for starts at the same moment", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => generatedSecrets(dataDir)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(all.map((secrets) => Redacted.value(secrets.operatorToken))).size, 1)
    })
  )

  it.effect("are not made when both are given", () =>
    Effect.gen(function* () {
      const dataDir = Path.join(yield* temporaryFolder, "data")
      yield* settingsOf({ ...given, DATA_DIR: dataDir })
      assert.isFalse(Fs.existsSync(dataDir))
    })
  )

  it.effect.each(["", "{}", '{"operatorToken": "short", "encryptionKey": "short"}'])(
    "are never overwritten: a file with %j in it ends the start",
    (text) =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const file = Path.join(dataDir, "secrets.json")
        Fs.writeFileSync(file, text)
        assert.include(yield* messageOf({ DATA_DIR: dataDir }), file)
        assert.strictEqual(Fs.readFileSync(file, "utf8"), text)
      })
  )
})
