/** The list of journeys for a company's people: every filter, every kind of search, and the cursor. */
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let company: TestCompany
let other: TestCompany

const still = { sandbox: { identityConfigured: true, panelConfigured: true, credits: true, pace: "manual" } }

beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
  company = await makeCompany(service, { credits: 50, settings: { identityProvider: { kind: "BUILT_IN" }, ...still } })
  other = await makeCompany(service, { name: "Other Cars", settings: still })
})
afterAll(() => service.stop())

type Shape = Parameters<typeof startBody>[0]

const nameOf = (shape: Shape): string => {
  const { firstName, lastName } = startBody(shape).customer
  return `${firstName} ${lastName}`
}

interface Wishes {
  readonly key?: string
  readonly email?: string
  readonly registration?: string
  readonly reference?: string
}

const begin = async (shape: Shape, { email, key = company.testKey, reference, registration }: Wishes = {}) => {
  const body = startBody(shape)
  if (email !== undefined) body.customer.email = email
  if (registration !== undefined) body.vehicle.registration = registration
  delete body.externalReference
  if (reference !== undefined) body.externalReference = reference
  const answer = await start(service, key, body)
  expect(answer.status, JSON.stringify(answer.errors)).toBe(202)
  return { id: answer.data.id as string, requestId: answer.headers.get("request-id") ?? "", data: answer.data }
}

interface Line {
  readonly journey: Readonly<Record<"id" | "createdAt" | "status" | "type", string>> & { readonly livemode: boolean }
  readonly waitingOn: string | null
  readonly waitingSince: string | null
}

type Query = Readonly<Record<string, string | number>>

const listOf = (query: Query = {}, of = company) =>
  askSettings(
    service,
    `/companies/${of.id}/journeys?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`
  )
const searchOf = (body: Query, of = company) => askSettings(service, `/companies/${of.id}/journeys/search`, { body })

const idsOf = (answer: Awaited<ReturnType<typeof listOf>>): ReadonlyArray<string> => {
  expect(answer.status, JSON.stringify(answer.errors)).toBe(200)
  return answer.data.content.map((one: { readonly journey: { readonly id: string } }) => one.journey.id)
}

/** Every journey of the company, newest first. */
const everyId = async (query: Query = {}): Promise<ReadonlyArray<string>> => {
  const { data } = await listOf({ ...query, size: 100 })
  expect(data.next).toBe(null)
  return data.content.map((one: { readonly journey: { readonly id: string } }) => one.journey.id)
}

const walk = async (size: number, query: Query = {}): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  let after: string | null = null
  do {
    const answer: Awaited<ReturnType<typeof listOf>> = await listOf({
      ...query,
      size,
      ...(after === null ? {} : { after })
    })
    found.push(...idsOf(answer))
    after = answer.data.next
  } while (after !== null)
  return found
}

