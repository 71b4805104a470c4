/** Loaded before the service by a test: journeys' actors that never answer a wake-up, as a stuck runner's do. */
import { Effect } from "effect"
import { JourneyResidents, type JourneyBehaviour } from "../../../../src/actors/journey/actor/JourneyResidents.ts"

type Residents = JourneyResidents["Service"]

const of: (residents: Residents) => Residents = JourneyResidents.of.bind(JourneyResidents as never)

const deaf = (journey: JourneyBehaviour): JourneyBehaviour => ({ ...journey, wake: Effect.never })

Reflect.set(JourneyResidents, "of", (residents: Residents): Residents =>
  of({ ...residents, run: (behaviourOf) => residents.run((journeyId) => deaf(behaviourOf(journeyId))) })
)
