import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../../support/companies.ts"
import { call, start } from "../../../support/requests.ts"
import { absent, changed } from "../../../schema/start/judge.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"
import { expectVerdicts } from "./verdicts.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround({ credits: 0 })
})
afterAll(() => ground.service.stop())

const already = "FINANCE_ALREADY_SUBMITTED"
const mira = "FINANCE_SUBMIT_VIA_MIRA"
const invalid = "400 VALIDATION_FAILED"

/** Cases that differ in one field. */
const values = (field: string, verdicts: ReadonlyArray<readonly [value: unknown, verdict: string]>) =>
  verdicts.map(([value, verdict]) => [{ [field]: value }, verdict] as const)

const refusedAs = (verdict: string, ...all: ReadonlyArray<unknown>) => all.map((value) => [value, verdict] as const)
const taken = (...all: ReadonlyArray<unknown>) => refusedAs("202", ...all)

/** Events repeat a reference (V23). */
const personalReferences = (
  "ann@example.com,deal 7 <ann@example.com>,ann\uff20example.com,+44 7700 900123,deal +447700900123," +
  "0044 (0)7700 900 123,07700 900123,0770-090-0123,Ann 07700900123"
).split(",")

describe("the type", () => {
  it("must be one of three, and is judged before anything else (BAD-FLD1, BAD-FLD3)", async () => {
    const wrong = [absent, "delivery", "DELIVERY ", "", null, 1, ["DELIVERY"], "constructor", "__proto__"]
    for (const shape of [already, "CASH_SALE"] as const) {
      await expectVerdicts(
        ground,
        shape,
        wrong.map((type) => [{ type, customer: absent, unlisted: 1 }, `${invalid} type`] as const)
      )
    }
  })
})

describe("text", () => {
  it("of 100 emoji is stored as it was sent, and the filter finds it (BAD-FLD5)", async () => {
    const reference = "🚗".repeat(100)
    const { data } = await start(ground.service, ground.dealer.testKey, {
      ...startBody("IDENTITY_DELIVERY"),
      externalReference: reference
    })
    expect(data.externalReference).toBe(reference)
    const [row] = await ground.service.query<{ external_reference: string }>(
      "select external_reference from journeys where id = $1",
      [data.id]
    )
    expect(row?.external_reference).toBe(reference)
    const path = `${journeys}?externalReference=${encodeURIComponent(reference)}`
    const found = await call(ground.service, { key: ground.dealer.testKey, path })
    expect(found.data.content).toEqual([data])
  })

  it("is never cut: spaces inside it count, and spaces around it do not (BAD-FLD7)", async () => {
    await expectVerdicts(ground, "IDENTITY_DELIVERY", [
      ...values("externalReference", [
        ...taken(`${"x".repeat(100)}${" ".repeat(50)}`, `${" ".repeat(50)}x`),
        ...refusedAs(`${invalid} externalReference`, `${"x".repeat(100)}   y`, `x${" ".repeat(99)}y`),
        ...refusedAs(`${invalid} externalReference`, ...personalReferences),
        ...taken("0012345678901", "deal@42", "A+44", "invoice-07700900123", "2026-11-22/07", "20261122001234")
      ])
    ])
    const padded = { ...startBody("IDENTITY_DELIVERY"), externalReference: "  padded \u00a0" }
    const { data } = await start(ground.service, ground.dealer.testKey, padded)
    expect(data.externalReference).toBe("padded")
  })

  it("must be visible, and must not hold characters that hide anything (BAD-FLD9, BAD-FLD11)", async () => {
    await expectVerdicts(
      ground,
      "IDENTITY_DELIVERY",
      values("customer.firstName", [
        ...taken("x", "x".repeat(100), "Zoë", "O'Brien-Smith", "王", "👩‍🔧", "'; drop table journeys; --", "<b>"),
        ...refusedAs(
          `${invalid} customer.firstName`,
          "",
          "   ",
          "x".repeat(101),
          "\u200b",
          "\u200b \u2060\u00ad",
          "a\u202eb",
          "a\u0007b",
          "a\ufeffb",
          "a\nb"
        )
      ])
    )
  })

  it("is compared after composing: a name with é as one character equals the name with é as two", async () => {
    const composed = changed(startBody("IDENTITY_DELIVERY"), { externalReference: "caf\u00e9" })
    const { data } = await start(ground.service, ground.dealer.testKey, {
      ...(composed as object),
      externalReference: "cafe\u0301"
    })
    expect(data.externalReference).toBe("caf\u00e9")
    for (const reference of ["caf\u00e9", "cafe\u0301"]) {
      const path = `${journeys}?externalReference=${encodeURIComponent(reference)}`
      const found = await call(ground.service, { key: ground.dealer.testKey, path })
      expect(found.data.content.map((one: { id: string }) => one.id)).toEqual([data.id])
    }
  })

  it("that looks like a statement or a path is stored as text (BAD-FLD29)", async () => {
    await expectVerdicts(
      ground,
      "CASH_SALE",
      values("vehicle.inventoryVehicleId", [
        ...taken("'; drop table journeys; --", "../../etc/passwd", "$1", "%s", "{}", "null"),
        ...refusedAs(`${invalid} vehicle.inventoryVehicleId`, "x".repeat(101), "x".repeat(900_000))
      ])
    )
  })
})

