import { afterAll, beforeAll, expect, it } from "vitest"
import * as AesVault from "../../../../src/runtime/keys/AesVault.ts"
import { Effect } from "effect"
import { ask, askSettings, makeCompany, start, startBody } from "../../../support/companies.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const body = { name: "Harbour Cars", kind: "DEALER", adminEmail: "owner@example.com" }
const patch = (id: string, change: unknown) =>
  askSettings(service, `/companies/${id}`, { method: "PATCH", body: change })
const codesOf = (answer: Awaited<ReturnType<typeof ask>>) => answer.errors?.map(({ code, field }) => [field, code])

const unknownId = "00000000-0000-7000-8000-000000000000"

it("makes a company with every default, and shows it again", async () => {
  const made = await askSettings(service, "/companies", { body })
  expect(made.status).toBe(201)
  expect(made.headers.get("request-id")).toMatch(/^[0-9a-f-]{36}$/)
  expect(made.errors).toBeNull()
  expect(made.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...body,
    active: true,
    identityProvider: null,
    financePanel: null,
    identityWindowDays: 30,
    handoverWindowDays: 30,
    mediaRetentionDays: 30,
    customerRetentionDays: 0,
    declinedRetentionDays: 0,
    applicationRetentionDays: 180,
    approvalReasons: null,
    rejectionReasons: null,
    assurance: "FACE_MATCH",
    passkeysRequired: false,
    language: "en",
    sandbox: { identityConfigured: true, panelConfigured: true, credits: true },
    brand: { logo: null, colour: null, telephone: null, hours: null, returnUrl: null, hoursIn: {} },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })
  const shown = await askSettings(service, `/companies/${made.data.id}`)
  expect([shown.status, shown.data]).toEqual([200, made.data])
  expect((await askSettings(service, `/companies/${made.data.id.toUpperCase()}`)).data).toEqual(made.data)
})

it("tells every problem of a body at once, by its path, and makes nothing", async () => {
  const before = await askSettings(service, "/companies")
  const answer = await askSettings(service, "/companies", {
    body: { name: "  ", kind: "SHOP", adminEmail: "nobody", active: false }
  })
  expect(answer.status).toBe(400)
  expect(codesOf(answer)).toEqual([
    ["active", "VALIDATION_FAILED"],
    ["name", "VALIDATION_FAILED"],
    ["kind", "VALIDATION_FAILED"],
    ["adminEmail", "VALIDATION_FAILED"]
  ])
  expect(answer.data).toBeNull()
  expect((await askSettings(service, "/companies")).data.totalElements).toBe(before.data.totalElements)
})

it("lists companies newest first, page by page, and refuses parameters it does not know", async () => {
  const older = await makeCompany(service, { name: "Older" })
  const newer = await makeCompany(service, { name: "Newer" })
  const first = await askSettings(service, "/companies?page=0&size=1")
  const second = await askSettings(service, "/companies?page=1&size=1")
  expect([first.data.content[0].id, second.data.content[0].id]).toEqual([newer.id, older.id])
  expect(first.data).toMatchObject({ page: 0, size: 1, totalPages: first.data.totalElements })
  const past = await askSettings(service, "/companies?page=20000000&size=100")
  expect([past.status, past.data.content]).toEqual([200, []])
  const wrong = await askSettings(service, "/companies?page=-1&size=101&order=name")
  expect([wrong.status, codesOf(wrong)]).toEqual([
    400,
    [
      ["order", "VALIDATION_FAILED"],
      ["page", "VALIDATION_FAILED"],
      ["size", "VALIDATION_FAILED"]
    ]
  ])
})

it("changes what a PATCH names and leaves the rest", async () => {
  const { id } = await makeCompany(service)
  const before = (await askSettings(service, `/companies/${id}`)).data
  const change = {
    name: "Harbour Cars Ltd",
    adminEmail: "new@example.com",
    identityWindowDays: 1,
    handoverWindowDays: 90,
    mediaRetentionDays: 365,
    customerRetentionDays: 2190,
    declinedRetentionDays: 90,
    applicationRetentionDays: 3650
  }
  const changed = await patch(id, change)
  expect([changed.status, changed.data]).toEqual([200, { ...before, ...change }])
  expect((await patch(id, {})).data).toEqual(changed.data)
})

it("merges sandbox switches one by one, and a pace of null is the service's own again", async () => {
  const { id } = await makeCompany(service)
  const all = { identityConfigured: true, panelConfigured: true, credits: true }
  expect((await patch(id, { sandbox: { credits: false, pace: 60 } })).data.sandbox).toEqual({
    ...all,
    credits: false,
    pace: 60
  })
  expect((await patch(id, { sandbox: { pace: "manual" } })).data.sandbox).toEqual({
    ...all,
    credits: false,
    pace: "manual"
  })
  expect((await patch(id, { sandbox: { pace: null, credits: true } })).data.sandbox).toEqual(all)
})

