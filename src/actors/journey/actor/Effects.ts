/**
 * The port to external effects: the finance panel, the identity provider, the video check. One call is one attempt, and its
 * result is the message that the journey gets about it. When to attempt, and when to try again, is the journey's decision.
 */
import { Context, Data, type Effect } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { ExternalEffect, Journey } from "../rules/state/Journey.ts"

/** `definite`: every other attempt would fail in the same way. `reason` is a code for the log and the journal; it holds nothing personal. */
export class EffectFailed extends Data.TaggedError("EffectFailed")<{
  readonly definite: boolean
  readonly reason: string
}> {}

export class Effects extends Context.Service<
  Effects,
  { readonly attempt: (journey: Journey, work: ExternalEffect) => Effect.Effect<JourneyMessage, EffectFailed> }
>()("journeys/actors/Effects") {}
