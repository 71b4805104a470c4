/**
 * The face check of the port, carried out by the threads of `PhotoPool.ts`. It translates what the threads saw into the
 * words of the port, and judges nothing itself.
 */
import { Effect, Layer } from "effect"
import { FaceCheck, FaceRefused, PhotoUnreadable } from "../../actors/faces/FaceCheck.ts"
import { openPhotoPool, type PhotoPoolOptions } from "./PhotoPool.ts"
import type { PhotoLook } from "./photoWorker.ts"
import { sharedLooks } from "./sharedLooks.ts"

/** A copy for the worker: the caller goes on using its own bytes, which may be a part of a larger buffer. */
const copyOf = (photo: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(photo)

export const layerOf = (options: Partial<PhotoPoolOptions>): Layer.Layer<FaceCheck> =>
  Layer.effect(
    FaceCheck,
    Effect.gen(function* () {
      const pool = yield* openPhotoPool(options)
      const look = Effect.fnUntraced(function* (asked: () => PhotoLook) {
        const seen = yield* pool.run(asked)
        switch (seen._tag) {
          case "Refused":
            return yield* new FaceRefused({ code: seen.code })
          case "Unreadable":
            return yield* new PhotoUnreadable({ rule: seen.rule })
          case "Check":
          case "Compare":
            return seen
        }
      })
      return FaceCheck.of({
        check: yield* sharedLooks((photo) =>
          Effect.flatMap(
            look(() => ({ _tag: "Check", photos: [copyOf(photo)] })),
            (seen) => (seen._tag === "Check" ? Effect.succeed({ jpeg: seen.jpeg }) : otherQuestion)
          )
        ),
        compare: (one, other) =>
          Effect.flatMap(
            look(() => ({ _tag: "Compare", photos: [copyOf(one), copyOf(other)] })),
            (seen) =>
              seen._tag === "Compare"
                ? Effect.succeed({ verdict: seen.verdict, similarity: seen.similarity })
                : otherQuestion
          )
      })
    })
  )

const otherQuestion = Effect.die(new Error("the worker answered another question than it was asked"))

export const layer: Layer.Layer<FaceCheck> = layerOf({})
