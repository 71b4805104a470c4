/** One column of many rows as one parameter. Group-commit statements list their columns in a `batchSource` instead. */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

export const column = <A>(rows: ReadonlyArray<A>, elementOid: number, of: (row: A) => unknown) =>
  Result.getOrThrow(PgTypes.array(rows.map(of), elementOid))
