import { afterAll, beforeAll, expect, it } from "vitest"
import { modeOfApiKey } from "../../../../src/actors/company/apiKey.ts"
import { ask, askSettings, makeCompany, start, startBody, type Answer } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ TRUSTED_PROXIES: "127.0.0.1" })
})
afterAll(() => service.stop())

const allScopes = ["journeys:read", "journeys:write", "journeys:simulate"]
const list = (key: string) => ask(service, key, "/api/v1/journeys")
const codesOf = (answer: Answer) => answer.errors?.map(({ code, field }) => [field, code])
const keysOf = (companyId: string) => `/companies/${companyId}/api-keys`
const inYears = (years: number) => new Date(Date.now() + years * 365 * 86_400_000).toISOString()

it.each([
  ["TEST", "Test key"],
  ["LIVE", "Live key"]
] as const)("makes a %s key whose text is shown once and never again", async (mode, name) => {
  const { id } = await makeCompany(service)
  const made = await askSettings(service, keysOf(id), { body: { mode } })
  expect(made.status).toBe(201)
  expect(modeOfApiKey(made.data.key)).toBe(mode)
  const { key, ...shown } = made.data
  expect(shown).toEqual({
    id: expect.any(String),
    mode,
    name,
    last4: key.slice(-4),
    scopes: allScopes,
    developer: true,
    expiresAt: expect.any(String),
    addresses: [],
    lastUsedAt: null,
    revokedAt: null,
    createdAt: expect.any(String)
  })
  // A year after it was made: nothing was said.
  expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(365 * 86_400_000)
  const listed = await askSettings(service, keysOf(id))
  expect(listed.data.content[0]).toEqual(shown)
  expect((await list(key)).status).toBe(200)
  expect(listed.data.totalElements).toBe(3)
  const rows = await service.query<{ readonly rows: string }>(
    "select json_agg(k)::text || (select json_agg(a)::text from audit a) as rows from api_keys k"
  )
  expect(JSON.stringify([listed, rows, await askSettings(service, `/companies/${id}/audit`)])).not.toContain(key)
})

it("makes a key as it is asked for", async () => {
  const { id } = await makeCompany(service)
  const expiresAt = inYears(1)
  const wish = { mode: "TEST", name: "  Web shop ", scopes: ["journeys:read"], expiresAt, developer: false }
  const made = await askSettings(service, keysOf(id), { body: wish })
  expect(made.data).toMatchObject({ name: "Web shop", scopes: ["journeys:read"], expiresAt, developer: false })
  expect(codesOf(await list(made.data.key))).toEqual([["authorization", "INVALID_API_KEY"]])
})

it.each([
  [{}, ["mode"]],
  [{ mode: "test" }, ["mode"]],
  [{ mode: "TEST", scopes: [] }, ["scopes"]],
  [{ mode: "TEST", scopes: ["journeys:read", "journeys:read"] }, ["scopes"]],
  [{ mode: "TEST", scopes: ["journeys:all"] }, ["scopes[0]"]],
  [{ mode: "TEST", scopes: Array.from({ length: 12 }, () => "journeys:read") }, ["scopes"]],
  [{ mode: "TEST", scopes: "journeys:read" }, ["scopes"]],
  [{ mode: "TEST", expiresAt: "2020-01-01T00:00:00Z" }, ["expiresAt"]],
  [{ mode: "TEST", expiresAt: "tomorrow" }, ["expiresAt"]],
  [{ mode: "TEST", expiresAt: 1_900_000_000 }, ["expiresAt"]],
  [{ mode: "TEST", addresses: "203.0.113.7" }, ["addresses"]],
  [{ mode: "TEST", addresses: ["203.0.113.7", "203.0.113", "2001:db8::/129"] }, ["addresses[1]", "addresses[2]"]],
  [{ mode: "TEST", addresses: ["203.0.113.7,203.0.113.8"] }, ["addresses[0]"]],
  [{ mode: "TEST", addresses: Array.from({ length: 51 }, () => "203.0.113.7") }, ["addresses"]],
  [{ mode: "TEST", developer: "yes", name: "x".repeat(101), key: "mine" }, ["key", "name", "developer"]]
])("refuses to make the key %j at %j", async (body, fields) => {
  const { id } = await makeCompany(service)
  const answer = await askSettings(service, keysOf(id), { body })
  expect([answer.status, codesOf(answer)]).toEqual([400, fields.map((field) => [field, "VALIDATION_FAILED"])])
})

it("lets a rotation's new text work and its old text fail on the very next request", async () => {
  const { id, testKey, testKeyId } = await makeCompany(service)
  expect((await list(testKey)).status).toBe(200)
  const rotated = await askSettings(service, `${keysOf(id)}/${testKeyId}/rotate`, { method: "POST" })
  expect([rotated.status, rotated.data.id]).toEqual([200, testKeyId])
  expect(rotated.data.last4).toBe(rotated.data.key.slice(-4))
  expect(codesOf(await list(testKey))).toEqual([["authorization", "INVALID_API_KEY"]])
  expect((await list(rotated.data.key)).status).toBe(200)
})

