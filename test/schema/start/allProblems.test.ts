import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bodyDecoder } from "../../../src/schema/decoding/bodyDecoder.ts"
import { decodeStart } from "../../../src/schema/start/decodeStart.ts"
import { exampleId } from "../../../src/schema/exampleId.ts"
import { startExamples } from "../../../src/schema/start/examples.ts"
import { parseStrictJson } from "../../../src/schema/decoding/strictJson.ts"
import { absent, changed, factsFor, now, photo, shapes, verdict, verdictOn } from "./judge.ts"

describe("the problems of a body", () => {
  it("are listed all at once, in the order of the error table, equal codes in the order of the body", () => {
    expect(
      verdict(
        "FINANCE_SUBMIT_VIA_MIRA",
        {
          colour: "red",
          "customer.title": absent,
          "customer.email": "nobody",
          "vehicle.year": "2020",
          "vehicle.dealerCompanyId": exampleId("company", 2),
          "delivery.saleType": "CASH_SALE",
          customerFace: {},
          "finance.panelName": "P",
          "finance.decision": "approved",
          "finance.vehiclePrice": absent,
          "finance.drivingLicenceType": "full_uk",
          "finance.employmentHistory": [],
          "finance.addressHistory[1].postcode": "x".repeat(21),
          "finance.consents.creditCheck": false
        },
        { transport: "MULTIPART", photo }
      )
    ).toEqual([
      "APPLICATION_INCOMPLETE customer.title",
      "APPLICATION_INCOMPLETE finance.vehiclePrice",
      "APPLICATION_INCOMPLETE finance.employmentHistory",
      "PANEL_FIELDS_NOT_USED finance.panelName",
      "PANEL_FIELDS_NOT_USED finance.decision",
      "SALE_TYPE_NOT_USED delivery.saleType",
      "CUSTOMER_FACE_NOT_USED customerFace",
      "INVALID_APPLICATION_VALUE finance.drivingLicenceType",
      "VALIDATION_FAILED colour",
      "VALIDATION_FAILED customer.email",
      "VALIDATION_FAILED vehicle.year",
      "VALIDATION_FAILED finance.addressHistory[1].postcode",
      "VALIDATION_FAILED vehicle.dealerCompanyId"
    ])
  })

  it("are listed for a photo sale too", () => {
    expect(
      verdict(
        "FINANCE_SALE",
        { finance: {}, "customer.firstName": " ", "customerFace.source": "SELFIE" },
        { photo: { image: "OTHER", bytes: 6 * 1024 * 1024 } }
      )
    ).toEqual([
      "UNSUPPORTED_IMAGE_TYPE customerFace",
      "VALIDATION_FAILED finance",
      "VALIDATION_FAILED customer.firstName",
      "VALIDATION_FAILED customerFace.source",
      "VALIDATION_FAILED customerFace"
    ])
  })

  it("are cut at 200, so that a small request cannot ask for a huge answer", () => {
    const body = {
      ...startExamples.CASH_SALE,
      ...Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x${at}`, 1]))
    }
    expect(verdictOn(body, factsFor("CASH_SALE"))).toHaveLength(200)
  })

  it("are cut at 200 of every other body, too", () => {
    const unlisted = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x${at}`, at]))
    const decoded = bodyDecoder(Schema.Struct({ name: Schema.String }))(unlisted, { now, allowInsecure: false })
    expect(Result.isFailure(decoded) && decoded.failure.length).toBe(200)
  })
})

const messageOf = (changes: Readonly<Record<string, unknown>>) => {
  const result = decodeStart(changed(startExamples.CASH_SALE, changes), factsFor("CASH_SALE"))
  return Result.isFailure(result) ? result.failure.map(({ message }) => message) : []
}

