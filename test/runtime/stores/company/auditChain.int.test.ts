/**
 * The audit log in a real database: it can only grow, its lines are chained, and a check finds what somebody with the rights of
 * the owner has changed or taken out. Whoever does that here turns the triggers off first.
 */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Database from "../../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../../src/runtime/postgres/migrations/all.ts"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { directly, queryDirectly } from "../../../support/directly.ts"
import { withDocumentedRoles } from "../../../support/documentedGrants.ts"
import { databaseWithoutTables, startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const checkOf = async (company: string, query = "", at: { readonly baseUrl: string } = service) =>
  (await askSettings(at, `/companies/${company}/audit/check${query}`)).data

const numbersOf = async (company: string) =>
  (
    await service.query<{ readonly number: bigint }>("select number from audit where company_id = $1 order by id", [
      company
    ])
  ).map(({ number }) => Number(number))

/** What somebody with the rights of the owner does. */
const asOwner = async (statement: string, values: ReadonlyArray<unknown>) => {
  await service.query("alter table audit disable trigger user")
  await service.query(statement, values)
  await service.query("alter table audit enable trigger user")
}

/** A company with seven lines or more. */
const withLines = async (): Promise<string> => {
  const { id } = await makeCompany(service, { credits: 5 })
  for (const vehicle of ["a", "b"]) {
    await askSettings(service, `/companies/${id}/vehicles/${vehicle}`, { method: "PUT", body: { status: "IN_STOCK" } })
  }
  return id
}

describe("the audit log", () => {
  it.each([
    "update audit set actor = 'somebody' where company_id = $1",
    "delete from audit where company_id = $1",
    "truncate audit"
  ])("is not changed by: %s", async (statement) => {
    const { id } = await makeCompany(service)
    const before = await numbersOf(id)
    await expect(service.query(statement, statement.includes("$1") ? [id] : [])).rejects.toMatchObject({
      reason: { cause: { code: "23001" } }
    })
    expect(await numbersOf(id)).toEqual(before)
  })

  it("gives each line of a company the next number, also where many are written at once, and those of an older version", async () => {
    const [one, other] = await Promise.all([makeCompany(service), makeCompany(service)])
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        askSettings(service, `/companies/${at % 2 === 0 ? one.id : other.id}/wallets/IDENTITY/credits`, {
          body: { amount: 1, note: `number ${at}` }
        })
      )
    )
    await service.query(
      `insert into audit (company_id, actor, action, details, at)
       select $1::uuid, 'operator', 'vehicle.saved', json_build_object('n', n), now() from generate_series(1, 30) n`,
      [one.id]
    )
    for (const { id } of [one, other]) {
      const numbers = await numbersOf(id)
      expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1))
      const found = await checkOf(id)
      expect(found).toMatchObject({ checked: numbers.length, number: numbers.length, broken: null, isEnd: true })
      expect(found.hash).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  it("says which line was changed, whatever of it was changed", async () => {
    for (const change of [
      "actor = 'member:other'",
      "action = 'x'",
      "details = '{\"a\":1}'",
      "at = at + interval '1 second'"
    ]) {
      const id = await withLines()
      await asOwner(`update audit set ${change} where company_id = $1 and number = 3`, [id])
      expect([change, (await checkOf(id)).broken]).toEqual([change, { number: 3, reason: "CHANGED" }])
    }
  })

  it("says where a line is missing, in the middle and at the beginning", async () => {
    for (const number of [3, 1]) {
      const id = await withLines()
      await asOwner("delete from audit where company_id = $1 and number = $2", [id, number])
      expect((await checkOf(id)).broken).toEqual({ number: number + 1, reason: "MISSING" })
    }
  })

  it("does not say that it holds from a line on whose hash nobody has named", async () => {
    const id = await withLines()
    const { hash } = await checkOf(id)
    for (const [query, field] of [
      ["?number=2", "hash"],
      [`?hash=${hash}`, "number"]
    ]) {
      const { errors, status } = await askSettings(service, `/companies/${id}/audit/check${query}`)
      expect([query, status, errors?.[0]?.field]).toEqual([query, 400, field])
    }
  })

  it("is found out by whoever kept number and hash, when its end was cut off or it was written anew", async () => {
    const id = await withLines()
    const kept = await checkOf(id)
    const from = `?number=${kept.number}&hash=${kept.hash}`
    expect(await checkOf(id, from)).toMatchObject({ checked: 0, broken: null, isEnd: true, number: kept.number })
    await askSettings(service, `/companies/${id}/vehicles/c`, { method: "PUT", body: { status: "SOLD" } })
    expect(await checkOf(id, from)).toMatchObject({ checked: 1, broken: null, number: kept.number + 1 })
    await asOwner("delete from audit where company_id = $1 and number >= $2", [id, kept.number])
    expect(await checkOf(id)).toMatchObject({ broken: null, number: kept.number - 1 })
    expect((await checkOf(id, from)).broken).toEqual({ number: kept.number, reason: "MISSING" })
    await askSettings(service, `/companies/${id}/vehicles/d`, { method: "PUT", body: { status: "SOLD" } })
    expect((await checkOf(id, from)).broken).toEqual({ number: kept.number, reason: "CHANGED" })
  })

  it("is said to be broken at the first wrong line, also where that is the one whose hash was kept", async () => {
    const id = await withLines()
    const kept = await checkOf(id)
    for (const vehicle of ["e", "f"]) {
      await askSettings(service, `/companies/${id}/vehicles/${vehicle}`, { method: "PUT", body: { status: "SOLD" } })
    }
    await asOwner("update audit set hash = sha256(hash) where company_id = $1 and number = $2", [id, kept.number])
    await asOwner("update audit set actor = 'nobody' where company_id = $1 and number = $2", [id, kept.number + 2])
    const { broken } = await checkOf(id, `?number=${kept.number}&hash=${kept.hash}`)
    expect(broken).toEqual({ number: kept.number, reason: "CHANGED" })
  })

  it("is empty for a company without lines", async () => {
    const { id } = await makeCompany(service)
    await asOwner("delete from audit where company_id = $1", [id])
    expect(await checkOf(id)).toEqual({ checked: 0, number: null, hash: null, broken: null, isEnd: true })
  })
})

