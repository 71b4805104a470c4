import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { call } from "../../../support/requests.ts"
import { expectRefusal, prepareGround, refuses, type Ground } from "../journeys/oracle.ts"
import { sendShape } from "../journeys/verdicts.ts"
import { all, events, get, page, writeEvent, type Wishes } from "./ground.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const write = (company: TestCompany, wishes?: Wishes) => writeEvent(ground.service.query, company.id, wishes)

/** Other tests of the run share the server: their open transactions hold a list up for a moment. */
const allOnce = (key: string, count: number, query: Readonly<Record<string, string>> = {}) =>
  eventually(
    () => all(ground.service, key, query),
    (ids) => ids.length >= count
  )

const stored = (where: string, values: ReadonlyArray<unknown>) =>
  ground.service.query<{ readonly id: string; readonly body: string; readonly sequence: number }>(
    `select id, body, sequence from events where ${where} order by tx, id`,
    values
  )

const one = (key: string, id: string) => call(ground.service, { key, path: `${events}/${id}` })

/** A place as no one wrote it. */
const written = (text: string): string => Buffer.from(text).toString("base64url")

describe("the list of events", () => {
  it("holds the very bytes that are delivered, oldest first, with the number of each", async () => {
    const company = await makeCompany(ground.service)
    for (let at = 0; at < 3; at++) {
      const { data } = await sendShape(
        ground,
        "IDENTITY_DELIVERY",
        { externalReference: 'ä "🚗" </\\' },
        company.testKey
      )
      const path = `/api/v1/journeys/${data.id}/simulate`
      await call(ground.service, { key: company.testKey, path, body: { event: "delivery.completed" } })
    }
    const ping = await write(company, { type: "ping", sequence: 0 })
    const rows = await stored("company_id = $1", [company.id])
    expect(rows.length).toBeGreaterThan(20)
    await allOnce(company.testKey, rows.length)
    const { ids, next, reply } = await page(ground.service, company.testKey, { size: "100" })
    expect(ids.at(-1)).toBe(ping)
    expect(reply.text).toBe(
      `{"success":true,"data":{"content":[${rows
        .map(({ body, sequence }) => `{"sequence":${sequence === 0 ? null : sequence},"event":${body}}`)
        .join(",")}],"next":"${next}"},"message":"Events","errors":null}`
    )
    expect(reply.header("content-length")).toBe(String(Buffer.byteLength(reply.text)))
  })

  it("gives every event once, in pages of any size, 20 unless asked otherwise", async () => {
    const company = await makeCompany(ground.service)
    const ids = [] as Array<string>
    for (let at = 0; at < 45; at++) ids.push(await write(company))
    await allOnce(company.testKey, 45)
    for (const size of ["1", "7", "44", "45", "46", "100"]) {
      expect(await all(ground.service, company.testKey, { size })).toEqual(ids)
    }
    expect((await page(ground.service, company.testKey)).ids).toEqual(ids.slice(0, 20))
  })

  it("goes on from its next, also when nothing was there, and from the present end", async () => {
    const company = await makeCompany(ground.service)
    const empty = await page(ground.service, company.testKey)
    expect(empty.reply.data).toEqual({ content: [], next: expect.stringMatching(/^[\w-]+$/) })
    const first = await write(company)
    const visible = (after: string) =>
      eventually(
        () => page(ground.service, company.testKey, { after }),
        ({ ids }) => ids.length > 0
      )
    expect((await visible(empty.next)).ids).toEqual([first])
    const latest = await page(ground.service, company.testKey, { after: "latest", size: "5", type: "ping" })
    expect(latest.reply.data).toEqual({ content: [], next: latest.next })
    const second = await write(company)
    const found = await visible(latest.next)
    expect(found.ids).toEqual([second])
    const again = await page(ground.service, company.testKey, { after: found.next })
    expect([again.ids, again.next]).toEqual([[], found.next])
  })

  it("is filtered by journey, type, and whether the endpoint has had it, each alone and together", async () => {
    const company = await makeCompany(ground.service)
    const journeyId = randomUUID()
    const rows: ReadonlyArray<Wishes> = [
      { journeyId, sequence: 1, type: "journey.created" },
      { journeyId, sequence: 2, type: "identity.requested" },
      { type: "identity.requested" },
      { type: "ping", sequence: 0 },
      { type: "identity.requested", sequence: 0 },
      { journeyId, sequence: 3, type: "identity.verified" }
    ]
    const ids = [] as Array<string>
    for (const wishes of rows) ids.push(await write(company, wishes))
    await ground.service.query(
      `insert into webhook_endpoints (id, company_id, livemode, url, events, enabled, sealed_secret, created_at)
       select gen_random_uuid(), $1, l, 'https://x', '{*}', true, '', now() from (values (true), (false)) as modes (l)`,
      [company.id]
    )
    const delivers = (livemode: boolean, at: number, deliveredAt: string | null) =>
      ground.service.query(
        `insert into deliveries (endpoint_id, event_id, status, attempts, delivered_at)
         select id, $1, 'GIVEN_UP', 1, $2 from webhook_endpoints where company_id = $3 and livemode = $4`,
        [ids[at], deliveredAt, company.id, livemode]
      )
    await delivers(false, 0, "2026-01-15T10:30:00Z")
    await delivers(false, 3, "2026-01-15T10:30:00Z")
    await delivers(false, 5, null)
    await delivers(true, 1, "2026-01-15T10:30:00Z")
    await allOnce(company.testKey, rows.length)

    const which = async (query: Readonly<Record<string, string>>) =>
      (await all(ground.service, company.testKey, { ...query, size: "1" })).map((id) => ids.indexOf(id))
    expect(await which({ journeyId })).toEqual([0, 1, 5])
    expect(await which({ journeyId: journeyId.toUpperCase() })).toEqual([0, 1, 5])
    expect(await which({ journeyId: ids[3] ?? "" })).toEqual([])
    expect(await which({ journeyId: randomUUID() })).toEqual([])
    expect(await which({ type: "identity.requested" })).toEqual([1, 2, 4])
    expect(await which({ type: "ping" })).toEqual([3])
    expect(await which({ delivered: "true" })).toEqual([0, 3])
    expect(await which({ delivered: "false" })).toEqual([1, 2, 4, 5])
    expect(await which({ delivered: "false", journeyId })).toEqual([1, 5])
    expect(await which({ delivered: "true", journeyId, type: "journey.created" })).toEqual([0])
    expect(await which({ type: "identity.requested", journeyId })).toEqual([1])
    const { next } = await page(ground.service, company.testKey, { size: "2" })
    expect(await which({ delivered: "false", after: next })).toEqual([2, 4, 5])
  })

  it("moves on through events that a filter refuses, however many there are", async () => {
    const company = await makeCompany(ground.service)
    await ground.service.query(
      `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
       select gen_random_uuid(), 1, gen_random_uuid(), $1, false, 'journey.created', '{}', now() from generate_series(1, 2500)`,
      [company.id]
    )
    const rare = await write(company, { type: "identity.failed" })
    expect(await allOnce(company.testKey, 1, { type: "identity.failed" })).toEqual([rare])
    const first = await page(ground.service, company.testKey, { type: "identity.failed" })
    expect(first.ids).toEqual([])
    const second = await page(ground.service, company.testKey, { type: "identity.failed", after: first.next })
    expect([second.ids, second.next === first.next]).toEqual([[], false])
  })

  it("orders transactions as numbers, not as text", async () => {
    const company = await makeCompany(ground.service)
    const ids = [] as Array<string>
    for (const tx of ["9", "10", "99", "100"]) {
      const id = await write(company)
      ids.push(id)
      await ground.service.query("update events set tx = $1::text::xid8 where id = $2", [tx, id])
    }
    expect(await allOnce(company.testKey, 4, { size: "1" })).toEqual(ids)
    const { next } = await page(ground.service, company.testKey, { type: "ping" })
    expect(await all(ground.service, company.testKey, { after: next })).toEqual([])
    expect(await all(ground.service, company.testKey, { after: written(`1|99|${ids[2] ?? ""}`) })).toEqual([ids[3]])
  })

  it.each<[string, string]>([
    ["size=0", "size"],
    ["size=101", "size"],
    ["page=0", "page"],
    ["cursor=x", "cursor"],
    ["journeyId=1", "journeyId"],
    ["journeyId=", "journeyId"],
    ["journeyId=%00", "journeyId"],
    ["type=journey", "type"],
    ["type=ping.*", "type"],
    ["type=*", "type"],
    ["type=toString", "type"],
    ["type=", "type"],
    ["delivered=TRUE", "delivered"],
    ["delivered=1", "delivered"],
    ["delivered=", "delivered"],
    ["delivered=true&delivered=true", "delivered"],
    ["after=", "after"],
    ["after=Latest", "after"],
    ["after=x", "after"],
    ["after=01890000-0000-7000-8000-000000000000", "after"],
    ["after=latest&after=latest", "after"],
    ["since=2026-01-01", "since"]
  ])("refuses ?%s", async (query, field) => {
    await refuses(ground, () => get(ground.service, ground.dealer.testKey, `?${query}`), "400 VALIDATION_FAILED", field)
  })

  it("refuses a place that it did not write, to the letter", async () => {
    const { next } = await page(ground.service, ground.dealer.testKey)
    const text = Buffer.from(next, "base64url").toString()
    const id = "01890000-0000-7000-8000-000000000000"
    const wrong = [
      `${next}=`,
      `${next}A`,
      next.slice(0, -1),
      ` ${next}`,
      Buffer.from(text).toString("base64").replace(/=*$/, "=="),
      written(text.replace("1|", "2|")),
      written(`1|01|${id}`),
      written(`1|-1|${id}`),
      written(`1|1.5|${id}`),
      written(`1|18446744073709551616|${id}`),
      written(`1|99999999999999999999|${id}`),
      written(`1|5|${id.toUpperCase().replaceAll("0", "A")}`),
      written(`1|5|${id}|`),
      written(`1|5|${id}' or '1'='1`),
      written("1|5|"),
      "x".repeat(5000),
      written("")
    ]
    for (const after of wrong) {
      const reply = await get(ground.service, ground.dealer.testKey, `?after=${encodeURIComponent(after)}`)
      expectRefusal(reply, "400 VALIDATION_FAILED", "after")
    }
  })

  it("refuses a place ahead of every event: what comes until then would be missed in silence", async () => {
    for (const tx of ["1000000000", "18446744073709551615"]) {
      const after = written(`1|${tx}|${randomUUID()}`)
      const reply = await get(ground.service, ground.dealer.testKey, `?after=${after}`)
      expectRefusal(reply, "400 VALIDATION_FAILED", "after")
    }
  })

  it("shows a company only its own events of one mode, from whatever place it is read (INV-10, INV-11)", async () => {
    const company = await makeCompany(ground.service)
    const other = await makeCompany(ground.service)
    const test = await write(company)
    const live = await write(company, { livemode: true })
    const foreign = await write(other)
    expect(await allOnce(company.testKey, 1)).toEqual([test])
    expect(await allOnce(company.liveKey, 1)).toEqual([live])
    expect(await allOnce(other.testKey, 1)).toEqual([foreign])
    expect(await all(ground.service, other.liveKey)).toEqual([])
    const [row] = await ground.service.query<{ readonly tx: string; readonly journey_id: string }>(
      "select (tx::text::int8 - 1)::text as tx, journey_id from events where id = $1",
      [test]
    )
    const after = written(`1|${row?.tx ?? ""}|${test}`)
    expect(await all(ground.service, other.testKey, { after })).toEqual([foreign])
    expect(await all(ground.service, other.testKey, { journeyId: row?.journey_id ?? "" })).toEqual([])
    expect(await all(ground.service, company.liveKey, { journeyId: row?.journey_id ?? "" })).toEqual([])
  })
})

