/** Secrets that stand in files instead of the environment. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { largestSecretFileBytes, variableNames } from "../../../src/runtime/settings/environment.ts"
import { fileVariableOf, secretsOfFiles } from "../../../src/runtime/settings/secretFiles.ts"
import { Settings } from "../../../src/runtime/settings/Settings.ts"

const key = randomBytes(32).toString("base64")
const given = { ENCRYPTION_KEY: key, OPERATOR_TOKEN: "operator-token-of-a-test-of-files" }

const settingsOf = (record: Readonly<Record<string, string | undefined>>) =>
  Settings.pipe(Effect.provide(Settings.layerOf(record)))

const messageOf = (record: Readonly<Record<string, string | undefined>>) =>
  Effect.map(Effect.flip(settingsOf(record)), (error) => error.message)

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "journeys-secrets-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true }))
)

const fileWith = (text: string, mode = 0o400) =>
  Effect.map(temporaryFolder, (folder) => {
    const file = Path.join(folder, "secret")
    Fs.writeFileSync(file, text)
    Fs.chmodSync(file, mode)
    return file
  })

describe("a secret in a file", () => {
  it.effect("is read for every secret variable, without the line break at its end", () =>
    Effect.gen(function* () {
      const samples: Readonly<Record<string, string>> = {
        DATABASE_URL: "postgres://db/journeys",
        REDIS_URL: "rediss://cache.example",
        CLUSTER_SECRET: "secret-of-the-nodes-in-a-file-0001",
        OPERATOR_TOKEN: "operator-token-that-is-in-a-file",
        ENCRYPTION_KEY: key,
        ENCRYPTION_KEYS_RETIRED: randomBytes(32).toString("base64"),
        SMTP_URL: "smtps://me:secret@mail.example"
      }
      const names = variableNames.filter((name) => fileVariableOf(name) !== undefined)
      const files: Record<string, string> = { MAIL_FROM: "a@example.com" }
      for (const name of names) files[`${name}_FILE`] = yield* fileWith(`${samples[name] ?? `no sample of ${name}`}\n`)
      const settings = yield* settingsOf(files)
      assert.strictEqual(Redacted.value(settings.operatorToken), samples["OPERATOR_TOKEN"])
      assert.strictEqual(Redacted.value(settings.retiredEncryptionKeys).length, 1)
      assert.deepStrictEqual(settings.openSecretFiles, [])
    })
  )

  it.effect("is read without the line break of Windows at its end", () =>
    Effect.gen(function* () {
      const file = yield* fileWith("operator-token-that-is-in-a-file\r\n")
      const settings = yield* settingsOf({ ENCRYPTION_KEY: key, OPERATOR_TOKEN_FILE: file })
      assert.strictEqual(Redacted.value(settings.operatorToken), "operator-token-that-is-in-a-file")
    })
  )

  it.effect("and in its variable at once is refused", () =>
    Effect.gen(function* () {
      const message = yield* messageOf({
        ...given,
        OPERATOR_TOKEN_FILE: yield* fileWith("operator-token-that-is-in-a-file")
      })
      assert.strictEqual(message, "OPERATOR_TOKEN and OPERATOR_TOKEN_FILE are both set: set one of them")
    })
  )

  it.effect.each(["", "short", "x".repeat(20_000)])(
    "that holds no such secret ends the start, and is not shown",
    (text) =>
      Effect.gen(function* () {
        const message = yield* messageOf({ ENCRYPTION_KEY: key, OPERATOR_TOKEN_FILE: yield* fileWith(text) })
        assert.match(message, /^OPERATOR_TOKEN(?:_FILE)? must /)
        if (text !== "") assert.notInclude(message, text)
      })
  )

  it.effect("is at most as long as the service reads: a longer file is no secret", () =>
    Effect.gen(function* () {
      const fits = yield* fileWith("x".repeat(largestSecretFileBytes))
      const tooLong = yield* fileWith("x".repeat(largestSecretFileBytes + 1))
      const { problems, values } = secretsOfFiles({ SMTP_URL_FILE: fits, OPERATOR_TOKEN_FILE: tooLong })
      assert.deepStrictEqual([...values.keys()], ["SMTP_URL"])
      assert.deepStrictEqual(problems, [
        `OPERATOR_TOKEN_FILE must name a file that holds the secret: ${tooLong} is too large`
      ])
    })
  )

  it.effect("that is not there ends the start", () =>
    Effect.gen(function* () {
      const message = yield* messageOf({ ...given, SMTP_URL_FILE: "/nowhere/smtp", MAIL_FROM: "a@example.com" })
      assert.include(
        message,
        "SMTP_URL_FILE must name a file that holds the secret: /nowhere/smtp cannot be read: it is not there (ENOENT)"
      )
    })
  )

  it.effect("that everybody on the machine can read is taken with a warning", () =>
    Effect.gen(function* () {
      const file = yield* fileWith("operator-token-that-is-in-a-file", 0o644)
      const settings = yield* settingsOf({ ENCRYPTION_KEY: key, OPERATOR_TOKEN_FILE: file })
      assert.deepStrictEqual(settings.openSecretFiles, [
        `OPERATOR_TOKEN_FILE: every user of this machine can read ${file}; give it mode 400`
      ])
    })
  )
})
