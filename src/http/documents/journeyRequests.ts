/** An example of every body that callers of the REST API send, each shape of a start among them. */
import { startExamples } from "../../schema/start/examples.ts"
import type { Shape } from "../../schema/journey/statuses.ts"
import { titleOf } from "./journeyAnswers.ts"
import type { Examples, Requests } from "../server/exampleAnswer.ts"

const start = (shape: Shape): Examples => ({
  [shape]: { summary: titleOf(shape), value: startExamples[shape] }
})

const json = (name: string, summary: string, value: unknown) => ({ "application/json": { [name]: { summary, value } } })

export const journeyRequests: Requests = {
  startJourney: {
    "application/json": {
      ...start("FINANCE_ALREADY_SUBMITTED"),
      ...start("FINANCE_SUBMIT_VIA_MIRA"),
      ...start("IDENTITY_DELIVERY"),
      ...start("CASH_SALE")
    },
    "multipart/form-data": {
      FINANCE_SALE: {
        summary: titleOf("FINANCE_SALE"),
        value: { journey: startExamples.FINANCE_SALE, customerFace: "(the bytes of the photo)" }
      }
    }
  },
  replaceCustomerFace: {
    "multipart/form-data": {
      Replace: {
        summary: "A new photo with its consent",
        value: { details: startExamples.FINANCE_SALE.customerFace, customerFace: "(the bytes of the photo)" }
      }
    }
  },
  cancelJourney: json("Cancel", "With a reason for the team", { reason: "Customer bought another car" }),
  sendFinanceDecision: json("Approved", "The lender said yes", { decision: "APPROVED" }),
  simulateEvent: json("Complete", "Drive the journey to its end", { event: "delivery.completed" })
}
