import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startBody } from "../../../support/companies.ts"
import { call, start, type Reply } from "../../../support/requests.ts"
import { expectLegalHistory } from "./history.ts"
import { journeys, prepareGround, type Ground } from "./oracle.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

const begin = async (): Promise<string> =>
  (await start(ground.service, ground.dealer.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))).data.id

const operate = (id: string, operation: string, body: unknown): Promise<Reply> =>
  call(ground.service, { key: ground.dealer.testKey, path: `${journeys}/${id}/${operation}`, body })
const cancel = (id: string) => operate(id, "cancel", { reason: "A race to the end" })
const decide = (id: string, decision: string) => operate(id, "finance-decision", { decision })
const simulate = (id: string, event: string) => operate(id, "simulate", { event })

const outcome = ({ code, status }: Reply): string => `${status} ${code ?? "done"}`

describe("operations that race", () => {
  it("of ten simultaneous cancels one wins (BAD-L11)", async () => {
    for (let round = 0; round < 10; round++) {
      const id = await begin()
      const outcomes = (await Promise.all(Array.from({ length: 10 }, () => cancel(id)))).map(outcome)
      expect(outcomes.filter((one) => one === "200 done")).toHaveLength(1)
      expect(outcomes.filter((one) => one === "409 JOURNEY_FINISHED")).toHaveLength(9)
      const types = await expectLegalHistory(ground.service, id)
      expect(types.filter((type) => type === "journey.cancelled")).toHaveLength(1)
    }
  })

  it("a decision and a cancel end in one of the two ways", async () => {
    for (let round = 0; round < 20; round++) {
      const id = await begin()
      const [decided, cancelled] = (await Promise.all([decide(id, "DECLINED"), cancel(id)])).map(outcome)
      const types = await expectLegalHistory(ground.service, id)
      if (decided === "200 done") {
        expect(cancelled).toBe("409 JOURNEY_FINISHED")
        expect(types.slice(-2)).toEqual(["finance_enquiry.declined", "journey.cancelled"])
      } else {
        expect([decided, cancelled]).toEqual(["409 JOURNEY_FINISHED", "200 done"])
        expect(types.slice(-2)).toEqual(["identity.requested", "journey.cancelled"])
      }
    }
  })

  it("of many decisions at once one is recorded", async () => {
    for (let round = 0; round < 5; round++) {
      const id = await begin()
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, at) => decide(id, at % 2 === 0 ? "APPROVED" : "DECLINED"))
      )
      const outcomes = replies.map(outcome)
      expect(outcomes.filter((one) => one === "200 done")).toHaveLength(1)
      expect(outcomes.filter((one) => one === "409 FINANCE_ALREADY_DECIDED")).toHaveLength(11)
      await expectLegalHistory(ground.service, id)
    }
  })

  it("100 simultaneous simulates make one legal history (BAD-L21)", async () => {
    const events = [
      "identity.failed",
      "identity.under_review",
      "identity.verified",
      "finance_enquiry.referred",
      "delivery.location_confirmed",
      "delivery.video_uploaded",
      "delivery.under_review",
      "delivery.awaiting_video"
    ]
    const id = await begin()
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) => simulate(id, events[(at * 5) % events.length] ?? ""))
    )
    for (const reply of replies) expect(["200 done", "409 EVENT_NOT_POSSIBLE"]).toContain(outcome(reply))
    expect(replies.filter((reply) => reply.status === 200).length).toBeGreaterThan(1)
    const types = await expectLegalHistory(ground.service, id)
    expect(types.indexOf("delivery.created")).toBeGreaterThan(types.indexOf("finance_enquiry.approved"))
    expect(types.indexOf("delivery.created")).toBeGreaterThan(types.indexOf("identity.verified"))
    const again = await simulate(id, "delivery.completed")
    expect(again.data.status).toBe("COMPLETED")
    await expectLegalHistory(ground.service, id)
  })

  it("everything at once on one journey leaves one legal history and one end", async () => {
    const id = await begin()
    const work = Array.from({ length: 60 }, (_, at) => {
      switch (at % 4) {
        case 0:
          return decide(id, "REFERRED")
        case 1:
          return simulate(id, "identity.failed")
        case 2:
          return at > 40 ? cancel(id) : decide(id, "APPROVED")
        default:
          return simulate(id, at > 50 ? "delivery.completed" : "identity.verified")
      }
    })
    const replies = await Promise.all(work)
    for (const reply of replies) expect([200, 409]).toContain(reply.status)
    const types = await expectLegalHistory(ground.service, id)
    expect(["journey.completed", "journey.cancelled"]).toContain(types.at(-1))
  })
})
