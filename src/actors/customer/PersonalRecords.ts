/**
 * The port to the personal record of a journey: everything that the start said, opened with the customer's own key. Who reads
 * the record keeps it no longer than the work that needs it takes.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable, Unopenable } from "../kernel/StoreError.ts"
import type { JourneyId } from "../../schema/ids.ts"

export class PersonalRecords extends Context.Service<
  PersonalRecords,
  {
    /** The record as it was written, by whichever version: the caller decodes it. Null when the customer was erased. */
    readonly read: (journeyId: JourneyId) => Effect.Effect<unknown, StoreUnavailable | Unopenable>
  }
>()("journeys/actors/PersonalRecords") {}
