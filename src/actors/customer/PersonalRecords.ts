/** The port to what a journey's start said, opened with the customer's own key. It lives as long as the work that needs it. */
import { Context, type Effect } from "effect"
import type { StoreUnavailable, Unopenable } from "../kernel/StoreError.ts"

export class PersonalRecords extends Context.Service<
  PersonalRecords,
  {
    /** As it was written, whatever wrote it: to be decoded. Null when the customer was erased. */
    readonly read: (journeyId: string) => Effect.Effect<unknown, StoreUnavailable | Unopenable>
  }
>()("journeys/actors/PersonalRecords") {}
