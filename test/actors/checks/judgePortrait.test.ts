/** The judgement of a provider's portrait, with a stand-in that looks at photos. */
import { Effect, Result } from "effect"
import { expect, it } from "vitest"
import { judgePortrait } from "../../../src/actors/checks/identity/judgePortrait.ts"
import type { PhotoUnreadable } from "../../../src/actors/faces/FaceCheck.ts"
import { FaceCheck, FaceCheckUnavailable, FaceRefused } from "../../../src/actors/faces/FaceCheck.ts"
import { callbackLimits } from "../../../src/schema/requests/limits.ts"

const jpeg = (size: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(size - 3)])
const clean = { jpeg: new Uint8Array([1]), print: new Uint8Array([2]), facePart: 0.2 }

type Looked = Effect.Effect<typeof clean, FaceRefused | PhotoUnreadable | FaceCheckUnavailable>

const judged = (base64: string, looked: Looked = Effect.succeed(clean)) =>
  Effect.runPromise(
    Effect.result(
      judgePortrait(
        FaceCheck.of({
          check: () => looked,
          hasRoom: Effect.succeed(true),
          turned: () => Effect.die("no"),
          read: () => Effect.die("no"),
          readDocument: () => Effect.die("no"),
          readInTurn: () => Effect.die("no"),
          likeness: () => ({ verdict: "UNCLEAR", similarity: 0 })
        }),
        base64
      )
    )
  )

it("is usable with one clear face, up to the largest size", async () => {
  const largest = jpeg(callbackLimits.largestPortraitBytes)
  expect(await judged(largest.toString("base64"))).toEqual(Result.succeed({ _tag: "Usable", portrait: clean }))
  const larger = jpeg(callbackLimits.largestPortraitBytes + 1).toString("base64")
  expect(await judged(larger)).toEqual(Result.succeed({ _tag: "Unusable", rule: "has more than 1048576 bytes" }))
})

it.each(["NO_FACE", "MULTIPLE_FACES", "FACE_TOO_SMALL"] as const)(
  "is of no use when the look finds %s",
  async (code) => {
    const found = await judged(jpeg(100).toString("base64"), Effect.fail(new FaceRefused({ code })))
    expect(found).toMatchObject({ success: { _tag: "Unusable", rule: expect.stringMatching(/^shows /) } })
  }
)

it.each(["", "A", "AAA", "AA=A", "A===", "AAAA\n", "AA-_", "%%%%"])(
  "is not read from %j, which is no base64",
  async (text) => {
    expect(await judged(text)).toEqual(Result.succeed({ _tag: "Unusable", rule: "is not in base64" }))
  }
)

it("cannot be judged while no photo can be looked at", async () => {
  const found = await judged(jpeg(100).toString("base64"), Effect.fail(new FaceCheckUnavailable()))
  expect(found).toMatchObject({ failure: { _tag: "FaceCheckUnavailable" } })
})
