/**
 * Rows: what a statement answers is decoded by a row model (`runtime/postgres/rows.ts`), and never said to have a type. The check finds
 * types that are given to a statement; whether a decoded row is cast later, only a reader can judge.
 */
import type { SourceFile } from "./sources.ts"

const typedStatement = /\bsql(?:\.unsafe)?</

/** Where an id comes from outside as text and stands for nothing that is known here: in the erasures' journal, and in a request's path. */
const unknownIds = new Set([
  "src/actors/erasure/EndedThing.ts",
  "src/actors/company/RequestLog.ts",
  "src/actors/kernel/WorkFor.ts",
  "src/runtime/stores/company/PostgresRequestLog.ts"
])

/** The fields of ports and of rows that hold an id with a type of its own (`src/schema/ids.ts`) as plain text. */
export const plainIds = (files: ReadonlyArray<SourceFile>, brands: ReadonlyArray<string>): ReadonlyArray<string> => {
  const fields = brands.map((brand) => `${brand.charAt(0).toLowerCase()}${brand.slice(1)}`)
  const plain = new RegExp(`\\b(?:${fields.join("|")})\\??: (?:column\\.orNull\\()?(?:string|column\\.text)\\b`, "g")
  return files
    .filter(
      ({ path }) => /^src\/(?:actors|runtime\/stores)\//.test(path) && !path.endsWith(".d.ts") && !unknownIds.has(path)
    )
    .flatMap(({ path, text }) => [...text.matchAll(plain)].map(([field]) => `${path} ${field}`))
}

/** The files in which a statement's answer has a type by assertion. */
export const assertedRows = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files.filter(({ text }) => typedStatement.test(text)).map(({ path }) => path)
