import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventSelectors } from "../../../../src/schema/webhook/EventSelection.ts"
import { askSettings, makeCompany, start, startBody } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startService, type Service } from "../../../support/service.ts"
import { aboutEndpoint, auditOf, codesOf, endpointPathOf, signedWith, webhookGround } from "./webhookGround.ts"

const ground = webhookGround()
const about = aboutEndpoint(ground)
const save = (body: unknown) => about("", { method: "PUT", body })
const get = (mode?: "live") => about("", {}, mode)
const remove = () => about("", { method: "DELETE" })
const post = (action: string, body?: unknown) =>
  about(`/${action}`, { method: "POST", ...(body === undefined ? {} : { body }) })
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/

describe("saving an endpoint", () => {
  it("makes one that wants everything, and shows its secret once and never again", async () => {
    const url = `${ground.receiver.url}?token=url-canary`
    const saved = await save({ url })
    const { secret, ...shown } = saved.data
    expect([saved.status, shown]).toEqual([
      200,
      {
        id: expect.any(String),
        mode: "TEST",
        url,
        events: ["*"],
        enabled: true,
        offReason: null,
        offSince: null,
        failingSince: null,
        previousSecretUntil: null,
        previousSecretsUntil: [],
        createdAt: expect.any(String)
      }
    ])
    expect(secret).toMatch(secretForm)
    expect((await get()).data).toEqual(shown)
    expect(codesOf(await get("live"))).toEqual([["webhookEndpoint", "NOT_FOUND"]])
    const audit = await auditOf(ground)
    expect(audit[0]).toMatchObject({
      action: "webhook_endpoint.saved",
      details: { mode: "TEST", url: new URL(url).origin, events: ["*"], enabled: true, newSecret: true }
    })
    const [row] = await ground.service.query<{ readonly rows: string }>(
      "select json_agg(w)::text as rows, string_agg(encode(sealed_secret, 'escape'), '') as raw from webhook_endpoints w"
    )
    expect(JSON.stringify([row, audit])).not.toContain(secret)
    expect(JSON.stringify(audit)).not.toContain("url-canary")
  })

  it("keeps the secret with the same URL however it is spelled, and makes another with another URL", async () => {
    const bare = new URL(ground.receiver.url).origin
    const first = await save({ url: bare })
    const again = await save({ url: `HTTP${bare.slice(4)}/` })
    expect([again.status, again.data.url, again.data.secret]).toEqual([200, `${bare}/`, undefined])
    await post("ping")
    expect(signedWith(ground, first.data.secret)).toEqual([true])
    const moved = await save({ url: ground.receiver.url })
    expect(moved.data.id).toBe(first.data.id)
    expect(moved.data.secret).toMatch(secretForm)
    await post("ping")
    expect(signedWith(ground, first.data.secret, moved.data.secret)).toEqual([false, true])
  })

  it("keeps the choice of events that is not named, and turns on what is not said to be off", async () => {
    const events = ["identity.*", "journey.completed"]
    expect((await save({ url: ground.receiver.url, events, enabled: false })).data).toMatchObject({
      events,
      enabled: false,
      offReason: "BY_HAND",
      offSince: expect.any(String)
    })
    expect((await save({ url: ground.receiver.url })).data).toMatchObject({
      events,
      enabled: true,
      offReason: null,
      offSince: null
    })
  })

  it("forgets a streak of failures, and leaves a parked delivery parked", async () => {
    await save({ url: ground.receiver.url, enabled: false })
    const { data } = await start(ground.service, ground.company.testKey, startBody("IDENTITY_DELIVERY"))
    const statuses = () =>
      ground.service.query<{ readonly status: string }>(
        "select distinct status from deliveries d join events e on e.id = d.event_id where e.journey_id = $1",
        [data.id]
      )
    expect(await statuses()).toEqual([{ status: "PARKED" }])
    await ground.service.query(
      `update webhook_endpoints set off_reason = 'UNREACHABLE', failing_since = now(), last_failed_at = now(), warnings = 2
       where company_id = $1`,
      [ground.company.id]
    )
    expect((await get()).data).toMatchObject({ offReason: "UNREACHABLE", failingSince: expect.any(String) })
    expect((await save({ url: ground.receiver.url })).data).toMatchObject({
      enabled: true,
      offReason: null,
      failingSince: null
    })
    await post("ping")
    expect(await statuses()).toEqual([{ status: "PARKED" }])
    expect(ground.receiver.received).toHaveLength(1)
  })

  it("gives a new secret that drops the one before a roll", async () => {
    const first = await save({ url: ground.receiver.url })
    await post("roll-secret", { overlapHours: 168 })
    const moved = await save({ url: `${ground.receiver.url}/2` })
    expect(moved.data.previousSecretUntil).toBeNull()
    await post("ping")
    expect(signedWith(ground, moved.data.secret, first.data.secret)).toEqual([true, false])
    const rows = await ground.service.query(
      "select sealed_previous_secret as kept from webhook_endpoints where company_id = $1",
      [ground.company.id]
    )
    expect(rows).toEqual([{ kept: null }])
  })

  it.each([
    [{}, ["url"]],
    [{ url: 5 }, ["url"]],
    [{ url: "ftp://example.com/" }, ["url"]],
    [{ url: "https://user:password@example.com/" }, ["url"]],
    [{ url: "https://example.com/#top" }, ["url"]],
    [{ url: `https://example.com/${"x".repeat(2048)}` }, ["url"]],
    [{ url: "https://example.com/", events: [] }, ["events"]],
    [{ url: "https://example.com/", events: ["identity.*", "identity.*"] }, ["events"]],
    [{ url: "https://example.com/", events: ["identity.verified", "nonsense"] }, ["events[1]"]],
    [{ url: "https://example.com/", events: [...eventSelectors.slice(0, 12), "nonsense"] }, ["events"]],
    [{ url: "https://example.com/", events: "*" }, ["events"]],
    [{ url: "https://example.com/", enabled: "no", secret: "mine" }, ["secret", "enabled"]],
    [["https://example.com/"], ["body"]]
  ])("refuses %j at %j and saves nothing", async (body, fields) => {
    const answer = await save(body)
    expect([answer.status, codesOf(answer)]).toEqual([400, fields.map((field) => [field, "VALIDATION_FAILED"])])
    // No refusal lists some thirty events.
    for (const { message } of answer.errors ?? []) expect(message.length, message).toBeLessThan(200)
    expect((await get()).status).toBe(404)
  })

  it("lets one of many saves at the same time have the endpoint, with the secret that was answered", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => save({ url: `${ground.receiver.url}/${at}` }))
    )
    expect(answers.filter(({ status }) => status !== 200 && status !== 409).map(({ status }) => status)).toEqual([])
    for (const lost of answers.filter(({ status }) => status === 409)) {
      expect(codesOf(lost)).toEqual([["webhookEndpoint", "CONFLICT"]])
    }
    const { url } = (await get()).data
    const winner = answers.find((answer) => answer.data?.url === url)
    await post("ping")
    expect(signedWith(ground, winner?.data.secret)).toEqual([true])
    const saved = (await auditOf(ground)).filter(({ action }) => action === "webhook_endpoint.saved")
    expect(saved).toHaveLength(answers.filter(({ status }) => status === 200).length)
  })
})

