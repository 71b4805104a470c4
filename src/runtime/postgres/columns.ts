/**
 * Many rows as one parameter for each of their columns, and lists as one parameter. A value that cannot be a value of its
 * column throws here, before anything is sent.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

export const column = <A>(rows: ReadonlyArray<A>, elementOid: number, of: (row: A) => unknown) =>
  Result.getOrThrow(PgTypes.array(rows.map(of), elementOid))

export const idColumn = (ids: ReadonlyArray<string>) => column(ids, PgTypes.OID.uuid, (id) => id)

export const textArray = (values: ReadonlyArray<string>) => column(values, PgTypes.OID.text, (value) => value)
