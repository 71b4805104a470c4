/** Places among events as callers hold them: what they tell, whose they are, and those of before. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startService, type Service } from "../../../support/service.ts"
import { expectRefusal } from "../journeys/oracle.ts"
import { all, get, page, writeEvent } from "./ground.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const write = (company: TestCompany) => writeEvent(service.query, company.id)

/** Other tests of the run share the server: their open transactions hold a list up for a moment. */
const allOnce = (key: string, count: number) =>
  eventually(
    () => all(service, key),
    (ids) => ids.length >= count
  )

const written = (text: string): string => Buffer.from(text).toString("base64url")

describe("a place", () => {
  it("says nothing of the installation, and is one company's in one mode", async () => {
    const company = await makeCompany(service)
    const other = await makeCompany(service)
    const event = await write(company)
    await allOnce(company.testKey, 1)
    const [row] = await service.query<{ readonly tx: string }>("select tx::text from events where id = $1", [event])
    const { next } = await page(service, company.testKey)
    for (const text of [next, Buffer.from(next.slice(2), "base64url").toString("latin1")]) {
      expect(text).not.toContain(row?.tx)
      expect(text).not.toContain(event)
    }
    expect((await page(service, company.testKey, { after: next })).ids).toEqual([])
    for (const key of [other.testKey, company.liveKey]) {
      expectRefusal(await get(service, key, `?after=${next}`), "400 VALIDATION_FAILED", "after")
    }
    const changed = `${next.slice(0, -2)}${next.endsWith("AA") ? "BB" : "AA"}`
    expectRefusal(await get(service, company.testKey, `?after=${changed}`), "400 VALIDATION_FAILED", "after")
  })

  it("that was given out before it was sealed is still taken", async () => {
    const company = await makeCompany(service)
    const [first, second] = [await write(company), await write(company)]
    await allOnce(company.testKey, 2)
    const [row] = await service.query<{ readonly tx: string }>("select tx::text from events where id = $1", [first])
    const after = written(`1|${row?.tx ?? ""}|${first}`)
    expect(await all(service, company.testKey, { after })).toEqual([second])
  })
})
