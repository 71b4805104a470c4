/** A test clock that is asked for, or advanced, again with the same Idempotency-Key, by a caller and by the company's people. */
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

/** How far a new clock moves that is advanced with a key that is the same for every clock. */
const anHourOnANewClock = async (): Promise<number> => {
  const { data: clock } = await ask(service, company.testKey, clocks, { method: "POST" })
  const { data } = await ask(service, company.testKey, `${clocks}/${clock.id}/advance`, {
    headers: { "idempotency-key": "same-key-elsewhere" },
    body: { by: "PT1H" }
  })
  return Date.parse(data.clock.now) - Date.parse(clock.now)
}

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

  it("that are advanced again with one Idempotency-Key come to the time of the first request and stay there, also of five requests at once", async () => {
    const { data: clock } = await ask(service, company.testKey, clocks, { method: "POST" })
    const advance = (key: string, body: unknown) =>
      ask(service, company.testKey, `${clocks}/${clock.id}/advance`, { headers: { "idempotency-key": key }, body })
    const daysOn = (days: number) => new Date(Date.parse(clock.now) + days * 86_400_000).toISOString()
    const first = await advance("a-day-further", { by: "P1D" })
    expect([first.data.clock.now, first.headers.get("idempotent-replayed")]).toEqual([daysOn(1), null])
    const again = await advance("a-day-further", { by: "P1D" })
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"])
    expect(again.data).toMatchObject({ clock: { now: daysOn(1), target: null }, complete: true, steps: [] })

    const atOnce = await Promise.all(Array.from({ length: 5 }, () => advance("one-day-more", { by: "P1D" })))
    expect(atOnce.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect((await advance("one-day-more", { by: "P1D" })).data.clock.now).toBe(daysOn(2))
    // The clock has been advanced beyond the first request's time.
    expect((await advance("a-day-further", { by: "P1D" })).data.clock.now).toBe(daysOn(2))

    const other = await advance("a-day-further", { by: "P2D" })
    expect([other.status, other.errors?.[0]?.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect((await advance("?", { by: "P1D" })).errors?.[0]?.code).toBe("IDEMPOTENCY_KEY_REQUIRED")
    // What was refused has kept nothing.
    const tooFar = await advance("too-far-ahead", { to: daysOn(400) })
    expect(tooFar.errors?.[0]?.code).toBe("VALIDATION_FAILED")
    expect((await advance("too-far-ahead", { by: "P1D" })).data.clock.now).toBe(daysOn(3))
  })

  it("may be advanced with the Idempotency-Key that another clock was advanced with", async () => {
    expect([await anHourOnANewClock(), await anHourOnANewClock()]).toEqual([3_600_000, 3_600_000])
  })

  it("of the company's people are advanced once with one Idempotency-Key", async () => {
    const { data: clock } = await askSettings(service, `/companies/${company.id}/clocks`, { method: "POST" })
    const advance = () =>
      askSettings(service, `/companies/${company.id}/clocks/${clock.id}/advance`, {
        headers: { "idempotency-key": "advance-of-people" },
        body: { by: "P1D" }
      })
    await advance()
    expect((await advance()).data.clock.now).toBe(new Date(Date.parse(clock.now) + 86_400_000).toISOString())
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
