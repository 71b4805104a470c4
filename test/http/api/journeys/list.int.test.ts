import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { placeText } from "../../../../src/schema/decoding/place.ts"
import { exampleId } from "../../../../src/schema/exampleId.ts"
import { makeCompany } from "../../../support/companies.ts"
import { call, type Reply } from "../../../support/requests.ts"
import { expectRefusal, journeys, prepareGround, refuses, type Ground } from "./oracle.ts"
import { sendShape } from "./verdicts.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const get = (path: string, key = ground.dealer.testKey): Promise<Reply> => call(ground.service, { key, path })

const firstPlace = placeText({ micros: "1768473000000000", id: exampleId("journey", 1) })

/** What is said of the first thing wrong with a query. */
const told = async (query: string): Promise<string | undefined> =>
  (await get(`${journeys}?${query}`)).errors[0]?.message

const ids = (reply: Reply): ReadonlyArray<string> => reply.data.content.map((one: { id: string }) => one.id)

describe("the list", () => {
  const references = ["a", "a", "b", "%", "_", "' or 1=1 --", "A", "a b", "ä", "a%"]
  let key: string
  let all: ReadonlyArray<{
    readonly id: string
    readonly createdAt: string
    readonly externalReference: string
    readonly status: string
  }>

  beforeAll(async () => {
    const company = await makeCompany(ground.service)
    key = company.testKey
    const started = [] as Array<(typeof all)[number]>
    for (let at = 0; at < 25; at++) {
      const reply = await sendShape(
        ground,
        "IDENTITY_DELIVERY",
        { externalReference: references[at % references.length] },
        key
      )
      const { data } = reply
      const cancel = { key, path: `${journeys}/${data.id}/cancel`, body: { reason: "Every third one ends" } }
      started.push(at % 3 === 0 ? (await call(ground.service, cancel)).data : data)
    }
    all = started
      .toReversed()
      .toSorted((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1))
  })

  it("has page 0 with 20 entries, newest first, unless the caller asks for something else", async () => {
    const reply = await get(journeys, key)
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.data)).toEqual(["content", "page", "size", "totalElements", "totalPages", "next"])
    const next = expect.stringMatching(/^[\w-]+$/)
    expect(reply.data).toEqual({ content: all.slice(0, 20), page: 0, size: 20, totalElements: 25, totalPages: 2, next })
    expect(await get(`${journeys}?page=1`, key)).toMatchObject({ data: { content: all.slice(20), page: 1 } })
  })

  it.each([1, 3, 5, 7, 24, 25, 26, 100])("gives every journey once in pages of %i", async (size) => {
    const pages = Math.ceil(25 / size)
    const found = [] as Array<string>
    for (let page = 0; page < pages; page++) {
      const reply = await get(`${journeys}?page=${page}&size=${size}`, key)
      expect(reply.data).toMatchObject({ page, size, totalElements: 25, totalPages: pages })
      found.push(...ids(reply))
    }
    expect(found).toEqual(all.map((one) => one.id))
  })

  it.each([1, 3, 24, 25, 26, 100])("gives every journey once from place to place, %i at a time", async (size) => {
    const found = [] as Array<string>
    for (let after: string | null = ""; after !== null;) {
      const reply: Reply = await get(`${journeys}?size=${size}${after === "" ? "" : `&after=${after}`}`, key)
      const counted = after === "" ? ["page", "size", "totalElements", "totalPages"] : ["size"]
      expect(Object.keys(reply.data)).toEqual(["content", ...counted, "next"])
      found.push(...ids(reply))
      after = reply.data.next
    }
    expect(found).toEqual(all.map((one) => one.id))
  })

  it("goes on from a place whatever has begun since, and with the filters it is given", async () => {
    const { data } = await get(`${journeys}?size=10&status=ACTIVE`, key)
    const active = all.filter((one) => one.status === "ACTIVE").map(({ id }) => id)
    const begun = await sendShape(ground, "IDENTITY_DELIVERY", {}, key)
    const rest = await get(`${journeys}?size=100&status=ACTIVE&after=${data.next}`, key)
    expect(ids(rest)).toEqual(active.slice(10))
    expect(rest.data.next).toBeNull()
    await call(ground.service, {
      key,
      path: `${journeys}/${begun.data.id}/cancel`,
      body: { reason: "Begun meanwhile" }
    })
    await ground.service.query("delete from journeys where id = $1", [begun.data.id])
  })

  it("is empty past its end", async () => {
    for (const page of [2, 3, 1000, 20_000_000]) {
      const reply = await get(`${journeys}?page=${page}`, key)
      expect(reply.data).toEqual({ content: [], page, size: 20, totalElements: 25, totalPages: 2, next: null })
    }
  })

  it.each(["ACTIVE", "CANCELLED", "COMPLETED", "EXPIRED"])(
    "filters by status %s, counting and paging exactly",
    async (status) => {
      const matching = all.filter((one) => one.status === status)
      const found = [] as Array<string>
      for (let page = 0; page <= Math.ceil(matching.length / 4); page++) {
        const reply = await get(`${journeys}?status=${status}&size=4&page=${page}`, key)
        expect(reply.data).toMatchObject({ totalElements: matching.length, totalPages: Math.ceil(matching.length / 4) })
        found.push(...ids(reply))
      }
      expect(found).toEqual(matching.map((one) => one.id))
    }
  )

  it.each([...references, "none", "", "a%%", "\\", "*"])(
    "compares externalReference %j exactly (BAD-L7)",
    async (reference) => {
      for (const status of [null, "ACTIVE"]) {
        const matching = all.filter(
          (one) => one.externalReference === reference && (status === null || one.status === status)
        )
        const filter = `externalReference=${encodeURIComponent(reference)}${status === null ? "" : `&status=${status}`}`
        const reply = await get(`${journeys}?${filter}`, key)
        expect(ids(reply)).toEqual(matching.map((one) => one.id))
        expect(reply.data.totalElements).toBe(matching.length)
      }
    }
  )

  it("looks for an externalReference in the form in which a start keeps it (V11)", async () => {
    for (const [sent, kept] of [
      ["  a b ", "a b"],
      ["\u00a0a b\u3000", "a b"]
    ] as const) {
      const matching = all.filter((one) => one.externalReference === kept)
      expect(matching).not.toEqual([])
      expect(ids(await get(`${journeys}?externalReference=${encodeURIComponent(sent)}`, key))).toEqual(
        matching.map((one) => one.id)
      )
    }
  })

  it("reads a plus as a space, as forms write it", async () => {
    expect((await get(`${journeys}?externalReference=a+b`, key)).data.totalElements).toBe(2)
  })

  it.each<[string, string]>([
    ["size=0", "size"],
    ["size=101", "size"],
    ["size=-1", "size"],
    ["size=a", "size"],
    ["size=", "size"],
    ["size=1.5", "size"],
    ["size=1e1", "size"],
    ["size=%2010", "size"],
    ["size=0x10", "size"],
    ["size=99999999999999999999", "size"],
    ["page=-1", "page"],
    ["page=a", "page"],
    ["page=1.0", "page"],
    ["page=1000000001", "page"],
    ["page=99999999999999999999", "page"],
    ["status=active", "status"],
    ["status=", "status"],
    ["status=ACTIVE,CANCELLED", "status"],
    ["status=DONE", "status"],
    ["state=ACTIVE", "state"],
    ["Status=ACTIVE", "Status"],
    ["limit=10", "limit"],
    ["offset=10", "offset"],
    ["sort=createdAt", "sort"],
    ["page=0&page=1", "page"],
    ["type=CASH_SALE", "type"],
    ["nextAction=SERVICE", "nextAction"],
    ["customerReference=1", "customerReference"],
    ["createdAfter=2026-01-01", "createdAfter"],
    ["createdBefore=yesterday", "createdBefore"],
    ["endedAfter=1768473000", "endedAfter"],
    ["endedBefore=1768473000", "endedBefore"],
    ["after=latest", "after"],
    ["after=", "after"],
    [`after=${"x".repeat(500)}`, "after"],
    [`after=${firstPlace}&page=0`, "page"],
    [`after=${firstPlace}&page=1`, "page"],
    ["endedAfter=2026-01-01T00:00:00Z&createdBefore=2026-01-02T00:00:00Z", "endedAfter"],
    ["endedAfter=2026-01-01T00:00:00Z&createdAfter=2025-01-02T00:00:00Z", "endedAfter"],
    ["endedBefore=2026-01-01T00:00:00Z&createdBefore=2026-01-02T00:00:00Z", "endedBefore"],
    ["status=ACTIVE&status=ACTIVE", "status"],
    ["externalReference=a&externalReference=b", "externalReference"],
    [`externalReference=${"x".repeat(101)}`, "externalReference"],
    ["externalReference=%00", "externalReference"],
    ["externalReference=a%0Ab", "externalReference"],
    ["__proto__=1", "__proto__"],
    ["constructor=1", "constructor"],
    ["=1", '[""]'],
    ["?size=1", '["?size"]'],
    ["status%00=ACTIVE", '["status\\u0000"]'],
    ["a%0Ab=1", '["a\\u000ab"]'],
    ["%E2%80%AEx=1", '["\\u202ex"]'],
    ["status=%E2%80%AEx", "status"],
    [`${"n".repeat(500)}=1`, `${"n".repeat(60)}...`]
  ])("refuses ?%s (BAD-L5, BAD-L7)", async (query, field) => {
    await refuses(ground, () => get(`${journeys}?${query}`, key), "400 VALIDATION_FAILED", field)
  })

  it("names a refused value, shortened", async () => {
    expect(await told("size=500")).toBe('size must be a whole number from 1 to 100; it is "500"')
    expect(await told("customerReference=1")).toBe('customerReference must be a UUID; it is "1"')
    expect(await told(`nextAction=${"x".repeat(500)}`)).toContain(`"${"x".repeat(60)}..."`)
    expect(await told("customerReference=%E2%80%AE")).toContain(`"\\u202e"`)
  })

  it("says of a time whether its form, its day or the + of its offset is at fault", async () => {
    const form = "must be an ISO 8601 timestamp with Z or an offset, such as 2026-11-21T09:08:00Z"
    const day = "must be of a day that exists, from 1900 on"
    for (const [time, rule] of [
      ["2026-01-15", form],
      ["2026-01-15T25:00:00Z", form],
      ["2026-02-30T00:00:00Z", day],
      ["0001-01-01T00:00:00Z", day],
      ["2026-01-15T10:30:00 00:00", "must have the + of its offset written as %2B"],
      ["2026-01-15 10:30:00Z", form]
    ] as const) {
      expect(await told(`createdAfter=${time.replace(" ", "+")}`)).toBe(`createdAfter ${rule}; it is "${time}"`)
    }
    expect((await get(`${journeys}?createdAfter=2026-01-15T10:30:00%2B00:00`, key)).status).toBe(200)
  })

  it("tells every wrong parameter at once", async () => {
    const reply = await get(`${journeys}?size=0&page=-1&status=x&foo=1&externalReference=%00`, key)
    expectRefusal(reply, "400 VALIDATION_FAILED")
    expect(reply.errors.map((error) => error.field).toSorted()).toEqual([
      "externalReference",
      "foo",
      "page",
      "size",
      "status"
    ])
  })

  it("takes 100 characters of a reference, emoji counted once", async () => {
    const reply = await get(`${journeys}?externalReference=${encodeURIComponent("🚗".repeat(100))}`, key)
    expect([reply.status, reply.data.totalElements]).toEqual([200, 0])
  })

  it("is each company's own, in each mode", async () => {
    const one = await makeCompany(ground.service, { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 5 })
    const other = await makeCompany(ground.service)
    const test = await sendShape(ground, "IDENTITY_DELIVERY", {}, one.testKey)
    const live = await sendShape(ground, "IDENTITY_DELIVERY", {}, one.liveKey)
    expect(live.data).toMatchObject({ livemode: true })
    const seen = async (apiKey: string) => ids(await get(`${journeys}?externalReference=deal-1003`, apiKey))
    expect(await seen(one.testKey)).toEqual([test.data.id])
    expect(await seen(one.liveKey)).toEqual([live.data.id])
    expect(await seen(other.testKey)).toEqual([])
    expect(await seen(other.liveKey)).toEqual([])
    expect((await get(journeys, other.testKey)).data).toEqual({
      content: [],
      page: 0,
      size: 20,
      totalElements: 0,
      totalPages: 0,
      next: null
    })
  })
})

describe("the sandbox's scenarios", () => {
  it("are listed with an address that plays each", async () => {
    const reply = await get("/api/v1/sandbox/scenarios")
    expect(reply.status).toBe(200)
    const names = reply.data.content.map((one: { scenario: string }) => one.scenario)
    expect(names).toEqual([
      "identity_failed",
      "identity_review",
      "identity_unavailable",
      "panel_declined",
      "panel_referred",
      "panel_failed",
      "video_unclear",
      "video_mismatch",
      "never"
    ])
    for (const { effect, email, scenario } of reply.data.content) {
      expect(email).toContain(`+${scenario}@`)
      expect(effect).toMatch(/\S/)
      expect((await sendShape(ground, "IDENTITY_DELIVERY", { "customer.email": email })).status).toBe(202)
    }
  })
})
