/** Erasures that fail each time: the others go on beside them, and the numbers say for how long the oldest has waited. */
import { Duration, Effect, Layer, Logger, References } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as CustomerErasure from "../../../src/actors/erasure/CustomerErasure.ts"
import { customerErasureLimits } from "../../../src/actors/erasure/limits.ts"
import { CompanyId } from "../../../src/schema/ids.ts"
import { holdRows } from "../../faults/heldRows.ts"
import { askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

let service: Service

beforeAll(async () => {
  service = await startService({ LOG_LEVEL: "none" })
})
afterAll(() => service.stop())

const ask = (companyId: string, count: number, ago: string) =>
  service.query(
    `insert into erasures (company_id, customer_id, requested_at)
     select $1::uuid, t.id, now() - $3::interval from unnest($2::uuid[]) t (id)`,
    [companyId, Array.from({ length: count }, () => randomUUID()), ago]
  )

const isErased = async (companyId: string): Promise<boolean> => {
  const rows = await service.query("select from erasures where company_id = $1 and erased_at is not null", [companyId])
  return rows.length > 0
}

const ageOfErasures = async (): Promise<number> => {
  const response = await fetch(`${service.baseUrl}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
  return Number(/^journeys_due_work_age_seconds\{work="ERASURE"\} (\S+)$/m.exec(await response.text())?.[1])
}

it("many that fail each time hide no other, and the age of the oldest is told", async () => {
  const [failing, other] = [await makeCompany(service), await makeCompany(service)]
  await service.query(`create function refuse() returns trigger language plpgsql as $$
    begin if new.company_id = '${failing.id}' then raise exception 'refused'; end if; return new; end $$`)
  await service.query("create trigger refuse before update on erasures for each row execute function refuse()")
  await ask(failing.id, 30, "2 hours")
  await ask(other.id, 1, "1 minute")
  await eventually(
    () => isErased(other.id),
    (erased) => erased,
    20_000
  )
  expect(await isErased(failing.id)).toBe(false)
  expect(await eventually(ageOfErasures, (age) => age > 0, 20_000)).toBeGreaterThanOrEqual(7200)

  await service.query("drop function refuse() cascade")
  await eventually(ageOfErasures, (age) => age === 0, 30_000)
})

it("the log names one that fails each time once, and says when it goes on", async () => {
  const { id: companyId } = await makeCompany(service)
  const customerId = randomUUID()
  // One that is finished already, so that only the test goes on with it.
  await service.query(
    "insert into erasures (company_id, customer_id, requested_at, finished_at) values ($1::uuid, $2::uuid, now(), now())",
    [companyId, customerId]
  )
  const lines: Array<unknown> = []
  const logger = Logger.layer([
    Logger.make<unknown, void>(({ logLevel, message }) => void lines.push([logLevel, message].flat()))
  ])
  const about = { companyId, customerReference: customerId }
  const query = (text: string) => Effect.promise(() => service.query(text))
  await service.run(
    Effect.gen(function* () {
      const { resume } = yield* CustomerErasure.CustomerErasure
      const erasure = {
        companyId: CompanyId.make(companyId),
        customerId,
        requestedAt: Date.now(),
        erasedAt: null,
        finishedAt: null,
        traceparent: null
      }
      yield* query(`create function refuse() returns trigger language plpgsql as $$
        begin if new.company_id = '${companyId}' then raise exception 'refused'; end if; return new; end $$`)
      yield* query("create trigger refuse before update on erasures for each row execute function refuse()")
      yield* Effect.repeat(resume(erasure), { times: 2 })
      expect(lines).toMatchObject([["Error", "An erasure cannot be gone on with", about]])
      yield* query("drop function refuse() cascade")
      yield* Effect.repeat(resume(erasure), { times: 2 })
      expect(lines.slice(1)).toEqual([["Info", "An erasure goes on again", about]])
    }).pipe(
      Effect.provide(Layer.mergeAll(CustomerErasure.layer, logger)),
      Effect.provideService(References.MinimumLogLevel, "All")
    )
  )
})

it("an erasure is looked at once more when whatever held the customer's key has ended, and not before", async () => {
  const { id: companyId } = await makeCompany(service)
  const erasedAt = Date.now()
  await service.query(
    `insert into erasures (company_id, customer_id, requested_at, erased_at) values ($1::uuid, $2::uuid, now(), $3::timestamptz)`,
    [companyId, randomUUID(), new Date(erasedAt)]
  )
  const isFoundAfter = (millis: number) =>
    service.run(
      Effect.gen(function* () {
        const { unfinished } = yield* CustomerErasure.CustomerErasure
        const found = yield* unfinished(erasedAt + millis, 100)
        return found.some((erasure) => erasure.companyId === companyId)
      }).pipe(Effect.provide(CustomerErasure.layer))
    )
  const settled = Duration.toMillis(customerErasureLimits.settledAfter)
  expect(await isFoundAfter(settled - 1000)).toBe(false)
  expect(await isFoundAfter(settled + 1000)).toBe(true)
})

it("an erasure that somebody else begins in the same moment is found by whoever asks, too", async () => {
  const company = await makeCompany(service)
  const { data } = await start(service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
  const rows = await holdRows(service.databaseUrl)
  await rows.take("insert into erasures (company_id, customer_id, requested_at) values ($1, $2, now())", [
    company.id,
    data.customerReference
  ])
  const path = `/companies/${company.id}/customers/${data.customerReference}`
  const asked = askSettings(service, path, { method: "DELETE" })
  await rows.awaited("insert into erasures")
  await rows.take("commit")
  await rows.end()
  expect((await asked).status).toBe(200)
})
