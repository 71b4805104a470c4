/** What an earlier version did not write beside its journeys is filled in when the service starts. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { expect, it } from "vitest"
import { Vault } from "../../../src/actors/kernel/Vault.ts"
import * as FillIn from "../../../src/runtime/work/FillIn.ts"
import { askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, startService, type Service } from "../../support/service.ts"

/** No test journey goes on by itself meanwhile. */
const slowly = { SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" }

const columns = (service: Service) =>
  service.query<{ readonly id: string; readonly is_filled: boolean; readonly dealer_company_id: string | null }>(
    `select id, is_filled, encode(registration_index, 'hex') as registration, dealer_company_id, waiting_since
     from journeys order by id`
  )

it("fills in registration, dealer and waiting time of older journeys, but nothing of an erased customer", async () => {
  const DATABASE_URL = await freshDatabase()
  const first = await startService({ DATABASE_URL, ...slowly })
  const dealer = await makeCompany(first, { name: "Named Dealer" })
  const broker = await makeCompany(first, {
    kind: "BROKER",
    credits: 50,
    settings: { identityProvider: { kind: "BUILT_IN" } }
  })
  const begin = async (key: string, email: string, registration: string) => {
    const body = startBody("IDENTITY_DELIVERY")
    body.customer.email = email
    body.vehicle = { registration, dealerCompanyId: dealer.id.toUpperCase() }
    const { data, errors, status } = await start(first, key, body)
    expect(status, JSON.stringify(errors)).toBe(202)
    return data
  }
  // More than one batch of them.
  for (let more = 0; more < 104; more++) await begin(broker.testKey, `more-${more}@example.com`, `MO${more}`)
  await begin(broker.liveKey, "kept@example.com", "AB12 CDE")
  const erased = await begin(broker.liveKey, "erased@example.com", "ER45 SED")
  await askSettings(first, `/companies/${broker.id}/customers/${erased.customerReference}`, { method: "DELETE" })
  const written = await columns(first)
  expect(written.filter((row) => row.dealer_company_id === dealer.id)).toHaveLength(2)
  await first.query(
    `update journeys set is_filled = false, registration_index = null, dealer_company_id = null,
       waiting_since = case when id = $1 then null else waiting_since end`,
    [erased.id]
  )
  await first.stop()

  const second = await startService({ DATABASE_URL, ...slowly })
  const filled = await eventually(
    () => columns(second),
    (rows) => rows.every((row) => row.is_filled)
  )
  const others = (rows: typeof filled) => rows.filter(({ id }) => id !== erased.id)
  expect(others(filled)).toEqual(others(written))
  // Of the erased customer there is nothing to read the dealer from.
  expect(filled.find(({ id }) => id === erased.id)).toEqual({
    ...written.find(({ id }) => id === erased.id),
    dealer_company_id: null
  })
  await second.stop()
})

it("leaves no index of a customer who is erased while their journey is read", async () => {
  const DATABASE_URL = await freshDatabase()
  const service = await startService({ DATABASE_URL, ...slowly })
  const { liveKey } = await makeCompany(service, {
    credits: 1,
    settings: { identityProvider: { kind: "BUILT_IN" } }
  })
  await start(service, liveKey, startBody("IDENTITY_DELIVERY"))
  await service.query("update journeys set is_filled = false, registration_index = null")
  const vault = await service.run(Vault)
  const erasing = Vault.of({
    ...vault,
    keyOf: (wrapped) =>
      Effect.andThen(
        Effect.promise(() => service.query("update customers set wrapped_key = null")),
        vault.keyOf(wrapped)
      )
  })
  const runtime = ManagedRuntime.make(
    FillIn.layer.pipe(
      Layer.provide([PgClient.layer({ url: Redacted.make(DATABASE_URL) }), Layer.succeed(Vault, erasing)])
    )
  )
  await runtime.context()
  const [filled] = await eventually(
    () => columns(service),
    (rows) => rows.every((row) => row.is_filled)
  )
  expect(filled).toMatchObject({ registration: null })
  await runtime.dispose()
  await service.stop()
})
