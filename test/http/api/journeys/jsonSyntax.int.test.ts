import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../../support/companies.ts"
import { call, start } from "../../../support/requests.ts"
import { changed } from "../../../schema/start/judge.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"

let ground: Ground
let journeyId: string
beforeAll(async () => {
  ground = await prepareGround()
  journeyId = (await start(ground.service, ground.dealer.testKey, body())).data.id
})
afterAll(() => ground.service.stop())

const body = () => startBody("IDENTITY_DELIVERY")
const text = () => JSON.stringify(body())
const bytesWith = (inName: ReadonlyArray<number>) => {
  const [before = "", after = ""] = text().split("Tomasz")
  return Buffer.concat([Buffer.from(before), Buffer.from(inName), Buffer.from(after)])
}
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
const withFirst = (member: string) => text().replace("{", `{${member},`)

const unreadable: ReadonlyArray<[string, () => string | Uint8Array]> = [
  ["an empty body (BAD-J1)", () => ""],
  ["white space (BAD-J1)", () => " \r\n\t"],
  ["a byte order mark (BAD-J2)", () => `\ufeff${text()}`],
  ["a truncated body (BAD-J3)", () => text().slice(0, -1)],
  ["a trailing comma (BAD-J3)", () => text().replace(/}$/, ",}")],
  ["a comment (BAD-J3)", () => withFirst('"a": 1 /* one */')],
  ["single quotes (BAD-J3)", () => text().replaceAll('"', "'")],
  ["NaN (BAD-J3)", () => text().replace("2021", "NaN")],
  ["Infinity (BAD-J3)", () => text().replace("2021", "-Infinity")],
  ["a number with a plus (BAD-J3)", () => text().replace("2021", "+2021")],
  ["a number with a leading zero (BAD-J3)", () => text().replace("2021", "02021")],
  ["something behind (BAD-J3)", () => `${text()}x`],
  ["two values (BAD-J3)", () => `${text()}${text()}`],
  ["a line break inside a string (BAD-J4)", () => text().replace("Tomasz", "Tom\nasz")],
  ["an unknown escape (BAD-J4)", () => text().replace("Tomasz", "Tom\\xasz")],
  ["bytes that are no UTF-8 (BAD-J5)", () => bytesWith([0xff, 0xfe, 0xc0, 0xaf])],
  ["an overlong slash (BAD-J5)", () => bytesWith([0x41, 0xc0, 0xaf])],
  ["half a surrogate pair in UTF-8 (BAD-J5)", () => bytesWith([0x41, 0xed, 0xa0, 0x80])],
  ["Latin-1 (BAD-J5)", () => bytesWith([0x4a, 0xfc, 0x72])],
  ["UTF-16 (BAD-J5)", () => Buffer.from(text(), "utf16le")],
  ["a name twice (BAD-J9)", () => withFirst('"type": "DELIVERY"')],
  ["a name twice with one value (BAD-J9)", () => withFirst('"type": "IDENTITY_DELIVERY"')],
  ["a nested name twice (BAD-J9)", () => text().replace('"year"', '"year":2020,"year"')],
  ["a name twice, once escaped (BAD-J9)", () => withFirst('"typ\\u0065": "DELIVERY"')],
  ["__proto__ twice (BAD-J9)", () => withFirst('"__proto__": 1, "__proto__": 2')],
  ["a depth of 21 (BAD-J11)", () => withFirst(`"a": ${nested(20)}`)],
  ["a depth of 33 (BAD-J11)", () => nested(33)],
  ["a depth of 10,000 (BAD-J11)", () => nested(10_000)],
  ["a million opened lists (BAD-J11)", () => "[".repeat(1_000_000)],
  ["half a million objects (BAD-J11)", () => '{"a":'.repeat(200_000)],
  ["more values than any start has (BAD-J12)", () => withFirst(`"a": [${"0,".repeat(3000)}0]`)],
  ["null", () => "null"],
  ["a list", () => `[${text()}]`],
  ["a string", () => '"{}"'],
  ["a number", () => "1"],
  ["true", () => "true"]
]

describe("a body that is no JSON object this service can keep", () => {
  it.each(unreadable)("starts nothing: %s", async (_, sent) => {
    const bytes = sent()
    // A quadratic reader would need minutes, and a test has one.
    await refuses(ground, () => start(ground.service, ground.dealer.testKey, bytes), "400 VALIDATION_FAILED", "body")
  })

  it.each(unreadable)("is refused by the operations: %s", async (_, sent) => {
    const bytes = sent()
    for (const operation of ["cancel", "finance-decision", "simulate"]) {
      const path = `${journeys}/${journeyId}/${operation}`
      const send = () => call(ground.service, { key: ground.dealer.testKey, path, method: "POST", body: bytes })
      await refuses(ground, send, "400 VALIDATION_FAILED", "body")
    }
  })
})