describe("rolling the secret", () => {
  it("signs with both for as long as they overlap, the new one first", async () => {
    const { secret: old } = (await save({ url: ground.receiver.url })).data
    const rolled = await post("roll-secret", { overlapHours: 24 })
    expect([rolled.status, rolled.data.secret]).toEqual([200, expect.stringMatching(secretForm)])
    const overlap = Date.parse(rolled.data.previousSecretUntil) - Date.now()
    expect(Math.abs(overlap - 24 * 3_600_000)).toBeLessThan(60_000)
    await post("ping")
    expect(signedWith(ground, rolled.data.secret, old)).toEqual([true, true])
    expect(String(ground.receiver.received[0]?.headers["service-signature"])).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){2}$/)

    await ground.service.query(
      "update webhook_endpoints set previous_until = now() - interval '1 second' where company_id = $1",
      [ground.company.id]
    )
    expect((await get()).data.previousSecretUntil).toBeNull()
    const once = await post("roll-secret", { overlapHours: 0 })
    expect(once.data.previousSecretUntil).toBeNull()
    await post("ping")
    expect(signedWith(ground, once.data.secret, rolled.data.secret, old)).toEqual([true, false, false])
    expect((await auditOf(ground))[1]).toMatchObject({
      action: "webhook_endpoint.secret_rolled",
      details: { overlapHours: 0 }
    })
  })

  it.each([{}, { overlapHours: 12 }, { overlapHours: "24" }, { overlapHours: null }])("refuses %j", async (body) => {
    await save({ url: ground.receiver.url })
    const answer = await post("roll-secret", body)
    expect(codesOf(answer)).toEqual([["overlapHours", "VALIDATION_FAILED"]])
  })
})

