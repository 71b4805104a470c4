/**
 * The port to those who do what a journey owes: the finance panel, the identity provider, the video check. It makes one
 * attempt and says by which message the journey is told what came of it. When to begin, and when again, is the journey's.
 */
import { Context, Data, type Effect } from "effect"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { ExternalEffect, Journey } from "../rules/Journey.ts"

/** `definite`: another attempt would come to the same. `reason` is a code for the log and holds nothing personal. */
export class EffectFailed extends Data.TaggedError("EffectFailed")<{
  readonly definite: boolean
  readonly reason: string
}> {}

export class Effects extends Context.Service<
  Effects,
  { readonly attempt: (journey: Journey, work: ExternalEffect) => Effect.Effect<JourneyMessage, EffectFailed> }
>()("journeys/actors/Effects") {}
