/**
 * A database that answers and refuses what writes: its disk is full and it takes no new row (SQLSTATE 53100), or it may only be read
 * (25006). What callers hear, and what the operator is told.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeCompany, startBody, type TestCompany } from "../support/companies.ts"
import { call, freshKey, start, type Reply } from "../support/requests.ts"
import { directly, queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase, operatorToken, startService, type Service } from "../support/service.ts"

let databaseUrl: string
let service: Service
let company: TestCompany

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  service = await startService({ DATABASE_URL: databaseUrl, LOG_LEVEL: "none" })
  company = await makeCompany(service)
})
afterAll(() => service.stop())

const bodyOf = (email: string) => {
  const body = startBody("IDENTITY_DELIVERY")
  return { ...body, customer: { ...body.customer, email } }
}

const fill = async () => {
  await service.query(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`)
  await service.query("create trigger no_room after insert on journeys for each row execute function no_room()")
}

const makeRoom = () => service.query("drop function no_room() cascade")

const count = async () =>
  (await call(service, { key: company.testKey, path: "/api/v1/journeys?size=1" })).data.totalElements

it("leads to 503 for a new customer and for a known one; nothing is created, and the same requests succeed later", async () => {
  expect((await start(service, company.testKey, bodyOf("known+never@example.com"))).status).toBe(202)
  const before = await count()
  const sent = ["new+never@example.com", "known+never@example.com"].map((email) => ({ email, key: freshKey() }))
  // One after the other: starts that share a statement share its failure.
  const answers = async () => {
    const all: Array<Reply> = []
    for (const { email, key } of sent) all.push(await start(service, company.testKey, bodyOf(email), key))
    return all
  }
  await fill()
  for (const { code, header, status } of await answers()) {
    expect([status, code]).toEqual([503, "TEMPORARILY_UNAVAILABLE"])
    expect(Number(header("retry-after"))).toBeGreaterThan(0)
  }
  expect(await count()).toBe(before)
  await makeRoom()
  expect((await answers()).map(({ status }) => status)).toEqual([202, 202])
  expect(await count()).toBe(before + 2)
})

const health = async () => {
  const response = await fetch(`${service.baseUrl}/health/ready`)
  const { checks } = (await response.json()) as { readonly checks: Readonly<Record<string, unknown>> }
  return {
    code: response.status,
    database: checks["database"] as { readonly status: string; readonly message: string }
  }
}

const troubles = async (reason: string): Promise<number> => {
  const response = await fetch(`${service.baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${operatorToken}` }
  })
  const line = `journeys_database_troubles_total{reason="${reason}"} `
  return Number(
    (await response.text())
      .split("\n")
      .find((one) => one.startsWith(line))
      ?.slice(line.length)
  )
}

it("is told the operator while the node stays ready, because reads go on and another node could do no more", async () => {
  expect(await troubles("DISK_FULL")).toBeGreaterThan(0)
  const before = await troubles("DISK_FULL")
  await fill()
  expect((await start(service, company.testKey, bodyOf("told+never@example.com"))).status).toBe(503)
  const told = await eventually(health, ({ database }) => database.status === "degraded")
  expect([told.code, told.database.message]).toEqual([
    200,
    "answers, and refuses what writes: its disk is full; starts and changes are answered 503, reads go on"
  ])
  expect(await troubles("DISK_FULL")).toBeGreaterThan(before)
  expect((await call(service, { key: company.testKey, path: "/api/v1/journeys?size=1" })).status).toBe(200)
  await makeRoom()
})

const name = () => new URL(databaseUrl).pathname.slice(1)

/** A setting of the database holds for connections that are made from now on. */
const onNewConnections = (setting: string) =>
  directly(databaseUrl, async (query) => {
    await query("set default_transaction_read_only = off")
    await query(`alter database ${name()} ${setting}`)
    await query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    )
  })

it("a database that may only be read leads to 503 and not to 500, and health says so", async () => {
  await onNewConnections("set default_transaction_read_only = on")
  // A start that was being written when its connection was ended has an unknown outcome, and no answer.
  const refused = await eventually(
    () => start(service, company.testKey, bodyOf("read+never@example.com")).catch(() => null),
    (answer) => answer !== null && answer.status !== 202
  )
  expect([refused?.status, refused?.code]).toEqual([503, "TEMPORARILY_UNAVAILABLE"])
  const told = await eventually(health, ({ database }) => database.message.includes("may only be read"))
  expect([told.code, told.database.status]).toEqual([200, "degraded"])
  await onNewConnections("reset default_transaction_read_only")
})

it("a node that talks to a standby is not ready: another node may have found the database that takes writes", async () => {
  await queryDirectly(databaseUrl, "create function pg_is_in_recovery() returns bool language sql as 'select true'")
  await onNewConnections("set search_path = public, pg_catalog")
  const told = await eventually(health, ({ database }) => database.message.startsWith("it is a standby"))
  expect([told.code, told.database.status]).toEqual([503, "failed"])
})
