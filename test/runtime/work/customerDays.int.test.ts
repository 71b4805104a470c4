/**
 * Customers who are erased a number of days after their last journey, as their company has it: who is over when, what the case file
 * says before, and that the erasure is the one that an owner begins.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { makeCustomersOver } from "../../../src/runtime/work/customersOver.ts"
import { holdRows } from "../../faults/heldRows.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startService, type Service } from "../../support/service.ts"

const day = 86_400_000

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const companyWith = (settings: Readonly<Record<string, number>>): Promise<TestCompany> =>
  makeCompany(service, { credits: 50, settings: { identityProvider: { kind: "BUILT_IN" }, ...settings } })

let customers = 0
const address = () => `customer-${(customers += 1)}@example.com`

interface Begun {
  readonly id: string
  readonly customerReference: string
}

const begin = async (
  { liveKey }: TestCompany,
  shape: Parameters<typeof startBody>[0],
  email = address()
): Promise<Begun> => {
  const body = startBody(shape)
  const answer = await start(service, liveKey, { ...body, customer: { ...body.customer, email } })
  expect(answer.status).toBe(202)
  return answer.data
}

const cancel = async ({ liveKey }: TestCompany, { id }: Begun) => {
  const body = { reason: "The customer bought elsewhere" }
  expect((await ask(service, liveKey, `/api/v1/journeys/${id}/cancel`, { body })).status).toBe(200)
}

const decline = async ({ liveKey }: TestCompany, { id }: Begun) => {
  const body = { decision: "DECLINED" }
  expect((await ask(service, liveKey, `/api/v1/journeys/${id}/finance-decision`, { body })).status).toBe(200)
}

/** Begins the erasures that a node begins when it looks so many days from now. */
const overIn = (days: number) =>
  Effect.flatMap(makeCustomersOver, (customersOver) => customersOver(Date.now() + days * day)).pipe(
    Effect.provideService(SqlClient.SqlClient, service.sql)
  )

/** Until somebody waits for a row that somebody else holds. */
const untilHeldUp = () =>
  Effect.promise(() =>
    eventually(
      () =>
        service.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'advisory'"
        ),
      (waiting) => waiting.length > 0
    )
  )

/** The customers of these whose erasure begins when the work is done so many days from now. */
const overAfter = async (days: number, ...begun: ReadonlyArray<Begun>): Promise<ReadonlyArray<string>> => {
  const over = new Set(await Effect.runPromise(overIn(days)))
  return begun.map(({ customerReference }) => customerReference).filter((id) => over.has(id))
}

const keptUntil = async ({ id: companyId }: TestCompany, { id }: Begun): Promise<number | null> => {
  const { data } = await askSettings(service, `/companies/${companyId}/journeys/${id}/case?reason=support`)
  return data.customerKeptUntil === null ? null : Math.round((Date.parse(data.customerKeptUntil) - Date.now()) / day)
}

it("a customer is over so many days after the end of their last journey, and not while one runs", async () => {
  const company = await companyWith({ customerRetentionDays: 30 })
  const email = address()
  const first = await begin(company, "CASH_SALE", email)
  await cancel(company, first)
  expect(await keptUntil(company, first)).toBe(30)
  const second = await begin(company, "CASH_SALE", email)
  expect(second.customerReference).toBe(first.customerReference)
  expect(await keptUntil(company, first)).toBeNull()
  expect(await overAfter(365, first)).toEqual([])
  await cancel(company, second)
  expect(await overAfter(29, first)).toEqual([])
  expect(await overAfter(31, first)).toEqual([first.customerReference])
  // It has begun, and begins no second time.
  expect(await overAfter(31, first)).toEqual([])
})

it("a customer who was declined is over sooner, unless they also have another journey, and never later than others", async () => {
  const company = await companyWith({ customerRetentionDays: 100, declinedRetentionDays: 10 })
  const email = address()
  const [declined, both] = [
    await begin(company, "FINANCE_ALREADY_SUBMITTED"),
    await begin(company, "FINANCE_ALREADY_SUBMITTED", email)
  ]
  const bought = await begin(company, "CASH_SALE", email)
  await decline(company, declined)
  await decline(company, both)
  await cancel(company, bought)
  expect([await keptUntil(company, declined), await keptUntil(company, both)]).toEqual([10, 100])
  expect(await overAfter(11, declined, both)).toEqual([declined.customerReference])
  expect(await overAfter(101, both)).toEqual([both.customerReference])

  const shorter = await companyWith({ customerRetentionDays: 5, declinedRetentionDays: 10 })
  const early = await begin(shorter, "FINANCE_ALREADY_SUBMITTED")
  await decline(shorter, early)
  expect(await overAfter(6, early)).toEqual([early.customerReference])
})

it("of the two numbers one that the company has not set ends no customer's time", async () => {
  const late = await companyWith({ customerRetentionDays: 100 })
  const refused = await begin(late, "FINANCE_ALREADY_SUBMITTED")
  await decline(late, refused)
  expect(await keptUntil(late, refused)).toBe(100)
  expect(await overAfter(99, refused)).toEqual([])

  const early = await companyWith({ declinedRetentionDays: 10 })
  const [declined, bought] = [await begin(early, "FINANCE_ALREADY_SUBMITTED"), await begin(early, "CASH_SALE")]
  await decline(early, declined)
  await cancel(early, bought)
  expect([await keptUntil(early, declined), await keptUntil(early, bought)]).toEqual([10, null])
  expect(await overAfter(10_000, declined, bought)).toEqual([declined.customerReference])
})

