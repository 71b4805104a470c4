/**
 * Test clocks: a test journey on a clock waits for the clock and for nothing else, and an advance brings about in order what a
 * month would: reminders, the end of a window, the end of a link, the steps of the sandbox and the retries of a webhook.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { SignInLinks } from "../../../../src/actors/customer/SignInLinks.ts"
import { TestClocks } from "../../../../src/actors/journey/actor/TestClocks.ts"
import { retryDelaysMillis } from "../../../../src/actors/webhook/rules/backoff.ts"
import * as retention from "../../../../src/runtime/stores/erasure/retentionStatements.ts"
import { ClockId } from "../../../../src/schema/ids.ts"
import { clockLimits } from "../../../../src/schema/requests/limits.ts"
import { startExamples } from "../../../../src/schema/start/examples.ts"
import { ask, askSettings, makeCompany, type Answer, type TestCompany } from "../../../support/companies.ts"
import { run } from "../../../support/processes.ts"
import { eventOf, startReceiver, type Receiver } from "../../../support/receivers.ts"
import { startService, type Service } from "../../../support/service.ts"

const day = 86_400_000
const clocks = "/api/v1/sandbox/clocks"

interface Step {
  readonly at: string
  readonly kind: "JOURNEY" | "DELIVERY"
  readonly messages?: ReadonlyArray<string>
  readonly events?: ReadonlyArray<string>
  readonly attempts?: number
  readonly status?: string
}

let service: Service
let receiver: Receiver
let company: TestCompany

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true", BASE_URL: "https://journeys.example" })
  receiver = await startReceiver()
})
beforeEach(async () => {
  receiver.answer(200)
  company = await makeCompany(service)
  await askSettings(service, `/companies/${company.id}/webhook-endpoints/test`, {
    method: "PUT",
    body: { url: receiver.url }
  })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

const made = async (body?: unknown): Promise<{ readonly id: string; readonly now: string }> => {
  const answer = await ask(service, company.testKey, clocks, {
    method: "POST",
    ...(body === undefined ? {} : { body })
  })
  expect(answer.status).toBe(201)
  return answer.data
}

/** Starts an identity journey that nobody moves on: the customer never comes. */
const started = (clock: string, email = "ann+never@example.com", key = company.testKey): Promise<Answer> =>
  ask(service, key, "/api/v1/journeys", {
    headers: { "idempotency-key": randomUUID(), "sandbox-clock": clock },
    body: {
      ...startExamples.IDENTITY_DELIVERY,
      customer: { ...startExamples.IDENTITY_DELIVERY.customer, email }
    }
  })

const journey = (id: string) => ask(service, company.testKey, `/api/v1/journeys/${id}`)
const advance = (clock: string, body: unknown) => ask(service, company.testKey, `${clocks}/${clock}/advance`, { body })
const later = (from: string, millis: number): string => new Date(Date.parse(from) + millis).toISOString()

const settled = async (id: string) => {
  const { data } = await askSettings(
    service,
    `/companies/${company.id}/webhook-endpoints/test/deliveries?journeyId=${id}`
  )
  return data.content as ReadonlyArray<{
    status: string
    type: string
    nextAttemptAt: string | null
    attempts: ReadonlyArray<unknown>
  }>
}

