import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hashApiKey, makeApiKey } from "../../../../src/actors/company/apiKey.ts"
import { askSettings, makeCompany, startBody, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { call, freshKey, raw, start, type Reply } from "../../../support/requests.ts"
import { expectRefusal, journeys, prepareGround, refuses, type Ground } from "./oracle.ts"

let ground: Ground
let journeyId: string
beforeAll(async () => {
  ground = await prepareGround()
  journeyId = (await start(ground.service, ground.dealer.testKey, startBody("IDENTITY_DELIVERY"))).data.id
})
afterAll(() => ground.service.stop())

/** A well-formed key nobody has: its checksum is right. */
const keyOfNobody = (livemode: boolean, seed: number): string =>
  makeApiKey(
    livemode,
    new Uint8Array(64).map((_, at) => (at * 7 + seed) % 200),
    null
  ) ?? expect.fail("no key")

const get = (headers: Readonly<Record<string, string>>, path = `${journeys}?size=1`) =>
  call(ground.service, { headers, path })

const newKey = async (company: TestCompany, wishes: Readonly<Record<string, unknown>>) => {
  const { data } = await askSettings(ground.service, `/companies/${company.id}/api-keys`, {
    body: { mode: "TEST", ...wishes }
  })
  return data as { readonly id: string; readonly key: string }
}

/** The endpoints, each asked in the way that would succeed but for the key. */
const everyEndpoint: ReadonlyArray<[name: string, send: (key: string) => Promise<Reply>, scope: string]> = [
  ["start", (key) => start(ground.service, key, startBody("IDENTITY_DELIVERY")), "journeys:write"],
  ["get", (key) => call(ground.service, { key, path: `${journeys}/${journeyId}` }), "journeys:read"],
  ["list", (key) => call(ground.service, { key }), "journeys:read"],
  ["events", (key) => call(ground.service, { key, path: "/api/v1/events" }), "journeys:read"],
  ["one event", (key) => call(ground.service, { key, path: `/api/v1/events/${journeyId}` }), "journeys:read"],
  ["scenarios", (key) => call(ground.service, { key, path: "/api/v1/sandbox/scenarios" }), "journeys:read"],
  [
    "cancel",
    (key) =>
      call(ground.service, { key, path: `${journeys}/${journeyId}/cancel`, body: { reason: "a long enough one" } }),
    "journeys:write"
  ],
  [
    "finance-decision",
    (key) =>
      call(ground.service, { key, path: `${journeys}/${journeyId}/finance-decision`, body: { decision: "APPROVED" } }),
    "journeys:write"
  ],
  [
    "simulate",
    (key) =>
      call(ground.service, { key, path: `${journeys}/${journeyId}/simulate`, body: { event: "identity.failed" } }),
    "journeys:simulate"
  ]
]

describe("without a key that is ours", () => {
  it.each<[string, () => Readonly<Record<string, string>>]>([
    ["no header (BAD-A1)", () => ({})],
    ["an empty header", () => ({ authorization: "" })],
    ["the scheme alone", () => ({ authorization: "Bearer" })],
    [
      "Basic (BAD-A3)",
      () => ({ authorization: `Basic ${Buffer.from(`${ground.dealer.testKey}:`).toString("base64")}` })
    ],
    ["the bare key (BAD-A3)", () => ({ authorization: ground.dealer.testKey })],
    ["the key in another header (BAD-A3)", () => ({ "x-api-key": ground.dealer.testKey })],
    [
      "two keys in one header",
      () => ({ authorization: `Bearer ${ground.dealer.testKey}, Bearer ${ground.dealer.testKey}` })
    ],
    ["a key with something behind", () => ({ authorization: `Bearer ${ground.dealer.testKey} x` })],
    ["a well-formed test key of nobody (BAD-A5)", () => ({ authorization: `Bearer ${keyOfNobody(false, 1)}` })],
    ["a well-formed live key of nobody (BAD-A5)", () => ({ authorization: `Bearer ${keyOfNobody(true, 2)}` })],
    [
      "a key with one letter changed (BAD-A6)",
      () => ({ authorization: `Bearer ${ground.dealer.testKey.slice(0, -1)}!` })
    ],
    ["a key in other letters", () => ({ authorization: `Bearer ${ground.dealer.testKey.toUpperCase()}` })],
    ["a test key called live", () => ({ authorization: `Bearer ${ground.dealer.testKey.replace("test", "live")}` })],
    ["the operator's token", () => ({ authorization: "Bearer test-operator-token-000000000000000000000000" })]
  ])("the answer is 401: %s", async (_, headers) => {
    await refuses(ground, () => get(headers()), "401 INVALID_API_KEY")
  })

  it("a key in the query or in the body does not count (BAD-A3)", async () => {
    const { testKey } = ground.dealer
    await refuses(
      ground,
      () => get({}, `${journeys}?api_key=${testKey}&access_token=${testKey}`),
      "401 INVALID_API_KEY"
    )
    const body = { ...startBody("IDENTITY_DELIVERY"), apiKey: testKey, authorization: `Bearer ${testKey}` }
    await refuses(
      ground,
      () => call(ground.service, { body, headers: { "idempotency-key": freshKey() } }),
      "401 INVALID_API_KEY"
    )
  })

  it("two Authorization headers count as none, whichever comes first (BAD-A11)", async () => {
    const good = `Authorization: Bearer ${ground.dealer.testKey}\r\n`
    const bad = "Authorization: Bearer nobody\r\n"
    for (const headers of [good + bad, bad + good, good + good]) {
      const send = async () => {
        const { replies } = await raw(ground.service, `GET ${journeys} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
        return replies[0] ?? expect.fail("no answer")
      }
      await refuses(ground, send, "401 INVALID_API_KEY")
    }
  })

  it("a stranger cannot tell a well-formed key of nobody from an ill-formed one (BAD-A5, BAD-A6)", async () => {
    const replies = await Promise.all(
      [keyOfNobody(false, 3), `${keyOfNobody(false, 3).slice(0, -1)}!`, "x", ""].map((key) =>
        get({ authorization: `Bearer ${key}` })
      )
    )
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
  })

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ["no header", () => ({})],
    ["Basic", () => ({ authorization: `Basic ${Buffer.from(`${ground.dealer.testKey}:`).toString("base64")}` })],
    ["the bare key", () => ({ authorization: ground.dealer.testKey })],
    ["the key in another header", () => ({ "x-api-key": ground.dealer.testKey })]
  ])("whoever sends no key the right way reads how a key is sent: %s", async (_, headers) => {
    expect((await get(headers())).errors?.[0]?.message).toContain("Authorization: Bearer svc_test_")
  })

  it.each(everyEndpoint)("every endpoint asks for one: %s", async (_, send) => {
    await refuses(ground, () => send("nobody"), "401 INVALID_API_KEY")
  })

  it("the scheme's letters do not matter", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer  "]) {
      expect((await get({ authorization: `${scheme} ${ground.dealer.testKey}` })).status).toBe(200)
    }
  })
})

describe("a key of ours", () => {
  it("is refused from the very moment of its expiry (BAD-A7)", async () => {
    const { id, key } = await newKey(ground.dealer, { expiresAt: new Date(Date.now() + 60_000).toISOString() })
    expect((await get({ authorization: `Bearer ${key}` })).status).toBe(200)
    await ground.service.query("update api_keys set expires_at = now() where id = $1", [id])
    await expect
      .poll(async () => (await get({ authorization: `Bearer ${key}` })).code, { timeout: 5000 })
      .toBe("API_KEY_EXPIRED")
    await refuses(ground, () => get({ authorization: `Bearer ${key}` }), "401 API_KEY_EXPIRED")
    await askSettings(ground.service, `/companies/${ground.dealer.id}/api-keys/${id}`, { method: "DELETE" })
    await refuses(ground, () => get({ authorization: `Bearer ${key}` }), "401 INVALID_API_KEY")
  })

  it("is refused once it is revoked, rotated, no developer key, or its company is off", async () => {
    const company = await makeCompany(ground.service, { name: "Passing Motors" })
    const path = `/companies/${company.id}`
    const { id, key } = await newKey(company, {})
    const send = (text = key) => get({ authorization: `Bearer ${text}` })
    expect((await send()).status).toBe(200)

    await askSettings(ground.service, path, { method: "PATCH", body: { active: false } })
    await refuses(ground, send, "401 INVALID_API_KEY")
    await askSettings(ground.service, path, { method: "PATCH", body: { active: true } })
    expect((await send()).status).toBe(200)

    const rotated = await askSettings(ground.service, `${path}/api-keys/${id}/rotate`, { method: "POST" })
    await refuses(ground, send, "401 INVALID_API_KEY")
    expect((await send(rotated.data.key)).status).toBe(200)

    await askSettings(ground.service, `${path}/api-keys/${id}`, { method: "PATCH", body: { developer: false } })
    await refuses(ground, () => send(rotated.data.key), "401 INVALID_API_KEY")
    await askSettings(ground.service, `${path}/api-keys/${id}`, { method: "PATCH", body: { developer: true } })
    expect((await send(rotated.data.key)).status).toBe(200)

    await askSettings(ground.service, `${path}/api-keys/${id}`, { method: "DELETE" })
    await refuses(ground, () => send(rotated.data.key), "401 INVALID_API_KEY")
  })

  it("is refused when its prefix and its row disagree about the mode", async () => {
    for (const livemode of [true, false]) {
      const key = keyOfNobody(livemode, 4)
      await ground.service.query(
        `insert into api_keys (id, company_id, livemode, name, hash, last4, scopes, created_at)
         values (gen_random_uuid(), $1, $2, 'odd', $3, 'oddd', '{journeys:read}', now())`,
        [ground.dealer.id, !livemode, hashApiKey(key)]
      )
      await refuses(ground, () => get({ authorization: `Bearer ${key}` }), "401 INVALID_API_KEY")
    }
  })

  it.each(everyEndpoint)("may do what its scopes say and nothing else: %s", async (_, send, scope) => {
    const others = ["journeys:read", "journeys:write", "journeys:simulate"].filter((one) => one !== scope)
    const { key } = await newKey(ground.dealer, { scopes: others })
    await refuses(ground, () => send(key), "403 API_KEY_NOT_PERMITTED")
    const { key: permitted } = await newKey(ground.dealer, { scopes: [scope] })
    expect((await send(permitted)).status).not.toBe(403)
  })

  it("may not simulate when it is live, whatever the journey and the body (BAD-A9, BAD-L17)", async () => {
    const { liveKey: key } = ground.dealer
    const live = await start(ground.service, key, startBody("IDENTITY_DELIVERY"))
    expect(live.status).toBe(202)
    for (const id of [journeyId, live.data.id, "none"]) {
      for (const body of [{ event: "identity.verified" }, { event: 5 }, "{"]) {
        await refuses(
          ground,
          () => call(ground.service, { key, path: `${journeys}/${id}/simulate`, body }),
          "403 API_KEY_NOT_PERMITTED"
        )
      }
    }
  })

  it("may not start a cash sale when it is a broker's (BAD-A15)", async () => {
    for (const key of [ground.broker.testKey, ground.broker.liveKey]) {
      await refuses(ground, () => start(ground.service, key, startBody("CASH_SALE")), "422 DEALER_ONLY")
    }
  })
})

/** Its identity check is asked for beside its actor; from then on a live journey stands still by itself. */
const standsStill = (id: string) =>
  eventually(
    () => ground.service.query<{ readonly state: unknown }>("select state from journeys where id = $1", [id]),
    ([row]) => row !== undefined && !JSON.stringify(row.state).includes("START_IDENTITY_CHECK"),
    30_000
  )

describe("a journey of another company or mode (BAD-A13)", () => {
  const asks: ReadonlyArray<[string, (id: string) => object]> = [
    ["get", (id) => ({ path: `${journeys}/${id}` })],
    ["cancel", (id) => ({ path: `${journeys}/${id}/cancel`, body: { reason: "a reason long enough" } })],
    ["cancel with a bad body", (id) => ({ path: `${journeys}/${id}/cancel`, body: { reason: "x" } })],
    ["cancel with no JSON", (id) => ({ path: `${journeys}/${id}/cancel`, body: "{" })],
    ["finance-decision", (id) => ({ path: `${journeys}/${id}/finance-decision`, body: { decision: "APPROVED" } })],
    ["simulate", (id) => ({ path: `${journeys}/${id}/simulate`, body: { event: "identity.verified" } })],
    ["simulate a nonsense", (id) => ({ path: `${journeys}/${id}/simulate`, body: { event: "x" } })],
    [
      "cancel with a bad Idempotency-Key",
      (id) => ({
        path: `${journeys}/${id}/cancel`,
        body: { reason: "a reason long enough" },
        headers: { "idempotency-key": "x" }
      })
    ]
  ]

  it.each(asks)("is answered exactly like one that never was: %s", async (name, ask) => {
    const live = await start(ground.service, ground.dealer.liveKey, startBody("IDENTITY_DELIVERY"))
    await standsStill(String(live.data.id))
    const foreign = [
      [ground.broker.testKey, journeyId],
      [ground.broker.liveKey, live.data.id],
      [ground.dealer.testKey, live.data.id],
      [ground.dealer.liveKey, journeyId]
    ] as const
    const unknown = await call(ground.service, {
      key: ground.dealer.testKey,
      ...ask("01890000-0000-7000-8000-000000000000")
    })
    expectRefusal(unknown, "404 JOURNEY_NOT_FOUND", "journey")
    for (const [key, id] of foreign) {
      // A live key may not simulate at all.
      if (key.startsWith("svc_live_") && name.startsWith("simulate")) continue
      const reply = await refuses(ground, () => call(ground.service, { key, ...ask(id) }), "404 JOURNEY_NOT_FOUND")
      expect(reply.text).toBe(unknown.text)
      for (const header of ["content-type", "content-length", "cache-control", "ratelimit-policy", "connection"]) {
        expect(reply.header(header)).toBe(unknown.header(header))
      }
    }
  })
})