describe("customer", () => {
  it("must have an email that is one plain address (BAD-FLD13, BAD-FLD15, BAD-FLD17, BAD-FLD19)", async () => {
    const wrong = [
      absent,
      "",
      "a",
      "a@",
      "@b",
      "a@b",
      "a b@c.d",
      "a@b..c",
      "a@-b.c",
      ".a@b.c",
      "a@b@c.d",
      "a@b.c\r\nBcc:z@z.z",
      "a@b.c,z@z.z",
      '"a"@b.c>',
      "A <a@b.c>",
      "a@b\u00fccher.example",
      "a@[127.0.0.1]",
      `a@${"a.".repeat(250)}`,
      '"'.repeat(255),
      `${"a".repeat(65)}@b.example`
    ]
    const right = ["a@b.c", "ann+x@example.com", "o'brien_x-y@sub.example.co.uk", "a@xn--bcher-kva.example", "A@B.C"]
    await expectVerdicts(
      ground,
      "IDENTITY_DELIVERY",
      values("customer.email", [...taken(...right), ...refusedAs(`${invalid} customer.email`, ...wrong)])
    )
  })

  it("must have a mobile, title and date of birth where the service submits the application, and may have them elsewhere (BAD-FLD21, BAD-FLD23)", async () => {
    for (const name of ["mobile", "title", "dateOfBirth"]) {
      const field = `customer.${name}`
      await expectVerdicts(ground, mira, [[{ [field]: absent }, `400 APPLICATION_INCOMPLETE ${field}`]])
    }
    const all = { "customer.mobile": "----------", "customer.title": "DR", "customer.dateOfBirth": "2000-02-29" }
    for (const shape of [already, mira, "IDENTITY_DELIVERY", "CASH_SALE", "FINANCE_SALE"] as const) {
      await expectVerdicts(ground, shape, [[all, "202"]])
    }
  })
})

const entries = (count: number, name: "employmentHistory" | "addressHistory") =>
  Array.from({ length: count }, (_, at) => startBody(mira).finance[name][Math.min(at, 1)])

describe("histories", () => {
  const jobs = "finance.employmentHistory"
  const homes = "finance.addressHistory"
  const incomplete = "400 APPLICATION_INCOMPLETE"

  it("may have ten complete entries and no more (BAD-FLD39)", async () => {
    await expectVerdicts(ground, mira, [
      [{ [jobs]: entries(10, "employmentHistory"), [homes]: entries(10, "addressHistory") }, "202"],
      [{ [jobs]: entries(11, "employmentHistory") }, `${invalid} ${jobs}`],
      [{ [homes]: entries(11, "addressHistory") }, `${invalid} ${homes}`],
      [
        { [`${jobs}[1]`]: {} },
        `400 ${["employmentType", "employmentStatus", "employer", "jobTitle", "monthlyIncome"]
          .map((name) => `APPLICATION_INCOMPLETE ${jobs}[1].${name}`)
          .join(", ")}`
      ],
      [{ [`${jobs}[0].monthlyIncome`]: 0 }, `${invalid} ${jobs}[0].monthlyIncome`],
      [{ [jobs]: [] }, `${incomplete} ${jobs}`],
      [{ [jobs]: absent }, `${incomplete} ${jobs}`],
      [{ [homes]: absent }, `${incomplete} ${homes}`]
    ])
  })

  it("must have at least one current job, and exactly one current address", async () => {
    await expectVerdicts(ground, mira, [
      [{ [`${jobs}[1].employmentType`]: "CURRENT" }, "202"],
      [{ [`${jobs}[0].employmentType`]: "PREVIOUS" }, `${incomplete} ${jobs}`],
      [{ [`${homes}[0].addressType`]: "PREVIOUS" }, `${incomplete} ${homes}`],
      [{ [`${homes}[1].addressType`]: "CURRENT" }, `${incomplete} ${homes}`]
    ])
  })

  it("must cover three years of addresses (BAD-FLD41)", async () => {
    const stays = (firstYears: unknown, firstMonths: unknown, secondYears: unknown, secondMonths: unknown) => ({
      [`${homes}[0].timeAtAddressYears`]: firstYears,
      [`${homes}[0].timeAtAddressMonths`]: firstMonths,
      [`${homes}[1].timeAtAddressYears`]: secondYears,
      [`${homes}[1].timeAtAddressMonths`]: secondMonths
    })
    await expectVerdicts(ground, mira, [
      [stays(3, 0, 0, 0), "202"],
      [stays(absent, 11, 2, 1), "202"],
      [stays(1, 6, 1, 6), "202"],
      [stays(2, 11, absent, absent), `${incomplete} ${homes}`],
      [stays(1, 5, 1, 6), `${incomplete} ${homes}`],
      [stays(2, 12, 3, 0), `${invalid} ${homes}[0].timeAtAddressMonths`]
    ])
  })
})

