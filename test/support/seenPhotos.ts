/**
 * What a process has seen in the photos of tests. What is seen in a photo follows from its bytes and from nothing else, tests use the same few
 * photos again and again, and a look takes half a second of a core: the services of one worker look at each photo once. Tests
 * of the looks themselves (`test/runtime/faces`) and live journeys (`test/live`) do not use this file.
 */
import { Effect } from "effect"
import type { FaceCheckUnavailable } from "../../src/actors/faces/FaceCheck.ts"
import { photoDigest } from "../../src/actors/journey/actor/start/photoDigest.ts"
import type { PhotoLook, PhotoSeen } from "../../src/runtime/faces/looks/photoMessages.ts"

/** A worker runs half of all tests, and an answer has some 100 KB. */
const mostKept = 200

const seen = new Map<string, PhotoSeen>()

const keep = (key: string, answer: PhotoSeen): void => {
  const [oldest] = seen.size < mostKept ? [] : seen.keys()
  if (oldest !== undefined) seen.delete(oldest)
  seen.set(key, answer)
}

export const lookOnce = (
  { _tag, photo }: PhotoLook,
  looking: Effect.Effect<PhotoSeen, FaceCheckUnavailable>
): Effect.Effect<PhotoSeen, FaceCheckUnavailable> =>
  Effect.suspend(() => {
    const key = `${_tag} ${photoDigest(photo)}`
    const known = seen.get(key)
    return known === undefined
      ? Effect.tap(looking, (answer) => Effect.sync(() => keep(key, answer)))
      : Effect.succeed(known)
  })
