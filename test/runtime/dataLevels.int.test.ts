/** Holds the list of all data and its levels of protection (docs/data.md) to the tables of the database. */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startService, type Service } from "../support/service.ts"

const page = readFileSync(join(resolve(import.meta.dirname, "../.."), "docs/data.md"), "utf8")

const listed = Array.from(page.matchAll(/^\| `(\w+)` \| ([A-Z]+) \|/gm), ([, table = "", level = ""]) => ({
  table,
  level
}))

let service: Service
let columns: ReadonlyArray<{ readonly table: string; readonly column: string }>
beforeAll(async () => {
  service = await startService()
  columns = await service.query(
    `select c.relname as table, a.attname as column from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
  )
})
afterAll(() => service.stop())

it("gives each table of the database one level, and lists no other", () => {
  const tables = [...new Set(columns.map(({ table }) => table))]
  expect(tables.length).toBeGreaterThan(40)
  expect(listed.map(({ table }) => table).toSorted()).toEqual(tables.toSorted())
  const levels = new Set(Array.from(page.matchAll(/^\| ([A-Z]+) \|/gm), ([, level]) => level))
  expect(listed.filter(({ level }) => !levels.has(level))).toEqual([])
})

it("puts what is sealed, and hashes of secrets, at the levels that ask for it", () => {
  const guarded = columns.filter(({ column }) => /sealed|wrapped_key|secret|^hash$|token_hash|public_key/.test(column))
  const levelOf = new Map(listed.map(({ level, table }) => [table, level]))
  expect(guarded.length).toBeGreaterThan(20)
  const low = guarded.filter(({ table }) => !["SECRET", "SENSITIVE"].includes(levelOf.get(table) ?? ""))
  // The audit log's lines are chained by hashes, which are no secrets.
  expect(low.map(({ column, table }) => `${table}.${column}`)).toEqual(["audit.hash"])
})

it("keeps each photo, video, document and record of a customer sealed", () => {
  const sensitive = listed.filter(({ level }) => level === "SENSITIVE").map(({ table }) => table)
  const open = sensitive.filter(
    (of) => !columns.some(({ column, table }) => table === of && column.startsWith("sealed"))
  )
  // The bytes of a video stand in its chunks and frames.
  expect(open).toEqual(["video_uploads"])
})