it.each([
  [{ identityWindowDays: 0, handoverWindowDays: 91 }, ["identityWindowDays", "handoverWindowDays"]],
  [{ identityWindowDays: 1.5 }, ["identityWindowDays"]],
  [{ mediaRetentionDays: 0 }, ["mediaRetentionDays"]],
  [{ mediaRetentionDays: 366 }, ["mediaRetentionDays"]],
  [{ customerRetentionDays: 3651, declinedRetentionDays: -1 }, ["customerRetentionDays", "declinedRetentionDays"]],
  [{ applicationRetentionDays: 3651 }, ["applicationRetentionDays"]],
  [{ kind: "BROKER", id: "x" }, ["kind", "id"]],
  [{ active: "yes", name: null }, ["name", "active"]],
  // Named and blank: to leave it as it is would not be what was asked.
  [{ name: "" }, ["name"]],
  [{ name: "   ", adminEmail: "" }, ["name", "adminEmail"]],
  [{ name: "Quay Cars", brand: { colour: "", hours: "\n" } }, ["brand.colour", "brand.hours"]],
  [{ sandbox: { pace: 0, credit: true } }, ["sandbox.credit", "sandbox.pace"]],
  [{ sandbox: { pace: 61 } }, ["sandbox.pace"]],
  [{ sandbox: { pace: "slow" } }, ["sandbox.pace"]],
  [{ sandbox: null }, ["sandbox"]],
  // Mail to customers shows both.
  [{ name: "Pay at https://evil.example" }, ["name"]],
  [{ name: "security@bank.example" }, ["name"]],
  [{ brand: { hours: "Monday to Friday\nwww.evil.example" } }, ["brand.hours"]],
  [{ identityProvider: { kind: "OTHER" } }, ["identityProvider"]],
  [{ identityProvider: { kind: "BUILT_IN", url: "https://a.example" } }, ["identityProvider.url"]],
  [{ identityProvider: { kind: "HTTP" } }, ["identityProvider.url", "identityProvider.secret"]],
  [{ identityProvider: "BUILT_IN" }, ["identityProvider"]],
  [{ financePanel: { name: "P", url: "http://a.example/x", secret: "x".repeat(16) } }, ["financePanel.url"]],
  [
    { financePanel: { name: "P", url: "https://user:pw@a.example", secret: "x".repeat(15) } },
    ["financePanel.url", "financePanel.secret"]
  ],
  [
    { financePanel: { name: "P", url: "https://a.example/\r\nx", secret: "with a space in it" } },
    ["financePanel.url", "financePanel.secret"]
  ],
  [{ financePanel: [] }, ["financePanel"]]
])("refuses the change %j at %j", async (change, fields) => {
  const { id } = await makeCompany(service)
  const answer = await patch(id, change)
  expect([answer.status, codesOf(answer)]).toEqual([400, fields.map((field) => [field, "VALIDATION_FAILED"])])
  expect(answer.errors?.every(({ message }) => message.length > 10 && !message.includes("another value"))).toBe(true)
})

it("takes plain http for providers only where the operator allowed it", async () => {
  const insecure = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
  try {
    const { id } = await makeCompany(insecure)
    const financePanel = { name: "Local", url: "http://127.0.0.1:9999/panel", secret: "0123456789abcdef" }
    const answer = await askSettings(insecure, `/companies/${id}`, { method: "PATCH", body: { financePanel } })
    expect(answer.data.financePanel).toEqual({ name: "Local", url: "http://127.0.0.1:9999/panel" })
  } finally {
    await insecure.stop()
  }
})

it("seals providers' secrets: they are in no answer, no audit line and no table, and open only in their place", async () => {
  const { id } = await makeCompany(service)
  const identitySecret = "identity-canary-5bd1c9"
  const panelSecret = "panel-canary-77a0e2"
  const identityUrl = "https://identity.example/checks"
  const changed = await patch(id, {
    identityProvider: { kind: "HTTP", url: identityUrl, secret: identitySecret },
    financePanel: { name: "PanelOne", url: "https://panel.example/", secret: panelSecret }
  })
  expect(changed.data.identityProvider).toEqual({ kind: "HTTP", url: identityUrl })
  expect(changed.data.financePanel).toEqual({ name: "PanelOne", url: "https://panel.example/" })
  const audit = await askSettings(service, `/companies/${id}/audit`)
  expect(audit.data.content[0]).toMatchObject({
    actor: "operator",
    action: "company.recipients_changed",
    details: {
      fields: ["identityProvider", "financePanel"],
      values: { identityProvider: { kind: "HTTP", url: new URL(identityUrl).origin } }
    }
  })
  const tables = await service.query<{ readonly rows: string }>(
    "select json_agg(c)::text || (select json_agg(a)::text from audit a) as rows from companies c"
  )
  for (const canary of [identitySecret, panelSecret]) {
    expect(JSON.stringify([changed, audit, tables, await askSettings(service, "/companies")])).not.toContain(canary)
  }
  const vault = AesVault.make(new Uint8Array(Buffer.alloc(32, 7)))
  const [row] = await service.query<{ readonly sealed: string }>(
    "select identity_provider->>'sealedSecret' as sealed from companies where id = $1",
    [id]
  )
  const sealed = Buffer.from(row?.sealed ?? "", "base64")
  expect(await Effect.runPromise(vault.openSecret(`identity_provider|${id}`, sealed))).toBe(identitySecret)
  expect(await Effect.runPromise(Effect.isFailure(vault.openSecret(`finance_panel|${id}`, sealed)))).toBe(true)
})

