/**
 * What a declined application says of its customer goes sooner than the customer: which applications go when, what stays of them, and
 * that the journey, its case file and a correction go on.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Logger, References } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { PersonalRecords } from "../../../src/actors/customer/PersonalRecords.ts"
import { makeDeclinedApplications } from "../../../src/runtime/work/declinedApplications.ts"
import { arrayParameter, uuidArray } from "../../../src/runtime/postgres/parameters.ts"
import {
  applicationsAtOnce,
  eraseApplicationsStatement
} from "../../../src/runtime/stores/erasure/retentionStatements.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startFakePanel } from "../../support/fakePanel.ts"
import { requestIdOf } from "../../support/providerRequests.ts"
import { startService, type Service } from "../../support/service.ts"

const day = 86_400_000
const ofTheCustomer =
  /MARRIED|Harbourside Logistics|Station Approach|employmentHistory|addressHistory|drivingLicence|monthlyBudget/

let service: Service
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
})
afterAll(() => service.stop())

const companyWith = (settings: Readonly<Record<string, unknown>> = {}): Promise<TestCompany> =>
  makeCompany(service, { credits: 50, settings: { identityProvider: { kind: "BUILT_IN" }, ...settings } })

let customers = 0
const begin = async (
  { liveKey, testKey }: TestCompany,
  { email, test = false }: { email?: string; test?: boolean } = {}
) => {
  const body = startBody("FINANCE_ALREADY_SUBMITTED")
  const { employmentHistory, addressHistory } = startBody("FINANCE_SUBMIT_VIA_MIRA").finance
  const finance = { ...body.finance, maritalStatus: "MARRIED", monthlyBudget: 250, employmentHistory, addressHistory }
  const customer = { ...body.customer, email: email ?? `applicant-${(customers += 1)}@example.com` }
  const answer = await start(service, test ? testKey : liveKey, { ...body, customer, finance })
  expect(answer.status, answer.message).toBe(202)
  return answer.data as { readonly id: string; readonly customerReference: string }
}

const decide = async (key: string, id: string, decision: string) =>
  expect((await ask(service, key, `/api/v1/journeys/${id}/finance-decision`, { body: { decision } })).status).toBe(200)

const eraseAfter = (days: number) =>
  service.run(Effect.flatMap(makeDeclinedApplications, (some) => some(Date.now() + days * day)))

const recordOf = async (id: string) =>
  JSON.stringify(await service.run(Effect.flatMap(PersonalRecords, (records) => records.read(JourneyId.make(id)))))

const caseOf = async (company: TestCompany, id: string) =>
  (await askSettings(service, `/companies/${company.id}/journeys/${id}/case?reason=support`)).data

/** So many copies of a declined journey, which ended a day before it. */
const copyOlder = async (id: string, count: number) => {
  const columns = await service.query<{ readonly names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'journeys' and column_name not in ('id', 'idempotency_key', 'ended_at') and is_generated = 'NEVER'`
  )
  const names = columns[0]?.names ?? ""
  await service.query(
    `with copied as (
       insert into journeys (id, idempotency_key, ended_at, ${names})
       select gen_random_uuid(), gen_random_uuid()::text, ended_at - interval '1 day', ${names}
       from journeys, generate_series(1, $2::int4) where id = $1 returning id, company_id, livemode
     ), declined as (
       insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       select id, 1, gen_random_uuid(), company_id, livemode, 'finance_enquiry.declined', '{}', now() from copied
     )
     insert into personal_records (journey_id, customer_id, sealed)
     select c.id, p.customer_id, p.sealed from copied c, personal_records p where p.journey_id = $1`,
    [id, count]
  )
}

it("a declined application goes when its company's days are over; the deal, the consents and the customer stay", async () => {
  const company = await companyWith({ applicationRetentionDays: 30 })
  const { id } = await begin(company)
  const bought = await begin(company, { email: "buys@example.com" })
  const other = await begin(company, { email: "buys@example.com" })
  for (const declined of [id, other.id]) await decide(company.liveKey, declined, "DECLINED")
  await decide(company.liveKey, bought.id, "APPROVED")
  expect(await recordOf(id)).toMatch(/MARRIED/)
  const before = await caseOf(company, id)
  expect(Math.round((Date.parse(before.applicationKeptUntil) - Date.now()) / day)).toBe(30)
  expect((await caseOf(company, bought.id)).applicationKeptUntil).toBeNull()
  const journey = (await ask(service, company.liveKey, `/api/v1/journeys/${id}`)).data

  expect(await eraseAfter(29)).toBe(0)
  expect(await eraseAfter(31)).toBe(2)
  expect(await eraseAfter(31)).toBe(0)
  for (const gone of [id, other.id]) expect(await recordOf(gone)).not.toMatch(ofTheCustomer)
  expect(await recordOf(bought.id)).toMatch(/MARRIED/)

  expect((await ask(service, company.liveKey, `/api/v1/journeys/${id}`)).data).toEqual(journey)
  const after = await caseOf(company, id)
  expect(after.customer).toEqual(before.customer)
  expect(after.consents).toEqual(before.consents)
  expect(after.finance).toEqual({ ...before.finance, monthlyBudget: null, application: null })
  const { content } = (await askSettings(service, `/companies/${company.id}/audit?action=application.erased`)).data
  expect(
    content.map(({ details }: { readonly details: { readonly journeyId: string } }) => details.journeyId).toSorted()
  ).toEqual([id, other.id].toSorted())
  expect(content[0]).toMatchObject({ actor: "service", details: { because: "RETENTION" } })

  const customer = `/companies/${company.id}/customers/${journey.customerReference}`
  const corrected = await askSettings(service, customer, { method: "PATCH", body: { mobile: "07700900999" } })
  expect(corrected.status).toBe(200)
  expect(await recordOf(id)).toContain("07700900999")
})

it("a full application that the panel declined can still be read in its case file when its fields are gone", async () => {
  const panel = await startFakePanel()
  const company = await companyWith({
    applicationRetentionDays: 1,
    financePanel: panel.settings
  })
  const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
  const { data } = await start(service, company.liveKey, body)
  const submissionId = await requestIdOf(service, data.id, "FINANCE")
  await eventually(
    async () => (await panel.decide(service, submissionId, "DECLINED", "decision-1")).status,
    (status) => status === 200
  )
  await eventually(
    async () => (await ask(service, company.liveKey, `/api/v1/journeys/${data.id}`)).data.status,
    (status) => status === "CANCELLED"
  )
  expect(await eraseAfter(2)).toBe(1)
  const { consents, finance } = await caseOf(company, data.id)
  expect(finance).toMatchObject({
    panelSubmission: "SUBMIT_VIA_MIRA",
    vehiclePrice: body.finance.vehiclePrice,
    application: null
  })
  expect(consents[0]).toMatchObject({ about: "APPLICATION", answer: "AGREED", details: { creditCheck: true } })
  await panel.stop()
})

it("an application that the panel did not take goes like a declined one", async () => {
  const panel = await startFakePanel()
  panel.behave(422)
  const company = await companyWith({ applicationRetentionDays: 1, financePanel: panel.settings })
  const { data } = await start(service, company.liveKey, startBody("FINANCE_SUBMIT_VIA_MIRA"))
  await eventually(
    async () => (await ask(service, company.liveKey, `/api/v1/journeys/${data.id}`)).data.status,
    (status) => status === "CANCELLED"
  )
  expect((await caseOf(company, data.id)).finance.application).not.toBeNull()
  expect(await eraseAfter(2)).toBe(1)
  expect((await caseOf(company, data.id)).finance.application).toBeNull()
  await panel.stop()
})

it("an application stays where its company says so, and that of a test journey", async () => {
  const keeping = await companyWith({ applicationRetentionDays: 0 })
  const kept = await begin(keeping)
  await decide(keeping.liveKey, kept.id, "DECLINED")
  const company = await companyWith()
  const test = await begin(company, { test: true })
  await decide(company.testKey, test.id, "DECLINED")
  expect(await eraseAfter(5000)).toBe(0)
  expect((await caseOf(keeping, kept.id)).applicationKeptUntil).toBeNull()
})

it("a correction that was written meanwhile is not lost: the record is left to the next look", async () => {
  const company = await companyWith()
  const { customerReference, id } = await begin(company)
  await decide(company.liveKey, id, "DECLINED")
  const [read] = await service.query<{ readonly sealed: Uint8Array }>(
    "select sealed from personal_records where journey_id = $1",
    [id]
  )
  const corrected = await askSettings(service, `/companies/${company.id}/customers/${customerReference}`, {
    method: "PATCH",
    body: { mobile: "07700900111" }
  })
  expect(corrected.status).toBe(200)
  const late = [read?.sealed ?? new Uint8Array()]
  const stale = [new Date(), uuidArray([id]), arrayParameter(late, "bytea"), arrayParameter(late, "bytea")]
  expect(await service.query(eraseApplicationsStatement, stale)).toEqual([])
  expect(await eraseAfter(181)).toBe(1)
  const record = await recordOf(id)
  expect(record).toContain("07700900111")
  expect(record).not.toMatch(ofTheCustomer)
})

it("applications that cannot be opened, and those of customers who are gone, hide no later one of their company", async () => {
  const company = await companyWith({ applicationRetentionDays: 30 })
  const broken = await begin(company)
  const gone = await begin(company)
  const later = await begin(company)
  for (const { id } of [broken, gone, later]) await decide(company.liveKey, id, "DECLINED")
  await service.query("update personal_records set sealed = '\\x00' where journey_id = $1", [broken.id])
  await service.query("update customers set wrapped_key = null where id = $1", [gone.customerReference])
  for (const { id } of [broken, gone]) await copyOlder(id, applicationsAtOnce)
  expect(await eraseAfter(31)).toBe(1)
  expect(await recordOf(later.id)).not.toMatch(ofTheCustomer)
})

it("the log names an application that cannot be erased once and not with each look, and says when it can be", async () => {
  const company = await companyWith({ applicationRetentionDays: 30 })
  const { id } = await begin(company)
  await decide(company.liveKey, id, "DECLINED")
  const [kept] = await service.query<{ readonly sealed: Uint8Array }>(
    "select sealed from personal_records where journey_id = $1",
    [id]
  )
  const seal = (sealed: Uint8Array) =>
    service.query("update personal_records set sealed = $2 where journey_id = $1", [id, PgTypes.bytea(sealed)])
  const lines: Array<ReadonlyArray<unknown>> = []
  const logger = Logger.layer([
    Logger.make<unknown, void>(({ logLevel, message }) => void lines.push([logLevel, message].flat()))
  ])
  const ofIt = () => lines.filter((line) => JSON.stringify(line).includes(id))
  await service.run(
    Effect.gen(function* () {
      const some = yield* makeDeclinedApplications
      // Each look has a time of its own.
      const look = (number: number) => some(Date.now() + 31 * day + number)
      yield* Effect.promise(() => seal(new Uint8Array([0])))
      for (const number of [1, 2, 3]) yield* look(number)
      expect(ofIt()).toMatchObject([["Error", "A declined application cannot be erased", { journeyId: id }]])
      yield* Effect.promise(() => seal(kept?.sealed ?? new Uint8Array()))
      for (const number of [4, 5]) yield* look(number)
      expect(ofIt().slice(1)).toEqual([["Info", "A declined application can be erased again", { journeyId: id }]])
    }).pipe(Effect.provide(logger), Effect.provideService(References.MinimumLogLevel, "All"))
  )
  expect(await recordOf(id)).not.toMatch(ofTheCustomer)
})
