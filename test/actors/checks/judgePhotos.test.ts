/** The judgement of the built-in identity check, with a stand-in that looks at photos. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  FaceCheck,
  FaceCheckUnavailable,
  FaceRefused,
  PhotoUnreadable,
  type Likeness
} from "../../../src/actors/faces/FaceCheck.ts"
import { judgePhotos, type IdentityJudgement } from "../../../src/actors/checks/judgePhotos.ts"

type Seen = "ONE_FACE" | "NO_FACE" | "MULTIPLE_FACES" | "FACE_TOO_SMALL" | "NO_PHOTO" | "AWAY"

const bytes = (text: string) => new TextEncoder().encode(text)
const failure = (seen: Exclude<Seen, "ONE_FACE">) => {
  if (seen === "AWAY") return new FaceCheckUnavailable()
  return seen === "NO_PHOTO" ? new PhotoUnreadable({ rule: "is damaged" }) : new FaceRefused({ code: seen })
}

/** Photos are the names of what is seen in them; clean ones say so. */
const facesOf = (compared: Likeness["verdict"] | Exclude<Seen, "ONE_FACE">, looks: Array<string> = []) =>
  FaceCheck.of({
    check: (photo) => {
      const seen = new TextDecoder().decode(photo) as Seen
      looks.push(seen)
      return seen === "ONE_FACE" ? Effect.succeed({ jpeg: bytes("clean") }) : Effect.fail(failure(seen))
    },
    compare: (one, other) => {
      expect([one, other]).toEqual([bytes("clean"), bytes("clean")])
      return compared === "SAME" || compared === "UNCLEAR" || compared === "DIFFERENT"
        ? Effect.succeed({ verdict: compared, similarity: 0.5 })
        : Effect.fail(failure(compared))
    }
  })

const judge = (document: Seen, selfie: Seen, faces = facesOf("SAME")) =>
  Effect.runPromise(judgePhotos(faces, bytes(document), bytes(selfie)))
const tag = ({ _tag, ...rest }: IdentityJudgement) => ("verdict" in rest ? rest.verdict : _tag)

describe("an identity check made here", () => {
  it.each(["SAME", "UNCLEAR", "DIFFERENT"] as const)(
    "finds the faces of two photos %s, and keeps clean copies",
    async (verdict) => {
      expect(await judge("ONE_FACE", "ONE_FACE", facesOf(verdict))).toEqual({
        _tag: "Judged",
        verdict,
        document: bytes("clean"),
        selfie: bytes("clean")
      })
    }
  )

  it("fails without a face, in whichever photo", async () => {
    expect(tag(await judge("NO_FACE", "ONE_FACE"))).toBe("NoFace")
    expect(tag(await judge("ONE_FACE", "NO_FACE"))).toBe("NoFace")
  })

  it("says which photo is of no use, and why, and looks no further", async () => {
    const looks: Array<string> = []
    expect(await judge("NO_PHOTO", "ONE_FACE", facesOf("SAME", looks))).toEqual({
      _tag: "Unreadable",
      which: "documentPhoto",
      rule: "is damaged"
    })
    expect(looks).toEqual(["NO_PHOTO"])
    expect(await judge("ONE_FACE", "MULTIPLE_FACES")).toEqual({
      _tag: "Unreadable",
      which: "selfie",
      rule: "shows more than one face"
    })
    expect(await judge("FACE_TOO_SMALL", "ONE_FACE")).toMatchObject({ rule: "shows too small a face" })
  })

  it("leaves it to a person when the clean copies cannot be compared", async () => {
    for (const seen of ["NO_FACE", "MULTIPLE_FACES", "NO_PHOTO"] as const) {
      expect(tag(await judge("ONE_FACE", "ONE_FACE", facesOf(seen)))).toBe("UNCLEAR")
    }
  })

  it("judges nothing while photos cannot be looked at", async () => {
    for (const [document, selfie, faces] of [
      ["AWAY", "ONE_FACE", facesOf("SAME")],
      ["ONE_FACE", "AWAY", facesOf("SAME")],
      ["ONE_FACE", "ONE_FACE", facesOf("AWAY")]
    ] as const) {
      await expect(judge(document, selfie, faces)).rejects.toThrow()
    }
  })
})
