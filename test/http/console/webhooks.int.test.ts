/** The pages of webhooks: an endpoint is set, tried, switched, and its deliveries are looked at and sent again. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { tokenIn, wordsOf } from "../app/CustomerBrowser.ts"
import { formIn, signInMember, startConsole, type ConsoleBrowser, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
let receiver: Receiver
let owner: ConsoleBrowser
let team: ConsoleBrowser
let company: ConsoleGround["company"]
beforeAll(async () => {
  ground = await startConsole({}, { WEBHOOK_ALLOW_INSECURE: "true" })
})
afterAll(() => ground.service.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  company = await makeCompany(ground.service, { settings: { sandbox: { pace: "manual" } } })
  owner = await signInMember(ground.service, company.id, "OWNER")
  team = await signInMember(ground.service, company.id, "TEAM")
})
afterEach(() => receiver.stop())

const page = "/console/webhooks/test"
const save = async (fields: Readonly<Record<string, string>> = {}) => {
  const shown = await owner.ask(page)
  return owner.send(page, { token: tokenIn(shown), form: formIn(shown), url: receiver.url, events: "*", ...fields })
}
const delivered = (count: number) =>
  eventually(
    () => askSettings(ground.service, `/companies/${company.id}/webhook-endpoints/test/deliveries?status=DELIVERED`),
    ({ data }) => data.content.length >= count
  )
const startOne = async () =>
  (await start(ground.service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))).data.id as string

describe("the pages of webhooks", () => {
  it("say what a webhook is for while there is none", async () => {
    for (const browser of [owner, team]) {
      const words = wordsOf(await browser.ask("/console/webhooks"))
      expect(words).toContain("A webhook tells your own system")
      expect(words).toContain("Verify a delivery in Python import hashlib")
      expect(words).toContain("GET /api/v1/events")
      expect(words).toContain(
        `JOURNEYS_URL=${ground.service.baseUrl} JOURNEYS_KEY=svc_test_... npx --no @journeys/client listen --forward-to`
      )
      expect(words.includes("Set the live endpoint")).toBe(browser === owner)
      expect(wordsOf(await browser.ask(page))).toContain("Verify a delivery in PHP")
      // The page of a journey leads to it.
      const log = await browser.ask(`${page}/deliveries?journeyId=${await startOne()}`)
      expect([log.status, wordsOf(log)]).toEqual([
        200,
        expect.stringContaining("The company has no test webhook endpoint")
      ])
    }
  })

  it("show a refused form again, with what was typed and why", async () => {
    const answer = await save({ url: "ftp://nowhere.example/<x>" })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('value="ftp://nowhere.example/&lt;x&gt;"')
    expect(wordsOf(answer)).toContain("Must be an http or https URL")
    const none = await owner.submit(page, { url: receiver.url, form: formIn(await owner.ask(page)) })
    expect(wordsOf(none)).toContain("Tick at least one event, or everything")
  })

  it("keep a choice of groups and events, and fold what a group covers", async () => {
    const shown = await owner.ask(page)
    const form = new URLSearchParams({ token: tokenIn(shown), form: formIn(shown), url: receiver.url })
    for (const one of ["identity.*", "identity.verified", "journey.completed"]) form.append("events", one)
    await owner.ask(page, {
      method: "POST",
      headers: { origin: ground.service.baseUrl, "sec-fetch-site": "same-origin" },
      body: form
    })
    expect(wordsOf(await owner.ask(page))).toContain("identity.*, journey.completed")
  })

  it("turn an endpoint off and on, and say what became of its events", async () => {
    await save()
    const off = await owner.submitAndFollow(page, { enabled: "false" }, `${page}/switch`)
    expect(wordsOf(off)).toContain("The endpoint is off.")
    expect(wordsOf(off)).toContain("Turned off by hand")
    await save({ url: `${receiver.url}/other` })
    expect(wordsOf(await owner.ask(page))).toContain("Turned off by hand")
    const on = await owner.submitAndFollow(page, { enabled: "true" }, `${page}/switch`)
    expect(wordsOf(on)).toContain("nothing has failed there")
  })

  it("say why an endpoint was turned off, since when, and what to do, step by step", async () => {
    await save()
    await ground.service.query(
      `update webhook_endpoints set enabled = false, off_reason = 'UNREACHABLE', off_since = '2026-01-18T10:00:00Z',
         failing_since = '2026-01-15T10:00:00Z' where company_id = $1`,
      [company.id]
    )
    for (const path of ["/console/webhooks", page]) {
      const words = wordsOf(await owner.ask(path))
      expect(words).toContain(
        "Turned off 18 Jan 2026, 10:00 UTC : every attempt has failed since 15 Jan 2026, 10:00 UTC"
      )
      expect(words).toContain("Send what was missed again")
    }
    const saved = await save()
    expect(wordsOf(await owner.ask(saved.location ?? ""))).toContain("nothing has failed there")
  })

  it("ask before an endpoint is removed; its log stays", async () => {
    await save()
    await owner.submit(page, {}, `${page}/ping`)
    expect(wordsOf(await owner.ask(`${page}/remove`))).toContain(receiver.url)
    const removed = await owner.submitAndFollow(`${page}/remove`, {})
    expect(wordsOf(removed)).toContain("The test endpoint is removed. Its log stays.")
    const shown = await owner.ask(page)
    expect(wordsOf(shown)).toContain("The log of the endpoint before")
    expect((await owner.ask(`${page}/deliveries`)).text).toContain("ping")
  })
})

describe("the check of the receiver", () => {
  it("says line by line what the receiver did and should have done", async () => {
    await save()
    receiver.answer(200)
    const words = wordsOf(await owner.submit(page, {}, `${page}/check`))
    expect(words).toContain("The receiver did not pass")
    expect(words).toMatch(/an event, rightly signed Passed answered 200 answer 2xx within 10 seconds/)
    expect(words).toMatch(/one byte changed after it was signed Wrong answered 200: it took what it must not believe/)
  })
})

describe("a delivery", () => {
  it("of a ping is shown with its outcome, what was sent and what was answered, as text", async () => {
    await save()
    receiver.answer((_request, response) => response.writeHead(202).end("<script>alert(1)</script>\u202etxt"))
    const shown = await owner.submitAndFollow(page, {}, `${page}/ping`)
    const words = wordsOf(shown)
    expect(words).toMatch(/The ping was sent\. Answered 202 after \d+ ms\./)
    expect(words).toContain("Delivered")
    for (const name of ["Service-Timestamp", "Service-Signature", "Service-Event-Id"]) expect(words).toContain(name)
    expect(words).toContain(String(receiver.received[0]?.headers["service-signature"]))
    expect(shown.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(shown.text).not.toContain("<script>alert")
    expect(words).toContain(receiver.received[0]?.body.toString().replaceAll('"', "&quot;"))
  })

  it("of an example goes to the test endpoint", async () => {
    await save()
    const shown = await owner.submitAndFollow(page, { type: "identity.failed" }, `${page}/sample`)
    expect(wordsOf(shown)).toContain("The example was sent. Answered 200")
    expect(receiver.received[0]?.headers["service-event-type"]).toBe("identity.failed")
  })

  it("is found in the log by state, event and journey, piece by piece", async () => {
    await save()
    const journey = await startOne()
    await startOne()
    await delivered(4)
    const log = `${page}/deliveries`
    const rows = async (query: string) =>
      [...(await owner.ask(`${log}?${query}`)).text.matchAll(/<th scope="row">/g)].length
    expect(await rows("")).toBeGreaterThanOrEqual(4)
    expect(await rows("type=journey.created")).toBe(2)
    expect(await rows(`type=journey.created&journeyId=${journey}&status=DELIVERED`)).toBe(1)
    expect(await rows("status=GIVEN_UP")).toBe(0)
    const refused = await owner.ask(`${log}?journeyId=x`)
    expect([refused.status, wordsOf(refused)]).toEqual([422, expect.stringContaining("Must be a UUID")])
  })

  it("is sent again, and its page looks again by itself until it has arrived", async () => {
    await save()
    await startOne()
    const { data } = await delivered(1)
    const one = `${page}/deliveries/${data.content[0].id}`
    await owner.submit(page, { enabled: "false" }, `${page}/switch`)
    expect((await owner.submit(one, {}, `${one}/resend`)).status).toBe(409)
    await owner.submit(page, { enabled: "true" }, `${page}/switch`)
    const before = receiver.received.length
    const sent = await owner.submit(one, {}, `${one}/resend`)
    expect(sent.location).toBe(one)
    await receiver.arrived(before + 1)
    const seen = await eventually(
      () => owner.ask(one),
      ({ text }) => text.includes("Attempt 2")
    )
    expect(wordsOf(seen)).toContain("sent again by hand")
    expect(seen.text).not.toContain("hx-get")
  })
})

describe("a resend of many", () => {
  it("has a page that shows how far it is, also after a reload, and stops looking when it is done", async () => {
    await save({ url: receiver.url })
    await owner.submit(page, { enabled: "false" }, `${page}/switch`)
    const journey = await startOne()
    await owner.submit(page, { enabled: "true" }, `${page}/switch`)
    const since = new Date(Date.now() - 60_000).toISOString().slice(0, 16)
    const begun = await owner.submit(page, { since, journeyId: journey, types: "journey.created" }, `${page}/resend`)
    expect([begun.status, begun.location]).toEqual([303, expect.stringMatching(/\/resends\/[0-9a-f-]{36}$/)])
    const done = await eventually(
      () => owner.ask(begun.location ?? ""),
      ({ text }) => text.includes("Done")
    )
    expect(wordsOf(done)).toContain("1 of 1 events are through")
    expect(done.text).not.toContain("hx-get")
    expect((await owner.ask(page)).text).toContain(begun.location ?? "-")
    const refused = await owner.submit(page, { since: "2020-01-01T00:00", journeyId: "x" }, `${page}/resend`)
    expect([refused.status, wordsOf(refused)]).toEqual([422, expect.stringContaining("Must be at most 90 days ago")])
    expect(refused.text).toContain('value="2020-01-01T00:00"')
  })

  it("looks again while events are on their way, without counting as use of the session", async () => {
    await save()
    await startOne()
    const { data } = await delivered(1)
    const [task] = await ground.service.query<{ readonly id: string }>(
      `with t as (
         insert into resend_tasks (id, endpoint_id, since, delivered, queued, created_at, finished_at)
         select gen_random_uuid(), id, now(), false, 1, now(), now() from webhook_endpoints where company_id = $1
         returning id
       ), d as (
         update deliveries set status = 'PENDING', due_at = now() + interval '1 year', task_id = t.id from t where event_id = $2
       )
       select id from t`,
      [company.id, data.content[0].id]
    )
    const shown = await owner.ask(`${page}/resends/${task?.id}`)
    expect(shown.text).toContain(`hx-get="${page}/resends/${task?.id}"`)
    expect(shown.text).toContain('hx-headers="{&quot;x-look&quot;:&quot;1&quot;}"')
    expect(shown.text).toContain('data-renewed-every="2"')
    expect(wordsOf(shown)).toContain("Look again")
    // Retries take days, and nobody watches for days.
    await ground.service.query("update resend_tasks set finished_at = now() - interval '1 hour' where id = $1", [
      task?.id
    ])
    expect((await owner.ask(`${page}/resends/${task?.id}`)).text).not.toContain("hx-get")
  })
})

describe("a member of the team", () => {
  it("sees state, charts and deliveries, and is told that an owner changes them", async () => {
    await save()
    await startOne()
    await delivered(1)
    const shown = await team.ask(page)
    expect(wordsOf(shown)).toMatch(/100% of \d+ attempts delivered/)
    expect(shown.text).toContain("<svg")
    expect(wordsOf(shown)).toContain("Only an owner of the company can change, try or resend.")
    expect(shown.text).not.toContain(`action="${page}`)
    const { data } = await delivered(1)
    const one = `${page}/deliveries/${data.content[0].id}`
    expect((await team.ask(one)).status).toBe(200)
    const token = tokenIn(shown)
    const form = formIn(await owner.ask(page))
    for (const [path, fields] of [
      [page, { form: formIn(await owner.ask(page)), url: receiver.url, events: "*" }],
      [`${page}/switch`, { enabled: "false" }],
      [`${page}/roll-secret`, { form, overlapHours: "0" }],
      [`${page}/ping`, {}],
      [`${page}/check`, {}],
      [`${page}/sample`, { type: "identity.failed" }],
      [`${page}/remove`, {}],
      [`${page}/resend`, { since: new Date().toISOString().slice(0, 16) }],
      [`${one}/resend`, {}]
    ] as const) {
      const answer = await team.send(path, { token, ...fields })
      expect([path, answer.status]).toEqual([path, 403])
      expect(wordsOf(answer)).toContain("Only an owner of the company may do this")
    }
    expect((await team.ask(`${page}/remove`)).status).toBe(403)
  })

  it("of another company sees nothing of it", async () => {
    await save()
    await startOne()
    const { data } = await delivered(1)
    const other = await signInMember(ground.service, (await makeCompany(ground.service)).id, "OWNER")
    expect((await other.ask(page)).text).not.toContain(receiver.url)
    expect((await other.ask(`${page}/deliveries/${data.content[0].id}`)).status).toBe(404)
    expect((await other.ask("/console/webhooks/none")).status).toBe(404)
  })
})
