/**
 * The secrets that the service generates on its first start and reads on every later one: `DATA_DIR/secrets.json`, mode
 * 600 in a folder of mode 700. Both secrets are made together, so the file is written once and never changed.
 * `Settings.ts` decides when they are used.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { makeFolders } from "../files/makeFolders.ts"
import { encryptionKeyBytes, environment, operatorTokenBytes } from "./environment.ts"
import { fileProblem, hasCode } from "../files/fileProblem.ts"
import { readIfThere } from "../files/readIfThere.ts"

export class SecretsError extends Data.TaggedError("SecretsError")<{ readonly message: string }> {}

export interface Secrets {
  readonly operatorToken: Redacted.Redacted
  readonly encryptionKey: Redacted.Redacted<Uint8Array>
}

const SecretsFile = Schema.fromJsonString(Schema.Struct({ operatorToken: Schema.String, encryptionKey: Schema.String }))

const fileIn = (dataDir: string): string => Path.join(dataDir, "secrets.json")

/** What an earlier start has made there, by the names of the settings. Whoever needs the secrets is told why they cannot be read. */
export const keptTexts = (dataDir: string): { readonly OPERATOR_TOKEN?: string; readonly ENCRYPTION_KEY?: string } => {
  try {
    const kept = Schema.decodeOption(SecretsFile)(readFileSync(fileIn(dataDir), "utf8"))
    return Option.match(kept, {
      onNone: () => ({}),
      onSome: ({ encryptionKey, operatorToken }) => ({ OPERATOR_TOKEN: operatorToken, ENCRYPTION_KEY: encryptionKey })
    })
  } catch {
    return {}
  }
}

/** The secrets of a data folder. The first call makes them. */
export const generatedSecrets = Effect.fn("secrets.generatedSecrets")(function* (
  dataDir: string
): Effect.fn.Return<Secrets, SecretsError> {
  const file = fileIn(dataDir)
  const failed = (problem: string) => new SecretsError({ message: `${file} ${problem}` })
  const text = yield* Effect.tryPromise({
    try: () => readOrMake(file),
    catch: (cause) =>
      failed(
        `cannot be read or made: ${fileProblem(cause)}; name in DATA_DIR a folder that the service may make, read and write`
      )
  })
  const parsed = yield* Effect.mapError(Schema.decodeEffect(SecretsFile)(text), () =>
    failed("is not the file of secrets this service wrote; restore it from a backup, do not delete it")
  )
  const operatorToken = environment.OPERATOR_TOKEN.parse(parsed.operatorToken)
  const encryptionKey = environment.ENCRYPTION_KEY.parse(parsed.encryptionKey)
  if (operatorToken === undefined) return yield* failed(`operatorToken must be ${environment.OPERATOR_TOKEN.rule}`)
  if (encryptionKey === undefined) return yield* failed(`encryptionKey must be ${environment.ENCRYPTION_KEY.rule}`)
  return { operatorToken, encryptionKey }
})

const readOrMake = async (file: string): Promise<string> => {
  const existing = await readIfThere(file)
  if (existing !== null) return existing
  const folder = Path.dirname(file)
  await makeFolders(folder)
  const temporary = `${file}.${randomBytes(8).toString("hex")}`
  const text = JSON.stringify({
    operatorToken: randomBytes(operatorTokenBytes).toString("base64url"),
    encryptionKey: randomBytes(encryptionKeyBytes).toString("base64")
  })
  try {
    // With `wx` the write fails if somebody has put a link there. `flush` is fsync, because a lost key is lost data.
    await Fs.writeFile(temporary, `${text}\n`, { mode: 0o600, flag: "wx", flush: true })
    // A link, unlike a rename, fails when the name is taken. If two first starts run at once, both read the file of the
    // winner.
    await Fs.link(temporary, file).catch((cause: unknown) => {
      if (!hasCode(cause, "EEXIST")) throw cause
    })
  } finally {
    await Fs.rm(temporary, { force: true })
  }
  return Fs.readFile(file, "utf8")
}
