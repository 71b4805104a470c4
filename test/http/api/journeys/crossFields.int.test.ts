import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleId } from "../../../../src/schema/exampleId.ts"
import { askSettings, makeCompany, startBody } from "../../../support/companies.ts"
import { call, start } from "../../../support/requests.ts"
import { absent, changed } from "../../../schema/start/judge.ts"
import { eventTypesOf } from "./history.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"
import { expectVerdicts, sendShape, shapes } from "./verdicts.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const already = "FINANCE_ALREADY_SUBMITTED"
const mira = "FINANCE_SUBMIT_VIA_MIRA"
const invalid = "400 VALIDATION_FAILED"

describe("which fields a shape has", () => {
  it("a DELIVERY must say its sale type, and no other journey may (BAD-X1, BAD-X2)", async () => {
    const field = "delivery.saleType"
    await expectVerdicts(ground, "CASH_SALE", [
      [{ [field]: absent }, `400 SALE_TYPE_REQUIRED ${field}`],
      [{ [field]: "cash_sale" }, `${invalid} ${field}`],
      [{ [field]: null }, `${invalid} ${field}`]
    ])
    for (const shape of [already, mira, "IDENTITY_DELIVERY"] as const) {
      await expectVerdicts(ground, shape, [
        [{ [field]: "FINANCE_SALE" }, `400 SALE_TYPE_NOT_USED ${field}`],
        [{ [field]: null }, `400 SALE_TYPE_NOT_USED ${field}`]
      ])
    }
  })

  it("a FINANCE_SALE must bring a photo (BAD-X3)", async () => {
    await refuses(
      ground,
      () => start(ground.service, ground.dealer.testKey, startBody("FINANCE_SALE")),
      "400 CUSTOMER_FACE_REQUIRED",
      "customerFace"
    )
  })

  it("no other journey may have a customerFace (BAD-X4)", async () => {
    const { customerFace } = startBody("FINANCE_SALE")
    for (const shape of [already, mira, "IDENTITY_DELIVERY", "CASH_SALE"] as const) {
      for (const value of [customerFace, {}, null]) {
        await expectVerdicts(ground, shape, [[{ customerFace: value }, "400 CUSTOMER_FACE_NOT_USED customerFace"]])
      }
    }
  })

  it("an IDENTITY_DELIVERY may name the approved deal and no other finance field (BAD-X5)", async () => {
    const unused = [
      "panelSubmission",
      "decision",
      "vehiclePrice",
      "loanTerm",
      "depositAmount",
      "monthlyBudget",
      "maritalStatus",
      "drivingLicenceType",
      "validUkPassport",
      "employmentHistory",
      "addressHistory",
      "consents"
    ]
    await expectVerdicts(ground, "IDENTITY_DELIVERY", [
      [{ finance: absent }, "202"],
      [{ finance: {} }, "202"],
      [{ finance: { lender: "L" } }, "202"],
      ...unused.map((name) => [{ [`finance.${name}`]: 1 }, `400 FINANCE_FIELDS_NOT_USED finance.${name}`] as const),
      [{ "finance.unlisted": 1 }, `${invalid} finance.unlisted`]
    ])
  })

  it("a DELIVERY may have no finance at all (BAD-X6)", async () => {
    for (const shape of ["CASH_SALE", "FINANCE_SALE"] as const) {
      await expectVerdicts(ground, shape, [
        [{ finance: {} }, `${invalid} finance`],
        [{ finance: { lender: "L" } }, `${invalid} finance`]
      ])
    }
  })

  it("a FINANCE_IDENTITY_DELIVERY must say how its application is submitted (BAD-X7)", async () => {
    const field = "finance.panelSubmission"
    for (const shape of [already, mira] as const) {
      await expectVerdicts(ground, shape, [
        [{ finance: absent }, `${invalid} finance`],
        [{ [field]: "OTHER" }, `${invalid} ${field}`],
        [{ [field]: null }, `${invalid} ${field}`]
      ])
    }
    await expectVerdicts(ground, already, [[{ [field]: absent }, `${invalid} ${field}`]])
  })

  it("an ALREADY_SUBMITTED application must name its panel (BAD-X8)", async () => {
    const name = "PANEL_REFERENCE_REQUIRED finance.panelName"
    const reference = "PANEL_REFERENCE_REQUIRED finance.panelReference"
    await expectVerdicts(ground, already, [
      [{ "finance.panelName": absent }, `400 ${name}`],
      [{ "finance.panelReference": " " }, `400 ${reference}`],
      [{ "finance.panelName": absent, "finance.panelReference": absent }, `400 ${name}, ${reference}`]
    ])
  })

  it("a SUBMIT_VIA_MIRA application must not name a panel (BAD-X9)", async () => {
    for (const name of ["panelName", "panelReference", "decision"]) {
      for (const value of ["APPROVED", "", null]) {
        const field = `finance.${name}`
        await expectVerdicts(ground, mira, [[{ [field]: value }, `400 PANEL_FIELDS_NOT_USED ${field}`]])
      }
    }
  })

  it("an ALREADY_SUBMITTED application may repeat the applicant's details (BAD-X11)", async () => {
    const { panelSubmission: _, ...details } = startBody(mira).finance
    const finance = { ...startBody(already).finance, ...details }
    await expectVerdicts(ground, already, [
      [{ finance }, "202"],
      [{ finance: { ...finance, consents: { ...details.consents, creditCheck: false } } }, "202"],
      [{ finance: { ...finance, maritalStatus: "HAPPY" } }, `${invalid} finance.maritalStatus`]
    ])
  })

  it("a deposit may be larger than the price (BAD-FLD33)", async () => {
    await expectVerdicts(ground, mira, [[{ "finance.depositAmount": 20_000, "finance.vehiclePrice": 1 }, "202"]])
  })
})

