/**
 * What has ended stays ended: a backup of the database is restored, and the journal beside it tells the service which customers were
 * erased, which keys were revoked and which secrets were rolled since.
 */
import { Effect } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { secretPlace } from "../../../src/actors/webhook/rules/Endpoint.ts"
import { make } from "../../../src/runtime/keys/AesVault.ts"
import { EndpointId } from "../../../src/schema/ids.ts"
import { ask, askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, startService, type Service } from "../../support/service.ts"
import { restoredAfter } from "./restoredGround.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "journeys-restored-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const secretOf = async (service: Service): Promise<string> => {
  const [row] = await service.query<{ id: string; sealed: Uint8Array }>(
    "select id, sealed_secret as sealed from webhook_endpoints"
  )
  const id = EndpointId.make(row?.id ?? "")
  return Effect.runPromise(make(Buffer.alloc(32, 7)).openSecret(secretPlace(id), row?.sealed ?? new Uint8Array()))
}

const before = async (service: Service) => {
  const company = await makeCompany(service, { credits: 50, settings: { identityProvider: { kind: "BUILT_IN" } } })
  const { data } = await start(service, company.liveKey, startBody("IDENTITY_DELIVERY"))
  const neighbour = startBody("IDENTITY_DELIVERY")
  neighbour.customer.email = "neighbour@example.com"
  const kept = (await start(service, company.liveKey, neighbour)).data
  await writeEndpoint(service.query, { companyId: company.id, url: "https://receiver.example/hooks", livemode: true })
  return { company, data, kept, oldSecret: await secretOf(service) }
}

const end = async (service: Service, { company, data }: Awaited<ReturnType<typeof before>>) => {
  const settings = (path: string, method: string, body?: unknown) =>
    askSettings(service, `/companies/${company.id}${path}`, { method, ...(body === undefined ? {} : { body }) })
  const erased = await settings(`/customers/${data.customerReference}`, "DELETE")
  expect(erased.data.erasedAt).not.toBeNull()
  expect((await settings(`/api-keys/${company.testKeyId}`, "DELETE")).status).toBe(200)
  expect((await settings(`/api-keys/${company.liveKeyId}/rotate`, "POST")).status).toBe(200)
  expect((await settings("/webhook-endpoints/live/roll-secret", "POST", { overlapHours: 0 })).status).toBe(200)
}

const cancelled = (service: Service, journeyId: string) =>
  eventually(
    () => service.query<{ status: string }>("select status from journeys where id = $1", [journeyId]),
    ([row]) => row?.status === "CANCELLED"
  )

it("a restored backup brings back no erased customer, no mail to them, no revoked or rotated key and no rolled secret", async () => {
  const { backup, changed, done, journal, made } = await restoredAfter(before, end)
  const { company, data, kept, oldSecret } = made
  expect(journal.map(({ what }) => what)).toEqual(["JOURNEY", "CUSTOMER", "API_KEY", "API_KEY", "WEBHOOK_SECRET"])
  expect(JSON.stringify(journal)).not.toMatch(/@|whsec_|svc_/)

  const service = await backup()
  const customers = await service.query<{ id: string }>("select id from customers")
  expect(customers).toEqual([{ id: kept.customerReference }])
  expect(await service.query("select 1 from personal_records where journey_id = $1", [data.id])).toEqual([])
  const owed = "select 1 from mails where journey_id = $1 and (due_at is not null or sealed is not null)"
  expect(await service.query(owed, [data.id])).toEqual([])
  for (const key of [company.testKey, company.liveKey]) {
    expect((await ask(service, key, "/api/v1/journeys")).status).toBe(401)
  }
  expect(await secretOf(service)).not.toBe(oldSecret)
  expect(await cancelled(service, data.id)).toHaveLength(1)
  const audit = await service.query<{ action: string }>("select action from audit where actor = 'journal of erasures'")
  expect(audit).toHaveLength(4)
  await service.stop()

  // The database that knows is told the same lines: nothing ends there once more.
  const live = await changed()
  expect(await live.query("select 1 from audit where actor = 'journal of erasures'")).toEqual([])
  await live.stop()
  await done()
})

it.each([
  [
    "whose row came back without the key, as from two dumps",
    (id: string) => `delete from customers where id = '${id}'`
  ],
  [
    "whose erasure the database calls finished",
    (id: string) => `insert into erasures (company_id, customer_id, requested_at, erased_at, finished_at)
      select company_id, id, now(), now(), now() from customers where id = '${id}'`
  ]
])("a customer %s is erased as well", async (_, first) => {
  const { backup, done, made } = await restoredAfter(before, end)
  const { id, customerReference } = made.data
  const service = await backup(first(customerReference))
  expect(await service.query("select id from customers")).toEqual([{ id: made.kept.customerReference }])
  expect(await service.query("select 1 from personal_records where journey_id = $1", [id])).toEqual([])
  expect(await cancelled(service, id)).toHaveLength(1)
  await service.stop()
  await done()
})

it("a torn last line is left alone, and a damaged one ends the start", async () => {
  const journal = await mkdtemp(join(folder, "damaged-"))
  const line = JSON.stringify({ at: "2026-01-15T10:31:07.218Z", what: "API_KEY", companyId: "-", hash: "00" })
  await writeFile(join(journal, "a.ended.jsonl"), `${line}\n${line.slice(0, 20)}`)
  const DATABASE_URL = await freshDatabase()
  const service = await startService({ DATABASE_URL, ERASURE_JOURNAL: journal })
  expect(await service.query("select applied::int from erasure_journal_files")).toEqual([{ applied: line.length + 1 }])
  await service.stop()
  await writeFile(join(journal, "b.ended.jsonl"), `${line}\n{"what": "CUSTOMER"}\n`)
  await expect(startService({ DATABASE_URL, ERASURE_JOURNAL: journal })).rejects.toThrow(
    "has a line in b.ended.jsonl that is no line of it"
  )
})
