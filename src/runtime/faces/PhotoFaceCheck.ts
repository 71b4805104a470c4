/**
 * The face check and the logo check of the ports, carried out by the threads of `PhotoPool.ts`. It translates what the
 * threads saw into the words of the ports, and judges nothing itself.
 */
import { Context, Effect, Layer } from "effect"
import { LogoCheck, LogoCheckUnavailable, LogoUnusable } from "../../actors/company/LogoCheck.ts"
import { FaceCheck, FaceRefused, PhotoUnreadable } from "../../actors/faces/FaceCheck.ts"
import { openPhotoPool, type PhotoPoolOptions } from "./PhotoPool.ts"
import type { PhotoLook } from "./photoWorker.ts"
import { sharedLooks } from "./sharedLooks.ts"

/** A copy for the worker: the caller goes on using its own bytes, which may be a part of a larger buffer. */
const copyOf = (photo: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(photo)

export const layerOf = (options: Partial<PhotoPoolOptions>): Layer.Layer<FaceCheck | LogoCheck> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pool = yield* openPhotoPool(options)
      const look = Effect.fnUntraced(function* (asked: () => PhotoLook) {
        const seen = yield* pool.run(asked)
        switch (seen._tag) {
          case "Refused":
            return yield* new FaceRefused({ code: seen.code, isBlurred: seen.isBlurred })
          case "Unreadable":
            return yield* new PhotoUnreadable({ rule: seen.rule })
          case "Check":
          case "Compare":
          case "Logo":
          case "Turned":
            return seen
        }
      })
      const logos = LogoCheck.of({
        clean: (image) =>
          look(() => ({ _tag: "Logo", photos: [copyOf(image)] })).pipe(
            Effect.flatMap((seen) => (seen._tag === "Logo" ? Effect.succeed(seen) : otherQuestion)),
            Effect.catchTags({
              PhotoUnreadable: ({ rule }) => Effect.fail(new LogoUnusable({ rule })),
              FaceCheckUnavailable: () => Effect.fail(new LogoCheckUnavailable()),
              FaceRefused: () => otherQuestion
            })
          )
      })
      const faces = FaceCheck.of({
        check: yield* sharedLooks((photo) =>
          Effect.flatMap(
            look(() => ({ _tag: "Check", photos: [copyOf(photo)] })),
            (seen) =>
              seen._tag === "Check"
                ? Effect.succeed({ jpeg: seen.jpeg, print: seen.print, facePart: seen.facePart })
                : otherQuestion
          )
        ),
        turned: (photo) =>
          Effect.flatMap(
            look(() => ({ _tag: "Turned", photos: [copyOf(photo)] })),
            (seen) => (seen._tag === "Turned" ? Effect.succeed(seen.turned) : otherQuestion)
          ),
        compare: (one, other) =>
          Effect.flatMap(
            look(() => ({ _tag: "Compare", photos: [copyOf(one), copyOf(other)] })),
            (seen) =>
              seen._tag === "Compare"
                ? Effect.succeed({ verdict: seen.verdict, similarity: seen.similarity, prints: seen.prints })
                : otherQuestion
          )
      })
      return Context.make(FaceCheck, faces).pipe(Context.add(LogoCheck, logos))
    })
  )

const otherQuestion = Effect.die(new Error("the worker answered another question than it was asked"))

export const layer: Layer.Layer<FaceCheck | LogoCheck> = layerOf({})