describe("the list", () => {
  let cancelled: string
  let live: string
  let waiting: string
  beforeAll(async () => {
    await begin("CASH_SALE")
    ;({ id: waiting } = await begin("FINANCE_ALREADY_SUBMITTED"))
    ;({ id: cancelled } = await begin("IDENTITY_DELIVERY"))
    ;({ id: live } = await begin("CASH_SALE", { key: company.liveKey }))
    await begin("CASH_SALE", { key: other.testKey })
    await ask(service, company.testKey, `/api/v1/journeys/${cancelled}/cancel`, {
      body: { reason: "Changed their mind" }
    })
  })

  it("shows each journey with what it waits on, since when, its customer's name, and its vehicle's registration; the newest first", async () => {
    const { data } = await listOf()
    const lines: ReadonlyArray<Line> = data.content
    const times = lines.map(({ journey }) => journey.createdAt)
    expect(times).toHaveLength(4)
    expect(times).toEqual(times.toSorted().toReversed())
    const whole = await ask(service, company.testKey, `/api/v1/journeys/${waiting}`)
    expect(lines.find(({ journey }) => journey.id === waiting)).toEqual({
      journey: whole.data,
      waitingOn: "SEND_FINANCE_DECISION",
      waitingSince: whole.data.createdAt,
      customerName: nameOf("FINANCE_ALREADY_SUBMITTED"),
      registration: startBody("FINANCE_ALREADY_SUBMITTED").vehicle.registration,
      endedAt: null
    })
    const ended = { waitingOn: null, waitingSince: null, endedAt: expect.stringMatching(/Z$/) }
    expect(lines.find(({ journey }) => journey.id === cancelled)).toMatchObject(ended)
  })

  it("has the journeys that were started in a part of time, from its beginning on and before its end, in pieces and by search", async () => {
    const lines: ReadonlyArray<Line> = (await listOf()).data.content
    const [last, second, third] = lines.map(({ journey }) => journey)
    const span = { since: third?.createdAt ?? "", until: last?.createdAt ?? "" }
    const inSpan = [second?.id, third?.id]
    expect(await everyId(span)).toEqual(inSpan)
    expect(await walk(1, span)).toEqual(inSpan)
    expect(await everyId({ ...span, status: "CANCELLED" })).toEqual([cancelled].filter((id) => inSpan.includes(id)))
    expect(idsOf(await searchOf({ search: second?.id ?? "", ...span }))).toEqual([second?.id])
    expect(idsOf(await searchOf({ search: last?.id ?? "", ...span }))).toEqual([])
    expect((await listOf({ since: "yesterday" })).errors).toMatchObject([{ field: "since" }])
  })

  it("is filtered by status, type, mode, what is waited on and since when, and by several at once", async () => {
    const lines: ReadonlyArray<Line> = (await listOf()).data.content
    const matching = (keeps: (one: (typeof lines)[number]) => boolean) =>
      lines.filter(keeps).map(({ journey }) => journey.id)
    expect(idsOf(await listOf({ status: "CANCELLED" }))).toEqual([cancelled])
    expect(idsOf(await listOf({ status: "ACTIVE" }))).toEqual(matching(({ journey }) => journey.status === "ACTIVE"))
    expect(idsOf(await listOf({ status: "EXPIRED" }))).toEqual([])
    expect(idsOf(await listOf({ type: "DELIVERY" }))).toEqual(matching(({ journey }) => journey.type === "DELIVERY"))
    expect(idsOf(await listOf({ mode: "LIVE" }))).toEqual([live])
    expect(idsOf(await listOf({ mode: "TEST" }))).toEqual(matching(({ journey }) => !journey.livemode))
    expect(idsOf(await listOf({ mode: "LIVE", type: "DELIVERY" }))).toEqual([live])
    expect(idsOf(await listOf({ mode: "TEST", type: "DELIVERY" }))).toEqual(
      matching(({ journey }) => !journey.livemode && journey.type === "DELIVERY")
    )
    for (const awaited of new Set(lines.flatMap(({ waitingOn }) => waitingOn ?? []))) {
      expect(idsOf(await listOf({ waitingOn: awaited }))).toEqual(matching(({ waitingOn }) => waitingOn === awaited))
    }
    expect(idsOf(await listOf({ waitingOn: "SEND_FINANCE_DECISION", status: "CANCELLED" }))).toEqual([])
    expect(idsOf(await listOf({ waitingOn: "SEND_FINANCE_DECISION", type: "DELIVERY" }))).toEqual([])
    const since = lines.find(({ journey }) => journey.id === live)?.waitingSince ?? ""
    expect(idsOf(await listOf({ waitingSince: since }))).toEqual(
      matching(({ waitingSince }) => waitingSince !== null && waitingSince < since)
    )
    expect(idsOf(await listOf({ waitingSince: "2020-01-01T00:00:00+01:00" }))).toEqual([])
    expect(idsOf(await listOf({ waitingSince: "2100-01-01T00:00:00Z" }))).toEqual(
      matching(({ journey }) => journey.status === "ACTIVE")
    )
  })

  it("says since when a journey waits on what it waits on now, not since it was last touched", async () => {
    const { id } = await begin("FINANCE_ALREADY_SUBMITTED")
    const line = async () =>
      (await listOf({ search: id })).data.content[0] as { readonly waitingOn: string; readonly waitingSince: string }
    const before = await line()
    await ask(service, company.testKey, `/api/v1/journeys/${id}/finance-decision`, { body: { decision: "REFERRED" } })
    expect(await line()).toMatchObject({ waitingOn: before.waitingOn, waitingSince: before.waitingSince })
    await ask(service, company.testKey, `/api/v1/journeys/${id}/finance-decision`, { body: { decision: "APPROVED" } })
    const after = await line()
    expect(after.waitingOn).not.toBe(before.waitingOn)
    expect(after.waitingSince > before.waitingSince).toBe(true)
  })

  it("walked by its cursor is the whole list, whatever the size and the filter", async () => {
    for (let more = 0; more < 8; more++) await begin(more % 2 === 0 ? "CASH_SALE" : "IDENTITY_DELIVERY")
    const filter = fc.record(
      {
        status: fc.constantFrom("ACTIVE", "CANCELLED"),
        type: fc.constantFrom("DELIVERY", "IDENTITY_DELIVERY"),
        mode: fc.constantFrom("TEST", "LIVE")
      },
      { requiredKeys: [] }
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 7 }), filter, async (size, query) => {
        expect(await walk(size, query)).toEqual(await everyId(query))
      }),
      { numRuns: 15 }
    )
  })

  it("goes on from its cursor while new journeys come", async () => {
    const before = await everyId()
    const first = await listOf({ size: 3 })
    const { id } = await begin("CASH_SALE")
    const second = await listOf({ size: 100, after: first.data.next })
    expect([...idsOf(first), ...idsOf(second)]).toEqual(before)
    expect((await everyId())[0]).toBe(id)
  })

  it("shows nothing after a journey of another company, and nothing of another company", async () => {
    const [foreign] = idsOf(await listOf({}, other))
    expect(foreign).toBeDefined()
    expect((await listOf({ after: foreign ?? "" })).data).toEqual({ content: [], next: null })
    expect((await listOf({ search: foreign ?? "" })).data).toEqual({ content: [], next: null })
    expect((await listOf({ after: "0197a000-0000-7000-8000-000000000009" })).data).toEqual({ content: [], next: null })
  })

  it("tells every wrong parameter at once", async () => {
    const query = {
      status: "LOST",
      type: "X",
      mode: "live",
      waitingOn: "UNKNOWN",
      waitingSince: "yesterday",
      after: "x"
    }
    const { errors, status } = await listOf({ ...query, size: 101, search: "a@b.example", page: 1 })
    expect(status).toBe(400)
    expect(errors?.map(({ field }) => field).toSorted()).toEqual(
      [...Object.keys(query), "page", "search", "size"].toSorted()
    )
    const searched = await searchOf({ ...query, size: 101, search: " ", page: 1 })
    expect(searched.status).toBe(400)
    expect(searched.errors?.map(({ field }) => field).toSorted()).toEqual(
      [...Object.keys(query), "page", "search", "size"].toSorted()
    )
    expect((await askSettings(service, `/companies/${company.id}/journeys/search`, { body: {} })).errors).toMatchObject(
      [{ field: "search" }]
    )
  })
})

