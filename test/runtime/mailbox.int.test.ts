import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WebhookDeliveryStore } from "../../src/actors/webhook/actor/WebhookDeliveryStore.ts"
import type { HealthChange } from "../../src/actors/webhook/rules/healthChanges.ts"
import { webhookLimits } from "../../src/schema/webhook/limits.ts"
import * as AesVault from "../../src/runtime/keys/AesVault.ts"
import * as NodeIds from "../../src/runtime/node/NodeIds.ts"
import * as PostgresDeliveryStore from "../../src/runtime/stores/webhook/PostgresDeliveryStore.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { masterKey, writeEndpoint } from "../support/endpoints.ts"
import { eventually } from "../support/eventually.ts"
import { failing, owe, stateOf } from "../support/owedMail.ts"
import { startService, type Service } from "../support/service.ts"
import { EndpointId } from "../../src/schema/ids.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
})
afterAll(() => service.stop())

const sent = (cause: string) =>
  eventually(
    () => stateOf(service.databaseUrl, cause),
    (state) => state?.sent === true
  )

/** Each mail in the mailbox before the next, so that their order is known. */
const delivered = async (company: TestCompany, ...causes: ReadonlyArray<string>) => {
  for (const cause of causes) {
    await owe(service.databaseUrl, { companyId: company.id, causes: [cause] })
    await sent(cause)
  }
}

const listed = async (query = "") => (await askSettings(service, `/mail${query}`)).data

describe("the built-in mailbox", () => {
  it("shows both mails that a failing endpoint makes the service owe, once however often they are written", async () => {
    const company = await makeCompany(service, { adminEmail: "endpoint@zeroth.example" })
    const id = await writeEndpoint(service.query, {
      companyId: company.id,
      url: "https://hooks.example.com/in?secret=canary"
    })
    const failingSince = Date.parse("2026-01-12T10:31:07.218Z")
    const change = (at: number, rest: Pick<HealthChange, "turnedOffAt" | "warning">) =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        const endpoint = yield* store.endpoint(EndpointId.make(id))
        if (endpoint === null) return yield* Effect.die("no endpoint")
        const health = { failingSince, lastFailedAt: at, warnings: 1 }
        yield* store.changeHealth({ endpoint, health, at, ...rest })
        yield* store.changeHealth({ endpoint, health, at, ...rest })
      }).pipe(
        Effect.provide(PostgresDeliveryStore.layer.pipe(Layer.provide(NodeIds.layer))),
        Effect.provideService(SqlClient.SqlClient, service.sql),
        Effect.runPromise
      )
    await change(failingSince + 3_600_000, { warning: 1, turnedOffAt: null })
    const off = failingSince + Duration.toMillis(webhookLimits.turnedOffAfter)
    await change(off, { warning: null, turnedOffAt: off })
    const content = await eventually(
      async () => (await listed("?to=endpoint@zeroth.example")).content,
      (found) => found.length === 2
    )
    expect(content.map(({ kind }: { readonly kind: string }) => kind)).toEqual(["ENDPOINT_OFF", "ENDPOINT_FAILING"])
    expect(content[0].text).toContain("https://hooks.example.com since 12 Jan 2026, 10:31 UTC")
    expect(content[0].text).toContain("turned off, at 15 Jan 2026, 10:31 UTC")
    expect(content[1].subject).toMatch(/^\[TEST\] .* 1 hour$/)
    expect(JSON.stringify(content)).not.toContain("canary")
  })

  it("shows a mail that is owed, written for the administrator of its company", async () => {
    const company = await makeCompany(service, { adminEmail: "Anna@first.example", name: "First <Cars>" })
    const [id] = await owe(service.databaseUrl, { companyId: company.id, causes: ["first"] })
    const [mail] = await eventually(
      async () => (await listed("?to=anna@first.example")).content,
      (content) => content.length === 1
    )
    expect(mail).toEqual({
      id,
      kind: "ENDPOINT_FAILING",
      companyId: company.id,
      journeyId: null,
      to: "Anna@first.example",
      subject: "Webhooks of First <Cars> have been failing for 1 hour",
      text: expect.stringContaining("https://journeys.example/docs"),
      html: expect.stringContaining("First &lt;Cars&gt;"),
      createdAt: expect.stringMatching(/Z$/)
    })
    expect(await sent("first")).toMatchObject({ tries: 1, due: false, givenUp: false })
  })

  it("keeps neither address nor words where they can be read", async () => {
    const company = await makeCompany(service, { adminEmail: "sealed@second.example", name: "Sealed Cars" })
    await delivered(company, "second")
    const [row] = await queryDirectly<{ readonly row: string }>(
      service.databaseUrl,
      "select row_to_json(m)::text || encode(sealed, 'escape') as row from mails m where cause = 'second'"
    )
    expect(row?.row).not.toMatch(/sealed@|second\.example|Sealed Cars|Webhooks of/)
  })

  it("has one mail a cause", async () => {
    const company = await makeCompany(service, { adminEmail: "once@third.example" })
    const asked = Array.from({ length: 10 }, () =>
      owe(service.databaseUrl, { companyId: company.id, causes: ["third"] })
    )
    expect((await Promise.all(asked)).flat()).toHaveLength(1)
    await sent("third")
    expect((await listed("?to=once@third.example")).totalElements).toBe(1)
  })

  it("lists newest first, page by page, by address in any case and by journey", async () => {
    const company = await makeCompany(service, { adminEmail: "Pages@fourth.example" })
    await delivered(company, "fourth-1", "fourth-2", "fourth-3")
    const journeyId = "019bc0a1-7c00-7001-8000-00000000000a"
    await owe(service.databaseUrl, { companyId: company.id, causes: ["fourth-4"], journeyId })
    await sent("fourth-4")
    const page = await listed("?to=PAGES@Fourth.example&size=3&page=0")
    expect(page).toMatchObject({ page: 0, size: 3, totalElements: 4, totalPages: 2 })
    const times = page.content.map(({ createdAt }: { readonly createdAt: string }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(page.content[0].journeyId).toBe(journeyId)
    expect((await listed("?to=pages@fourth.example&size=3&page=1")).content).toHaveLength(1)
    expect((await listed(`?journeyId=${journeyId.toUpperCase()}`)).totalElements).toBe(1)
    expect((await listed(`?journeyId=${journeyId}&to=other@fourth.example`)).totalElements).toBe(0)
    expect((await listed()).totalElements).toBeGreaterThanOrEqual(4)
  })

  it("shows mail that an older version kept in parts", async () => {
    const company = await makeCompany(service, { adminEmail: "older@eighth.example" })
    const [id = ""] = await owe(service.databaseUrl, { companyId: company.id, causes: ["eighth"] })
    await sent("eighth")
    const parts = { to: "older@eighth.example", subject: "Older words", text: "Plain\n", html: "<p>Marked</p>" }
    const sealed = AesVault.make(masterKey).sealSecret(`mails|${id}`, JSON.stringify(parts))
    await queryDirectly(service.databaseUrl, "update mails set sealed = decode($1, 'base64') where id = $2", [
      Buffer.from(sealed).toString("base64"),
      id
    ])
    expect((await listed("?to=older@eighth.example")).content).toMatchObject([{ id, ...parts }])
  })

  it("is for the operator alone, and refuses what it cannot filter by", async () => {
    const company = await makeCompany(service)
    expect((await ask(service, company.liveKey, "/settings/v1/mail")).errors?.[0]?.code).toBe("INVALID_API_KEY")
    const answer = await askSettings(service, `/mail?journeyId=x&to=${"a".repeat(256)}&from=b&size=0`)
    expect([answer.status, answer.errors?.map(({ field }) => field).toSorted()]).toEqual([
      400,
      ["from", "journeyId", "size", "to"]
    ])
  })
})

