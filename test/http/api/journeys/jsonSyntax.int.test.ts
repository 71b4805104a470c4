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
  ["J1 an empty body", () => ""],
  ["J1 white space", () => " \r\n\t"],
  ["J2 a byte order mark", () => `\ufeff${text()}`],
  ["J3 a truncated body", () => text().slice(0, -1)],
  ["J3 a trailing comma", () => text().replace(/}$/, ",}")],
  ["J3 a comment", () => withFirst('"a": 1 /* one */')],
  ["J3 single quotes", () => text().replaceAll('"', "'")],
  ["J3 NaN", () => text().replace("2021", "NaN")],
  ["J3 Infinity", () => text().replace("2021", "-Infinity")],
  ["J3 a number with a plus", () => text().replace("2021", "+2021")],
  ["J3 a number with a leading zero", () => text().replace("2021", "02021")],
  ["J3 something behind", () => `${text()}x`],
  ["J3 two values", () => `${text()}${text()}`],
  ["J4 a line break inside a string", () => text().replace("Tomasz", "Tom\nasz")],
  ["J4 an unknown escape", () => text().replace("Tomasz", "Tom\\xasz")],
  ["J5 bytes that are no UTF-8", () => bytesWith([0xff, 0xfe, 0xc0, 0xaf])],
  ["J5 an overlong slash", () => bytesWith([0x41, 0xc0, 0xaf])],
  ["J5 half a surrogate pair in UTF-8", () => bytesWith([0x41, 0xed, 0xa0, 0x80])],
  ["J5 Latin-1", () => bytesWith([0x4a, 0xfc, 0x72])],
  ["J5 UTF-16", () => Buffer.from(text(), "utf16le")],
  ["J7 an escaped U+0000", () => text().replace("Tomasz", "a\\u0000b")],
  ["J7 an escaped U+0000 in a name", () => withFirst('"a\\u0000": 1')],
  ["J8 half of an escaped surrogate pair", () => text().replace("Tomasz", "a\\ud83db")],
  ["J9 a name twice", () => withFirst('"type": "DELIVERY"')],
  ["J9 a name twice with one value", () => withFirst('"type": "IDENTITY_DELIVERY"')],
  ["J9 a nested name twice", () => text().replace('"year"', '"year":2020,"year"')],
  ["J9 a name twice, once escaped", () => withFirst('"typ\\u0065": "DELIVERY"')],
  ["J9 __proto__ twice", () => withFirst('"__proto__": 1, "__proto__": 2')],
  ["J11 a depth of 21", () => withFirst(`"a": ${nested(20)}`)],
  ["J11 a depth of 33", () => nested(33)],
  ["J11 a depth of 10,000", () => nested(10_000)],
  ["J11 a million opened lists", () => "[".repeat(1_000_000)],
  ["J11 half a million objects", () => '{"a":'.repeat(200_000)],
  ["J12 more values than any start has", () => withFirst(`"a": [${"0,".repeat(3000)}0]`)],
  ["J15 a number beyond every double", () => text().replace("2021", "1e400")],
  ["null", () => "null"],
  ["a list", () => `[${text()}]`],
  ["a string", () => '"{}"'],
  ["a number", () => "1"],
  ["true", () => "true"]
]

describe("a body that is no JSON object this service can keep", () => {
  it.each(unreadable)("starts nothing: %s", async (_, sent) => {
    const bytes = sent()
    const began = performance.now()
    await refuses(ground, () => start(ground.service, ground.dealer.testKey, bytes), "400 VALIDATION_FAILED", "body")
    // Generous for a slow machine; a quadratic reader would need minutes.
    expect(performance.now() - began).toBeLessThan(2000)
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

describe("values of the wrong JSON type", () => {
  it.each<[string, string, unknown]>([
    ["J15 an integer beyond 2^53", "vehicle.year", 2 ** 53 + 2],
    ["J15 an integer of 300 digits", "vehicle.year", Number(`1${"0".repeat(300)}`)],
    ["J17 a number as text", "vehicle.year", "2021"],
    ["J19 an object where text belongs", "customer.firstName", {}],
    ["J19 a list where text belongs", "customer.firstName", ["Tomasz"]],
    ["J19 a number where text belongs", "externalReference", 5],
    ["J19 a list where an object belongs", "customer", [{}]],
    ["J19 text where an object belongs", "vehicle", "AB12 CDE"],
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
  ])("J17, J19 are refused in an application: %s = %j", async (field, value, expected) => {
    const wrong = changed(startBody("FINANCE_SUBMIT_VIA_MIRA"), { [field]: value })
    await refuses(ground, () => start(ground.service, ground.dealer.testKey, wrong), expected, field)
  })
})

describe("names the service does not list", () => {
  it.each(["id", "status", "livemode", "companyId", "createdAt", "customerReference", "nextAction", "shape", "_tag"])(
    "J21 %s is refused, not taken over",
    async (name) => {
      for (const value of [null, "COMPLETED", true]) {
        const wrong = { ...body(), [name]: value }
        await refuses(ground, () => start(ground.service, ground.dealer.testKey, wrong), "400 VALIDATION_FAILED", name)
      }
    }
  )

  it.each([
    ["J10 __proto__", '"__proto__": {"type": "DELIVERY"}', "__proto__"],
    ["J10 constructor", '"constructor": {"prototype": {}}', "constructor"],
    ["J23 control characters", '"a\\u0007\\u001b[31m\\nb": 1', '["a\\u0007\\u001b[31m\\u000ab"]'],
    ["J23 a direction override", '"\\u202eevil": 1', '["\\u202eevil"]'],
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
    expect(reply.errors).toHaveLength(200)
  })
})
