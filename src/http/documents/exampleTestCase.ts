/** An invented journey as a test case, for the document of the settings API: a start that its caller cancels a second later. */
import { exampleId } from "../../schema/exampleId.ts"
import type { TestCaseResource } from "../../schema/installation/TestCase.ts"

const at = Date.UTC(2026, 0, 15, 10, 30)

export const exampleTestCase: TestCaseResource = {
  format: 1,
  facts: {
    id: exampleId("journey", 1),
    companyId: exampleId("company", 1),
    customerReference: exampleId("customer", 1),
    livemode: true,
    isNewCustomer: true,
    externalReference: "reference!000000",
    shape: "IDENTITY_DELIVERY",
    handoverType: "IN_STORE",
    inventoryVehicleId: null,
    financeDetails: null,
    decision: null,
    check: { possible: true, by: "BUILT_IN" },
    identityWindowDays: 30,
    handoverWindowDays: 30,
    sandbox: null
  },
  startedAt: at,
  messages: [{ at: at + 1000, message: { _tag: "Cancel" } }],
  cameTo: { status: "CANCELLED", events: ["journey.created", "identity.requested", "journey.cancelled"] },
  isWhole: true
}