const begin = async (mode: "liveKey" | "testKey", email: string) => {
  const company = await makeCompany(service, {
    adminEmail: `owner.${email}`,
    credits: 10,
    settings: { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } }
  })
  const body = startBody("CASH_SALE")
  const started = await start(service, company[mode], { ...body, customer: { ...body.customer, email } })
  return String(started.data.id)
}
const mailsOf = (journeyId: string) =>
  eventually(
    async () => (await listed(`?journeyId=${journeyId}`)).content,
    (content) => content.length === 2
  )

describe("mail about a journey in the built-in mailbox", () => {
  it("shows whom it is for and its link, by journey and by address, newest first", async () => {
    const id = await begin("liveKey", "Ann@fifth.example")
    const [verify, welcome] = await mailsOf(id)
    expect([welcome.kind, verify.kind]).toEqual(["WELCOME", "VERIFY_IDENTITY"])
    expect(verify).toMatchObject({ journeyId: id, to: "Ann@fifth.example" })
    expect(verify.text).toMatch(/https:\/\/journeys\.example\/app\/l\/[A-Za-z0-9_-]{43}\n/)
    expect((await listed("?to=ann@FIFTH.example")).totalElements).toBe(2)
  })

  it("shows mail of a test journey as the administrator's", async () => {
    const id = await begin("testKey", "ann@sixth.example")
    for (const { subject, text, to } of await mailsOf(id)) {
      expect([to, subject.slice(0, 7)]).toEqual(["owner.ann@sixth.example", "[TEST] "])
      expect(text).toContain("ann@sixth.example")
    }
    expect((await listed("?to=ann@sixth.example")).totalElements).toBe(0)
  })

  it.each(["liveKey", "testKey"] as const)("is sealed with the customer's key and ends with it: %s", async (mode) => {
    const id = await begin(mode, `ann.${mode}@seventh.example`)
    await mailsOf(id)
    const [row] = await queryDirectly<{ readonly row: string }>(
      service.databaseUrl,
      "select string_agg(row_to_json(m)::text || encode(sealed, 'escape'), '|') as row from mails m where journey_id = $1",
      [id]
    )
    expect(row?.row).not.toMatch(/seventh|Ann|AB12/)
    await service.query(
      "update customers set wrapped_key = null where id = (select customer_id from journeys where id = $1)",
      [id]
    )
    expect(await listed(`?journeyId=${id}`)).toMatchObject({ content: [], totalElements: 0 })
    expect((await askSettings(service, "/mail")).status).toBe(200)
  })
})

describe("a mail that cannot be written", () => {
  it("is given up at once when its facts are damaged", async () => {
    const company = await makeCompany(service)
    const mail = { kind: failing.kind, facts: { mode: "LIVE" } }
    await owe(service.databaseUrl, { companyId: company.id, causes: ["damaged"], mail })
    const state = await eventually(
      () => stateOf(service.databaseUrl, "damaged"),
      (found) => found?.givenUp === true
    )
    expect(state).toMatchObject({ tries: 1, due: false, sent: false })
  })

  it("is left to a service that knows its kind", async () => {
    const company = await makeCompany(service)
    const mail = { kind: "OF_A_LATER_VERSION", facts: {} }
    await owe(service.databaseUrl, { companyId: company.id, causes: ["later-kind"], mail })
    await delivered(company, "after-later-kind")
    expect(await stateOf(service.databaseUrl, "later-kind")).toMatchObject({ tries: 0, due: true })
  })
})
