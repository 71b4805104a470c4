/**
 * The header with which a test journey is started on a clock of the sandbox. For a start without the header no clock is
 * looked up.
 */
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { incomingMessage } from "../../server/incomingMessage.ts"
import type { StartingClock } from "../../../actors/journey/actor/start/startCommit.ts"
import { TestClocks } from "../../../actors/journey/actor/TestClocks.ts"
import { ClockId, type CompanyId } from "../../../schema/ids.ts"
import { clockLimits } from "../../../schema/requests/limits.ts"
import { Id } from "../../../schema/decoding/parameters.ts"
import type { FieldError } from "../../../schema/problems.ts"
import { uuid } from "../../../schema/uuid.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import type { Caller } from "../../server/callers/authentication.ts"

const header = "Sandbox-Clock"

export const SandboxClock = Id.annotate({
  description: "Test keys only, optional: the id of the test clock by which the journey runs"
})

/** The clock that a start asks for: as it was asked, and either its time or what is wrong with it. */
interface AskedClock {
  readonly asked: string
  readonly at?: StartingClock
  readonly problem?: FieldError
}

const refused = (asked: string, field: string, rule: string): AskedClock => ({
  asked,
  problem: { field, code: "VALIDATION_FAILED", message: `${field} ${rule}` }
})

/** A clock of a company by its id; `field` is where the id stands in the request. */
export const clockNamed = Effect.fnUntraced(function* (
  companyId: CompanyId,
  given: string,
  field = "clock"
): Effect.fn.Return<AskedClock, StoreUnavailable, TestClocks> {
  const asked = given.trim().toLowerCase()
  if (!uuid.test(asked)) return refused(asked, field, "must be the id of a test clock")
  const clocks = yield* TestClocks
  const clock = yield* clocks.find(companyId, ClockId.make(asked), yield* Clock.currentTimeMillis)
  if (clock === null) return refused(asked, field, "names no clock of this company, or one that has ended")
  if (clock.journeys >= clockLimits.mostJourneys) {
    return refused(asked, field, `names a clock that has ${clockLimits.mostJourneys} journeys already`)
  }
  return { asked, at: { id: clock.id, now: clock.now } }
})

/** Null: the start asks for none. */
export const clockAsked = (
  request: HttpServerRequest.HttpServerRequest,
  { key }: Caller
): Effect.Effect<AskedClock | null, StoreUnavailable, TestClocks> => {
  const given = incomingMessage(request).headers["sandbox-clock"]
  if (given === undefined) return Effect.succeed(null)
  return key.livemode
    ? Effect.succeed(refused(String(given), header, "is for test keys: a live journey runs by the real time"))
    : clockNamed(key.company.id, String(given), header)
}
