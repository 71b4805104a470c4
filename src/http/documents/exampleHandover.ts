/**
 * The example of a handover as its dealer sees it, for the documents, put together by the function that makes real ones. People,
 * addresses and times are invented.
 */
import { dealerHandover, dealerHandoverEntry } from "../../actors/handover/dealerHandover.ts"
import type { HandoverEvent } from "../../actors/handover/Handovers.ts"
import { startExamples } from "../../schema/start/examples.ts"
import { storedStart } from "../../schema/start/storedStart.ts"
import { completedJourney } from "./exampleJourneys.ts"

const hour = 60 * 60 * 1000
const begun = completedJourney.handover?.createdAt ?? completedJourney.createdAt
const start = storedStart({ shape: "FINANCE_SUBMIT_VIA_MIRA", ...startExamples.FINANCE_SUBMIT_VIA_MIRA })

const events: ReadonlyArray<HandoverEvent> = [
  { at: begun, type: "delivery.created" },
  { at: begun + 1.5 * hour, type: "delivery.location_confirmed" },
  { at: begun + 1.5 * hour + 1, type: "delivery.awaiting_video" },
  { at: begun + 3 * hour, type: "delivery.video_uploaded" },
  { at: begun + 4.5 * hour, type: "delivery.under_review" },
  { at: begun + 6 * hour, type: "delivery.completed" }
]

const found = { journey: completedJourney, broker: "Broad Finance", events }
const address = {
  value: { buildingNumber: "14", street: "Alder Way", city: "Leeds", postcode: "LS1 4AP" },
  at: begun + 1.5 * hour
}

export const exampleHandover = {
  entry: dealerHandoverEntry({ ...found, registration: start?.vehicle.registration ?? null }),
  resource: dealerHandover(found, { start, address })
}
