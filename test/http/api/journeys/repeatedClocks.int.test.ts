/** A test clock that is asked for again with the same Idempotency-Key, by a caller and by the company's people. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, type TestCompany } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"

const clocks = "/api/v1/sandbox/clocks"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service)
})
afterAll(() => service.stop())

describe("test clocks", () => {
  it("that are asked for with one Idempotency-Key are one clock, also of ten requests at once, and it is answered as it is now", async () => {
    const make = (key: string, body?: unknown) =>
      ask(service, company.testKey, clocks, {
        method: "POST",
        headers: { "idempotency-key": key },
        ...(body ? { body } : {})
      })
    const answers = await Promise.all(Array.from({ length: 10 }, () => make("clock-of-may")))
    expect(new Set(answers.map(({ data, status }) => `${status} ${data.id}`)).size).toBe(1)
    const id: string = answers[0]?.data.id
    expect((await make("clock-of-june")).data.id).not.toBe(id)
    const { clock } = (await ask(service, company.testKey, `${clocks}/${id}/advance`, { body: { by: "P1D" } })).data
    expect((await make("clock-of-may")).data).toEqual(clock)
    const other = await make("clock-of-may", { startsAt: new Date(Date.now() + 86_400_000).toISOString() })
    expect([other.status, other.errors?.[0]?.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect((await make("?")).errors?.[0]?.code).toBe("IDEMPOTENCY_KEY_REQUIRED")
    await ask(service, company.testKey, `${clocks}/${id}`, { method: "DELETE" })
    expect([(await make("clock-of-may")).status]).toEqual([409])
  })

  it("of the company's people are repeated alike, and written down once", async () => {
    const path = `/companies/${company.id}/clocks`
    const make = () => askSettings(service, path, { method: "POST", headers: { "idempotency-key": "clock-of-people" } })
    const [first, second] = [await make(), await make()]
    expect([first.status, second.status, second.data.id]).toEqual([201, 201, first.data.id])
    const { content } = (await askSettings(service, `/companies/${company.id}/audit?action=test_clock.made`)).data
    const lines = content.filter(({ details }: { details: { clockId: string } }) => details.clockId === first.data.id)
    expect(lines).toHaveLength(1)
  })
})
