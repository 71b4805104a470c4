/** Every migration on a database that the version before it has filled: nothing is lost, and the service reads it all. */
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { Journey } from "../../../src/actors/journey/rules/state/Journey.ts"
import { openReview, stepAskedOf } from "../../../src/actors/journey/rules/state/waiting.ts"
import * as Database from "../../../src/runtime/postgres/Database.ts"
import { nextId } from "../../../src/runtime/node/NodeIds.ts"
import { migrations } from "../../../src/runtime/postgres/migrations/all.ts"
import { ask, askSettings } from "../../support/companies.ts"
import { directly, queryDirectly, type Query } from "../../support/directly.ts"
import { listening, startMain, temporaryFolder } from "../../support/processes.ts"
import { databaseWithoutTables, operatorToken, startService } from "../../support/service.ts"
import { corpus } from "./storedShapes.ts"

const latest = migrations.length

/** The company whose journeys the version with so many migrations stores. */
const companyOf = (version: number) => `0197a000-0000-7000-8000-${version.toString().padStart(12, "0")}`

/** The database as the version with so many migrations leaves it. */
const migrateTo = (url: string, count: number) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.provide(
        Effect.asVoid(SqlClient.SqlClient),
        Database.layerOf(Redacted.make(url), migrations.slice(0, count))
      )
    )
  )

/** A company, and journeys in every state there ever was, each with its journal and events, as a version stores them. */
const fill = (url: string, version: number): Promise<void> => directly(url, (query) => fillWith(query, version))