describe("one event", () => {
  it("is the bytes that are delivered, with its number in its journey", async () => {
    const company = await makeCompany(ground.service)
    const { data } = await sendShape(ground, "CASH_SALE", {}, company.testKey)
    const rows = await stored("journey_id = $1", [data.id])
    expect(rows.length).toBeGreaterThan(1)
    for (const { body, id, sequence } of rows) {
      const reply = await one(company.testKey, id)
      expect(reply.text).toBe(`{"success":true,"data":${body},"message":"Event","errors":null}`)
      expect([reply.status, reply.header("service-event-sequence")]).toEqual([200, String(sequence)])
      expect((await one(company.testKey, id.toUpperCase())).text).toBe(reply.text)
    }
    const sample = await one(company.testKey, await write(company, { type: "ping", sequence: 0 }))
    expect([sample.status, sample.header("service-event-sequence")]).toEqual([200, null])
  })

  it("of another company or mode is answered exactly like one that does not exist (INV-10, INV-11)", async () => {
    const test = await write(ground.dealer)
    const live = await write(ground.dealer, { livemode: true })
    const unknown = await one(ground.dealer.testKey, "01890000-0000-7000-8000-000000000000")
    expectRefusal(unknown, "404 NOT_FOUND", "event")
    for (const [key, id] of [
      [ground.broker.testKey, test],
      [ground.broker.liveKey, live],
      [ground.dealer.testKey, live],
      [ground.dealer.liveKey, test],
      [ground.dealer.testKey, "none"],
      [ground.dealer.testKey, `${test}x`],
      [ground.dealer.testKey, "x".repeat(3000)],
      [ground.dealer.testKey, "%00"]
    ] as const) {
      const reply = await refuses(ground, () => one(key, id), "404 NOT_FOUND", "event")
      expect(reply.text).toBe(unknown.text)
      expect(reply.header("content-length")).toBe(unknown.header("content-length"))
    }
  })
})
