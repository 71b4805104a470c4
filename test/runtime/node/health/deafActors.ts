/** Loaded before the service by a test: journeys' actors that never answer a wake-up, as a stuck runner's do. */
import { Effect } from "effect"
import { JourneyEntity } from "../../../../src/actors/journey/actor/JourneyEntity.ts"

type Handlers = Effect.Effect<Readonly<Record<string, unknown>>>

// The handlers are handed on as they come, whatever messages there are.
const registered: (handlers: Handlers, options: unknown) => unknown = JourneyEntity.toLayer.bind(JourneyEntity) as never

Object.assign(JourneyEntity, {
  toLayer: (handlers: Handlers, options: unknown) =>
    registered(
      Effect.map(handlers, (all) => ({ ...all, Wake: () => Effect.never })),
      options
    )
})
