/** The port to counts of what is open over all companies. Each count ends at a limit, so that asking stays cheap. */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

/** `oldestDue` in epoch milliseconds; null: nothing is overdue. */
interface OpenQueue {
  readonly waiting: number
  readonly oldestDue: number | null
}

export interface OpenWorkCounts {
  readonly activeJourneys: number
  readonly setAsideJourneys: number
  readonly failingEndpoints: number
  readonly alarms: OpenQueue
  readonly deliveries: OpenQueue
  readonly mails: OpenQueue
}

export class OpenWork extends Context.Service<
  OpenWork,
  { readonly counts: Effect.Effect<OpenWorkCounts, StoreUnavailable> }
>()("journeys/actors/OpenWork") {}