it("says when a key was last taken; a request that is refused is no use", async () => {
  // A node writes at most once a minute: one of its own has nothing written yet.
  const fresh = await startService()
  const { id, liveKey, liveKeyId, testKey, testKeyId } = await makeCompany(fresh)
  const keyOf = async (keyId: string) => (await askSettings(fresh, `${keysOf(id)}/${keyId}`)).data
  await askSettings(fresh, `${keysOf(id)}/${liveKeyId}`, { method: "PATCH", body: { addresses: ["203.0.113.7"] } })
  expect((await ask(fresh, liveKey, "/api/v1/journeys")).status).toBe(403)
  expect((await ask(fresh, testKey, "/api/v1/journeys")).status).toBe(200)
  const used = await eventually(
    () => keyOf(testKeyId),
    ({ lastUsedAt }) => lastUsedAt !== null
  )
  expect(used.lastUsedAt >= used.createdAt).toBe(true)
  expect((await keyOf(liveKeyId)).lastUsedAt).toBeNull()
  await fresh.stop()
})

it("takes a key from the addresses of its list only, as trusted proxies name the client", async () => {
  const { id, testKey, testKeyId } = await makeCompany(service)
  const allow = (addresses: ReadonlyArray<string>) =>
    askSettings(service, `${keysOf(id)}/${testKeyId}`, { method: "PATCH", body: { addresses } })
  const from = async (client: string) => {
    const headers = { authorization: `Bearer ${testKey}`, "x-forwarded-for": client }
    const response = await fetch(`${service.baseUrl}/api/v1/journeys`, { headers })
    const { errors } = (await response.json()) as Answer
    return errors === null ? response.status : [response.status, errors?.[0]?.code, errors?.[0]?.message]
  }
  expect((await allow(["203.0.113.7", "198.51.100.0/24", "2001:db8:7::/48"])).data.addresses).toHaveLength(3)
  for (const client of ["203.0.113.7", "::ffff:203.0.113.7", "198.51.100.200", "2001:db8:7:1::5"]) {
    expect([client, await from(client)]).toEqual([client, 200])
  }
  for (const client of ["203.0.113.8", "198.51.101.1", "2001:db8:8::1"]) {
    expect(await from(client)).toEqual([
      403,
      "API_KEY_NOT_PERMITTED",
      `This key is taken from the addresses of its list only, and this request came from ${client}`
    ])
  }
  expect((await list(testKey)).status).toBe(403)
  expect((await allow([])).data.addresses).toEqual([])
  expect(await from("203.0.113.8")).toBe(200)
})

it("keeps journeys and idempotency keys across a rotation", async () => {
  const { id, testKey, testKeyId } = await makeCompany(service)
  const body = startBody("IDENTITY_DELIVERY")
  const first = await start(service, testKey, body, "across-rotation")
  const { key } = (await askSettings(service, `${keysOf(id)}/${testKeyId}/rotate`, { method: "POST" })).data
  const again = await start(service, key, body, "across-rotation")
  expect([again.status, again.data.id]).toEqual([200, first.data.id])
})

it("rotates no key that has expired: its new text would be refused like the old one", async () => {
  const { id, testKey, testKeyId } = await makeCompany(service)
  const path = `${keysOf(id)}/${testKeyId}`
  await service.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [testKeyId])
  const rotate = () => askSettings(service, `${path}/rotate`, { method: "POST" })
  expect(codesOf(await rotate())).toEqual([["apiKey", "CONFLICT"]])
  const later = new Date(Date.now() + 86_400_000).toISOString()
  expect((await askSettings(service, path, { method: "PATCH", body: { expiresAt: later } })).status).toBe(200)
  const rotated = await rotate()
  expect([rotated.status, (await list(rotated.data.key)).status, (await list(testKey)).status]).toEqual([200, 200, 401])
})

it("lets a revoked key fail on the very next request and stay revoked", async () => {
  const { id, liveKey, testKey, testKeyId } = await makeCompany(service)
  const path = `${keysOf(id)}/${testKeyId}`
  expect((await list(testKey)).status).toBe(200)
  const revoked = await askSettings(service, path, { method: "DELETE" })
  expect([revoked.status, revoked.data.revokedAt]).toEqual([200, expect.any(String)])
  expect(codesOf(await list(testKey))).toEqual([["authorization", "INVALID_API_KEY"]])
  const again = await askSettings(service, path, { method: "DELETE" })
  expect([again.status, again.data]).toEqual([200, revoked.data])
  for (const [method, at, body] of [
    ["POST", `${path}/rotate`, undefined],
    ["PATCH", path, { name: "Back" }],
    ["PATCH", path, {}]
  ] as const) {
    const refused = await askSettings(service, at, { method, ...(body === undefined ? {} : { body }) })
    expect([refused.status, codesOf(refused)]).toEqual([409, [["apiKey", "CONFLICT"]]])
  }
  expect((await list(liveKey)).status).toBe(200)
  const { content } = (await askSettings(service, `/companies/${id}/audit`)).data
  expect(content.filter(({ action }: { readonly action: string }) => action === "api_key.revoked")).toHaveLength(1)
})