it("logs every change with who, when and what, newest first, and nothing that changed nothing", async () => {
  const { id, testKeyId } = await makeCompany(service, { credits: 3 })
  await patch(id, {})
  await patch(id, { identityWindowDays: 0 })
  await patch(id, { adminEmail: "private@example.com", name: "Other" })
  await askSettings(service, `/companies/${id}/api-keys/${testKeyId}`, { method: "DELETE" })
  const { content, next } = (await askSettings(service, `/companies/${id}/audit`)).data
  expect(content.map(({ action }: { readonly action: string }) => action)).toEqual([
    "api_key.revoked",
    "company.recipients_changed",
    "api_key.created",
    "api_key.created",
    "wallet.credited",
    "wallet.credited",
    "company.created"
  ])
  expect(next).toBe(null)
  expect(content[1].details).toEqual({ fields: ["name", "adminEmail"], values: { name: "Other" } })
  expect(JSON.stringify(content)).not.toContain("private@example.com")
  expect(new Set(content.map(({ actor }: { readonly actor: string }) => actor))).toEqual(new Set(["operator"]))
})

it("answers 404 for a company nobody has, whatever else is wrong with the request", async () => {
  for (const path of [`/companies/${unknownId}`, "/companies/not-an-id", `/companies/${unknownId}/audit`]) {
    const answer = await askSettings(service, path)
    expect([answer.status, codesOf(answer)]).toEqual([404, [["company", "NOT_FOUND"]]])
  }
  expect((await patch(unknownId, { nonsense: true })).status).toBe(404)
})

it("keeps one company's audit log from another's", async () => {
  const one = await makeCompany(service)
  const other = await makeCompany(service)
  const audit = await askSettings(service, `/companies/${one.id}/audit`)
  expect(JSON.stringify(audit)).not.toContain(other.testKeyId)
})

it("lets the very next request of a key meet a company that was switched off, and on again", async () => {
  const { id, testKey } = await makeCompany(service)
  const list = () => ask(service, testKey, "/api/v1/journeys")
  expect((await list()).status).toBe(200)
  await patch(id, { active: false })
  expect(codesOf(await list())).toEqual([["authorization", "INVALID_API_KEY"]])
  await patch(id, { active: true })
  expect((await list()).status).toBe(200)
})

it.each([
  [{ identityConfigured: false }, "IDENTITY_DELIVERY", "EKYC_NOT_CONFIGURED"],
  [{ panelConfigured: false }, "FINANCE_SUBMIT_VIA_MIRA", "FINANCE_PANEL_NOT_CONFIGURED"],
  [{ credits: false }, "CASH_SALE", "INSUFFICIENT_CREDITS"]
] as const)("makes a test key meet %j at once", async (sandbox, shape, code) => {
  const { id, testKey } = await makeCompany(service)
  expect((await start(service, testKey, startBody(shape))).status).toBe(202)
  await patch(id, { sandbox })
  const refused = await start(service, testKey, startBody(shape))
  expect([refused.status, refused.errors?.[0]?.code]).toEqual([422, code])
})

it("makes a live key meet what is configured, not the sandbox's switches", async () => {
  const { id, liveKey } = await makeCompany(service, { credits: 10 })
  const startLive = () => start(service, liveKey, startBody("FINANCE_SUBMIT_VIA_MIRA"))
  expect((await startLive()).errors?.[0]?.code).toBe("EKYC_NOT_CONFIGURED")
  await patch(id, { identityProvider: { kind: "BUILT_IN" }, sandbox: { credits: false, panelConfigured: false } })
  expect((await startLive()).errors?.[0]?.code).toBe("FINANCE_PANEL_NOT_CONFIGURED")
  await patch(id, { financePanel: { name: "PanelOne", url: "https://panel.example", secret: "0123456789abcdef" } })
  expect((await startLive()).status).toBe(202)
  await patch(id, { financePanel: null })
  expect((await startLive()).errors?.[0]?.code).toBe("FINANCE_PANEL_NOT_CONFIGURED")
})