describe("who sells the vehicle", () => {
  const company = "vehicle.dealerCompanyId"
  const directory = "vehicle.dealerDirectoryId"

  it("must not be named with a dealer's key (BAD-X12)", async () => {
    for (const shape of shapes) {
      await expectVerdicts(ground, shape, [
        [{ [company]: "d-1" }, `${invalid} ${company}`],
        [{ [directory]: "d-1" }, `${invalid} ${directory}`]
      ])
    }
  })

  it("may be named with a broker's key in one way, not in both (BAD-X13)", async () => {
    const { testKey } = ground.broker
    for (const shape of [already, mira, "IDENTITY_DELIVERY", "FINANCE_SALE"] as const) {
      await expectVerdicts(
        ground,
        shape,
        [
          [{}, "202"],
          [{ [company]: exampleId("company", 2) }, "202"],
          [{ [company]: "d-1" }, `${invalid} ${company}`],
          [{ [directory]: "d-1" }, "202"],
          [{ [company]: exampleId("company", 2), [directory]: "d-2" }, `${invalid} ${directory}`]
        ],
        testKey
      )
    }
  })
})

const switchOff = async (sandbox: object) => {
  const company = await makeCompany(ground.service, { settings: { sandbox } })
  return company.testKey
}

describe("what a company must have", () => {
  it("a test key meets the sandbox switches, in the order of §1 (BAD-X15, BAD-X16)", async () => {
    const all = await switchOff({ identityConfigured: false, panelConfigured: false, credits: false })
    await expectVerdicts(ground, mira, [[{}, "422 EKYC_NOT_CONFIGURED identity"]], all)
    const noPanel = await switchOff({ panelConfigured: false, credits: false })
    await expectVerdicts(ground, mira, [[{}, "422 FINANCE_PANEL_NOT_CONFIGURED finance"]], noPanel)
    await expectVerdicts(ground, already, [[{}, "422 INSUFFICIENT_CREDITS wallets.IDENTITY"]], noPanel)
    const noCredit = await switchOff({ credits: false })
    await expectVerdicts(ground, mira, [[{}, "422 INSUFFICIENT_CREDITS wallets.APPLICATION"]], noCredit)
    for (const shape of [already, "IDENTITY_DELIVERY", "CASH_SALE"] as const) {
      await expectVerdicts(ground, shape, [[{}, "422 EKYC_NOT_CONFIGURED identity"]], all)
      await expectVerdicts(ground, shape, [[{}, "422 INSUFFICIENT_CREDITS wallets.IDENTITY"]], noCredit)
    }
    // No check follows a decline that is known already, so nothing has to be paid for.
    await expectVerdicts(ground, already, [[{ "finance.decision": "DECLINED" }, "202"]], noCredit)
    await expectVerdicts(ground, "FINANCE_SALE", [[{}, "202"]], all)
  })

  it("a live key meets the company's configuration (BAD-X15, BAD-X16)", async () => {
    const company = await makeCompany(ground.service)
    const path = `/companies/${company.id}`
    const configure = (body: object) => askSettings(ground.service, path, { method: "PATCH", body })
    const credit = (wallet: string, amount: number) =>
      askSettings(ground.service, `${path}/wallets/${wallet}/credits`, { body: { amount, note: "Test" } })
    const verdict = (expected: string) => expectVerdicts(ground, mira, [[{}, expected]], company.liveKey)

    await verdict("422 EKYC_NOT_CONFIGURED identity")
    await configure({ identityProvider: { kind: "BUILT_IN" } })
    await verdict("422 FINANCE_PANEL_NOT_CONFIGURED finance")
    await configure({ financePanel: { name: "Panel", url: "https://panel.example/submit", secret: "s".repeat(32) } })
    await verdict("422 INSUFFICIENT_CREDITS wallets.APPLICATION")
    await credit("APPLICATION", 2)
    await verdict("422 INSUFFICIENT_CREDITS wallets.IDENTITY")
    await credit("IDENTITY", 1)
    await verdict("202")
    await verdict("422 INSUFFICIENT_CREDITS wallets.IDENTITY")
  })
})

