import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, askSettings, makeCompany, startBody, type TestCompany } from "../../../support/companies.ts"
import { writeEndpoint } from "../../../support/endpoints.ts"
import { eventually } from "../../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../../support/receivers.ts"
import { startService, type Service } from "../../../support/service.ts"
import { codesOf, decide, journeyAt, reviewOf, slowCompany } from "./reviewGround.ts"

let service: Service
let receiver: Receiver
let company: TestCompany
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true", BASE_URL: "https://journeys.example" })
  receiver = await startReceiver()
  company = await slowCompany(service)
  await askSettings(service, `/companies/${company.id}/webhook-endpoints/test`, {
    method: "PUT",
    body: { url: receiver.url, events: ["identity.*"] }
  })
  // Endpoints of the other mode and of another company, which have no part in the journeys.
  const url = "https://hooks.example.com/of-others"
  await writeEndpoint(service.query, { companyId: company.id, livemode: true, url })
  await writeEndpoint(service.query, { companyId: (await makeCompany(service)).id, url })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

const timelineOf = (id: string, query = "size=100", of = company) =>
  askSettings(service, `/companies/${of.id}/journeys/${id}/timeline?${query}`)

interface Entry {
  readonly version: number
  readonly message: string
  readonly sender: string
  readonly note: string | null
  readonly reasons: ReadonlyArray<string>
  readonly events: ReadonlyArray<{ readonly type: string; readonly delivery: { readonly status: string } | null }>
  readonly mails: ReadonlyArray<{ readonly kind: string; readonly state: string }>
}

/** What does not change while deliveries and mails are on their way. */
const lasting = (content: ReadonlyArray<Entry>) =>
  content.map(({ events, mails, message, version }) => [
    version,
    message,
    events.map(({ type }) => type),
    mails.map(({ kind }) => kind)
  ])

it("tells every message with its sender, what it changed, its events, their deliveries and its mails", async () => {
  const { id } = await journeyAt(service, company, "CASH_SALE", "identity.under_review", "canary-person@example.com")
  await decide(service, company, await reviewOf(service, company, id), "REJECT", {
    reason: "canary-reason of a person"
  })
  await ask(service, company.testKey, `/api/v1/journeys/${id}/cancel`, {
    body: { reason: "canary-cancel: moved away" }
  })
  const { data } = await eventually(
    () => timelineOf(id),
    (answer) =>
      answer.data.content
        .flatMap((one: Entry) => one.events)
        .filter(({ delivery }: Entry["events"][number]) => delivery?.status === "DELIVERED").length === 3
  )
  const content = data.content as ReadonlyArray<Entry>
  expect(content.map(({ message, sender }) => [message, sender.split(":")[0]])).toEqual([
    ["Start", "key"],
    ["Simulate", "key"],
    ["IdentityUnderReview", "sandbox"],
    ["IdentityFailed", "operator"],
    ["Cancel", "key"]
  ])
  expect(content.map(({ events }) => events.map(({ type }) => type))).toEqual([
    ["journey.created", "delivery.created", "identity.requested"],
    [],
    ["identity.under_review"],
    ["identity.failed"],
    ["delivery.cancelled", "journey.cancelled"]
  ])
  expect(content.map(({ events }) => events.map(({ delivery }) => delivery?.status ?? null))).toEqual([
    [null, null, "DELIVERED"],
    [],
    ["DELIVERED"],
    ["DELIVERED"],
    [null, null]
  ])
  expect(content.map(({ mails }) => mails.map(({ kind }) => kind).toSorted())).toEqual([
    ["VERIFY_IDENTITY", "WELCOME"],
    [],
    ["REVIEW_NEEDED"],
    ["VERIFY_IDENTITY"],
    []
  ])
  expect(data.content[3]).toMatchObject({
    version: 4,
    details: { reviewed: 1 },
    note: "canary-reason of a person",
    statuses: { journeyStatus: "ACTIVE", deliveryStatus: "AWAITING_IDENTITY", financeStatus: null },
    vehicle: null
  })
  expect(content.map(({ reasons }) => reasons)).toEqual([[], [], ["FACES_UNCLEAR"], ["TEAM_REJECTED"], []])
  expect(content.map(({ note }) => note)).toEqual([
    null,
    null,
    null,
    "canary-reason of a person",
    "canary-cancel: moved away"
  ])
  expect(JSON.stringify(data)).not.toMatch(/canary-person|fingerprint/)
})

it("says why a check or an attempt came to its result, in codes", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
  const lines = [
    { _tag: "OwedFailed", serial: 3, definite: true, reason: "HTTP_400" },
    { _tag: "IdentityFailed", check: 1, reasons: ["NAME_DIFFERS", "ACME_17"] },
    // A line of an earlier version, and one of a later version.
    { _tag: "IdentityFailed" },
    { _tag: "SomethingNew", reasons: ["X"] }
  ]
  for (const [index, message] of lines.entries()) {
    await service.query(
      `insert into journal (journey_id, version, message_id, sender, message, at)
       values ($1, $2, gen_random_uuid(), 'identity', $3::json, now())`,
      [id, index + 2, JSON.stringify(message)]
    )
  }
  const { data } = await timelineOf(id)
  const added = (data.content as ReadonlyArray<Entry>).slice(1)
  expect(added.map(({ message, reasons }) => [message, reasons])).toEqual([
    ["OwedFailed", ["HTTP_400"]],
    ["IdentityFailed", ["NAME_DIFFERS", "ACME_17"]],
    ["IdentityFailed", []],
    ["SomethingNew", []]
  ])
  await service.query("delete from journal where journey_id = $1 and version > 1", [id])
  const failed = await journeyAt(service, company, "FINANCE_SUBMIT_VIA_MIRA", "finance_enquiry.submission_failed")
  const { data: ended } = await timelineOf(failed.id)
  expect((ended.content as ReadonlyArray<Entry>).at(-1)?.reasons).toEqual(["PANEL_ERROR"])
  const verified = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.verified")
  const { data: plain } = await timelineOf(verified.id)
  const line = (plain.content as ReadonlyArray<Entry>).find(({ message }) => message === "IdentityVerified")
  expect(line?.reasons).toEqual([])
})

