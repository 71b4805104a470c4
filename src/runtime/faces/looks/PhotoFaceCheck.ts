/**
 * The face check and the logo check of the ports, carried out by the processes of `PhotoPool.ts`. It translates what the
 * processes saw into the words of the ports, and judges nothing itself.
 */
import { Context, Effect, Layer } from "effect"
import { LogoCheck, LogoCheckUnavailable, LogoUnusable } from "../../../actors/company/LogoCheck.ts"
import {
  FaceCheck,
  FaceRefused,
  PhotoUnreadable,
  type LookFailed,
  type ReadDocument,
  type ReadFace
} from "../../../actors/faces/FaceCheck.ts"
import { compare, similarity } from "../networks/faceJudgement.ts"
import { openPhotoPool, type PhotoPoolOptions } from "./PhotoPool.ts"
import * as ProcessStarter from "../../processes/ProcessStarter.ts"
import type { PhotoLook, PhotoSeen } from "./photoMessages.ts"
import { sharedLooks } from "./sharedLooks.ts"

export const layerOf = (options: Partial<PhotoPoolOptions>): Layer.Layer<FaceCheck | LogoCheck> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pool = yield* openPhotoPool(options)
      const look = Effect.fnUntraced(function* (asked: PhotoLook) {
        const seen = yield* pool.run(asked)
        switch (seen._tag) {
          case "Refused":
            return yield* new FaceRefused({ code: seen.code, isBlurred: seen.isBlurred })
          case "Unreadable":
            return yield* new PhotoUnreadable({ rule: seen.rule })
          case "Check":
          case "Compared":
          case "Document":
          case "Logo":
          case "Read":
          case "Turned":
            return seen
        }
      })
      /** Asks a process one question about a photo, and answers with what it saw. */
      const asked = <Tag extends PhotoLook["_tag"]>(tag: Tag, photo: Uint8Array) =>
        Effect.filterOrElse(look({ _tag: tag, photo }), isAnswerTo(tag), () => otherQuestion)
      const logos = LogoCheck.of({
        clean: (image) =>
          asked("Logo", image).pipe(
            Effect.catchTags({
              PhotoUnreadable: ({ rule }) => Effect.fail(new LogoUnusable({ rule })),
              FaceCheckUnavailable: () => Effect.fail(new LogoCheckUnavailable()),
              FaceRefused: () => otherQuestion
            })
          )
      })
      const faces = FaceCheck.of({
        hasRoom: pool.hasRoom,
        check: yield* sharedLooks((photo) => Effect.map(asked("Check", photo), (seen) => seen.photo)),
        turned: (photo) => Effect.map(asked("Turned", photo), ({ turned }) => turned),
        read: yield* sharedLooks((photo): Effect.Effect<ReadFace, LookFailed> => asked("Read", photo)),
        readDocument: yield* sharedLooks((photo): Effect.Effect<ReadDocument, LookFailed> => asked("Document", photo)),
        readInTurn: (photo) => asked("Compared", photo),
        likeness: (one, other) => ({
          verdict: compare(one.numbers, other.numbers),
          similarity: similarity(one.numbers, other.numbers)
        })
      })
      return Context.make(FaceCheck, faces).pipe(Context.add(LogoCheck, logos))
    })
  ).pipe(Layer.provide(ProcessStarter.layer))

const isAnswerTo =
  <Tag extends PhotoLook["_tag"]>(tag: Tag) =>
  (seen: PhotoSeen): seen is Extract<PhotoSeen, { readonly _tag: Tag }> =>
    seen._tag === tag

const otherQuestion = Effect.die(new Error("the process answered another question than it was asked"))

export const layer: Layer.Layer<FaceCheck | LogoCheck> = layerOf({})