describe("a journey on a test clock", () => {
  it("expires after its thirty days, with its reminders before, in one advance", async () => {
    const clock = await made({ startsAt: later(new Date().toISOString(), 10 * day) })
    const { data: begun } = await started(clock.id)
    expect(begun).toMatchObject({ createdAt: clock.now, status: "ACTIVE" })
    const { data } = await advance(clock.id, { by: "P31D" })
    expect(data).toMatchObject({
      complete: true,
      clock: { now: later(clock.now, 31 * day), status: "READY", target: null }
    })
    const steps = data.steps as ReadonlyArray<Step>
    expect(steps.map(({ at, messages }) => [at, messages])).toEqual([
      [later(clock.now, 1 * day), ["CustomerReminded"]],
      [later(clock.now, 3 * day), ["CustomerReminded"]],
      [later(clock.now, 23 * day), ["CustomerReminded"]],
      [later(clock.now, 30 * day), ["CustomerWindowPassed"]]
    ])
    expect(steps.at(-1)?.events).toEqual(["journey.expired"])
    expect((await journey(begun.id)).data.status).toBe("EXPIRED")
    const told = receiver.received.map(eventOf).filter(({ data: { journeyId } }) => journeyId === begun.id)
    expect(told.at(-1)).toMatchObject({ type: "journey.expired", createdAt: later(clock.now, 30 * day) })
    const mails = await service.query(`select kind from mails where journey_id = $1 and sent_at is not null`, [
      begun.id
    ])
    expect(
      mails.map((mail) => (mail as { kind: string }).kind).filter((kind) => kind === "VERIFY_IDENTITY")
    ).toHaveLength(4)
  })

  it("moves on while another journey of the clock cannot be read, which is set aside", async () => {
    const clock = await made()
    const [{ data: damaged }, { data: whole }] = [await started(clock.id), await started(clock.id)]
    await service.query(`update journeys set state = '{"shape": "UNKNOWN"}' where id = $1`, [damaged.id])
    expect((await advance(clock.id, { by: "P31D" })).data).toMatchObject({ complete: true })
    expect((await journey(whole.id)).data.status).toBe("EXPIRED")
    const aside = await service.query("select set_aside_reason from journeys where id = $1", [damaged.id])
    expect(aside).toEqual([{ set_aside_reason: "UNREADABLE" }])
  })

  it("sees a webhook given up after eight attempts, each at its time by the clock", async () => {
    const clock = await made()
    receiver.answer(500)
    const { data: begun } = await started(clock.id)
    const { data } = await advance(clock.id, { by: "P2D" })
    const tries = (data.steps as ReadonlyArray<Step>).filter(({ kind }) => kind === "DELIVERY")
    const deliveries = await settled(begun.id)
    expect(deliveries.map(({ attempts, status }) => [status, attempts.length])).toEqual(
      deliveries.map(() => ["GIVEN_UP", 8])
    )
    expect(tries).toHaveLength(7 * deliveries.length)
    expect(tries.at(-1)).toMatchObject({ attempts: 8, status: "GIVEN_UP" })
    const least = retryDelaysMillis.reduce((sum, delay) => sum + delay, 0)
    expect(Date.parse(tries.at(-1)?.at ?? "") - Date.parse(clock.now)).toBeGreaterThanOrEqual(least)
    expect(Date.parse(tries.at(-1)?.at ?? "") - Date.parse(clock.now)).toBeLessThan(least + 10_000)
  })

  it("stands still while nobody advances the clock: neither alarm nor retry comes in real time", async () => {
    const clock = await made()
    receiver.answer(500)
    const { data: begun } = await started(clock.id, "ann@example.com")
    await advance(clock.id, { by: "PT1S" })
    const [row] = await service.query<{ wake_at: Date | null; clock_id: string }>(
      `select wake_at, clock_id from journeys where id = $1`,
      [begun.id]
    )
    expect(row).toEqual({ wake_at: null, clock_id: clock.id })
    const waiting = await service.query(`select 1 from deliveries where clock_id = $1 and due_at is not null`, [
      clock.id
    ])
    expect(waiting).toEqual([])
    expect(
      (await settled(begun.id)).every(({ nextAttemptAt, status }) => status === "PENDING" && nextAttemptAt !== null)
    ).toBe(true)
    receiver.answer(200)
    const { data } = await advance(clock.id, { by: "P1D" })
    expect((await journey(begun.id)).data.status).toBe("COMPLETED")
    expect(data.complete).toBe(true)
    expect((await settled(begun.id)).every(({ status }) => status === "DELIVERED")).toBe(true)
  })

  it("ends a mailed link 72 hours after the mail, by the clock", async () => {
    const clock = await made({ startsAt: later(new Date().toISOString(), 20 * day) })
    const { data: begun } = await started(clock.id)
    await advance(clock.id, { by: "P3D" })
    const { data: mails } = await askSettings(service, `/mail?journeyId=${begun.id}&size=1`)
    const token = /\/app\/l\/([^\s"]+)/.exec(mails.content[0].text)?.[1] ?? ""
    const state = () => service.run(Effect.flatMap(SignInLinks, (links) => links.look(token)))
    await advance(clock.id, { to: later(clock.now, 6 * day - 1000) })
    expect(await state()).toMatchObject({ _tag: "OPEN", journeyId: begun.id })
    await advance(clock.id, { to: later(clock.now, 6 * day) })
    expect(await state()).toMatchObject({ _tag: "ENDED" })
  })

  it("is what its replay says, also when the clock has ended, and another clock is another request", async () => {
    const [clock, other] = [await made(), await made()]
    const body = startExamples.IDENTITY_DELIVERY
    const start = (id: string) =>
      ask(service, company.testKey, "/api/v1/journeys", {
        headers: { "idempotency-key": "deal-on-a-clock", "sandbox-clock": id },
        body
      })
    const first = await start(clock.id)
    expect(first.status).toBe(202)
    expect((await start(other.id)).errors?.[0]?.code).toBe("IDEMPOTENCY_KEY_REUSED")
    await ask(service, company.testKey, `${clocks}/${clock.id}`, { method: "DELETE" })
    expect(await start(clock.id)).toMatchObject({ status: 200, data: { id: first.data.id } })
  })
})

describe("a test clock", () => {
  it("goes forward only, by at most 190 days", async () => {
    const clock = await made()
    for (const to of [later(clock.now, -1000), later(clock.now, 191 * day)]) {
      expect((await advance(clock.id, { to })).errors?.[0]).toMatchObject({ code: "VALIDATION_FAILED", field: "to" })
    }
    for (const body of [{ by: "P191D" }, { by: "P1M" }, { by: "PT0S" }, {}, { by: "P1D", to: clock.now }]) {
      expect((await advance(clock.id, body)).errors?.[0]).toMatchObject({ code: "VALIDATION_FAILED", field: "by" })
    }
    const startsAt = [later(new Date().toISOString(), -day), later(new Date().toISOString(), 367 * day)]
    for (const at of startsAt) {
      expect((await ask(service, company.testKey, clocks, { body: { startsAt: at } })).errors?.[0]?.field).toBe(
        "startsAt"
      )
    }
  })

  it("is advanced by one at a time: of two at once one is refused and can come again", async () => {
    const clock = await made()
    await started(clock.id)
    const both = await Promise.all([advance(clock.id, { by: "P20D" }), advance(clock.id, { by: "P20D" })])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.errors?.[0]).toMatchObject({ code: "CONFLICT", field: "clock" })
    expect((await advance(clock.id, { to: later(clock.now, 20 * day + 1000) })).data.complete).toBe(true)
  })

  it("goes on where an advance was interrupted, once nobody holds it any more", async () => {
    const clock = await made()
    const { data: begun } = await started(clock.id)
    // What a node leaves that dies in the middle: the time that it had reached, its target, and its hold.
    const hold = (until: string) =>
      service.query(
        `update sandbox_clocks set at = $2, target_at = $3, held_by = gen_random_uuid(), held_until = ${until} where id = $1`,
        [clock.id, new Date(later(clock.now, 5 * day)), new Date(later(clock.now, 31 * day))]
      )
    await hold("now() + interval '10 seconds'")
    const target = later(clock.now, 31 * day)
    const holdThatWasLost = { clockId: ClockId.make(clock.id), token: randomUUID() }
    await service.run(Effect.flatMap(TestClocks, (all) => all.letGo(holdThatWasLost, true)))
    const shown = await ask(service, company.testKey, `${clocks}/${clock.id}`)
    expect(shown.data).toMatchObject({ status: "ADVANCING", target })
    expect((await advance(clock.id, { to: target })).status).toBe(409)
    await hold("now() - interval '1 second'")
    expect((await advance(clock.id, { to: target })).data).toMatchObject({ complete: true, clock: { target: null } })
    expect((await journey(begun.id)).data.status).toBe("EXPIRED")
    expect((await advance(clock.id, { to: target })).data).toMatchObject({ complete: true, steps: [] })
  })

  it("is for test journeys of its own company, also for the database", async () => {
    const clock = await made()
    const { data: begun } = await started(clock.id)
    const stranger = await makeCompany(service, { name: "Other Cars" })
    expect((await ask(service, stranger.testKey, `${clocks}/${clock.id}`)).status).toBe(404)
    expect((await advance(randomUUID(), { by: "P1D" })).status).toBe(404)
    expect((await ask(service, company.liveKey, clocks, { method: "POST" })).status).toBe(403)
    for (const [id, key] of [
      [clock.id, stranger.testKey],
      [clock.id, company.liveKey],
      ["no-clock", company.testKey]
    ] as const) {
      expect((await started(id, "ann@example.com", key)).errors?.[0]).toMatchObject({
        code: "VALIDATION_FAILED",
        field: "Sandbox-Clock"
      })
    }
    const live = service.query(`update journeys set livemode = true where id = $1`, [begun.id])
    await expect(live).rejects.toThrow()
  })

  it("is bounded in number and in journeys, ends by itself, and goes with its journeys thirty days after it was made", async () => {
    const clock = await made()
    await service.query(
      `insert into sandbox_clocks (id, company_id, at, created_at)
       select gen_random_uuid(), $1, now(), now() from generate_series(2, ${clockLimits.mostOfCompany})`,
      [company.id]
    )
    expect((await ask(service, company.testKey, clocks, { method: "POST" })).errors?.[0]?.code).toBe("CONFLICT")
    expect((await ask(service, company.testKey, clocks)).data.content).toHaveLength(clockLimits.mostOfCompany)
    const { data: begun } = await started(clock.id)
    await service.query(`update sandbox_clocks set created_at = now() - interval '8 days' where id = $1`, [clock.id])
    expect((await ask(service, company.testKey, `${clocks}/${clock.id}`)).status).toBe(404)
    expect((await started(clock.id)).errors?.[0]?.field).toBe("Sandbox-Clock")
    const remove = (statement: string) => service.query<{ id: string }>(statement, [new Date(Date.now() - 7 * day)])
    expect((await remove(retention.removeClockDataStatement)).map(({ id }) => id)).toEqual([begun.id])
    expect((await remove(retention.removeClocksStatement)).map(({ id }) => id)).toEqual([clock.id])
  })
})

describe("the page for integrators", () => {
  it("prints an example that runs", async () => {
    const page = readFileSync(new URL("../../../../docs/integrators.md", import.meta.url), "utf8")
    const example = /<!-- clock:example -->\s*```js\n(.*?)\n```/s.exec(page)?.[1] ?? ""
    const { code, stderr, stdout } = await run(process.execPath, ["--input-type=module", "--eval", example], {
      cwd: import.meta.dirname,
      environment: { SERVICE: service.baseUrl, KEY: company.testKey }
    })
    expect([code, stderr]).toEqual([0, ""])
    const lines = stdout.trim().split("\n")
    expect(lines.at(-2)).toMatch(/^20\S+Z JOURNEY \[ 'CustomerWindowPassed' \]$/)
    expect(lines.at(-1)).toBe("true EXPIRED")
  })
})
