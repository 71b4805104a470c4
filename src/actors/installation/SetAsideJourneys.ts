/**
 * The port to journeys over all companies that were set aside because they could not be woken. Which journeys those are is
 * decided by whoever wakes them; here they are listed, and given another try.
 */
import { Context, type Effect } from "effect"
import type { AuditLine } from "../../schema/company/AuditEntry.ts"
import type { CompanyId, JourneyId } from "../../schema/ids.ts"
import type { SetAsideReason } from "../../schema/installation/SetAsideJourney.ts"
import type { JourneyType } from "../../schema/journey/statuses.ts"
import type { PlaceInTime } from "../../schema/decoding/place.ts"
import type { CommitUnknown, StoreUnavailable } from "../kernel/StoreError.ts"

/** Times are epoch milliseconds. */
export interface SetAsideJourney {
  readonly place: PlaceInTime
  readonly journeyId: JourneyId
  readonly companyId: CompanyId
  readonly companyName: string
  readonly livemode: boolean
  readonly type: JourneyType | null
  readonly since: number
  readonly reason: SetAsideReason | null
  readonly dueSince: number | null
}

export class SetAsideJourneys extends Context.Service<
  SetAsideJourneys,
  {
    /** The longest set aside first. */
    readonly list: (
      after: PlaceInTime | null,
      size: number
    ) => Effect.Effect<ReadonlyArray<SetAsideJourney>, StoreUnavailable>
    /** Lets the journey be woken again, with a line in its company's audit log. Null: there is no such journey. */
    readonly takeBack: (
      journeyId: JourneyId,
      line: AuditLine
    ) => Effect.Effect<"TAKEN_BACK" | "NOT_SET_ASIDE" | null, StoreUnavailable | CommitUnknown>
  }
>()("journeys/actors/SetAsideJourneys") {}
