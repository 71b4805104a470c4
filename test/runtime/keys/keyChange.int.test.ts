/**
 * The master key changes under a running installation: what stood under the old key moves to the new one, goes on after kill -9,
 * and then the old key is needed no more. Nobody who was known before is a stranger afterwards.
 */
import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, Latch, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { secretPlace } from "../../../src/actors/webhook/rules/Endpoint.ts"
import { make } from "../../../src/runtime/keys/AesVault.ts"
import { masterKeyId, masterKeysOf } from "../../../src/runtime/keys/MasterKeys.ts"
import type { EndpointId } from "../../../src/schema/ids.ts"
import { agedKeys } from "./agedKeys.ts"
import { askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { eventually } from "../../support/eventually.ts"
import { startMain, temporaryFolder } from "../../support/processes.ts"
import { freshDatabase, operatorToken, startService, type Service } from "../../support/service.ts"

const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]
const [oldId, newId] = [masterKeyId(oldKey), masterKeyId(newKey)]
const changed = {
  ENCRYPTION_KEY: newKey.toString("base64"),
  ENCRYPTION_KEYS_RETIRED: oldKey.toString("base64")
}

const customers = 250
const idOf = (number: number) => `00000000-0000-4000-8000-${number.toString().padStart(12, "0")}`

/** How many values stand under each key, by its id. */
const held = async (service: Service): Promise<Readonly<Record<string, number>>> => {
  const { data } = await askSettings(service, "/encryption")
  return Object.fromEntries(data.keys.map((key: { id: string; values: number }) => [key.id, key.values]))
}

/** The database as a version of the service left it that knew one key and no ids. */
const asOlderVersion = async (DATABASE_URL: string): Promise<void> => {
  const made = await startService({ DATABASE_URL })
  const mark = masterKeysOf(oldKey, [], oldId).seal("service secrets", "encryption_marks|1", Buffer.from("journeys"))
  await made.query("update encryption_marks set sealed = $1", [PgTypes.bytea(mark)])
  await made.query("delete from encryption_keys")
  await made.query("delete from encryption_indexes")
  await made.stop()
}

const allMoved = (service: Service) =>
  eventually(
    () => held(service),
    (counts) => counts[oldId] === 0
  )

it("moves every value to the new key, and the old key can then be taken away", async () => {
  const DATABASE_URL = await freshDatabase()
  await asOlderVersion(DATABASE_URL)
  const before = await startService({ DATABASE_URL })
  const company = await makeCompany(before, {
    credits: 50,
    settings: {
      identityProvider: {
        kind: "HTTP",
        url: "https://identity.example/checks",
        secret: "an-identity-secret-of-32-characters"
      },
      financePanel: {
        name: "PanelOne",
        url: "https://panel.example/in",
        secret: "a-panel-secret-of-32-characters-or-so"
      }
    }
  })
  await writeEndpoint(before.query, { companyId: company.id, url: "https://receiver.example/hooks", livemode: true })
  const mailId = idOf(1)
  await before.query(
    `insert into mails (id, cause, kind, company_id, facts, created_at, sealed) values ($1, 'kept', 'INVITATION', $2, '{}', now(), $3)`,
    [mailId, company.id, PgTypes.bytea(make(oldKey).sealSecret(`mails|${mailId}`, "a kept mail"))]
  )
  await before.query(
    `update webhook_endpoints set sealed_previous_secret = sealed_secret, sealed_previous_secret2 = sealed_secret, sealed_previous_secret3 = sealed_secret,
       previous_until = '2100-01-01', previous_until2 = '2100-01-01', previous_until3 = '2100-01-01'`
  )
  const started = await start(before, company.liveKey, startBody("IDENTITY_DELIVERY"), "key-change-start")
  expect(started.status, JSON.stringify(started.errors)).toBe(202)
  const [value] = await before.query<{ version: number }>("select get_byte(wrapped_key, 0) as version from customers")
  // Nodes of that version may run beside this one, and know no ids of keys.
  expect(value?.version).toBe(1)
  await before.stop()

  const firstRound = { ENCRYPTION_KEY: oldKey.toString("base64"), ENCRYPTION_KEYS_RETIRED: newKey.toString("base64") }
  const announced = await startService({ DATABASE_URL, ...firstRound })
  // Nothing stands under the key that is to come, and it must stay all the same.
  expect((await askSettings(announced, "/encryption")).data.keys).toEqual([
    { id: oldId, use: "SEALS", values: expect.any(Number), mayBeRetired: false, hasSealed: true },
    { id: newId, use: "OPENS", values: 0, mayBeRetired: false, hasSealed: false }
  ])
  await announced.stop()

  const between = await startService({ DATABASE_URL, ...changed })
  const counts = await allMoved(between)
  expect(counts[newId]).toBeGreaterThan(6)
  const younger = await askSettings(between, "/encryption")
  expect(younger.data.keys.map((one: { mayBeRetired: boolean }) => one.mayBeRetired)).toEqual([false, false])
  await agedKeys(between)
  const { data } = await askSettings(between, "/encryption")
  expect(data.keys).toEqual([
    { id: newId, use: "SEALS", values: counts[newId], mayBeRetired: false, hasSealed: true },
    { id: oldId, use: "OPENS", values: 0, mayBeRetired: true, hasSealed: true }
  ])
  expect(new Set(data.content.map((one: { what: string }) => one.what))).toEqual(
    new Set([
      "customers' keys",
      "webhook secrets",
      "providers' secrets",
      "members' addresses",
      "kept mails to companies",
      "the service's own keys"
    ])
  )
  const [mail] = await between.query<{ sealed: Uint8Array }>("select sealed from mails where id = $1", [mailId])
  const opened = make(newKey).openSecret(`mails|${mailId}`, mail?.sealed ?? new Uint8Array())
  expect(await Effect.runPromise(opened)).toBe("a kept mail")
  const secrets = await between.query<{ id: EndpointId; sealed: Uint8Array }>(
    `select id, s as sealed from webhook_endpoints,
       unnest(array[sealed_secret, sealed_previous_secret, sealed_previous_secret2, sealed_previous_secret3]) s`
  )
  expect(secrets).toHaveLength(4)
  const vault = make(newKey)
  await Promise.all(secrets.map(({ id, sealed }) => Effect.runPromise(vault.openSecret(secretPlace(id), sealed))))
  await between.stop()

  const after = await startService({ DATABASE_URL, ENCRYPTION_KEY: changed.ENCRYPTION_KEY })
  const again = await start(after, company.liveKey, startBody("IDENTITY_DELIVERY"), "key-change-start")
  expect([again.status, again.data.id]).toEqual([200, started.data.id])
  const next = await start(after, company.liveKey, startBody("IDENTITY_DELIVERY"), "key-change-next")
  expect(next.data.customerReference).toBe(started.data.customerReference)
  await after.stop()
})