describe("removing an endpoint", () => {
  it("ends what was said about it: one that comes back turned off is off from then on, and stays so", async () => {
    await save({ url: ground.receiver.url })
    await remove()
    await ground.service.query(
      "update webhook_endpoints set off_since = off_since - interval '1 day' where company_id = $1",
      [ground.company.id]
    )
    const back = (await save({ url: ground.receiver.url, enabled: false })).data.offSince
    expect(Date.now() - Date.parse(back)).toBeLessThan(3_600_000)
    expect((await save({ url: ground.receiver.url, enabled: false })).data.offSince).toBe(back)
  })

  it("stops what is sent there, keeps its log, and takes its secrets away", async () => {
    const { id, secret } = (await save({ url: ground.receiver.url })).data
    ground.receiver.answer(500)
    const { data: failed } = await post("ping")
    const removed = await remove()
    expect([removed.status, removed.data]).toEqual([
      200,
      expect.objectContaining({ id, enabled: false, offReason: "BY_HAND", offSince: expect.any(String) })
    ])
    for (const answer of [
      await get(),
      await remove(),
      await post("ping"),
      await post("sample", { type: "journey.created" }),
      await post("roll-secret", { overlapHours: 0 })
    ]) {
      expect([answer.status, codesOf(answer)]).toEqual([404, [["webhookEndpoint", "NOT_FOUND"]]])
    }
    const logged = () => about(`/deliveries/${failed.id}`)
    await eventually(logged, ({ data }) => data.status === "PARKED")
    const [row] = await ground.service.query<{ readonly bytes: number }>(
      "select length(sealed_secret) + coalesce(length(sealed_previous_secret), 0) as bytes from webhook_endpoints where id = $1",
      [id]
    )
    expect(row?.bytes).toBe(0)
    await start(ground.service, ground.company.testKey, startBody("IDENTITY_DELIVERY"))
    const back = await save({ url: ground.receiver.url })
    expect(back.data).toMatchObject({ id, enabled: true, events: ["*"] })
    expect(back.data.secret).not.toBe(secret)
    expect((await logged()).data.status).toBe("PARKED")
  })
})

it("knows no endpoint of another name, of another company, or of a company that is not there", async () => {
  const body = { url: ground.receiver.url }
  for (const [field, where] of [
    ["webhookEndpoint", endpointPathOf(ground.company.id, "TEST")],
    ["webhookEndpoint", endpointPathOf(ground.company.id, "sandbox")],
    ["company", endpointPathOf("00000000-0000-7000-8000-000000000000", "test")]
  ] as const) {
    for (const given of [{ method: "PUT", body }, {}, { method: "DELETE" }]) {
      expect(codesOf(await askSettings(ground.service, where, given))).toEqual([[field, "NOT_FOUND"]])
    }
  }
  await save(body)
  const other = await makeCompany(ground.service)
  expect((await askSettings(ground.service, endpointPathOf(other.id, "test"))).status).toBe(404)
})

describe("without WEBHOOK_ALLOW_INSECURE", () => {
  let careful: Service
  beforeAll(async () => {
    careful = await startService()
  })
  afterAll(() => careful.stop())

  it.each([
    "http://hooks.example.com/",
    "https://hooks.example.com:8080/",
    "https://127.0.0.1/",
    "https://[::ffff:10.0.0.1]/",
    "https://2130706433/",
    "https://localhost/"
  ])("refuses %s, saying the rule", async (url) => {
    const { id } = await makeCompany(careful)
    const answer = await askSettings(careful, `/companies/${id}/webhook-endpoints/test`, {
      method: "PUT",
      body: { url }
    })
    expect([answer.status, codesOf(answer)]).toEqual([400, [["url", "VALIDATION_FAILED"]]])
    expect(answer.errors?.[0]?.message).toMatch(/^url must /)
  })

  it("turns off an endpoint whose host leads nowhere any more, and neither turns it on nor takes another such host", async () => {
    const { id } = await makeCompany(careful)
    const put = async (body: object) =>
      (await askSettings(careful, `/companies/${id}/webhook-endpoints/live`, { method: "PUT", body })).status
    expect(await put({ url: "https://93.184.215.14/hook" })).toBe(200)
    await careful.query("update webhook_endpoints set url = 'https://gone.invalid/hook' where company_id = $1", [id])
    const gone = { url: "https://gone.invalid/hook" }
    expect(await put({ ...gone, enabled: false })).toBe(200)
    // Without any name server nothing can be said, and that is no yes.
    expect([400, 503]).toContain(await put(gone))
    expect([400, 503]).toContain(await put({ url: "https://other.invalid/hook", enabled: false }))
  })

  it("saves a public address", async () => {
    const { id } = await makeCompany(careful)
    const body = { url: "https://93.184.215.14:8443/hook" }
    const answer = await askSettings(careful, `/companies/${id}/webhook-endpoints/live`, { method: "PUT", body })
    expect([answer.status, answer.data.url]).toEqual([200, body.url])
  })
})