it("changes a key's name, scopes, expiry and reach, from the very next request on", async () => {
  const { id, testKey, testKeyId } = await makeCompany(service)
  const path = `${keysOf(id)}/${testKeyId}`
  const change = (body: unknown) => askSettings(service, path, { method: "PATCH", body })
  const startOne = () => start(service, testKey, startBody("IDENTITY_DELIVERY"))
  expect((await startOne()).status).toBe(202)

  const reading = await change({ name: "Reader", scopes: ["journeys:read"] })
  expect(reading.data).toMatchObject({ name: "Reader", scopes: ["journeys:read"], developer: true })
  expect([(await list(testKey)).status, (await startOne()).status]).toEqual([200, 403])

  await change({ developer: false })
  expect((await list(testKey)).status).toBe(401)
  const back = await change({ developer: true, scopes: allScopes, expiresAt: inYears(1) })
  expect(back.data).toMatchObject({ name: "Reader", scopes: allScopes })
  expect((await startOne()).status).toBe(202)
  expect((await change({ expiresAt: null })).data.expiresAt).toBeNull()
  expect((await change({})).status).toBe(200)
  expect((await change({ mode: "LIVE" })).status).toBe(400)
})

it.each([
  ["journeys:read", [200, 403, 403]],
  ["journeys:write", [403, 404, 403]],
  ["journeys:simulate", [403, 403, 404]]
] as const)("gives a key with %s alone no other endpoint", async (scope, statuses) => {
  const { id } = await makeCompany(service)
  const { key } = (await askSettings(service, keysOf(id), { body: { mode: "TEST", scopes: [scope] } })).data
  const journey = "/api/v1/journeys/00000000-0000-7000-8000-000000000000"
  const answers = [
    await list(key),
    await ask(service, key, `${journey}/cancel`, { body: { reason: "Customer changed their mind" } }),
    await ask(service, key, `${journey}/simulate`, { body: { event: "identity.verified" } })
  ]
  expect(answers.map(({ status }) => status)).toEqual(statuses)
  for (const answer of answers.filter(({ status }) => status === 403)) {
    expect(codesOf(answer)).toEqual([["authorization", "API_KEY_NOT_PERMITTED"]])
  }
})

it("answers API_KEY_EXPIRED past the expiry, and INVALID_API_KEY when the key is revoked as well", async () => {
  const { testKey, testKeyId } = await makeCompany(service)
  await service.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [testKeyId])
  expect(codesOf(await list(testKey))).toEqual([["authorization", "API_KEY_EXPIRED"]])
  const { id } = await makeCompany(service)
  const revoked = (await askSettings(service, keysOf(id), { body: { mode: "TEST" } })).data
  await service.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [revoked.id])
  await askSettings(service, `${keysOf(id)}/${revoked.id}`, { method: "DELETE" })
  expect(codesOf(await list(revoked.key))).toEqual([["authorization", "INVALID_API_KEY"]])
})

it("gives an expired key its life back when its expiry is taken away", async () => {
  const { id, testKey, testKeyId } = await makeCompany(service)
  await service.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [testKeyId])
  expect((await list(testKey)).status).toBe(401)
  await askSettings(service, `${keysOf(id)}/${testKeyId}`, { method: "PATCH", body: { expiresAt: null } })
  expect((await list(testKey)).status).toBe(200)
})

it("knows no key of another company, and no key nobody has", async () => {
  const one = await makeCompany(service)
  const other = await makeCompany(service)
  for (const keyId of [other.testKeyId, "00000000-0000-7000-8000-000000000000", "x"]) {
    for (const [method, path, body] of [
      ["PATCH", `${keysOf(one.id)}/${keyId}`, { nonsense: 1 }],
      ["DELETE", `${keysOf(one.id)}/${keyId}`, undefined],
      ["POST", `${keysOf(one.id)}/${keyId}/rotate`, undefined]
    ] as const) {
      const answer = await askSettings(service, path, { method, ...(body === undefined ? {} : { body }) })
      expect([answer.status, codesOf(answer)]).toEqual([404, [["apiKey", "NOT_FOUND"]]])
    }
  }
  expect((await list(other.testKey)).status).toBe(200)
})

it("lets one of twenty rotations at once have the key: exactly one new text works", async () => {
  const { id, testKeyId } = await makeCompany(service)
  const rotate = () => askSettings(service, `${keysOf(id)}/${testKeyId}/rotate`, { method: "POST" })
  const answers = await Promise.all(Array.from({ length: 20 }, rotate))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const statuses = await Promise.all(answers.map(async ({ data }) => (await list(data.key)).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
})