describe("an unlisted name", () => {
  it.each([
    ["a.b", '["a.b"]'],
    ["finance.consents", '["finance.consents"]'],
    ["x[0]", '["x[0]"]'],
    ["", '[""]'],
    ["a b", '["a b"]'],
    ['say "hi"\\', '["say \\u0022hi\\u0022\\u005c"]'],
    ["line\nbreak\u202e", '["line\\u000abreak\\u202e"]'],
    ["café", '["caf\\u00e9"]'],
    ["😀", '["\\ud83d\\ude00"]'],
    ["x".repeat(61), `${"x".repeat(60)}...`],
    ["x".repeat(60), "x".repeat(60)],
    ["toString", "toString"],
    ["__proto__", "__proto__"]
  ])("%j is repeated as %s", (name, field) => {
    const body = { ...startExamples.CASH_SALE }
    Object.defineProperty(body, name, { value: 1, enumerable: true, configurable: true, writable: true })
    expect(verdictOn(body, factsFor("CASH_SALE"))).toEqual([`VALIDATION_FAILED ${field}`])
  })

  it.each([
    ["customer.firstname", "customer.firstname is not a field of this request; did you mean firstName?"],
    ["external_reference", "external_reference is not a field of this request; did you mean externalReference?"],
    ["vehicle.registraton", "vehicle.registraton is not a field of this request; did you mean registration?"],
    ["vehicle.price", "vehicle.price is not a field of this request"],
    ["email", "email is not a field of this request; email is a field of customer"],
    ["vehicle.saleType", "vehicle.saleType is not a field of this request; saleType is a field of delivery"],
    [
      "vehicle.externalReference",
      "vehicle.externalReference is not a field of this request; externalReference is a field of the body itself"
    ]
  ])("%s is refused with the name that was probably meant, or the object that has the field", (name, message) => {
    expect(messageOf({ [name]: "x" })).toEqual([message])
  })

  it("of a million characters is cut in field and message", () => {
    const result = decodeStart({ ...startExamples.CASH_SALE, ["\u0007".repeat(1e6)]: 1 }, factsFor("CASH_SALE"))
    const [problem] = Result.isFailure(result) ? result.failure : []
    expect(problem?.field.length).toBeLessThan(80)
    expect(problem?.message.length).toBeLessThan(140)
  })

  it("is refused wherever in a valid body it stands", () => {
    const places = shapes.flatMap((shape) => objectsIn(startExamples[shape]).map((path) => ({ shape, path })))
    expect(places.length).toBeGreaterThan(25)
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.string({ unit: "binary" }),
        fc.jsonValue(),
        ({ shape, path }, name, value) => {
          const body = structuredClone(startExamples[shape])
          const target = path.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], body) as object
          fc.pre(!listed.has(name))
          Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
          const lines = verdictOn(body, factsFor(shape))
          expect(lines).toHaveLength(1)
          expect(lines[0]).toMatch(/^VALIDATION_FAILED /)
        }
      ),
      { numRuns: 500, examples: places.map((place) => [place, "__proto__", { type: "DELIVERY" }] as const) as never }
    )
  })

  it("spelled __proto__ in JSON is refused and changes nothing", () => {
    const text = JSON.stringify(startExamples.CASH_SALE).replace("{", '{"__proto__":{"externalReference":"x"},')
    const body = Result.getOrThrow(parseStrictJson(new TextEncoder().encode(text)))
    expect(verdictOn(body, factsFor("CASH_SALE"))).toEqual(["VALIDATION_FAILED __proto__"])
    expect(verdictOn(changed(body, {}), factsFor("CASH_SALE"))).toEqual(["VALIDATION_FAILED __proto__"])
    expect(({} as Record<string, unknown>)["externalReference"]).toBeUndefined()
  })
})

/** The paths of all objects in a body. */
const objectsIn = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  if (typeof value !== "object" || value === null) return []
  const inner = Object.entries(value).flatMap(([name, member]) => objectsIn(member, [...path, name]))
  return Array.isArray(value) ? inner : [path, ...inner]
}

/** Names §4.2 lists anywhere: standing elsewhere, some of them have codes of their own. */
const listed: ReadonlySet<string> = new Set(
  JSON.stringify(startExamples)
    .match(/"\w+"(?=:)/g)
    ?.map((name) => name.slice(1, -1))
    .concat("decision", "organisationName", "dealerCompanyId", "dealerDirectoryId")
)
