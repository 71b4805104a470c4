/**
 * The sandbox waits for the team as it waits for a customer: whoever opens a review of a test journey has time to look at it (S1).
 * When the journey goes on by itself otherwise is decided by its rules.
 */
import { Clock, Effect } from "effect"
import { askJourney } from "../../../actors/journey/actor/askJourney.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import { heldUntil } from "../../../actors/journey/rules/hold.ts"
import { openReview } from "../../../actors/journey/rules/state/waiting.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { JourneyId } from "../../../schema/ids.ts"
import type { JourneyResource } from "../../../schema/journey/resource.ts"
import { timestamp } from "../../../schema/moment.ts"
import { actorOf } from "../../server/endpoints/Asker.ts"
import { html, type Shown } from "../../server/pages/html.ts"
import type { CompanyUser } from "../frame/consolePage.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

/** Holds the sandbox, and says until when. Null: the journey is live, has no review, or never goes on by itself. */
export const holdReview = Effect.fnUntraced(function* (
  user: CompanyUser,
  { id, livemode }: Pick<JourneyResource, "id" | "livemode">
) {
  if (livemode) return null
  const journeyId = JourneyId.make(id)
  const scope = { companyId: user.path.companyId, livemode }
  const stored = yield* (yield* JourneyStore).read(journeyId, scope)
  if (stored === null || openReview(stored.journey) === null) return null
  const until = heldUntil(stored.journey, yield* Clock.currentTimeMillis, "REVIEW")
  if (until === null) return stored.journey.sandbox?.tickAt ?? null
  const messageId = (yield* Ids).next()
  const message = { _tag: "SandboxHeld", at: "REVIEW" } as const
  return yield* askJourney({ journeyId, messageId, sender: actorOf(user.asker), scope, message }).pipe(
    Effect.as(until),
    // It has gone on since: there is nothing to hold, and the decision will say so.
    Effect.catchTag("JourneyRefused", () => Effect.succeed(null))
  )
})

/** What whoever looks should know: when the review ends without them. */
export const heldNote = (until: number | null): Shown =>
  until !== null &&
  html`<p role="note" class="held">
    This test journey waits for you until ${shownTime(timestamp(until))}. Then it goes on by itself, as if nobody had
    looked; a decision of yours lets it go on at once.
  </p>`
