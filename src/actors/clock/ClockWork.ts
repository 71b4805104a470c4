/**
 * The port to what is due on a test clock: the journeys and webhook retries that wait for its time, and what is under way in real
 * time. An advance reads from here what comes next and what became of it. Times are epoch milliseconds of the clock.
 */
import { Context, type Effect } from "effect"
import type { ClockId, EndpointId, EventId, JourneyId } from "../../schema/ids.ts"
import type { WebhookDeliveryStatus } from "../../schema/WebhookDeliveryStatus.ts"
import type { StoredJourney } from "../journey/actor/JourneyStore.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

export interface WaitingDelivery {
  readonly endpointId: EndpointId
  readonly eventId: EventId
  readonly journeyId: JourneyId
  readonly type: string
  readonly at: number
}

/** What a journey has taken since a version. */
export interface Handled {
  readonly version: number
  readonly messages: ReadonlyArray<string>
  readonly events: ReadonlyArray<string>
}

type Reading<A> = Effect.Effect<A, StoreUnavailable>

export class ClockWork extends Context.Service<
  ClockWork,
  {
    /** The journeys on the clock that still wait for something, without those that were set aside. One that cannot be read is set aside. */
    readonly journeys: (clockId: ClockId) => Reading<ReadonlyArray<StoredJourney>>
    /** The delivery whose next attempt comes first. */
    readonly nextDelivery: (clockId: ClockId) => Reading<WaitingDelivery | null>
    /** Makes a delivery due now, in real time, if it still waits for that time of the clock. */
    readonly makeDue: (
      delivery: WaitingDelivery,
      realNow: number
    ) => Effect.Effect<void, StoreUnavailable | CommitUnknown>
    /** The endpoints at which attempts of the clock's journeys are under way, or just due. */
    readonly sendingTo: (clockId: ClockId) => Reading<ReadonlyArray<EndpointId>>
    /** Mails of the clock's journeys that should have left by now. */
    readonly unsentMails: (clockId: ClockId) => Reading<ReadonlyArray<string>>
    readonly handledSince: (journeyId: JourneyId, version: number) => Reading<Handled>
    readonly attemptsOf: (
      delivery: WaitingDelivery
    ) => Reading<{ readonly attempts: number; readonly status: WebhookDeliveryStatus }>
  }
>()("journeys/actors/ClockWork") {}