it("what was counted of the mail to a customer's address goes when the customer is over", async () => {
  const company = await companyWith({ customerRetentionDays: 30 })
  const one = await begin(company, "CASH_SALE")
  await cancel(company, one)
  const [customer] = await service.query<{ readonly address: string }>(
    `insert into mail_allowances (address_index, mails, last_at) select email_index, '{}', now() from customers where id = $1
     on conflict (address_index) do update set last_at = excluded.last_at returning encode(address_index, 'hex') as address`,
    [one.customerReference]
  )
  expect(await overAfter(31, one)).toEqual([one.customerReference])
  const counted = "select from mail_allowances where address_index = decode($1, 'hex')"
  expect(await service.query(counted, [customer?.address])).toEqual([])
})

it("nobody is over by themselves where the company sets no number, and no test customer", async () => {
  const company = await companyWith({})
  const one = await begin(company, "CASH_SALE")
  await cancel(company, one)
  expect(await keptUntil(company, one)).toBeNull()
  expect(await overAfter(10_000, one)).toEqual([])

  const other = await companyWith({ customerRetentionDays: 1 })
  const test = (await start(service, other.testKey, startBody("CASH_SALE"))).data
  await cancel({ ...other, liveKey: other.testKey }, test)
  expect(await overAfter(10_000, test)).toEqual([])
})

it("a node looks for those who are over, and the erasure is in the audit log as the service's own", async () => {
  const company = await companyWith({ customerRetentionDays: 1 })
  const one = await begin(company, "CASH_SALE")
  await cancel(company, one)
  // Two days pass: nothing but the clock may move the end of a journey.
  await service.query("alter table journeys disable trigger user")
  await service.query("update journeys set ended_at = ended_at - interval '2 days' where id = $1", [one.id])
  await service.query("alter table journeys enable trigger user")
  await service.query("update customers set created_at = created_at - interval '2 days' where id = $1", [
    one.customerReference
  ])
  const node = await startService({ DATABASE_URL: service.databaseUrl })
  await eventually(
    () => service.query("select from personal_records where journey_id = $1", [one.id]),
    (rows) => rows.length === 0,
    30_000
  )
  await node.stop()
  expect(await service.query("select from customers where id = $1", [one.customerReference])).toEqual([])
  const { content } = (await askSettings(service, `/companies/${company.id}/audit?action=customer.erased`)).data
  expect(content).toMatchObject([
    { actor: "service", details: { customerReference: one.customerReference, because: "RETENTION" } }
  ])
  expect(await keptUntil(company, one)).toBeNull()
})

it("a customer who comes back while the look for those who are over begins is not over", async () => {
  const company = await companyWith({ customerRetentionDays: 30 })
  const email = address()
  const first = await begin(company, "CASH_SALE", email)
  await cancel(company, first)
  const { sql } = service
  const [begun, again] = await Effect.runPromise(
    Effect.gen(function* () {
      const held = yield* Deferred.make<void>()
      const written = yield* Deferred.make<void>()
      // A start of the same customer that is just being written holds the row like this.
      const starting = yield* sql`select from customers where id = ${first.customerReference} for key share`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(written)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(held)
      const looking = yield* Effect.forkChild(overIn(31))
      yield* untilHeldUp()
      const second = yield* Effect.promise(() => begin(company, "CASH_SALE", email))
      yield* Deferred.succeed(written, undefined)
      yield* Fiber.join(starting)
      return [yield* Fiber.join(looking), second] as const
    })
  )
  expect(begun).not.toContain(first.customerReference)
  expect(again.customerReference).toBe(first.customerReference)
  expect((await ask(service, company.liveKey, `/api/v1/journeys/${again.id}`)).data.status).toBe("ACTIVE")
})

it("a customer who comes back when their erasure has begun is a new customer, whose journey goes on", async () => {
  const company = await companyWith({ customerRetentionDays: 30 })
  const email = address()
  const first = await begin(company, "CASH_SALE", email)
  await cancel(company, first)
  const { sql } = service
  const again = await Effect.runPromise(
    Effect.gen(function* () {
      const looked = yield* Deferred.make<void>()
      const commits = yield* Deferred.make<void>()
      const looking = yield* overIn(31).pipe(
        Effect.tap(() => Deferred.succeed(looked, undefined)),
        Effect.tap(() => Deferred.await(commits)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(looked)
      // The start still sees the customer, and waits for the row.
      const starting = yield* Effect.forkChild(Effect.promise(() => begin(company, "CASH_SALE", email)))
      yield* untilHeldUp()
      yield* Deferred.succeed(commits, undefined)
      expect(yield* Fiber.join(looking)).toContain(first.customerReference)
      return yield* Fiber.join(starting)
    })
  )
  expect(again.customerReference).not.toBe(first.customerReference)
  await eventually(
    () => service.query("select from personal_records where journey_id = $1", [first.id]),
    (rows) => rows.length === 0,
    30_000
  )
  expect(await service.query("select from personal_records where journey_id = $1", [again.id])).toHaveLength(1)
  expect((await ask(service, company.liveKey, `/api/v1/journeys/${again.id}`)).data.status).toBe("ACTIVE")
})

it("a customer who comes back while their erasure is being written is a new customer", async () => {
  const company = await companyWith({ customerRetentionDays: 30 })
  const email = address()
  const first = await begin(company, "CASH_SALE", email)
  await cancel(company, first)
  // The statement that begins the erasure waits for this row in its middle.
  const rows = await holdRows(service.databaseUrl)
  await rows.take("insert into erasures (company_id, customer_id, requested_at) values ($1, $2, now())", [
    company.id,
    first.customerReference
  ])
  const looking = Effect.runPromise(overIn(31))
  await rows.awaited("")
  const starting = begin(company, "CASH_SALE", email)
  await Promise.race([starting, rows.awaited("", 2)])
  await rows.take("rollback")
  await rows.end()
  expect(await looking).toContain(first.customerReference)
  expect((await starting).customerReference).not.toBe(first.customerReference)
})
