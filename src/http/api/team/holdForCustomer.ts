/**
 * The sandbox waits for the customer of a test journey whose review the team has just decided, if somebody is signed in at the customer's
 * pages: whoever tries a rejection sees the step that is asked for again, and not the next one (S1). A caller's program that decides
 * reviews has no such session, and its test journeys go on at their pace.
 */
import { Clock, Duration, Effect } from "effect"
import { Sessions } from "../../../actors/customer/Sessions.ts"
import { askJourney } from "../../../actors/journey/actor/askJourney.ts"
import { journeyLimits } from "../../../actors/journey/rules/limits.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { actorOf, Asker } from "../../server/endpoints/Asker.ts"
import { scopeOfJourney } from "../frame/asTeam.ts"

const hereForMillis = Duration.toMillis(journeyLimits.sandboxHeldFor)

export const holdForCustomer = Effect.fnUntraced(
  function* (journey: Journey) {
    if (journey.livemode) return
    const now = yield* Clock.currentTimeMillis
    const sessions = yield* (yield* Sessions).list(journey.id)
    if (!sessions.some(({ seenAt }) => seenAt > now - hereForMillis)) return
    const messageId = (yield* Ids).next()
    const sender = actorOf(yield* Asker)
    const message = { _tag: "SandboxHeld" } as const
    yield* askJourney({ journeyId: journey.id, messageId, sender, scope: scopeOfJourney(journey), message })
  },
  // What was decided is decided. Without the hold the journey goes on at its pace.
  (holding) => Effect.ignore(holding)
)