it("lines of the version before get their place from the migration", async () => {
  const url = await databaseWithoutTables()
  const before = migrations.findIndex(({ name }) => name === "audit chain")
  const migrated = (count: number) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.provide(
          Effect.asVoid(SqlClient.SqlClient),
          Database.layerOf(Redacted.make(url), migrations.slice(0, count))
        )
      )
    )
  await migrated(before)
  const companies = [randomUUID(), randomUUID()]
  for (const id of companies) {
    await queryDirectly(
      url,
      "insert into companies (id, name, kind, admin_email, sandbox, created_at) values ($1, 'Old Cars', 'DEALER', 'owner@example.com', $2::text::json, now())",
      [id, JSON.stringify({ identityConfigured: true, panelConfigured: true, credits: true })]
    )
  }
  await queryDirectly(
    url,
    `insert into audit (company_id, actor, action, details, at)
     select c::uuid, 'operator', 'vehicle.saved', '{"of":  "old"}', now() - n * interval '1 hour'
     from generate_series(1, 50) n, unnest($1::text[]) c`,
    [`{${companies.join()}}`]
  )
  const old = await startService({ DATABASE_URL: url })
  try {
    for (const id of companies) {
      await askSettings(old, `/companies/${id}/vehicles/new`, { method: "PUT", body: { status: "IN_STOCK" } })
      expect(await checkOf(id, "", old)).toMatchObject({ checked: 51, number: 51, broken: null })
    }
  } finally {
    await old.stop()
  }
})

it("a service with the documented grants works, writes into the audit log, and cannot change it even with triggers off", async () => {
  const roles = await withDocumentedRoles(await databaseWithoutTables())
  const narrow = await startService({ DATABASE_URL: roles.service })
  try {
    const { id } = await makeCompany(narrow, { credits: 2 })
    expect(await checkOf(id, "", narrow)).toMatchObject({ checked: 5, broken: null })
    for (const statement of [
      "update audit set actor = 'x'",
      "delete from audit",
      "truncate audit",
      "alter table audit disable trigger user"
    ]) {
      await expect(narrow.query(statement)).rejects.toMatchObject({ reason: { cause: { code: "42501" } } })
    }
  } finally {
    await narrow.stop()
  }
})

it("the number and the hash of a line are no choice of the service's role, whatever tables it makes for itself", async () => {
  const roles = await withDocumentedRoles(await databaseWithoutTables())
  const narrow = await startService({ DATABASE_URL: roles.service })
  try {
    const { id } = await makeCompany(narrow)
    const { number } = await checkOf(id, "", narrow)
    await directly(roles.service, async (query) => {
      await query("create temp table audit (like public.audit)")
      await query("insert into pg_temp.audit select * from public.audit where company_id = $1 and number = 1", [id])
      await query("update pg_temp.audit set number = 9223372036854775806")
      await query(
        "insert into public.audit (company_id, actor, action, details, at) values ($1, 'operator', 'x', '{}', now())",
        [id]
      )
    })
    expect(await checkOf(id, "", narrow)).toMatchObject({ number: number + 1, broken: null })
  } finally {
    await narrow.stop()
  }
})