const fillWith = async (query: Query, version: number): Promise<void> => {
  const companyId = companyOf(version)
  await query(
    `insert into companies (id, name, kind, admin_email, sandbox, created_at)
     values ($1, 'Harbour Cars', 'DEALER', 'owner@example.com', $2::text::json, now())`,
    [companyId, JSON.stringify({ identityConfigured: true, panelConfigured: true, credits: true })]
  )
  const journeys = corpus.journeys.map((state, at) => {
    const id = randomUUID()
    const journey = { ...(state as { readonly status: string; readonly livemode: boolean }), id, companyId }
    const event = corpus.events[at % corpus.events.length] as { readonly type: string }
    const eventId = randomUUID()
    const messages = [corpus.journal[0], corpus.journal[at % corpus.journal.length]]
    return { journey, at, messages, event: { ...event, id: eventId } }
  })
  /** One statement for all rows of a table; a JSON text stays as it is written. */
  const insert = (table: string, columns: string, rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
    query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::text::json)`,
      [JSON.stringify(rows)]
    )
  const now = new Date().toISOString()
  await insert(
    "journeys",
    "id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, created_at",
    journeys.map(({ at, journey }) => ({
      id: journey.id,
      company_id: companyId,
      livemode: journey.livemode,
      status: journey.status,
      version: 2,
      customer_id: randomUUID(),
      idempotency_key: `corpus-${at}`,
      fingerprint: "",
      state: journey,
      created_at: now
    }))
  )
  await insert(
    "journal",
    "journey_id, version, message_id, sender, message, at",
    journeys.flatMap(({ journey, messages }) =>
      messages.map((message, line) => ({
        journey_id: journey.id,
        version: line + 1,
        message_id: randomUUID(),
        sender: "test",
        message,
        at: now
      }))
    )
  )
  await insert(
    "events",
    "journey_id, sequence, id, company_id, livemode, type, body, created_at",
    journeys.map(({ event, journey }) => ({
      journey_id: journey.id,
      sequence: 1,
      id: event.id,
      company_id: companyId,
      livemode: journey.livemode,
      type: event.type,
      body: JSON.stringify(event),
      created_at: now
    }))
  )
  if (version < 2) return
  await insert(
    "deliveries",
    "endpoint_id, event_id, status",
    journeys.map(({ event }) => ({ endpoint_id: companyId, event_id: event.id, status: "PARKED" }))
  )
}

/** A digest of what a version stored in a table. */
interface Kept {
  readonly company_id: string
  readonly table: string
  readonly lines: number
  readonly digest: string
}

/** What no migration may change of what this version and the later ones stored. `json` keeps its text. */
const keptSince = (url: string, version: number): Promise<ReadonlyArray<Kept>> =>
  queryDirectly<Kept>(
    url,
    `with stored as (
       select 'journeys' as "table", company_id, concat_ws('|', id, livemode, status, version, idempotency_key, state) as line
       from journeys
       union all
       select 'journal', company_id, concat_ws('|', j.id, l.version, message_id, message)
       from journal l join journeys j on j.id = l.journey_id
       union all
       select 'events', company_id, concat_ws('|', journey_id, sequence, id, type, body) from events
     )
     select company_id, "table", count(*)::int4 as lines, md5(string_agg(line, '|' order by line collate "C")) as digest
     from stored where company_id >= $1 group by company_id, "table" order by company_id, "table"`,
    [companyOf(version)]
  )

interface StoredJourney {
  readonly id: string
  readonly company_id: string
  readonly livemode: boolean
}

describe("a database that every version has filled in its turn", () => {
  let url: string
  let kept: ReadonlyArray<Kept> = []

  beforeAll(async () => {
    url = await databaseWithoutTables()
    await migrateTo(url, 1)
  })

  it.each(migrations.slice(1).map(({ id, name }) => ({ id, name })))(
    "keeps every row of the versions before migration $id, $name",
    async ({ id }) => {
      await fill(url, id - 1)
      const filled = await keptSince(url, id - 1)
      expect(filled.map(({ lines, table }) => [table, lines])).toEqual([
        ["events", corpus.journeys.length],
        ["journal", 2 * corpus.journeys.length],
        ["journeys", corpus.journeys.length]
      ])
      kept = [...kept, ...filled]
      await migrateTo(url, id)
      expect(await keptSince(url, 1)).toEqual(kept)
    }
  )

  it("is read whole by the service of today, which changes none of it as it starts", async () => {
    const service = await startService({ DATABASE_URL: url })
    expect(await keptSince(url, 1)).toEqual(kept)
    const all = await queryDirectly<StoredJourney>(url, "select id, company_id, livemode from journeys")
    expect(all).toHaveLength(corpus.journeys.length * (latest - 1))
    for (const { id: version } of migrations.slice(0, -1)) {
      for (const mode of ["TEST", "LIVE"]) {
        const path = `/companies/${companyOf(version)}/api-keys`
        const { data } = await askSettings(service, path, { body: { mode } })
        const listed = await ask(service, data.key, "/api/v1/journeys?size=100")
        const stored = all.filter((row) => row.company_id === companyOf(version) && row.livemode === (mode === "LIVE"))
        expect(listed.data.content.map((one: { readonly id: string }) => one.id).toSorted(), `${version}`).toEqual(
          stored.map(({ id }) => id).toSorted()
        )
        expect((await ask(service, data.key, "/api/v1/events")).status, `${version}`).toBe(200)
      }
    }
    await service.stop()
  })
})

it("migration 13 fills in the columns that every commit writes, by the rules of the service", async () => {
  const url = await databaseWithoutTables()
  await migrateTo(url, 12)
  await fill(url, 12)
  await migrateTo(url, 13)
  const rows = await queryDirectly(
    url,
    `select state::text, step, review, identity_status, identity_check, (extract(epoch from ended_at) * 1000)::float8 as ended
     from journeys`
  )
  expect(rows).toHaveLength(corpus.journeys.length)
  for (const { state, ...columns } of rows as ReadonlyArray<{ readonly state: string }>) {
    const journey = Schema.decodeUnknownSync(Journey)(JSON.parse(state))
    const { identity, lastEventAt, status } = journey
    expect(columns, state).toEqual({
      step: stepAskedOf(journey),
      review: openReview(journey),
      identity_status: identity?.status ?? null,
      identity_check: identity !== null && "check" in identity ? identity.check : 0,
      ended: status === "ACTIVE" ? null : lastEventAt
    })
  }
})

it("migration 23 fills in since when a journey waits, and what the list filters by", async () => {
  const url = await databaseWithoutTables()
  await migrateTo(url, 22)
  await fill(url, 22)
  await queryDirectly(url, "update journeys set waiting_on = 'SERVICE' where status = 'ACTIVE'", [])
  await migrateTo(url, 23)
  const rows = await queryDirectly(
    url,
    `select state::text, is_filled, listed_as, (extract(epoch from waiting_since) * 1000)::float8 as waiting_since from journeys`
  )
  expect(rows).toHaveLength(corpus.journeys.length)
  for (const { state, ...columns } of rows as ReadonlyArray<{ readonly state: string }>) {
    const { lastEventAt, status } = Schema.decodeUnknownSync(Journey)(JSON.parse(state))
    expect(columns, state).toEqual({
      is_filled: false,
      listed_as: status === "ACTIVE" ? "SERVICE" : status,
      waiting_since: status === "ACTIVE" ? lastEventAt : null
    })
  }
})

it("migration 28 fills in when the handover was created", async () => {
  const url = await databaseWithoutTables()
  await migrateTo(url, 27)
  await fill(url, 27)
  await migrateTo(url, 28)
  const rows = await queryDirectly(
    url,
    `select state::text, (extract(epoch from handover_at) * 1000)::float8 as handover_at from journeys`
  )
  expect(rows).toHaveLength(corpus.journeys.length)
  for (const { handover_at: found, state } of rows as ReadonlyArray<{
    readonly handover_at: number | null
    readonly state: string
  }>) {
    const { handover } = Schema.decodeUnknownSync(Journey)(JSON.parse(state))
    expect(found, state).toBe(handover === null ? null : handover.createdAt)
  }
})

it("migration 52 gives a link with the id of its mail an id of its time, and leaves the others", async () => {
  const url = await databaseWithoutTables()
  await migrateTo(url, 51)
  const [oldMail, mail, link] = [randomUUID(), randomUUID(), nextId()]
  await queryDirectly(
    url,
    `insert into sign_in_links (token_hash, mail_id, of_mail, journey_id, step, issued_at, expires_at)
     select uuid_send(id), id, of_mail, gen_random_uuid(), 'RECORD_VIDEO', '2026-01-02T03:04:05.678Z', now()
     from (values ($1::uuid, null::uuid), ($2::uuid, $3::uuid)) t (id, of_mail)`,
    [oldMail, link, mail]
  )
  await migrateTo(url, 52)
  const links = await queryDirectly<{ readonly mail_id: string }>(
    url,
    "select mail_id, of_mail from sign_in_links order by mail_id"
  )
  expect(links).toEqual([
    { mail_id: links[0]?.mail_id, of_mail: oldMail },
    { mail_id: link, of_mail: mail }
  ])
  const timeOfId = Number.parseInt(links[0]?.mail_id.replaceAll("-", "").slice(0, 12) ?? "", 16)
  expect(new Date(timeOfId)).toEqual(new Date("2026-01-02T03:04:05.678Z"))
  expect(links[0]?.mail_id).toMatch(/^.{14}7/)
})

it("two nodes that start at once on an empty database migrate it once, and both serve", async () => {
  const url = await databaseWithoutTables()
  const folders = [await temporaryFolder(), await temporaryFolder()]
  const nodes = folders.map(({ path }) =>
    startMain(path, {
      DATABASE_URL: url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      OPERATOR_TOKEN: operatorToken
    })
  )
  for (const node of nodes) {
    const [, baseUrl = ""] = await node.printed(listening)
    expect((await ask({ baseUrl }, operatorToken, "/settings/v1/companies")).status).toBe(200)
  }
  expect(await queryDirectly(url, "select id, name from migrations order by id")).toEqual(
    migrations.map(({ id, name }) => ({ id, name }))
  )
  for (const node of nodes) expect(await node.stop()).toMatchObject({ code: 0, stderr: "" })
  for (const { remove } of folders) await remove()
  expect(latest).toBe(migrations.at(-1)?.id)
})
