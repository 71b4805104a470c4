/** Named tokens of the operator: what each may do, how it ends, whom the audit log names; and what becomes of whoever guesses. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { installationLimits } from "../../../../src/schema/installation/limits.ts"
import { ask, askSettings, makeCompany } from "../../../support/companies.ts"
import { operatorToken, startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const codesOf = (answer: Awaited<ReturnType<typeof ask>>) => answer.errors?.map(({ code, field }) => [field, code])
const create = (body: unknown) => askSettings(service, "/operator-tokens", { body })
const made = async (name: string, scopes: ReadonlyArray<string>) => {
  const { data } = await create({ name, scopes })
  return data as { readonly id: string; readonly token: string; readonly expiresAt: string | null }
}
const asToken = (token: string, path: string, given: Parameters<typeof ask>[3] = {}) =>
  ask(service, token, `/settings/v1${path}`, given)
const statusOf = async (token: string, path: string, given: Parameters<typeof ask>[3] = {}) =>
  (await asToken(token, path, given)).status
const company = { name: "Harbour Cars", kind: "DEALER", adminEmail: "owner@example.com" }

describe("a named token of the operator", () => {
  it("is shown once, kept as a hash, and ends after a year unless its maker says otherwise", async () => {
    const answer = await create({ name: "shown-once", scopes: ["companies:read"] })
    expect([answer.status, answer.data.token]).toEqual([201, expect.stringMatching(/^svc_operator_[A-Za-z0-9_-]{43}$/)])
    const days = (Date.parse(answer.data.expiresAt) - Date.parse(answer.data.createdAt)) / 86_400_000
    expect(days).toBe(365)
    expect((await create({ name: "for-ever", scopes: ["mail:read"], expiresAt: null })).data.expiresAt).toBeNull()
    const listed = await askSettings(service, "/operator-tokens")
    expect(JSON.stringify(listed.data)).not.toContain(answer.data.token)
    const rows = await service.query("select row_to_json(t)::text as row from operator_tokens t")
    expect(JSON.stringify(rows)).not.toContain(answer.data.token)
  })

  it("may do what its scopes say, and nothing else", async () => {
    const { id } = await makeCompany(service)
    const reader = await made("reader", ["companies:read"])
    const writer = await made("writer", ["companies:write"])
    const monitor = await made("monitor", ["metrics:read"])
    const all = await made("all", ["*"])
    const metrics = async (token: string) =>
      (await fetch(`${service.baseUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await statusOf(reader.token, `/companies/${id}`)).toBe(200)
    expect(await statusOf(reader.token, "/companies", { body: company })).toBe(403)
    expect(await statusOf(writer.token, "/companies", { body: company })).toBe(201)
    expect(await statusOf(writer.token, `/companies/${id}`)).toBe(403)
    expect(await statusOf(reader.token, `/companies/${id}/journeys`)).toBe(403)
    const refused = await asToken(monitor.token, "/open-work")
    expect(codesOf(refused)).toEqual([["scope", "ROLE_NOT_PERMITTED"]])
    expect(refused.message).toContain("installation:read")
    expect(await Promise.all([monitor, reader, all].map(({ token }) => metrics(token)))).toEqual([200, 403, 200])
    for (const { token } of [reader, writer, monitor]) expect(await statusOf(token, "/operator-tokens")).toBe(403)
    expect(await statusOf(all.token, "/operator-tokens")).toBe(200)
  })

  it("makes no key and no member with companies:write alone, by which it would reach journeys and customers", async () => {
    const { id, liveKeyId } = await makeCompany(service)
    const writer = await made("no-doors", ["companies:read", "companies:write"])
    const keys = await made("keys", ["keys:write"])
    const members = await made("members", ["members:write"])
    const member = { body: { email: "eve@harbour.example", role: "OWNER" } }
    const key = { body: { mode: "LIVE" } }
    const asked = async (token: string) => [
      await statusOf(token, `/companies/${id}/members`, member),
      await statusOf(token, `/companies/${id}/api-keys`, key),
      await statusOf(token, `/companies/${id}/api-keys/${liveKeyId}/rotate`, { method: "POST" })
    ]
    expect(await asked(writer.token)).toEqual([403, 403, 403])
    expect(await asked(keys.token)).toEqual([403, 201, 200])
    expect(await asked(members.token)).toEqual([201, 403, 403])
    const refused = await asToken(writer.token, `/companies/${id}/api-keys`, key)
    expect([codesOf(refused), refused.message]).toEqual([
      [["scope", "ROLE_NOT_PERMITTED"]],
      expect.stringContaining("keys:write")
    ])
  })

  it("keeps keys and members if it could make them before they had scopes of their own, and says so", async () => {
    const { id } = await makeCompany(service)
    const before = await made("of-before", ["companies:write"])
    await service.query("update operator_tokens set is_from_before_key_scopes = true where id = $1", [before.id])
    expect(await statusOf(before.token, `/companies/${id}/api-keys`, { body: { mode: "LIVE" } })).toBe(201)
    const { content } = (await askSettings(service, "/operator-tokens?size=100")).data
    const listed = content.find((one: { readonly id: string }) => one.id === before.id)
    expect(listed.scopes).toEqual(["companies:write", "keys:write", "members:write"])
    // What a node of before makes during an upgrade has the scopes of its time.
    await service.query(
      `insert into operator_tokens (id, name, hash, last4, scopes, created_by, created_at)
       values (gen_random_uuid(), 'by-a-node-of-before', '', 'abcd', '{companies:write}', 'operator', now())`
    )
    const [row] = await service.query("select granted_scopes from operator_tokens where name = 'by-a-node-of-before'")
    expect(row).toEqual({ granted_scopes: ["companies:write", "keys:write", "members:write"] })
  })

  it("is who the audit log names, and says when it was last used", async () => {
    const deploy = await made("deploy", ["companies:write", "companies:read"])
    const listed = async () =>
      (await askSettings(service, "/operator-tokens?size=100")).data.content.find(
        (one: { readonly id: string }) => one.id === deploy.id
      )
    expect((await listed()).lastUsedAt).toBeNull()
    const { data } = await asToken(deploy.token, "/companies", { body: company })
    expect((await listed()).lastUsedAt).toEqual(expect.any(String))
    const lines = await askSettings(service, `/companies/${data.id}/audit?actor=operator:deploy`)
    expect(lines.data.content.map(({ action }: { readonly action: string }) => action)).toEqual(["company.created"])
  })

  it("keeps who made it and who revoked it first", async () => {
    const maker = await made("maker", ["*"])
    const body = { name: "made-by-maker", scopes: ["metrics:read"] }
    const { data } = await ask(service, maker.token, "/settings/v1/operator-tokens", { body })
    const path = `/settings/v1/operator-tokens/${data.id}`
    for (const token of [maker.token, operatorToken]) await ask(service, token, path, { method: "DELETE" })
    expect(await service.query("select created_by, revoked_by from operator_tokens where id = $1", [data.id])).toEqual([
      { created_by: "operator:maker", revoked_by: "operator:maker" }
    ])
  })

  it("opens nothing from the moment that it is revoked or has ended", async () => {
    const one = await made("to-be-revoked", ["companies:read"])
    const other = await made("to-end", ["companies:read"])
    expect(await statusOf(one.token, "/companies")).toBe(200)
    const revoked = await askSettings(service, `/operator-tokens/${one.id}`, { method: "DELETE" })
    expect([revoked.status, revoked.data.revokedAt]).toEqual([200, expect.any(String)])
    expect(codesOf(await asToken(one.token, "/companies"))).toEqual([["authorization", "INVALID_API_KEY"]])
    const again = await askSettings(service, `/operator-tokens/${one.id}`, { method: "DELETE" })
    expect(again.data.revokedAt).toBe(revoked.data.revokedAt)
    await service.query("update operator_tokens set expires_at = now() where id = $1", [other.id])
    expect(await statusOf(other.token, "/companies")).toBe(401)
    const nobody = "/operator-tokens/00000000-0000-7000-8000-000000000000"
    expect(codesOf(await askSettings(service, nobody, { method: "DELETE" }))).toEqual([["operatorToken", "NOT_FOUND"]])
  })

  it.each([
    [{ name: "Capital", scopes: ["*"] }, "name"],
    [{ name: "", scopes: ["*"] }, "name"],
    [{ name: "x".repeat(41), scopes: ["*"] }, "name"],
    [{ name: "none", scopes: [] }, "scopes"],
    [{ name: "twice", scopes: ["*", "*"] }, "scopes"],
    [{ name: "unknown", scopes: ["all"] }, "scopes[0]"],
    [{ name: "past", scopes: ["*"], expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"]
  ])("is not made of %j", async (body, field) => {
    expect(codesOf(await create(body))).toEqual([[field, "VALIDATION_FAILED"]])
  })

  it("has a name that nobody had before, revoked tokens included", async () => {
    const { id } = await made("taken", ["mail:read"])
    await askSettings(service, `/operator-tokens/${id}`, { method: "DELETE" })
    expect(codesOf(await create({ name: "taken", scopes: ["*"] }))).toEqual([["name", "CONFLICT"]])
  })
})

it("there are as many tokens as fit, and not one more until one is revoked", async () => {
  const [before] = await service.query<{ readonly count: number }>(
    "select count(*)::int4 as count from operator_tokens where revoked_at is null"
  )
  await service.query(
    `insert into operator_tokens (id, name, hash, last4, scopes, created_by, created_at, is_from_before_key_scopes)
     select gen_random_uuid(), 'filler ' || n, sha256(('filler ' || n)::bytea), 'last', array['mail:read'], 'test', now(), false
     from generate_series(1, $1::int4) n`,
    [installationLimits.mostTokens - 1 - (before?.count ?? 0)]
  )
  const last = await create({ name: "last", scopes: ["mail:read"] })
  expect(last.status).toBe(201)
  const refused = await create({ name: "one-more", scopes: ["mail:read"] })
  expect(codesOf(refused)).toEqual([["operatorToken", "CONFLICT"]])
  await askSettings(service, `/operator-tokens/${last.data.id}`, { method: "DELETE" })
  expect((await create({ name: "one-more", scopes: ["mail:read"] })).status).toBe(201)
  await service.query("delete from operator_tokens where name like 'filler %'")
})

it("whoever guesses is locked out, also with the right token; API keys and people who are signed in notice nothing", async () => {
  const guarded = await startService()
  try {
    const { id, testKey } = await makeCompany(guarded)
    const named = (await askSettings(guarded, "/operator-tokens", { body: { name: "named", scopes: ["*"] } })).data
      .token
    const status = async (token: string) => (await ask(guarded, token, `/settings/v1/companies/${id}`)).status
    // A company's key at the wrong door is a mistake, not a guess.
    for (let mistakes = 0; mistakes < 30; mistakes++) expect(await status(testKey)).toBe(401)
    expect((await asToken(testKey, "/companies")).message).toContain(
      "operator's token, and not the API key of a company"
    )
    expect(await status(operatorToken)).toBe(200)
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, at) => status(`wrong-${at}`)))
    expect(guesses.filter((one) => one === 401)).toHaveLength(20)
    expect(guesses.filter((one) => one === 429)).toHaveLength(20)
    const locked = await ask(guarded, operatorToken, `/settings/v1/companies/${id}`)
    expect([locked.status, locked.errors?.[0]?.code]).toEqual([429, "RATE_LIMITED"])
    const seconds = Number(locked.headers.get("retry-after"))
    expect(seconds).toBeGreaterThan(0)
    expect(locked.errors?.[0]).toMatchObject({
      field: "authorization",
      message: expect.stringMatching(
        new RegExp(`^Too many wrong operator tokens came from this address.* Try again in ${seconds} s$`)
      )
    })
    expect(await status(named)).toBe(429)
    const metrics = await fetch(`${guarded.baseUrl}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
    expect(metrics.status).toBe(429)
    expect((await ask(guarded, testKey, "/api/v1/journeys")).status).toBe(200)
  } finally {
    await guarded.stop()
  }
})
