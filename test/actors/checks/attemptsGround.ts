/** An attempt at the built-in check with faces that a test decides. Not a test itself. */
import { Effect, Layer } from "effect"
import type { IdentityOutcome } from "../../../src/actors/checks/identity/attemptResult.ts"
import { IdentityAttempts, layer as attemptsLayer } from "../../../src/actors/checks/identity/IdentityAttempts.ts"
import { DocumentReader } from "../../../src/actors/checks/document/DocumentReader.ts"
import { FaceCheck, FaceCheckUnavailable, FaceRefused, PhotoUnreadable } from "../../../src/actors/faces/FaceCheck.ts"
import { madePrint } from "../../support/prints.ts"
import { type Service } from "../../support/service.ts"
import { JourneyId } from "../../../src/schema/ids.ts"

/** What the faces of the two photos come to; every photo is clean as it is. */
export type Seen = "SAME" | "UNCLEAR" | "DIFFERENT" | "ONE_PICTURE" | "NO_FACE" | "UNREADABLE" | "AWAY"

/** `looking` hears that the photos are looked at, and `until` is waited for. */
export const faces = (seen: Seen, looking: () => void, until: Promise<void>) => {
  const read = (photo: Uint8Array) => {
    if (seen === "NO_FACE") return Effect.fail(new FaceRefused({ code: "NO_FACE" }))
    if (seen === "UNREADABLE") return Effect.fail(new PhotoUnreadable({ rule: "is damaged" }))
    if (seen === "AWAY") return Effect.fail(new FaceCheckUnavailable())
    if (seen === "ONE_PICTURE") return Effect.succeed(readAs(photo, "one"))
    looking()
    return Effect.as(
      Effect.promise(() => until),
      readAs(photo, String(photo))
    )
  }
  return FaceCheck.of({
    check: () => Effect.die("not asked for here"),
    hasRoom: Effect.succeed(true),
    turned: () => Effect.die("not asked for here"),
    readInTurn: () => Effect.die("not asked for here"),
    read,
    readDocument: read,
    likeness: () => {
      if (seen === "SAME" || seen === "UNCLEAR" || seen === "DIFFERENT") return { verdict: seen, similarity: 0.5 }
      throw new Error("compared")
    }
  })
}

const readAs = (photo: Uint8Array, name: string) => ({
  photo: { jpeg: photo, print: madePrint(name), facePart: 0.2 },
  numbers: new Float32Array(),
  beside: []
})

/** Every document has something in print, and no machine-readable lines. */
const reader = DocumentReader.of({ read: () => Effect.succeed({ fits: false, doubts: [] }) })

export const documentPhoto = Buffer.from("document-canary-7f3a")
export const selfie = Buffer.from("selfie-canary-91bc")

export const attemptIn = (
  service: Service,
  journeyId: string,
  seen: Seen,
  looking: () => void = () => {},
  until: Promise<void> = Promise.resolve()
): Promise<IdentityOutcome> =>
  service.run(
    Effect.flatMap(IdentityAttempts, (attempts) =>
      attempts.attempt(JourneyId.make(journeyId), { documentPhoto, selfie })
    ).pipe(
      Effect.provide(
        Layer.fresh(attemptsLayer).pipe(
          Layer.provide([Layer.succeed(FaceCheck, faces(seen, looking, until)), Layer.succeed(DocumentReader, reader)])
        )
      )
    )
  )