describe("a search", () => {
  it("finds by journey id, event id and Request-Id, in any case", async () => {
    const { id, requestId } = await begin("CASH_SALE")
    const [{ eventId } = { eventId: "" }] = await service.query<{ eventId: string }>(
      `select id as "eventId" from events where journey_id = $1 limit 1`,
      [id]
    )
    const cancelling = await ask(service, company.testKey, `/api/v1/journeys/${id}/cancel`, {
      body: { reason: "Moved away" }
    })
    for (const sought of [id, eventId, requestId, cancelling.headers.get("request-id") ?? ""]) {
      expect(idsOf(await listOf({ search: sought })), sought).toEqual([id])
      expect(idsOf(await searchOf({ search: ` ${sought.toUpperCase()} ` })), sought).toEqual([id])
      expect(idsOf(await listOf({ search: sought }, other))).toEqual([])
    }
    expect(idsOf(await listOf({ search: id, status: "ACTIVE" }))).toEqual([])
  })

  it("finds by external reference and by its beginning, whatever it looks like", async () => {
    const { id: first } = await begin("CASH_SALE", { reference: "deal-1001" })
    const { id: second } = await begin("CASH_SALE", { reference: "deal-1002" })
    const asId = "0197a000-0000-7000-8000-0000000000AB"
    const { id: third } = await begin("CASH_SALE", { reference: asId })
    expect(idsOf(await listOf({ search: "deal-1001" }))).toEqual([first])
    expect(idsOf(await listOf({ search: "deal-10" }))).toEqual([second, first])
    expect(idsOf(await searchOf({ search: "deal-", size: 1 }))).toEqual([second])
    expect(idsOf(await searchOf({ search: "deal-", size: 1, after: second }))).toEqual([first])
    expect(idsOf(await listOf({ search: "eal-10" }))).toEqual([])
    expect(idsOf(await listOf({ search: "deal-%" }))).toEqual([])
    expect(idsOf(await listOf({ search: asId }))).toEqual([third])
    expect(idsOf(await listOf({ search: "deal-1001" }, other))).toEqual([])
  })

  it("finds by registration and by email, live and test, but never what a URL says", async () => {
    const [email, registration] = ["somebody@search.example", "xy21 zzz"]
    const { id: test } = await begin("CASH_SALE", { email, registration })
    const { id: live } = await begin("CASH_SALE", { email, registration, key: company.liveKey })
    for (const sought of ["XY21ZZZ", "xy21 zzz", " Xy 21 zZz ", "SomeBody@search.example "]) {
      expect(idsOf(await searchOf({ search: sought })), sought).toEqual([live, test])
      expect(idsOf(await searchOf({ search: sought, mode: "TEST" })), sought).toEqual([test])
      expect(idsOf(await searchOf({ search: sought, after: live })), sought).toEqual([test])
      expect(idsOf(await searchOf({ search: sought }, other)), sought).toEqual([])
    }
    expect(idsOf(await searchOf({ search: "XY21" }))).toEqual([])
    expect(idsOf(await listOf({ search: "XY21ZZZ" }))).toEqual([])
    expect((await listOf({ search: email })).errors).toMatchObject([{ field: "search", code: "VALIDATION_FAILED" }])
  })

  it("does not find a customer who was erased, and the list shows no registration of theirs", async () => {
    const [email, registration] = ["erased@search.example", "ER45 SED"]
    const { data, id } = await begin("CASH_SALE", { email, registration })
    expect(idsOf(await searchOf({ search: registration }))).toEqual([id])
    await askSettings(service, `/companies/${company.id}/customers/${data.customerReference}`, { method: "DELETE" })
    for (const sought of [email, registration]) expect(idsOf(await searchOf({ search: sought }))).toEqual([])
    expect((await listOf({ search: id })).data.content).toMatchObject([
      { journey: { id }, customerName: null, registration: null }
    ])
    expect(await service.query("select from journeys where id = $1 and registration_index is not null", [id])).toEqual(
      []
    )
  })
})