describe("consents", () => {
  it("must all be given, and must name the provider (BAD-FLD43)", async () => {
    const required = "422 CONSENT_REQUIRED"
    await expectVerdicts(ground, mira, [
      [{ "finance.consents": absent }, `${required} finance.consents`],
      [{ "finance.consents.providerName": absent }, `${required} finance.consents.providerName`],
      [{ "finance.consents.providerName": "  " }, `${required} finance.consents.providerName`],
      [{ "finance.consents.providerName": "x".repeat(256) }, `${invalid} finance.consents.providerName`],
      [
        { "finance.consents.creditCheck": false, "finance.consents.miraTerms": absent },
        `${required} finance.consents.miraTerms, CONSENT_REQUIRED finance.consents.creditCheck`
      ]
    ])
  })

  it("to biometrics must be given as true (BAD-FLD47)", async () => {
    const consent = "customerFace.biometricConsent"
    await expectVerdicts(ground, "FINANCE_SALE", [
      [{ [consent]: absent }, `422 BIOMETRIC_CONSENT_REQUIRED ${consent}`],
      ...[false, "true", absent, null, 0].map(
        (given) => [{ [`${consent}.given`]: given }, `422 BIOMETRIC_CONSENT_REQUIRED ${consent}.given`] as const
      )
    ])
  })
})

describe("what an error tells", () => {
  it("is every problem at once, in the order of the catalogue with VALIDATION_FAILED last", async () => {
    await expectVerdicts(ground, mira, [
      [
        {
          "finance.panelName": "P",
          "finance.maritalStatus": "HAPPY",
          "delivery.saleType": "CASH_SALE",
          "customer.email": "x",
          "customer.mobile": absent,
          unlisted: 1
        },
        "400 APPLICATION_INCOMPLETE customer.mobile, PANEL_FIELDS_NOT_USED finance.panelName, " +
          "SALE_TYPE_NOT_USED delivery.saleType, INVALID_APPLICATION_VALUE finance.maritalStatus, " +
          "VALIDATION_FAILED unlisted, VALIDATION_FAILED customer.email"
      ]
    ])
  })

  it("never repeats what was sent", async () => {
    const wrong = changed(startBody("IDENTITY_DELIVERY"), {
      "customer.email": "canary-4711@@example",
      "customer.firstName": "canary-4711\u0007",
      "vehicle.year": "canary-4711",
      "delivery.type": "canary-4711"
    })
    const reply = await refuses(ground, () => start(ground.service, ground.dealer.testKey, wrong), invalid)
    expect(reply.errors).toHaveLength(4)
    expect(reply.text).not.toContain("4711")
  })

  it("lists the codes that are allowed", async () => {
    const wrong = changed(startBody(mira), { "finance.drivingLicenceType": "full_uk" })
    const reply = await refuses(
      ground,
      () => start(ground.service, ground.dealer.testKey, wrong),
      "400 INVALID_APPLICATION_VALUE",
      "finance.drivingLicenceType"
    )
    for (const code of [
      "FULL_UK",
      "PROVISIONAL_UK",
      "CBT",
      "A2",
      "FULL_A_CLASS",
      "EUROPEAN",
      "INTERNATIONAL",
      "NONE"
    ]) {
      expect(reply.errors[0]?.message).toContain(code)
    }
  })
})
