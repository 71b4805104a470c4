/**
 * The connection breaks after something has ended in the database and before the database could say so. The journal of what has ended
 * hears of it all the same: otherwise a restored backup would give back what was taken away.
 */
import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Sessions } from "../../src/actors/customer/Sessions.ts"
import { hashSecret } from "../../src/actors/kernel/secrets.ts"
import { ConsoleSessions } from "../../src/actors/members/ConsoleSessions.ts"
import { addCustomerSession } from "../support/addCustomerSession.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { addMember, addPasskey, newSecret, openSession } from "../support/members.ts"
import { startProxy, type Proxy } from "../support/proxy.ts"
import { freshDatabase, startService, type Service } from "../support/service.ts"
import { linesIn } from "../runtime/erasures/restoredGround.ts"
import { holdRows } from "./heldRows.ts"

const panel = { name: "PanelOne", url: "https://panel.example/applications", secret: "the-secret-of-the-panel" }

let databaseUrl: string
let folder: string
let proxy: Proxy
let service: Service
let company: TestCompany
let companyId: string
beforeAll(async () => {
  databaseUrl = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), "journeys-endings-"))
  proxy = await startProxy(databaseUrl)
  service = await startService({ DATABASE_URL: proxy.url, ERASURE_JOURNAL: folder, WEBHOOK_ALLOW_INSECURE: "true" })
  company = await makeCompany(service, { settings: { financePanel: panel }, credits: 10 })
  companyId = company.id
})
afterAll(async () => {
  await service?.stop()
  await proxy?.close()
  await rm(folder, { recursive: true, force: true })
})

const settings = (method: string, path: string, body?: unknown) =>
  askSettings(service, `/companies/${companyId}${path}`, { method, ...(body === undefined ? {} : { body }) })

const owner = (name: string) => addMember(service, companyId, { email: `${name}@harbour.example`, role: "OWNER" })

const key = async (): Promise<string> => (await settings("POST", "/api-keys", { mode: "TEST" })).data.id

const linesOf = (action: string) =>
  queryDirectly(databaseUrl, "select from audit where company_id = $1 and action = $2", [companyId, action])

const session = async (name: string) => {
  const memberId = await owner(name)
  await openSession(service, memberId)
  const [row] = await queryDirectly<{ id: string }>(
    databaseUrl,
    "select id from console_sessions where member_id = $1",
    [memberId]
  )
  return row?.id
}

const passkey = async (name: string) => {
  const memberId = await owner(name)
  return `/members/${memberId}/passkeys/${await addPasskey(service, memberId)}`
}

const endpoint = async (mode: "test" | "live") => {
  const path = `/webhook-endpoints/${mode}`
  expect((await settings("PUT", path, { url: "http://127.0.0.1:9/journeys" })).errors).toBeNull()
  return path
}

const journey = async (name: string) => {
  const body = startBody("FINANCE_ALREADY_SUBMITTED")
  body.customer.email = `${name}@customer.example`
  const { data } = await start(service, company.testKey, body)
  return data as { readonly id: string; readonly customerReference: string }
}

const customerSession = async (name: string) => {
  const { id } = await journey(name)
  return `/journeys/${id}/customer-sessions/${await addCustomerSession(service, id)}`
}

type End = () => ReturnType<typeof settings>

/**
 * Each way to end something: the action of its line of the audit log, the kind of its line of the journal, and what makes the thing.
 */