describe("a decision known at the start (BAD-X19)", () => {
  const begun = ["journey.created", "finance_enquiry.submitted"]

  it.each([
    ["APPROVED", "ACTIVE", "CUSTOMER_TO_VERIFY_IDENTITY", [...begun, "finance_enquiry.approved", "identity.requested"]],
    ["REFERRED", "ACTIVE", "SEND_FINANCE_DECISION", [...begun, "finance_enquiry.referred", "identity.requested"]],
    ["DECLINED", "CANCELLED", null, [...begun, "finance_enquiry.declined", "journey.cancelled"]]
  ])("%s is acted on at once", async (decision, status, nextAction, events) => {
    const reply = await sendShape(ground, already, { "finance.decision": decision })
    expect(reply.status).toBe(202)
    expect(reply.data).toMatchObject({ status, nextAction, finance: { status: decision } })
    expect(reply.data.identity.status).toBe(decision === "DECLINED" ? null : "REQUESTED")
    expect(await eventTypesOf(ground.service, reply.data.id)).toEqual(events)
    const read = await call(ground.service, { key: ground.dealer.testKey, path: `${journeys}/${reply.data.id}` })
    expect(read.data).toEqual(reply.data)
  })

  it("DECLINED holds no credit", async () => {
    const company = await makeCompany(ground.service, {
      settings: { identityProvider: { kind: "BUILT_IN" } },
      credits: 1
    })
    const declined = changed(startBody(already), { "finance.decision": "DECLINED" })
    const reply = await start(ground.service, company.liveKey, declined)
    expect([reply.status, reply.data.status]).toEqual([202, "CANCELLED"])
    const held = await ground.service.query("select 1 from wallet_holds where journey_id = $1", [reply.data.id])
    expect(held).toEqual([])
  })
})
