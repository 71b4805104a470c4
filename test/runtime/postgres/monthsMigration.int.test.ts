/** The tables become months with their rows in them: nothing is copied, nothing is lost, and a role that owns nothing goes on. */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import * as Database from "../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../src/runtime/postgres/migrations/all.ts"
import { monthTables } from "../../../src/runtime/postgres/months.ts"
import { nextId } from "../../../src/runtime/node/NodeIds.ts"
import { directly, type Query } from "../../support/directly.ts"
import { databaseWithoutTables } from "../../support/service.ts"

const months = migrations.findIndex(({ name }) => name === "months")

const migrateTo = (url: string, count: number) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.provide(
        Effect.asVoid(SqlClient.SqlClient),
        Database.layerOf(Redacted.make(url), migrations.slice(0, count))
      )
    )
  )

/** A journey of two years ago, one of now, and one whose id no clock has made. */
const ids = ["01900000-0000-7000-8000-000000000001", nextId(), "ffffffff-0000-4000-8000-000000000001"]

const fill = async (query: Query) => {
  for (const id of ids) {
    const eventId = id.replace(/1$/, "2")
    await query(
      "insert into journal (journey_id, version, message_id, sender, message, at) values ($1, 1, $2, 'test', '{}', now())",
      [id, nextId()]
    )
    await query(
      `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       values ($1, 1, $2, $2, true, 'journey.created', '{}', now())`,
      [id, eventId]
    )
    await query(
      "insert into attempts (event_id, number, at, duration_millis, trigger) values ($1, 1, now(), 1, 'SCHEDULE')",
      [eventId]
    )
  }
}

const rowsOf = (query: Query) =>
  Promise.all(monthTables.map((table) => query(`select t::text as line from ${table} t order by 1`)))

/** The files of a table and its indexes. */
const filesOf = async (query: Query, table: string) =>
  (
    await query<{ readonly file: string }>(
      `select pg_relation_filenode(c.oid)::text as file from pg_class c
       where c.oid = $1::regclass or c.oid in (select indexrelid from pg_index where indrelid = $1::regclass) order by 1`,
      [table]
    )
  ).map(({ file }) => file)

const filesBy = (query: Query, suffix: string) =>
  Promise.all(monthTables.map((table) => filesOf(query, `${table}${suffix}`)))

const partsOf = async (query: Query, whole: string) =>
  (
    await query<{ readonly part: string }>(
      "select p.oid::regclass::text as part from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = $1::regclass",
      [whole]
    )
  ).map(({ part }) => part)

it("rows stay in their files with their indexes, and what no month takes moves aside", async () => {
  const url = await databaseWithoutTables()
  await migrateTo(url, months)
  await directly(url, async (query) => {
    await fill(query)
    const [rows, files] = [await rowsOf(query), await filesBy(query, "")]
    await migrateTo(url, months + 1)
    expect(await rowsOf(query)).toEqual(rows)
    expect(await filesBy(query, "_before")).toEqual(files)
    expect(
      await query(
        `select journey_id as id, tableoid::regclass::text as part from journal union all
         select journey_id, tableoid::regclass::text from events order by id, part`
      )
    ).toEqual(
      ["before", "before", "other"].flatMap((part, at) => [
        { id: ids[at], part: `events_${part}` },
        { id: ids[at], part: `journal_${part}` }
      ])
    )
    // The indexes of the whole are those that were there already: the planner knows them as one.
    for (const [index, of] of [
      ["journal_pkey", "journal_pkey_before"],
      ["journal_by_request", "journal_by_request_before"],
      ["events_by_id", "events_by_id_before"],
      ["events_as_committed", "events_as_committed_before"],
      ["attempts_pkey", "attempts_pkey_before"]
    ] as const) {
      expect(await partsOf(query, index)).toContain(of)
    }
  })
})

it("tables without rows begin with this month", async () => {
  const url = await databaseWithoutTables()
  await migrateTo(url, months + 1)
  const month = new Date().toISOString().slice(0, 7).replace("-", "_")
  await directly(url, async (query) => {
    for (const table of monthTables) {
      const parts = await partsOf(query, table)
      expect(parts).toHaveLength(4)
      expect(parts).toEqual(expect.arrayContaining([`${table}_${month}`, `${table}_other`]))
    }
  })
})

it("a role that owns nothing writes to them as before, makes months, and can make nothing else", async () => {
  const url = await databaseWithoutTables()
  const role = `narrow_${randomUUID().slice(0, 8)}`
  await migrateTo(url, months)
  await directly(url, async (query) => {
    await query(`create role ${role}`)
    await query(`grant select, insert, update, delete on all tables in schema public to ${role}`)
    await query(`alter default privileges in schema public grant select, insert, update, delete on tables to ${role}`)
    await query("revoke create on schema public from public")
    await migrateTo(url, months + 1)
    await query(`set role ${role}`)
    await fill(query)
    await query("update journal set sealed_note = null")
    for (const table of monthTables) {
      expect(await query("select make_months($1, now() + interval '100 days') as made", [table])).not.toEqual([
        { made: 0 }
      ])
      await query(`delete from ${table}`)
    }
    await expect(query("create table mine (id int)")).rejects.toMatchObject({ reason: { _tag: "AuthorizationError" } })
    await query("reset role")
    await query(`drop owned by ${role}`)
    await query(`drop role ${role}`)
  })
})