describe("a value that cannot be kept", () => {
  it.each([
    ["an escaped U+0000 (BAD-J7)", () => text().replace("Tomasz", "a\\u0000b"), "customer.firstName"],
    ["an escaped U+0000 in a name (BAD-J7)", () => withFirst('"a\\u0000": 1'), '["a\\u0000"]'],
    ["half of an emoji, cut off (BAD-J8)", () => text().replace("Tomasz", "Tom\\ud83d"), "customer.firstName"],
    ["a number beyond every double (BAD-J15)", () => text().replace("2021", "1e400"), "vehicle.year"]
  ])("is refused by its field: %s", async (_, sent, field) => {
    const { testKey: key } = ground.dealer
    await refuses(ground, () => start(ground.service, key, sent()), "400 VALIDATION_FAILED", field)
    for (const operation of ["cancel", "finance-decision", "simulate"]) {
      const path = `${journeys}/${journeyId}/${operation}`
      const send = () => call(ground.service, { key, path, method: "POST", body: sent() })
      await refuses(ground, send, "400 VALIDATION_FAILED", field)
    }
  })
})

describe("values of the wrong JSON type", () => {
  it.each<[string, string, unknown]>([
    ["an integer beyond 2^53 (BAD-J15)", "vehicle.year", 2 ** 53 + 2],
    ["an integer of 300 digits (BAD-J15)", "vehicle.year", Number(`1${"0".repeat(300)}`)],
    ["a number as text (BAD-J17)", "vehicle.year", "2021"],
    ["an object where text belongs (BAD-J19)", "customer.firstName", {}],
    ["a list where text belongs (BAD-J19)", "customer.firstName", ["Tomasz"]],
    ["a number where text belongs (BAD-J19)", "externalReference", 5],
    ["a list where an object belongs (BAD-J19)", "customer", [{}]],
    ["text where an object belongs (BAD-J19)", "vehicle", "AB12 CDE"],
    ["null where text belongs", "externalReference", null],
    ["null where an object belongs", "delivery", null]
  ])("are refused by their field: %s", async (_, field, value) => {
    const wrong = changed(body(), { [field]: value })
    await refuses(ground, () => start(ground.service, ground.dealer.testKey, wrong), "400 VALIDATION_FAILED", field)
  })

  it.each<[string, unknown, string]>([
    ["finance.validUkPassport", "true", "400 VALIDATION_FAILED"],
    ["finance.validUkPassport", 1, "400 VALIDATION_FAILED"],
    ["finance.vehiclePrice", "12000", "400 VALIDATION_FAILED"],
    ["finance.employmentHistory", {}, "400 VALIDATION_FAILED"],
    ["finance.addressHistory", "none", "400 VALIDATION_FAILED"],
    ["finance.addressHistory[0]", [], "400 VALIDATION_FAILED"],
    ["finance.consents", true, "400 VALIDATION_FAILED"],
    ["finance.consents.creditCheck", "true", "422 CONSENT_REQUIRED"],
    ["finance.consents.creditCheck", 1, "422 CONSENT_REQUIRED"]
  ])("are refused in an application: %s = %j (BAD-J17, BAD-J19)", async (field, value, expected) => {
    const wrong = changed(startBody("FINANCE_SUBMIT_VIA_MIRA"), { [field]: value })
    await refuses(ground, () => start(ground.service, ground.dealer.testKey, wrong), expected, field)
  })
})

describe("names the service does not list", () => {
  it.each(["id", "status", "livemode", "companyId", "createdAt", "customerReference", "nextAction", "shape", "_tag"])(
    "%s is refused, not taken over (BAD-J21)",
    async (name) => {
      for (const value of [null, "COMPLETED", true]) {
        const wrong = { ...body(), [name]: value }
        await refuses(ground, () => start(ground.service, ground.dealer.testKey, wrong), "400 VALIDATION_FAILED", name)
      }
    }
  )

  it.each([
    ["__proto__ (BAD-J10)", '"__proto__": {"type": "DELIVERY"}', "__proto__"],
    ["constructor (BAD-J10)", '"constructor": {"prototype": {}}', "constructor"],
    ["control characters (BAD-J23)", '"a\\u0007\\u001b[31m\\nb": 1', '["a\\u0007\\u001b[31m\\u000ab"]'],
    ["a direction override (BAD-J23)", '"\\u202eevil": 1', '["\\u202eevil"]'],
    ["quotes", '"a\\"b<script>": 1', '["a\\u0022b<script>"]'],
    ["an empty name", '"": 1', '[""]']
  ])("are refused and shown harmlessly: %s", async (_, member, field) => {
    const wrong = withFirst(member)
    await refuses(ground, () => start(ground.service, ground.dealer.testKey, wrong), "400 VALIDATION_FAILED", field)
  })

  it("are told all at once, each with its place", async () => {
    const wrong = changed(body(), { a: 1, "customer.b": 1, "vehicle.c": 1, "delivery.d": 1, "finance.e": 1 })
    const reply = await refuses(
      ground,
      () => start(ground.service, ground.dealer.testKey, wrong),
      "400 VALIDATION_FAILED"
    )
    expect(reply.errors.map((error) => error.field).toSorted()).toEqual([
      "a",
      "customer.b",
      "delivery.d",
      "finance.e",
      "vehicle.c"
    ])
  })

  it("are told in a bounded answer, however many there are", async () => {
    const many = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`name-${at}`, at]))
    const reply = await refuses(
      ground,
      () => start(ground.service, ground.dealer.testKey, { ...body(), ...many }),
      "400 VALIDATION_FAILED"
    )
    expect(reply.errors).toHaveLength(20)
  })
})