const endings: ReadonlyArray<readonly [action: string, what: string, make: () => Promise<End>]> = [
  [
    "member.changed",
    "OWNER",
    () => owner("ann").then((id) => () => settings("PATCH", `/members/${id}`, { role: "TEAM" }))
  ],
  ["member.removed", "MEMBER", () => owner("bea").then((id) => () => settings("DELETE", `/members/${id}`))],
  ["session.ended", "CONSOLE_SESSION", () => session("cid").then((id) => () => settings("DELETE", `/sessions/${id}`))],
  ["passkey.removed", "PASSKEY", () => passkey("eve").then((path) => () => settings("DELETE", path))],
  [
    "webhook_endpoint.secret_rolled",
    "WEBHOOK_SECRET",
    () => endpoint("test").then((path) => () => settings("POST", `${path}/roll-secret`, { overlapHours: 24 }))
  ],
  ["webhook_endpoint.removed", "WEBHOOK_SECRET", () => endpoint("live").then((path) => () => settings("DELETE", path))],
  [
    "company.recipients_changed",
    "PROVIDER",
    () => Promise.resolve(() => settings("PATCH", "", { financePanel: null }))
  ],
  [
    "customer_session.ended",
    "CUSTOMER_SESSION",
    () => customerSession("fay").then((path) => () => settings("DELETE", path))
  ],
  [
    "customer.corrected",
    "ADDRESS",
    () =>
      journey("gus").then(
        ({ customerReference }) =>
          () =>
            settings("PATCH", `/customers/${customerReference}`, { email: "gus.new@customer.example" })
      )
  ],
  ["api_key.rotated", "API_KEY", () => key().then((id) => () => settings("POST", `/api-keys/${id}/rotate`))],
  ["api_key.revoked", "API_KEY", () => key().then((id) => () => settings("DELETE", `/api-keys/${id}`))]
]

/** These end in a transaction: it is the answer to its COMMIT that is lost. */
const inTransactions: ReadonlySet<string> = new Set(["API_KEY", "ADDRESS"])

it.each(endings)(
  "%s: what ended without an answer is answered, and stands in the journal as %s",
  async (action, what, make) => {
    const end = await make()
    const [swallowed, lines, written] = [proxy.swallowed(), await linesIn(folder), await linesOf(action)]
    proxy.swallowReplyTo(action, { ofTransaction: inTransactions.has(what) })
    expect((await end()).status).toBe(200)
    expect(proxy.swallowed()).toBe(swallowed + 1)
    expect((await linesIn(folder)).slice(lines.length).map((line) => line.what)).toEqual([what])
    expect(await linesOf(action)).toHaveLength(written.length + 1)
  }
)

/** The new lines of the journal, once the database is back that went away with the reply to this statement. Nobody hears an answer. */
const linesOnceBack = async (statement: string, asking: () => Promise<{ readonly status: number }>) => {
  const before = await linesIn(folder)
  proxy.swallowReplyTo(statement, { andStayAway: true })
  const answer = asking().then(
    ({ status }) => status,
    () => "dropped"
  )
  expect(await answer).toBe("dropped")
  proxy.heal()
  const after = await eventually(
    () => linesIn(folder),
    (lines) => lines.length > before.length
  )
  return after.slice(before.length)
}

it("who became less while the database went away stands in the journal once it is back, though nobody asks again", async () => {
  const member = await owner("dan")
  const lines = await linesOnceBack("member.changed", () => settings("PATCH", `/members/${member}`, { role: "TEAM" }))
  expect(lines.at(-1)).toMatchObject({ what: "OWNER", memberId: member })
})

it("a change that was not made before the connection broke is made, also where the same change was made earlier", async () => {
  const member = await owner("lou")
  const become = (role: string) => settings("PATCH", `/members/${member}`, { role })
  await become("TEAM")
  await become("OWNER")
  const rows = await holdRows(databaseUrl)
  await rows.take("select from members where id = $1 for update", [member])
  const change = become("TEAM")
  await rows.awaited("update members")
  // The database is told to forget the statement that waits, and the service hears nothing.
  proxy.refuse()
  await rows.letGo()
  proxy.heal()
  expect((await change).data).toMatchObject({ role: "TEAM" })
  expect((await settings("GET", "/members")).data.content).toContainEqual(
    expect.objectContaining({ id: member, role: "TEAM" })
  )
})

