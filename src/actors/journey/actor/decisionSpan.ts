/**
 * The span of one decision: the message, the statuses before and after, and the events. A decision is pure and quick; its span
 * tells why a commit says what it says. Without a tracer nothing of this is computed.
 */
import { Effect } from "effect"
import type { EventType } from "../../../schema/journey/events.ts"
import { currentSpan } from "../../kernel/Trace.ts"
import type { Journey } from "../rules/state/Journey.ts"

/** A decision as its span shows it: the journey after it, or the word for what else it came to. */
export interface DecisionFacts {
  readonly outcome: "DONE" | "REFUSED" | "IGNORED"
  readonly after: Journey | null
  readonly events: ReadonlyArray<{ readonly type: EventType }>
}

/** The statuses of a journey and of its regions in one line: `ACTIVE finance APPROVED identity REQUESTED`. */
const statusesOf = ({ finance, handover, identity, status }: Journey): string =>
  [
    status,
    ...(finance === null ? [] : ["finance", finance.status]),
    ...(identity === null ? [] : ["identity", identity.status]),
    ...(handover === null ? [] : ["handover", handover.status])
  ].join(" ")

/** Decides, in a span of its own where somebody traces. `before`: null at the start. */
export const inDecisionSpan = <A>(
  message: string,
  before: Journey | null,
  decide: () => A,
  describe: (decided: A) => DecisionFacts
): Effect.Effect<A> =>
  Effect.flatMap(currentSpan, (span) =>
    span === null || !span.sampled
      ? Effect.sync(decide)
      : Effect.suspend(() => {
          const decided = decide()
          const { after, events, outcome } = describe(decided)
          return Effect.as(
            Effect.annotateCurrentSpan({
              "journey.message": message,
              "journey.outcome": outcome,
              "journey.events": events.map(({ type }) => type).join(" "),
              ...(before === null ? {} : { "journey.id": before.id, "journey.before": statusesOf(before) }),
              ...(after === null ? {} : { "journey.id": after.id, "journey.after": statusesOf(after) })
            }),
            decided
          )
        }).pipe(Effect.withSpan("Journey.decide", {}, { captureStackTrace: false }))
  )
