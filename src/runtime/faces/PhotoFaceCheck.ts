/**
 * The face check and the logo check of the ports, carried out by the threads of `PhotoPool.ts`. It translates what the
 * threads saw into the words of the ports, and judges nothing itself.
 */
import { Context, Effect, Layer } from "effect"
import { LogoCheck, LogoCheckUnavailable, LogoUnusable } from "../../actors/company/LogoCheck.ts"
import {
  FaceCheck,
  FaceRefused,
  PhotoUnreadable,
  type LookFailed,
  type ReadFace
} from "../../actors/faces/FaceCheck.ts"
import { compare, similarity } from "./faceJudgement.ts"
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
          case "Compared":
          case "Logo":
          case "Read":
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
      const read = (photo: Uint8Array): Effect.Effect<ReadFace, LookFailed> =>
        Effect.flatMap(
          look(() => ({ _tag: "Read", photos: [copyOf(photo)] })),
          (seen) =>
            seen._tag === "Read" ? Effect.succeed({ photo: seen.photo, numbers: seen.numbers }) : otherQuestion
        )
      const faces = FaceCheck.of({
        check: yield* sharedLooks((photo) =>
          Effect.flatMap(
            look(() => ({ _tag: "Check", photos: [copyOf(photo)] })),
            (seen) => (seen._tag === "Check" ? Effect.succeed(seen.photo) : otherQuestion)
          )
        ),
        turned: (photo) =>
          Effect.flatMap(
            look(() => ({ _tag: "Turned", photos: [copyOf(photo)] })),
            (seen) => (seen._tag === "Turned" ? Effect.succeed(seen.turned) : otherQuestion)
          ),
        read: yield* sharedLooks(read),
        readInTurn: (photo) =>
          Effect.flatMap(
            look(() => ({ _tag: "Compared", photos: [copyOf(photo)] })),
            (seen) =>
              seen._tag === "Compared" ? Effect.succeed({ print: seen.print, numbers: seen.numbers }) : otherQuestion
          ),
        likeness: (one, other) => ({
          verdict: compare(one.numbers, other.numbers),
          similarity: similarity(one.numbers, other.numbers)
        })
      })
      return Context.make(FaceCheck, faces).pipe(Context.add(LogoCheck, logos))
    })
  )

const otherQuestion = Effect.die(new Error("the worker answered another question than it was asked"))

export const layer: Layer.Layer<FaceCheck | LogoCheck> = layerOf({})
