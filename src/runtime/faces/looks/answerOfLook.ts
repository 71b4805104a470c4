/** What a look on a fiber of its own has seen. One that was interrupted, because the service stops, has seen nothing. */
import { Cause, Effect, Exit, Fiber } from "effect"
import { FaceCheckUnavailable } from "../../../actors/faces/FaceCheck.ts"

export const answerOfLook = <A, E>(look: Fiber.Fiber<A, E>): Effect.Effect<A, E | FaceCheckUnavailable> =>
  Effect.flatMap(Fiber.await(look), (exit): Effect.Effect<A, E | FaceCheckUnavailable> =>
    Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? Effect.fail(new FaceCheckUnavailable()) : exit
  )
