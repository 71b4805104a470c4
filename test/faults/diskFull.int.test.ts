/** A database whose disk is full: it answers, and refuses every row that is new (SQLSTATE 53100). */
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeCompany, startBody, type TestCompany } from "../support/companies.ts"
import { call, freshKey, start, type Reply } from "../support/requests.ts"
import { startService, type Service } from "../support/service.ts"

let service: Service
let company: TestCompany

beforeAll(async () => {
  service = await startService()
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
