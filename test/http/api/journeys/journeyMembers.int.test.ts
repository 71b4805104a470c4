import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { call, type Reply } from "../../../support/requests.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"
import { sendShape } from "./verdicts.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const get = (path: string, key = ground.dealer.testKey): Promise<Reply> => call(ground.service, { key, path })

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

const envelopeMembers = ["success", "data", "message", "errors"]
const listed = ["id", "type", "status", "livemode", "externalReference", "customerReference", "delivery", "finance"]
const requested = {
  status: "REQUESTED",
  requestedAt: timestamp,
  verifiedAt: null,
  attempts: 0,
  unavailableReason: null,
  assurance: "NONE"
}
const handover = { createdAt: timestamp, completedAt: null, expiresAt: timestamp }

/** R1 to R6: every member of a journey just started, by shape. */
const justStarted: Readonly<Record<Shape, object>> = {
  FINANCE_ALREADY_SUBMITTED: {
    type: "FINANCE_IDENTITY_DELIVERY",
    externalReference: "deal-1001",
    delivery: null,
    finance: {
      status: "SUBMITTED",
      panelSubmission: "ALREADY_SUBMITTED",
      panelName: "PanelOne",
      panelReference: "PO-204417",
      lender: "Northmoor Motor Finance",
      decidedAt: null,
      failureReason: null
    },
    identity: requested,
    nextAction: "SEND_FINANCE_DECISION"
  },
  FINANCE_SUBMIT_VIA_MIRA: {
    type: "FINANCE_IDENTITY_DELIVERY",
    externalReference: "deal-1002",
    delivery: null,
    finance: {
      status: "SUBMITTED",
      panelSubmission: "SUBMIT_VIA_MIRA",
      panelName: null,
      panelReference: null,
      lender: null,
      decidedAt: null,
      failureReason: null
    },
    identity: {
      status: null,
      requestedAt: null,
      verifiedAt: null,
      attempts: 0,
      unavailableReason: null,
      assurance: "NONE"
    },
    nextAction: "AWAITING_LENDER_DECISION"
  },
  IDENTITY_DELIVERY: {
    type: "IDENTITY_DELIVERY",
    externalReference: "deal-1003",
    delivery: null,
    finance: null,
    identity: requested,
    nextAction: "CUSTOMER_TO_VERIFY_IDENTITY"
  },
  CASH_SALE: {
    type: "DELIVERY",
    externalReference: "deal-1004",
    delivery: { status: "AWAITING_IDENTITY", saleType: "CASH_SALE", type: "HOME_DELIVERY", ...handover },
    finance: null,
    nextAction: "CUSTOMER_TO_VERIFY_IDENTITY"
  },
  FINANCE_SALE: {
    type: "DELIVERY",
    externalReference: "deal-1005",
    delivery: { status: "AWAITING_VIDEO", saleType: "FINANCE_SALE", type: "IN_STORE", ...handover },
    finance: null,
    nextAction: "CUSTOMER_TO_RECORD_VIDEO"
  }
}

describe.each(Object.entries(justStarted) as ReadonlyArray<[Shape, object]>)(
  "a journey of shape %s",
  (shape, expected) => {
    it("is shown with exactly its members, the same by start, get and list", async () => {
      const started = await sendShape(ground, shape)
      expect(started.status).toBe(202)
      expect(Object.keys(started.json as object)).toEqual(envelopeMembers)
      expect(started.json).toMatchObject({ success: true, message: expect.stringMatching(/\S/), errors: null })
      expect(started.data).toEqual({
        id: uuid,
        status: "ACTIVE",
        livemode: false,
        customerReference: uuid,
        createdAt: timestamp,
        ...expected
      })
      const identity = "identity" in expected ? ["identity"] : []
      expect(Object.keys(started.data)).toEqual([...listed, ...identity, "nextAction", "createdAt"])

      const read = await get(`${journeys}/${started.data.id}`)
      expect(read.status).toBe(200)
      expect(Object.keys(read.json as object)).toEqual(envelopeMembers)
      expect(JSON.stringify(read.data)).toBe(JSON.stringify(started.data))
      const list = await get(`${journeys}?size=1`)
      expect(JSON.stringify(list.data.content)).toBe(JSON.stringify([started.data]))
    })

    it("has no reference when none was given", async () => {
      const { data } = await sendShape(ground, shape, { externalReference: undefined })
      expect(data.externalReference).toBeNull()
    })
  }
)

describe("the id in the path", () => {
  it("gives JOURNEY_NOT_FOUND when it is nobody's, and when it is no id at all (BAD-L1)", async () => {
    const nobodys = [
      "01890000-0000-7000-8000-000000000000",
      "1",
      "x".repeat(300),
      "%20",
      "null",
      "-1",
      "a.b",
      "%F0%9F%9A%97"
    ]
    const texts = new Set<string>()
    for (const id of nobodys) {
      texts.add((await refuses(ground, () => get(`${journeys}/${id}`), "404 JOURNEY_NOT_FOUND", "journey")).text)
    }
    expect(texts.size).toBe(1)
  })

  it("may be written in capitals (BAD-L3)", async () => {
    const { data } = await sendShape(ground, "IDENTITY_DELIVERY")
    const upper = await get(`${journeys}/${data.id.toUpperCase()}`)
    expect([upper.status, upper.data]).toEqual([200, data])
    expect((await get(`${journeys}/{${data.id}}`)).status).toBe(404)
    expect((await get(`${journeys}/${data.id.replaceAll("-", "")}`)).status).toBe(404)
  })
})
