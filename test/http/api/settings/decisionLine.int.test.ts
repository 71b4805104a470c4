/** The line of a team's decision in the audit log: it is written with the decision, and once, however often the request comes. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { AuditLog } from "../../../../src/actors/company/AuditLog.ts"
import type { CompanyId } from "../../../../src/schema/ids.ts"
import { holdRows } from "../../../faults/heldRows.ts"
import type { TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { freshDatabase, startService, type Service } from "../../../support/service.ts"
import { decide, journeyAt, reviewOf, slowCompany } from "./reviewGround.ts"

let databaseUrl: string
let service: Service
let company: TestCompany
beforeAll(async () => {
  databaseUrl = await freshDatabase()
  service = await startService({ DATABASE_URL: databaseUrl })
  company = await slowCompany(service)
})
afterAll(() => service.stop())

const underReview = async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
  return { journeyId: id, reviewId: await reviewOf(service, company, id) }
}

const statusOf = async (journeyId: string) => {
  const [row] = await service.query<{ readonly status: string }>(
    "select identity_status as status from journeys where id = $1",
    [journeyId]
  )
  return row?.status
}

const linesOf = (journeyId: string) =>
  service.query<{ readonly action: string; readonly ip_address: string | null }>(
    `select l.action, f.ip_address from audit l left join audit_addresses f on f.line_id = l.id
    where l.details ->> 'journeyId' = $1 and l.details ->> 'messageId' is not null`,
    [journeyId]
  )

const theLine = { action: "review.decided", ip_address: "127.0.0.1" }

it("a decision whose line cannot be written is not made, and has its line when it is asked for again", async () => {
  const { journeyId, reviewId } = await underReview()
  await service.query(`
    create function refuse_line() returns trigger language plpgsql as
    $$ begin raise exception 'not now' using errcode = '57P03'; end $$`)
  await service.query(
    "create trigger refused before insert on audit for each row when (new.action = 'review.decided') execute function refuse_line()"
  )
  const key = randomUUID()
  const first = await decide(service, company, reviewId, "APPROVE", { key }).catch(() => null)
  expect(first?.success).not.toBe(true)
  await service.query("drop trigger refused on audit")
  expect(await statusOf(journeyId)).toBe("UNDER_REVIEW")

  expect((await decide(service, company, reviewId, "APPROVE", { key })).status).toBe(200)
  expect(await statusOf(journeyId)).toBe("VERIFIED")
  expect(await linesOf(journeyId)).toEqual([theLine])
})

it("the same decision sent several times at once, and once more, has one line", async () => {
  const { journeyId, reviewId } = await underReview()
  const key = randomUUID()
  const again = () => decide(service, company, reviewId, "APPROVE", { key })
  const answers = await Promise.all([again(), again(), again(), again()])
  expect([...answers, await again()].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(await linesOf(journeyId)).toEqual([theLine])
})

it("a line that several nodes write for one message is written once", async () => {
  const companyId = company.id as CompanyId
  const line = {
    actor: "operator",
    action: "journey.cancelled",
    details: { journeyId: randomUUID(), messageId: randomUUID() },
    at: Date.UTC(2026, 0, 1)
  } as const
  const held = await holdRows(databaseUrl)
  await held.take("select pg_advisory_xact_lock(1635083369, hashtext($1::uuid::text))", [companyId])
  const write = Effect.flatMap(AuditLog, (log) => log.write(companyId, line))
  const written = service.run(Effect.all([write, write], { concurrency: "unbounded" }))
  await eventually(
    () => service.query("select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"),
    (waiting) => waiting.length === 2
  )
  await held.take("commit")
  await held.end()
  await written
  expect(await linesOf(line.details.journeyId)).toHaveLength(1)
})
