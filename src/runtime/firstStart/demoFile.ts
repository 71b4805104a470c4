/**
 * The file `DATA_DIR/demo.json`, mode 600: the demo companies and their keys, which are nowhere else in clear. It is
 * written whole or not at all. `firstStart.ts` decides whether there are demo companies.
 */
import { Data, Effect, Schema } from "effect"
import * as Path from "node:path"
import { CompanyKind } from "../../schema/company/Company.ts"
import { replaceFile } from "../files/replaceFile.ts"
import { CompanyId } from "../../schema/ids.ts"
import { fileProblem } from "../files/fileProblem.ts"
import { readIfThere } from "../files/readIfThere.ts"

export class DemoFileError extends Data.TaggedError("DemoFileError")<{ readonly message: string }> {}

export const Demo = Schema.Struct({
  baseUrl: Schema.optionalKey(Schema.String),
  companies: Schema.Array(
    Schema.Struct({
      id: CompanyId,
      name: Schema.String,
      kind: CompanyKind,
      testKey: Schema.String,
      liveKey: Schema.String
    })
  )
})
export type Demo = typeof Demo.Type

const DemoText = Schema.fromJsonString(Demo)

export const demoFileOf = (dataDir: string): string => Path.join(dataDir, "demo.json")

/** The content of the file, or null when there is no file. */
export const readDemo = Effect.fn("demoFile.readDemo")(function* (
  file: string
): Effect.fn.Return<Demo | null, DemoFileError> {
  const text = yield* Effect.tryPromise({
    try: () => readIfThere(file),
    catch: (cause) =>
      new DemoFileError({
        message: `${file} cannot be read: ${fileProblem(cause)}; let the service read it, or move it away`
      })
  })
  if (text === null) return null
  return yield* Effect.mapError(
    Schema.decodeEffect(DemoText)(text),
    () => new DemoFileError({ message: `${file} is not the file of demo keys this service wrote; move it away` })
  )
})

export const writeDemo = (file: string, demo: Demo): Effect.Effect<void, DemoFileError> =>
  Effect.tryPromise({
    // The keys are on disk before the database knows them: see `firstStart.ts`.
    try: () => replaceFile(file, `${JSON.stringify(demo, null, 2)}\n`),
    catch: (cause) =>
      new DemoFileError({
        message: `${file} cannot be written: ${fileProblem(cause)}; name in DATA_DIR a folder that the service may write`
      })
  })