it("a change that still runs in the database when its connection breaks is waited for, and made once", async () => {
  const path = await endpoint("test")
  const written = await linesOf("webhook_endpoint.removed")
  const rows = await holdRows(databaseUrl)
  await rows.take("select from webhook_endpoints where company_id = $1 for update", [companyId])
  const removed = settings("DELETE", path)
  await rows.awaited("removed_at = $5")
  proxy.refuse()
  proxy.heal()
  await rows.awaited("webhook_endpoints", 2)
  await rows.take("commit")
  await rows.end()
  expect((await removed).status).toBe(200)
  expect(await linesOf("webhook_endpoint.removed")).toHaveLength(written.length + 1)
})

it("what a correction has corrected is told to whoever asked for it, though the database's answer was lost", async () => {
  const { customerReference } = await journey("hal")
  proxy.swallowReplyTo("customer.corrected", { ofTransaction: true })
  const { data } = await settings("PATCH", `/customers/${customerReference}`, { email: "hal.new@customer.example" })
  expect(data).toMatchObject({ corrected: ["email"], journeys: 1 })
})

const sessionOfCustomer = async () => {
  const { id } = await journey("ida")
  const [secret, sessionId] = [newSecret(), await addCustomerSession(service, id)]
  await service.query("update customer_sessions set secret_hash = decode($2, 'base64') where id = $1", [
    sessionId,
    Buffer.from(hashSecret(secret)).toString("base64")
  ])
  return secret
}

describe("without a line of the audit log", () => {
  it.each([
    [
      "CUSTOMER_SESSION",
      "delete from customer_sessions",
      sessionOfCustomer,
      (secret: string) => Effect.flatMap(Sessions, (sessions) => sessions.end(secret))
    ],
    [
      "CONSOLE_SESSION",
      "delete from console_sessions",
      () => owner("jan").then((id) => openSession(service, id)),
      (secret: string) => Effect.flatMap(ConsoleSessions, (sessions) => sessions.end(secret))
    ]
  ] as const)(
    "%s: whoever signs out without an answer is signed out, and the end stands in the journal",
    async (what, marker, make, end) => {
      const secret = await make()
      const [swallowed, lines] = [proxy.swallowed(), await linesIn(folder)]
      proxy.swallowReplyTo(marker)
      await service.run(end(secret))
      expect(proxy.swallowed()).toBe(swallowed + 1)
      expect((await linesIn(folder)).slice(lines.length).map((line) => line.what)).toEqual([what])
    }
  )

  it("OPERATOR_TOKEN: a token that was revoked without an answer is answered, and stands in the journal", async () => {
    const { data } = await askSettings(service, "/operator-tokens", { body: { name: "leaked", scopes: ["*"] } })
    const [swallowed, lines] = [proxy.swallowed(), await linesIn(folder)]
    proxy.swallowReplyTo("coalesce(revoked_at")
    expect((await askSettings(service, `/operator-tokens/${data.id}`, { method: "DELETE" })).status).toBe(200)
    expect(proxy.swallowed()).toBe(swallowed + 1)
    expect((await linesIn(folder)).slice(lines.length)).toMatchObject([{ what: "OPERATOR_TOKEN", tokenId: data.id }])
  })

  it("JOURNEY: a journey that ended without an answer stands in the journal, by whose line its customer's sessions end", async () => {
    const { id } = await journey("kim")
    const [swallowed, lines] = [proxy.swallowed(), await linesIn(folder)]
    proxy.swallowReplyTo('"Cancel"')
    const body = { reason: "The customer changed their mind" }
    expect((await ask(service, company.testKey, `/api/v1/journeys/${id}/cancel`, { body })).status).toBe(200)
    expect(proxy.swallowed()).toBe(swallowed + 1)
    expect((await linesIn(folder)).slice(lines.length)).toMatchObject([{ what: "JOURNEY", journeyId: id }])
  })
})

it("a journey that ended while the database went away stands in the journal once it is back, though nobody asks again", async () => {
  const { id } = await journey("lea")
  const body = { reason: "The customer changed their mind" }
  const lines = await linesOnceBack('"Cancel"', () =>
    ask(service, company.testKey, `/api/v1/journeys/${id}/cancel`, { body })
  )
  expect(lines).toMatchObject([{ what: "JOURNEY", journeyId: id }])
})
