/** What the decision about a start needs to know, taken from the request, the key and the settings: plain data, no effects. */
import { Duration } from "effect"
import { echoedOf } from "../../../../schema/journey/echoed.ts"
import { scenarioOf } from "../../../../schema/journey/sandbox.ts"
import type { StartRequest } from "../../../../schema/start/startBodies.ts"
import type { StartingKey } from "../../../company/Keyring.ts"
import type { StartFacts } from "../../rules/decideStart.ts"
import type { SandboxPace } from "../SandboxPace.ts"
import type { ClockId, JourneyId } from "../../../../schema/ids.ts"

export const startFacts = (
  key: StartingKey,
  request: StartRequest,
  pace: SandboxPace["Service"],
  id: JourneyId,
  customerReference: string,
  isNewCustomer: boolean,
  clock: ClockId | null = null
): StartFacts => ({
  id,
  companyId: key.company.id,
  livemode: key.livemode,
  customerReference,
  isNewCustomer,
  ...echoedOf(request),
  shape: request.shape,
  handoverType: request.delivery.type,
  inventoryVehicleId: request.vehicle.inventoryVehicleId ?? null,
  financeDetails: financeDetails(request),
  decision: request.shape === "FINANCE_ALREADY_SUBMITTED" ? (request.finance.decision ?? null) : null,
  // The start was refused if a live journey's company had nobody to make the check; nobody outside makes a test journey's.
  check: { possible: true, by: key.livemode ? (key.company.identityBy ?? "HTTP") : "BUILT_IN" },
  identityWindowDays: key.company.identityWindowDays,
  handoverWindowDays: key.company.handoverWindowDays,
  sandbox: key.livemode
    ? null
    : {
        scenario: scenarioOf(request.customer.email),
        stepMillis: stepMillis(key.company.sandbox.pace, pace.step),
        callerStepMillis: Duration.toMillis(pace.callerStep),
        ...(clock === null ? {} : { clock })
      }
})

const stepMillis = (companyPace: number | "manual" | undefined, step: Duration.Duration): number | null =>
  companyPace === "manual" ? null : companyPace === undefined ? Duration.toMillis(step) : companyPace * 1000

const financeDetails = (request: StartRequest): StartFacts["financeDetails"] => {
  switch (request.shape) {
    case "FINANCE_ALREADY_SUBMITTED":
      return {
        panelSubmission: "ALREADY_SUBMITTED",
        panelName: request.finance.panelName,
        panelReference: request.finance.panelReference,
        lender: request.finance.lender ?? null
      }
    case "FINANCE_SUBMIT_VIA_MIRA":
      return {
        panelSubmission: "SUBMIT_VIA_MIRA",
        panelName: null,
        panelReference: null,
        lender: request.finance.lender ?? null
      }
    case "IDENTITY_DELIVERY":
    case "CASH_SALE":
    case "FINANCE_SALE":
      return null
  }
}
