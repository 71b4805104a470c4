/**
 * Places for attempts at external effects, shared among their destinations: a company's panel, a company's provider. A
 * destination that never answers holds a share of the places and no more, and after an attempt there has failed only a few, until
 * one succeeds. Among destinations that wait the places go in turns; at one destination, first come is first served.
 */
import { Deferred, type Duration, Effect, Option } from "effect"

export interface PlaceLimits {
  readonly attemptsAtOnce: number
  readonly attemptsAtOneDestination: number
  readonly attemptsWhileFailing: number
}

interface Destination {
  taken: number
  isFailing: boolean
  readonly waiting: Array<Deferred.Deferred<void>>
}

export interface DestinationPlaces {
  /**
   * Waits for a place for at most this long and makes the attempt there; None when there was no place in that time. The attempt
   * answers whether it succeeded.
   */
  readonly run: <E>(
    destination: string,
    within: Duration.Duration,
    attempt: Effect.Effect<boolean, E>
  ) => Effect.Effect<Option.Option<boolean>, E>
}

/** Who has places, and who waits for one. */
const makeTable = ({ attemptsAtOnce, attemptsAtOneDestination, attemptsWhileFailing }: PlaceLimits) => {
  const destinations = new Map<string, Destination>()
  let free = attemptsAtOnce

  const mayTake = ({ isFailing, taken }: Destination): boolean =>
    free > 0 && taken < (isFailing ? attemptsWhileFailing : attemptsAtOneDestination)

  /** Whoever got a place goes to the end of the turns, and the loop comes there again. */
  const serve = (): void => {
    for (const [name, one] of destinations) {
      const first = mayTake(one) ? one.waiting.shift() : undefined
      if (first === undefined) continue
      one.taken += 1
      free -= 1
      destinations.delete(name)
      destinations.set(name, one)
      Deferred.doneUnsafe(first, Effect.void)
    }
  }

  const forgetIdle = (name: string, { taken, waiting }: Destination): void => {
    if (taken === 0 && waiting.length === 0) destinations.delete(name)
  }

  return {
    /** Finds the destination and waits there at once: one where nobody is or waits is forgotten. */
    join: (name: string, place: Deferred.Deferred<void>): Destination => {
      const one = destinations.get(name) ?? { taken: 0, isFailing: false, waiting: [] }
      destinations.set(name, one)
      one.waiting.push(place)
      serve()
      return one
    },
    /** False when the place has just been given. */
    leave: (name: string, one: Destination, place: Deferred.Deferred<void>): boolean => {
      const at = one.waiting.indexOf(place)
      if (at < 0) return false
      one.waiting.splice(at, 1)
      forgetIdle(name, one)
      return true
    },
    release: (name: string, one: Destination): void => {
      one.taken -= 1
      free += 1
      forgetIdle(name, one)
      serve()
    }
  }
}

export const makeDestinationPlaces = (limits: PlaceLimits): DestinationPlaces => {
  const table = makeTable(limits)

  const take = (name: string): Effect.Effect<Destination> =>
    Effect.suspend(() => {
      const place = Deferred.makeUnsafe<void>()
      const one = table.join(name, place)
      return Effect.onInterrupt(Effect.as(Deferred.await(place), one), () =>
        Effect.sync(() => {
          // Who is interrupted in the moment of the turn passes the place on.
          if (!table.leave(name, one, place)) table.release(name, one)
        })
      )
    })

  return {
    run: (name, within, attempt) =>
      Effect.uninterruptibleMask((restore) => {
        const madeAt = (one: Destination) =>
          Effect.ensuring(
            Effect.tap(restore(attempt), (succeeded) =>
              Effect.sync(() => {
                one.isFailing = !succeeded
              })
            ),
            Effect.sync(() => table.release(name, one))
          )
        return Effect.flatMap(restore(Effect.timeoutOption(take(name), within)), (place) =>
          Option.isNone(place) ? Effect.succeedNone : Effect.asSome(madeAt(place.value))
        )
      })
  }
}
