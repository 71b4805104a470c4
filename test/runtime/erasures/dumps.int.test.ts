/**
 * The two dumps of docs/operators.md, made by PostgreSQL's own programs with the role that this page gives to the service: the data alone opens nothing of a customer, the data with the
 * newest keys opens everything but whom an erasure has ended since.
 */
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { PersonalRecords } from "../../../src/actors/customer/PersonalRecords.ts"
import { make } from "../../../src/runtime/keys/AesVault.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { withDocumentedRoles } from "../../support/documentedGrants.ts"
import {
  describeWithInstalledPostgres,
  startInstalledPostgres,
  type InstalledPostgres
} from "../../support/installedPostgres.ts"
import { startService, type Service } from "../../support/service.ts"

const serviceOn = (url: string): Promise<Service> => startService({ DATABASE_URL: url })

const begin = async (service: Service, { liveKey }: TestCompany, email: string) => {
  const body = startBody("IDENTITY_DELIVERY")
  const answer = await start(service, liveKey, { ...body, customer: { ...body.customer, email } })
  expect(answer.status).toBe(202)
  return answer.data as { readonly id: string; readonly customerReference: string }
}
const recordOf = (service: Service, { id }: { readonly id: string }) =>
  service.run(Effect.flatMap(PersonalRecords, (records) => records.read(JourneyId.make(id))))

describeWithInstalledPostgres("the dumps of data and of customers' keys", () => {
  let postgres: InstalledPostgres
  let folder: string
  beforeAll(async () => {
    postgres = await startInstalledPostgres()
    folder = mkdtempSync(join(tmpdir(), "journeys-dumps-"))
  }, 60_000)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await postgres.stop()
  })

  const at = (name: string) => postgres.url.replace(/postgres$/, name)
  const fileOf = (name: string) => join(folder, name)
  const emptyDatabase = async (name: string): Promise<string> => {
    await queryDirectly(postgres.url, `create database ${name} encoding 'UTF8' template template0`)
    return at(name)
  }
  it("bring everybody back together but the erased, and nobody by the data alone", async () => {
    const { owner, service: url } = await withDocumentedRoles(await emptyDatabase("original"))
    // As a later migration may: what is granted once holds for what is made afterwards.
    await queryDirectly(owner, "create sequence made_later")
    const service = await serviceOn(url)
    const company = await makeCompany(service, { credits: 50, settings: { identityProvider: { kind: "BUILT_IN" } } })
    const kept = await begin(service, company, "kept@example.com")
    const gone = await begin(service, company, "gone@example.com")

    postgres.run("pg_dump", "--format=custom", "--exclude-table-data=customers", "--file", fileOf("data.dump"), url)
    const path = `/companies/${company.id}/customers/${gone.customerReference}`
    expect((await askSettings(service, path, { method: "DELETE" })).success).toBe(true)
    postgres.run("pg_dump", "--format=custom", "--data-only", "--table=customers", "--file", fileOf("keys.dump"), url)
    await service.stop()

    // The data alone: the sealed records of both are there, and no key that could open one.
    const dataAlone = await emptyDatabase("data_alone")
    postgres.run("pg_restore", "--exit-on-error", "--dbname", dataAlone, fileOf("data.dump"))
    const sealed = await queryDirectly<{ readonly id: string; readonly sealed: Uint8Array }>(
      dataAlone,
      "select journey_id as id, sealed from personal_records"
    )
    expect(new Set(sealed.map(({ id }) => id))).toEqual(new Set([kept.id, gone.id]))
    expect(await queryDirectly(dataAlone, "select from customers")).toEqual([])
    const vault = make(Buffer.alloc(32, 7))
    for (const one of sealed) {
      const opened = vault.openSecret(`personal_records|${one.id}`, one.sealed)
      expect((await Effect.runPromise(Effect.exit(opened)))._tag).toBe("Failure")
    }
    const columns = await queryDirectly<{ readonly name: string }>(
      dataAlone,
      "select table_name || '.' || column_name as name from information_schema.columns where column_name = 'wrapped_key'"
    )
    expect(columns).toEqual([{ name: "customers.wrapped_key" }])

    // With the newest keys a service works on it as before, but for whom was erased since.
    const both = await emptyDatabase("both_dumps")
    postgres.run("pg_restore", "--exit-on-error", "--dbname", both, fileOf("data.dump"))
    postgres.run("pg_restore", "--exit-on-error", "--data-only", "--dbname", both, fileOf("keys.dump"))
    const restored = await serviceOn(both)
    expect(await recordOf(restored, kept)).toMatchObject({ customer: { email: "kept@example.com" } })
    expect(await recordOf(restored, gone)).toBeNull()
    const again = await begin(restored, company, "kept@example.com")
    expect(again.customerReference).toBe(kept.customerReference)
    const audit = await askSettings(restored, `/companies/${company.id}/audit/check`)
    expect(audit.data).toMatchObject({ broken: null })
    await restored.stop()
  }, 120_000)
})
