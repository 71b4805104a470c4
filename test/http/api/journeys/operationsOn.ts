/** The operations on a journey as a caller's test key asks for them. */
import { expect } from "vitest"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { call, type Reply } from "../../../support/requests.ts"
import { journeys, type Ground } from "./oracle.ts"
import { sendShape } from "./verdicts.ts"

export const reason = "The buyer walked away"

/** `at` is asked when an operation is, because the service starts after the tests are listed. */
export const operationsOn = (at: () => Ground) => {
  const operate = (id: string, operation: string, body: unknown, idempotencyKey?: string): Promise<Reply> =>
    call(at().service, {
      key: at().dealer.testKey,
      path: `${journeys}/${id}/${operation}`,
      method: "POST",
      body,
      headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
    })
  return {
    operate,
    started: async (shape: Shape, changes = {}): Promise<string> => (await sendShape(at(), shape, changes)).data.id,
    cancel: (id: string, idempotencyKey?: string) => operate(id, "cancel", { reason }, idempotencyKey),
    decide: (id: string, decision: string, idempotencyKey?: string) =>
      operate(id, "finance-decision", { decision }, idempotencyKey),
    simulate: (id: string, event: string, idempotencyKey?: string) =>
      operate(id, "simulate", { event }, idempotencyKey),
    /** The answer is the journey with these members, as a read shows the journey. */
    expectDone: async (reply: Reply, members: object): Promise<void> => {
      expect(`${reply.status} ${reply.code}`).toBe("200 null")
      expect(Object.keys(reply.json as object)).toEqual(["success", "data", "message", "errors"])
      expect(reply.data).toMatchObject(members)
      const read = await call(at().service, { key: at().dealer.testKey, path: `${journeys}/${reply.data.id}` })
      expect(JSON.stringify(reply.data)).toBe(JSON.stringify(read.data))
    }
  }
}
