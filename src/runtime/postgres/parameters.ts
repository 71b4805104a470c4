/**
 * Values as parameters of SQL statements: times, bytes, JSON, and lists that one parameter carries whole. The client
 * refuses a value that cannot be a value of its type before it sends anything.
 */
import { PgTypes } from "@effect/sql-pg"
import { Duration, Result } from "effect"

/** A list of values of one SQL type. */
export const arrayParameter = (
  values: ReadonlyArray<unknown>,
  type: "uuid" | "text" | "bool" | "int4" | "int8" | "float8" | "timestamptz" | "bytea" | "json"
): PgTypes.Parameter => Result.getOrThrow(PgTypes.array(values, PgTypes.OID[type]))

export const uuidArray = (ids: ReadonlyArray<string>) => arrayParameter(ids, "uuid")

export const textArray = (values: ReadonlyArray<string>) => arrayParameter(values, "text")

/** The `timestamptz` so long before a time in milliseconds since 1970. */
export const before = (now: number, duration: Duration.Duration) => new Date(now - Duration.toMillis(duration))

/** A `timestamptz` from milliseconds since 1970. */
export const dateOrNull = (millis: number | null): Date | null => (millis === null ? null : new Date(millis))

export const bytesOrNull = (bytes: Uint8Array | null) => (bytes === null ? null : PgTypes.bytea(bytes))
