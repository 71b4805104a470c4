/**
 * The example of a handover as its dealer sees it, for the documents, put together by the function that makes real ones. People,
 * addresses and times are invented.
 */
import { fullName } from "../../actors/customer/CustomerNames.ts"
import { dealerHandover, dealerHandoverEntry } from "../../actors/handover/dealerHandover.ts"
import type { HandoverEvent } from "../../actors/handover/Handovers.ts"
import { startExamples } from "../../schema/start/examples.ts"
import { storedStart } from "../../schema/start/storedStart.ts"
import { completedHandover, completedJourney } from "./exampleJourneys.ts"

const start = storedStart({ shape: "FINANCE_SUBMIT_VIA_MIRA", ...startExamples.FINANCE_SUBMIT_VIA_MIRA })
const events: ReadonlyArray<HandoverEvent> = completedHandover
const confirmedAt = events.find(({ type }) => type === "delivery.location_confirmed")?.at ?? 0

const found = { journey: completedJourney, broker: "Broad Finance", events }
const address = {
  value: { buildingNumber: "14", street: "Alder Way", city: "Leeds", postcode: "LS1 4AP" },
  at: confirmedAt
}

export const exampleHandover = {
  entry: dealerHandoverEntry({
    ...found,
    customerName: start && fullName(start.customer),
    registration: start?.vehicle.registration ?? null
  }),
  resource: dealerHandover(found, { start, address })
}
