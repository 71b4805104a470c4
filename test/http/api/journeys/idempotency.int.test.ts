import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings, makeCompany, startBody } from "../../../support/companies.ts"
import { call, freshKey, raw, start, type Reply } from "../../../support/requests.ts"
import { changed } from "../../../schema/start/judge.ts"
import { expectRefusal, journeys, prepareGround, refuses, rowCounts, type Ground } from "./oracle.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const body = () => startBody("IDENTITY_DELIVERY")
const send = (given: unknown, idempotencyKey: string, key = ground.dealer.testKey) =>
  start(ground.service, key, given, idempotencyKey)

const expectReplay = (reply: Reply, id: string): void => {
  expect(`${reply.status} ${reply.code}`).toBe("200 null")
  expect(reply.header("idempotent-replayed")).toBe("true")
  expect(reply.data.id).toBe(id)
}

const repeated =
  (...lines: ReadonlyArray<string>) =>
  async () => {
    const text = JSON.stringify(body())
    const { replies } = await raw(
      ground.service,
      `POST ${journeys} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ground.dealer.testKey}\r\n` +
        `Content-Type: application/json\r\n${lines.map((line) => `Idempotency-Key: ${line}\r\n`).join("")}` +
        `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    )
    return replies[0] ?? expect.fail("no answer")
  }

describe("the Idempotency-Key of a start", () => {
  it.each<[string, () => Promise<Reply>]>([
    ["missing (BAD-K1)", repeated()],
    ["empty (BAD-K1)", repeated("")],
    ["blank (BAD-K1)", repeated("         ")],
    ["of 7 characters (BAD-K2)", () => send(body(), "a234567")],
    ["of 256 characters (BAD-K5)", () => send(body(), "a".repeat(256))],
    ["with a slash (BAD-K7)", () => send(body(), "abc/defg")],
    ["with spaces (BAD-K7)", () => send(body(), "a b c d e")],
    ["in quotes (BAD-K7)", () => send(body(), '"quoted-key"')],
    ["with a comma", () => send(body(), "abcd,efgh")],
    ["with a plus", () => send(body(), "abcd+efgh")],
    ["with an accent", repeated(Buffer.from("abcdéfgh", "utf8").toString("latin1"))],
    ["sent twice (BAD-K9)", repeated("abcdefgh", "ijklmnop")],
    ["sent twice the same (BAD-K9)", repeated("abcdefgh", "abcdefgh")]
  ])("is refused when %s", async (_, request) => {
    await refuses(ground, request, "400 IDEMPOTENCY_KEY_REQUIRED", "Idempotency-Key")
  })

  it.each<[string, () => Promise<Reply>, string]>([
    ["missing", repeated(), "is missing"],
    ["too short", () => send(body(), "a234567"), "8 to 255 characters, and this one has 7"],
    ["of other characters", () => send(body(), "abc/defg"), "letters, digits"],
    ["sent twice", repeated("abcdefgh", "ijklmnop"), "sent once"]
  ])("is refused with what is wrong with it when %s", async (_, request, words) => {
    expect((await request()).errors?.[0]?.message).toContain(words)
  })

  it.each([
    ["8 characters (BAD-K3)", "k-345678"],
    ["255 characters (BAD-K4)", "k".repeat(255)],
    ["every character it may have", "azAZ09._:-"],
    ["__proto__ (BAD-K23)", "__proto__"],
    ["constructor (BAD-K23)", "constructor"],
    ["toString (BAD-K23)", "toString"],
    ["hasOwnProperty (BAD-K23)", "hasOwnProperty"],
    ["a UUID", "5d9d9a5e-6a4e-4a58-9a39-7e52d3f3a001"]
  ])("may be %s", async (_, idempotencyKey) => {
    const first = await send(body(), idempotencyKey)
    expect(first.status).toBe(202)
    expect(first.header("idempotent-replayed")).toBeNull()
    expectReplay(await send(body(), idempotencyKey), first.data.id)
  })

  it("distinguishes upper and lower case", async () => {
    const first = await send(body(), "case-of-letters")
    const second = await send(body(), "Case-of-letters")
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.data.id).not.toBe(first.data.id)
  })

  it("sent with spaces around it, which HTTP takes off, is the same", async () => {
    const first = await send(body(), "trimmed-by-http")
    expectReplay(await repeated("   trimmed-by-http  ")(), first.data.id)
  })
})

describe("a start sent again", () => {
  it("replays the journey as it is now, and creates nothing", async () => {
    const key = freshKey()
    const first = await send(body(), key)
    const before = await rowCounts(ground.service)
    const again = await send(body(), key)
    expectReplay(again, first.data.id)
    expect(again.data).toEqual(first.data)
    expect(await rowCounts(ground.service)).toEqual(before)
  })

  it.each<[string, (given: Record<string, unknown>) => unknown]>([
    ["keys in another order (BAD-K11)", (given) => Object.fromEntries(Object.entries(given).toReversed())],
    ["nested keys in another order (BAD-K11)", (given) => changed(given, { vehicle: reversed(given["vehicle"]) })],
    ["other white space (BAD-K11)", (given) => `\r\n\t ${JSON.stringify(given, null, 3)}\n\n`],
    ["2021.0 for 2021 (BAD-K13)", (given) => JSON.stringify(given).replace('"year":2021', '"year":2021.0')],
    ["20.21e2 for 2021 (BAD-K13)", (given) => JSON.stringify(given).replace('"year":2021', '"year":20.21e2')],
    ["escaped letters", (given) => JSON.stringify(given).replace("Tomasz", "\\u0054omasz")],
    ["an escaped name", (given) => JSON.stringify(given).replace('"type"', '"t\\u0079pe"')]
  ])("is the same with %s", async (_, spelled) => {
    const key = freshKey()
    const first = await send(body(), key)
    expectReplay(await send(spelled(body()), key), first.data.id)
  })

  it.each<[string, Record<string, unknown>]>([
    ["another name", { "customer.firstName": "Ann" }],
    ["another case of the email", { "customer.email": "TOMASZ.wojcik@example.com" }],
    ["a field more", { externalCompanyName: "X" }],
    ["a field less", { externalReference: undefined }],
    ["a number as text", { "vehicle.year": "2021" }],
    ["a space more", { "customer.firstName": "Tomasz " }],
    ["another type", { type: "DELIVERY" }],
    ["an unlisted field", { colour: "red" }]
  ])("is refused with %s", async (_, changes) => {
    const key = freshKey()
    const first = await send(body(), key)
    await refuses(ground, () => send(changed(body(), changes), key), "409 IDEMPOTENCY_KEY_REUSED", "Idempotency-Key")
    expectReplay(await send(body(), key), first.data.id)
  })

  it("is refused with the entries of a list in another order", async () => {
    const key = freshKey()
    const mira = startBody("FINANCE_SUBMIT_VIA_MIRA")
    expect((await send(mira, key)).status).toBe(202)
    const swapped = changed(mira, { "finance.addressHistory": mira.finance.addressHistory.toReversed() })
    await refuses(ground, () => send(swapped, key), "409 IDEMPOTENCY_KEY_REUSED")
  })

  it("replays after the journey was cancelled (BAD-K19)", async () => {
    const key = freshKey()
    const { data } = await send(body(), key)
    const path = `${journeys}/${data.id}/cancel`
    await call(ground.service, { key: ground.dealer.testKey, path, body: { reason: "The buyer walked away" } })
    const again = await send(body(), key)
    expectReplay(again, data.id)
    expect(again.data.status).toBe("CANCELLED")
  })

  it("replays with the company's rotated key, and with any other key of the company (BAD-K19)", async () => {
    const company = await makeCompany(ground.service)
    const idempotencyKey = freshKey()
    const { data } = await send(body(), idempotencyKey, company.testKey)
    const keys = `/companies/${company.id}/api-keys`
    const rotated = await askSettings(ground.service, `${keys}/${company.testKeyId}/rotate`, { method: "POST" })
    expectReplay(await send(body(), idempotencyKey, rotated.data.key), data.id)
    const other = await askSettings(ground.service, keys, { body: { mode: "TEST" } })
    expectReplay(await send(body(), idempotencyKey, other.data.key), data.id)
  })

  it("is a different start for another company and in the other mode (BAD-K17)", async () => {
    const key = freshKey()
    const all = [ground.dealer.testKey, ground.dealer.liveKey, ground.broker.testKey, ground.broker.liveKey]
    const ids = new Set<string>()
    for (const apiKey of all) {
      const first = await send(body(), key, apiKey)
      expect(first.status).toBe(202)
      expect(first.data.livemode).toBe(apiKey.startsWith("svc_live_"))
      ids.add(first.data.id)
      expectReplay(await send(body(), key, apiKey), first.data.id)
    }
    expect(ids.size).toBe(4)
  })

  it("replays though the company could not start it today", async () => {
    const company = await makeCompany(ground.service)
    const key = freshKey()
    const { data } = await send(body(), key, company.testKey)
    const settings = { sandbox: { identityConfigured: false, credits: false } }
    await askSettings(ground.service, `/companies/${company.id}`, { method: "PATCH", body: settings })
    expectRefusal(await send(body(), freshKey(), company.testKey), "422 EKYC_NOT_CONFIGURED")
    expectReplay(await send(body(), key, company.testKey), data.id)
    expectRefusal(await send({ ...body(), type: "x" }, key, company.testKey), "409 IDEMPOTENCY_KEY_REUSED")
  })

  it("replays a start that ended at once", async () => {
    const key = freshKey()
    const declined = changed(startBody("FINANCE_ALREADY_SUBMITTED"), { "finance.decision": "DECLINED" })
    const first = await send(declined, key)
    expect([first.status, first.data.status]).toEqual([202, "CANCELLED"])
    expectReplay(await send(declined, key), first.data.id)
  })
})

describe("a start that failed", () => {
  it.each<[string, unknown, string]>([
    ["no JSON", "{", "400 VALIDATION_FAILED"],
    ["a malformed field", changed(body(), { "vehicle.year": 1 }), "400 VALIDATION_FAILED"],
    ["an unknown type", changed(body(), { type: "x" }), "400 VALIDATION_FAILED"],
    ["no photo", startBody("FINANCE_SALE"), "400 CUSTOMER_FACE_REQUIRED"],
    [
      "no consent",
      changed(startBody("FINANCE_SUBMIT_VIA_MIRA"), { "finance.consents.creditCheck": false }),
      "422 CONSENT_REQUIRED"
    ]
  ])("keeps nothing: its key starts another body later (%s)", async (_, wrong, expected) => {
    const key = freshKey()
    await refuses(ground, () => send(wrong, key), expected)
    await refuses(ground, () => send(wrong, key), expected)
    const first = await send(body(), key)
    expect(first.status).toBe(202)
    expectReplay(await send(body(), key), first.data.id)
    expectRefusal(await send(wrong, key), wrong === "{" ? "400 VALIDATION_FAILED" : "409 IDEMPOTENCY_KEY_REUSED")
  })

  it("because there was no credit succeeds once there is some", async () => {
    const company = await makeCompany(ground.service, { settings: { identityProvider: { kind: "BUILT_IN" } } })
    const key = freshKey()
    await refuses(ground, () => send(body(), key, company.liveKey), "422 INSUFFICIENT_CREDITS", "wallets.IDENTITY")
    const path = `/companies/${company.id}/wallets/IDENTITY/credits`
    await askSettings(ground.service, path, { body: { amount: 1, note: "One check" } })
    const first = await send(body(), key, company.liveKey)
    expect(first.status).toBe(202)
    await refuses(ground, () => send(body(), freshKey(), company.liveKey), "422 INSUFFICIENT_CREDITS")
    expectReplay(await send(body(), key, company.liveKey), first.data.id)
  })
})

const reversed = (value: unknown) => Object.fromEntries(Object.entries(value as object).toReversed())