it("is read page by page, in the order in which it happened", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.failed")
  const whole = (await timelineOf(id)).data
  const pages = [
    await timelineOf(id, "size=1"),
    await timelineOf(id, "size=1&page=1"),
    await timelineOf(id, "size=1&page=2"),
    await timelineOf(id, "page=9")
  ]
  expect(lasting(pages.flatMap(({ data }) => data.content))).toEqual(lasting(whole.content))
  expect([pages[0]?.data.totalElements, pages[0]?.data.totalPages]).toEqual([3, 3])
  expect((await timelineOf(id, "size=0")).status).toBe(400)
})

it("of events from before they knew their message goes by the time", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.failed")
  const before = lasting((await timelineOf(id)).data.content)
  await service.query("update events set version = null where journey_id = $1", [id])
  expect(lasting((await timelineOf(id)).data.content)).toEqual(before)
})

it("shows what came of the vehicle, for the team to look at", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
  await service.query(
    "insert into vehicle_sales (journey_id, company_id, vehicle_id, outcome, at) values ($1, $2, 'stock-1', 'UNKNOWN', now())",
    [id, company.id]
  )
  expect((await timelineOf(id)).data.content.at(-1).vehicle).toBe("UNKNOWN")
})

it("has each mail of a journey on a test clock at the line that owed it, and the journey says which clock its times are of", async () => {
  const clocks = "/api/v1/sandbox/clocks"
  const { data: clock } = await ask(service, company.testKey, clocks, { method: "POST" })
  const { data: begun } = await ask(service, company.testKey, "/api/v1/journeys", {
    headers: { "idempotency-key": "start-on-a-clock", "sandbox-clock": clock.id },
    body: startBody("IDENTITY_DELIVERY")
  })
  await ask(service, company.testKey, `${clocks}/${clock.id}/advance`, { body: { by: "P31D" } })
  const { content } = (await timelineOf(begun.id)).data
  expect(content.map(({ mails, message }: Entry) => [message, mails.length])).toEqual([
    ["Start", 2],
    ["CustomerReminded", 1],
    ["CustomerReminded", 1],
    ["CustomerReminded", 1],
    ["CustomerWindowPassed", 0]
  ])
  const { data: overview } = await askSettings(service, `/companies/${company.id}/journeys/${begun.id}`)
  expect(overview.testClock).toBe(clock.id)
})

it("comes the newest line first, and stays where it is while new lines come", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.failed")
  const newest = (await timelineOf(id, "order=NEWEST_FIRST&size=2")).data
  expect(newest.content.map(({ version }: Entry) => version)).toEqual([3, 2])
  await ask(service, company.testKey, `/api/v1/journeys/${id}/cancel`, { body: { reason: "canary: moved away" } })
  const rest = (await timelineOf(id, "order=NEWEST_FIRST&size=2&page=1&upTo=3")).data
  expect([rest.content.map(({ version }: Entry) => version), rest.totalElements]).toEqual([[1], 3])
  expect((await timelineOf(id, "order=NEWEST_FIRST&size=1")).data.content[0].version).toBe(4)
})

it("tells each attempt to deliver an event, without what was answered", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
  const { data } = await eventually(
    () => timelineOf(id),
    (answer) => answer.data.content.at(-1).events[0]?.delivery?.status === "DELIVERED"
  )
  const { latestAttempts } = data.content.at(-1).events[0].delivery
  expect(latestAttempts).toEqual([
    {
      number: 1,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      trigger: "SCHEDULE",
      httpStatus: 200,
      error: null,
      durationMillis: expect.any(Number)
    }
  ])
})

it("says which work a line is about, which attempt it was, and when the next is due", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
  const dueAt = Date.UTC(2030, 0, 1)
  const effect = { kind: "START_IDENTITY_CHECK", serial: 7, attempts: 2, dueAt }
  await service.query("update journeys set state = jsonb_set(state::jsonb, '{owed}', $2::jsonb)::json where id = $1", [
    id,
    JSON.stringify([effect])
  ])
  const lines = [
    { _tag: "OwedBegun", serial: 7 },
    { _tag: "OwedFailed", serial: 7, definite: false, reason: "HTTP_503" },
    { _tag: "OwedBegun", serial: 7, kind: "START_IDENTITY_CHECK" },
    { _tag: "OwedDone", serial: 4 }
  ]
  for (const [index, message] of lines.entries()) {
    await service.query(
      `insert into journal (journey_id, version, message_id, sender, message, at)
       values ($1, $2, gen_random_uuid(), 'service', $3::json, now())`,
      [id, index + 2, JSON.stringify(message)]
    )
  }
  const { data } = await timelineOf(id)
  const kind = "START_IDENTITY_CHECK"
  expect(data.content.map(({ work }: { readonly work: unknown }) => work)).toEqual([
    null,
    { kind, attempt: 1, dueAt: null },
    { kind, attempt: 1, dueAt: null },
    { kind, attempt: 2, dueAt: "2030-01-01T00:00:00.000Z" },
    { kind: null, attempt: 0, dueAt: null }
  ])
})

it("is nobody else's", async () => {
  const { id } = await journeyAt(service, company, "IDENTITY_DELIVERY", null)
  expect(codesOf(await timelineOf(id, "", await makeCompany(service)))).toEqual([["journey", "NOT_FOUND"]])
})
