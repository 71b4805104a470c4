/** How much is open over all companies, for whoever runs the service. Each count ends at a limit. */
import { Schema } from "effect"
import { installationLimits } from "./limits.ts"

const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: installationLimits.countedTo }))

const OpenQueue = Schema.Struct({
  waiting: count.annotate({ description: "All that is still to be done, due or not" }),
  oldestDue: Schema.NullOr(Schema.String).annotate({
    description: "Since when the oldest has been due; null: nothing is overdue"
  })
})

export const OpenWorkResource = Schema.Struct({
  countedTo: Schema.Int.annotate({ description: "No count goes further: this number means this many or more" }),
  activeJourneys: count,
  setAsideJourneys: count,
  failingEndpoints: count,
  alarms: OpenQueue.annotate({ description: "Journeys that will be woken" }),
  deliveries: OpenQueue.annotate({ description: "Webhook deliveries to endpoints that are on" }),
  mails: OpenQueue.annotate({ description: "Mails that have not been sent" })
}).annotate({ identifier: "OpenWork" })
export type OpenWorkResource = typeof OpenWorkResource.Type
