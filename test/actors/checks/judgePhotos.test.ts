/** The judgement of the built-in identity check, with a stand-in that looks at photos. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  FaceCheck,
  FaceCheckUnavailable,
  FaceRefused,
  PhotoUnreadable,
  type Likeness,
  type ReadDocument
} from "../../../src/actors/faces/FaceCheck.ts"
import { judgePhotos, type IdentityJudgement, type Prints } from "../../../src/actors/checks/identity/judgePhotos.ts"
import { madePrint } from "../../support/prints.ts"

type Seen =
  | "ONE_FACE"
  | "OTHER_PICTURE"
  | "BLURRED"
  | "NO_FACE"
  | "MULTIPLE_FACES"
  | "FACE_TOO_SMALL"
  | "NO_PHOTO"
  | "AWAY"

const bytes = (text: string) => new TextEncoder().encode(text)
const clear = ["ONE_FACE", "OTHER_PICTURE"] as const
type Clear = (typeof clear)[number]
const failure = (seen: Exclude<Seen, Clear>) => {
  if (seen === "AWAY") return new FaceCheckUnavailable()
  if (seen === "BLURRED") return new FaceRefused({ code: "NO_FACE", isBlurred: true })
  return seen === "NO_PHOTO" ? new PhotoUnreadable({ rule: "is damaged" }) : new FaceRefused({ code: seen })
}

/** A face of the background: the person of the first photo, or somebody else. */
const again = { numbers: Float32Array.of(0) }
const stranger = { numbers: Float32Array.of(2) }

/** Photos are the names of what is seen in them; clean ones say so. */
const facesOf = (compared: Likeness["verdict"], beside: ReadDocument["beside"] = []) => {
  const read = (photo: Uint8Array) => {
    const seen = new TextDecoder().decode(photo) as Seen
    return seen === "ONE_FACE" || seen === "OTHER_PICTURE"
      ? Effect.succeed({ photo: clean(seen), numbers: Float32Array.of(clear.indexOf(seen)), beside })
      : Effect.fail(failure(seen))
  }
  return FaceCheck.of({
    check: () => Effect.die("not asked for here"),
    hasRoom: Effect.succeed(true),
    turned: () => Effect.die("not asked for here"),
    readInTurn: () => Effect.die("not asked for here"),
    read,
    readDocument: read,
    likeness: (one, other) => {
      if (beside.some((face) => face === one)) {
        expect(other.numbers).toEqual(Float32Array.of(0))
        return { verdict: one === again ? "SAME" : "DIFFERENT", similarity: 0.5 }
      }
      expect([one.numbers, other.numbers]).toEqual([Float32Array.of(0), Float32Array.of(1)])
      return { verdict: compared, similarity: 0.5 }
    }
  })
}

const judge = (
  document: Seen,
  selfie: Seen,
  faces = facesOf("SAME"),
  earlier: ReadonlyArray<Prints> = []
): Promise<IdentityJudgement> =>
  Effect.runPromise(judgePhotos(faces, { documentPhoto: bytes(document), selfie: bytes(selfie) }, earlier))
const clean = (seen: Clear) => ({ jpeg: bytes("clean"), print: madePrint(seen), facePart: 0.2 })
const tag = ({ _tag, ...rest }: IdentityJudgement) => ("verdict" in rest ? rest.verdict : _tag)

describe("an identity check made here", () => {
  it.each(["SAME", "UNCLEAR", "DIFFERENT"] as const)(
    "finds the faces of two photos %s, and keeps clean copies",
    async (verdict) => {
      expect(await judge("ONE_FACE", "OTHER_PICTURE", facesOf(verdict))).toEqual({
        _tag: "Judged",
        verdict,
        showsOthers: false,
        clean: { documentPhoto: clean("ONE_FACE"), selfie: clean("OTHER_PICTURE") }
      })
    }
  )

  it.each([
    ["nobody else in a document with a second portrait", [again], false],
    ["somebody else beside the face that is compared", [again, stranger], true]
  ])("finds %s", async (_, beside, showsOthers) => {
    expect(await judge("ONE_FACE", "OTHER_PICTURE", facesOf("SAME", beside))).toMatchObject({
      verdict: "SAME",
      showsOthers
    })
  })

  it("finds one picture twice, now or against the other photo of an earlier attempt", async () => {
    expect(tag(await judge("ONE_FACE", "ONE_FACE"))).toBe("SAME_PICTURE")
    const [one, other, third] = [madePrint("ONE_FACE"), madePrint("OTHER_PICTURE"), madePrint("third")]
    const after = (documentPhoto: Uint8Array, selfie: Uint8Array) =>
      judge("ONE_FACE", "OTHER_PICTURE", facesOf("SAME"), [
        { documentPhoto: third, selfie: third },
        { documentPhoto, selfie }
      ])
    expect(tag(await after(other, third))).toBe("SAME_PICTURE")
    expect(tag(await after(third, one))).toBe("SAME_PICTURE")
    // The same document, and the same selfie, may be tried again.
    expect(tag(await after(one, third))).toBe("SAME")
    expect(tag(await after(third, other))).toBe("SAME")
  })

  it("says of each photo that is of no use why", async () => {
    expect(await judge("NO_PHOTO", "OTHER_PICTURE")).toEqual({
      _tag: "Unusable",
      faults: { documentPhoto: "UNREADABLE" }
    })
    expect(await judge("NO_FACE", "BLURRED")).toEqual({
      _tag: "Unusable",
      faults: { documentPhoto: "NO_FACE", selfie: "BLURRED" }
    })
    expect(await judge("FACE_TOO_SMALL", "MULTIPLE_FACES")).toMatchObject({
      faults: { documentPhoto: "FACE_TOO_SMALL", selfie: "MULTIPLE_FACES" }
    })
  })

  it("judges nothing while photos cannot be looked at", async () => {
    await expect(judge("AWAY", "ONE_FACE")).rejects.toThrow()
    await expect(judge("ONE_FACE", "AWAY")).rejects.toThrow()
  })
})