/** Holds a lock on a customer's row, until the answer is called. */
const lockCustomer = async (url: string, id: string): Promise<() => Promise<void>> => {
  const [held, over] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
  const done = Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select id from customers where id = ${id} for update`
          held.openUnsafe()
          yield* over.await
        })
      )
    }).pipe(Effect.scoped, Effect.provide(PgClient.layer({ url: Redacted.make(url) })))
  )
  await Effect.runPromise(held.await)
  return () => {
    over.openUnsafe()
    return done
  }
}

it("goes on where it was after a node is killed in the middle of moving", async () => {
  const DATABASE_URL = await freshDatabase()
  const folder = await temporaryFolder()
  const before = await startService({ DATABASE_URL })
  const company = await makeCompany(before)
  const [vault, ids] = [make(oldKey), Array.from({ length: customers }, (_, number) => idOf(number + 1))]
  const keys = await Effect.runPromise(Effect.forEach(ids, () => vault.newKey))
  await before.query(
    `insert into customers (id, company_id, livemode, email_index, wrapped_key, created_at)
     select id::uuid, $1::uuid, false, sha256(id::bytea), decode(hex, 'hex'), now()
     from json_to_recordset($2::json) t (id text, hex text)`,
    [
      company.id,
      JSON.stringify(keys.map(({ wrapped }, at) => ({ id: ids[at], hex: Buffer.from(wrapped).toString("hex") })))
    ]
  )
  const movedCustomers = async () => {
    const [row] = await after().query<{ count: number }>(
      "select count(*)::int from customers where get_byte(wrapped_key, 0) = 2 and encode(substring(wrapped_key from 2 for 8), 'hex') = $1",
      [newId]
    )
    return row?.count
  }
  let service = before
  const after = () => service

  // The second batch of two waits for this row.
  const release = await lockCustomer(DATABASE_URL, idOf(customers))
  const node = startMain(folder.path, { DATABASE_URL, OPERATOR_TOKEN: operatorToken, ...changed })
  await node.printed(/http:/)
  await eventually(movedCustomers, (count) => count === 200)
  await node.stop("SIGKILL")
  expect(await movedCustomers()).toBe(200)
  await release()
  await before.stop()

  service = await startService({ DATABASE_URL, ...changed })
  await allMoved(service)
  expect(await movedCustomers()).toBe(customers)
  const rows = await service.query<{ wrapped_key: Uint8Array }>("select wrapped_key from customers order by id")
  const opened = await Effect.runPromise(Effect.forEach(rows, (row) => make(newKey).keyOf(row.wrapped_key)))
  expect(opened.map((key) => key.id())).toEqual(keys.map((key) => key.id()))
  await service.stop()
  await folder.remove()
})
