/** The check of a handover video with frames, faces and turns as stand-ins see them: what follows of what is seen, and of what is not. */
import { Effect, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { ReferenceFace } from "../../../src/actors/checks/video/ReferenceFace.ts"
import { VideoCheck } from "../../../src/actors/checks/video/VideoCheck.ts"
import { VideoFrames } from "../../../src/actors/checks/video/VideoFrames.ts"
import { Videos } from "../../../src/actors/checks/video/Videos.ts"
import {
  FaceCheck,
  FaceCheckUnavailable,
  FaceRefused,
  PhotoUnreadable,
  type Likeness
} from "../../../src/actors/faces/FaceCheck.ts"
import { StoreUnavailable } from "../../../src/actors/kernel/StoreError.ts"
import * as FrameVideoCheck from "../../../src/runtime/video/FrameVideoCheck.ts"
import * as VideoReader from "../../../src/runtime/video/VideoReader.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import type { HeadTurn } from "../../../src/schema/media/headTurns.ts"
import { madePrint } from "../../support/prints.ts"

const check = (journeyId: string) =>
  Effect.flatMap(VideoCheck, (videos) => Effect.result(videos.check(JourneyId.make(journeyId))))

const frame = (name: string) => Buffer.from(name)
/** The numbers of a face are the letters of its name. */
const face = (name: string, print: string) => ({
  print: madePrint(print),
  numbers: Float32Array.from(frame(name))
})
const nameOf = ({ numbers }: { readonly numbers: Float32Array }) => Buffer.from(numbers).toString()
const unclear = (reason: string) => ({ verdict: "UNCLEAR", reasons: [reason] })

describe("a check", () => {
  const read = { _tag: "Video" as const, seconds: 2 }
  const asSeen: Record<string, Likeness["verdict"]> = {
    S: "SAME",
    D: "DIFFERENT",
    U: "UNCLEAR",
    ahead: "SAME",
    left: "UNCLEAR",
    right: "SAME",
    stranger: "DIFFERENT",
    strangerLeft: "DIFFERENT"
  }
  const asTurned: Record<string, number> = {
    ahead: 0.02,
    stranger: 0.02,
    left: 0.3,
    strangerLeft: 0.2,
    blurredLeft: 0.2,
    right: -0.3,
    blurredRight: -0.2
  }
  const asAsked = ["ahead", "left", "ahead", "right"]

  /** Each frame says what the stand-in sees in it. */
  const faces = (asked: Array<string>) =>
    Layer.mock(FaceCheck, {
      turned: (photo) => {
        const turned = asTurned[Buffer.from(photo).toString()]
        return turned === undefined ? Effect.fail(new FaceRefused({ code: "NO_FACE" })) : Effect.succeed(turned)
      },
      readInTurn: (photo) => {
        const name = Buffer.from(photo).toString()
        if (name === "reference") return Effect.succeed(face(name, name))
        if (asTurned[name] === undefined) asked.push(name)
        if (asSeen[name] !== undefined) return Effect.succeed(face(name, `frame ${asked.length}`))
        if (name === "none" || name.startsWith("blurred")) return Effect.fail(new FaceRefused({ code: "NO_FACE" }))
        if (name === "many") return Effect.fail(new FaceRefused({ code: "MULTIPLE_FACES" }))
        if (name === "damaged") return Effect.fail(new PhotoUnreadable({ rule: "must be whole" }))
        return Effect.fail(new FaceCheckUnavailable())
      },
      likeness: (seen, reference) => {
        expect(nameOf(reference)).toBe("reference")
        return { verdict: asSeen[nameOf(seen)] ?? "UNCLEAR", similarity: 0.5 }
      }
    })

  const turnsAsked: ReadonlyArray<HeadTurn> = ["LEFT", "RIGHT"]
  const video = {
    id: "a video",
    turnsAsked,
    kind: "MP4" as const,
    bytes: 1,
    content: Stream.empty,
    part: () => Stream.empty
  }
  const whole = { read: () => Effect.succeed(video) }

  const checked = async (
    names: ReadonlyArray<string>,
    changed: {
      readonly videos?: Partial<Videos["Service"]>
      readonly frames?: VideoReader.VideoReader["Service"]["frames"]
      readonly beginning?: VideoReader.VideoReader["Service"]["beginning"]
      readonly reference?: string
    } = {}
  ) => {
    const asked: Array<string> = []
    const kept: Array<string> = []
    const ofTurns: Array<number> = []
    const taken = names.map((name, at) => ({ at, jpeg: frame(name) }))
    const frames = changed.frames ?? (() => Effect.succeed({ ...read, frames: taken }))
    const beginning =
      changed.beginning ??
      (() => Effect.succeed({ ...read, frames: asAsked.map((name, at) => ({ at, jpeg: frame(name) })) }))
    const layer = FrameVideoCheck.layer.pipe(
      Layer.provide([
        faces(asked),
        Layer.mock(Videos, changed.videos ?? whole),
        Layer.mock(VideoReader.VideoReader, { frames, beginning }),
        Layer.succeed(ReferenceFace, {
          of: () => Effect.succeed({ name: "selfie", of: "x", photo: frame(changed.reference ?? "reference") })
        }),
        Layer.mock(VideoFrames, {
          keep: (_video, all) =>
            Effect.sync(() => {
              kept.push(...all.filter(({ turned }) => turned === undefined).map(({ outcome }) => outcome))
              ofTurns.push(...all.flatMap(({ turned }) => turned ?? []))
            })
        })
      ])
    )
    const result = await Effect.runPromise(Effect.provide(check("a journey"), layer))
    return { asked, kept, ofTurns, result: result._tag === "Success" ? result.success : result.failure }
  }

  it("leaves out frames without one clear face", async () => {
    const { kept, result } = await checked(["none", "S", "many", "S", "damaged", "none", "none", "U"])
    expect(result).toEqual({ verdict: "MATCH", reasons: [] })
    const seen = ["NO_FACE", "SAME", "SEVERAL_FACES", "SAME", "NO_FACE", "NO_FACE", "NO_FACE"]
    expect(kept).toEqual([...seen, "NOT_COMPARED"])
  })

  it("compares no more frames than it needs for a match, and all of them otherwise", async () => {
    const needed = await checked(["S", "S", "S", "none", "S", "S", "S", "S"])
    expect([needed.result, needed.asked.length]).toEqual([{ verdict: "MATCH", reasons: [] }, 5])
    const other = await checked(["D", "D", "D", "D", "D", "D", "D", "S"])
    expect([other.result, other.asked.length]).toEqual([{ verdict: "UNCLEAR", reasons: ["VIDEO_UNCLEAR"] }, 8])
  })

  const turning = (...names: ReadonlyArray<string>) => ({
    beginning: () => Effect.succeed({ ...read, frames: names.map((name, at) => ({ at, jpeg: frame(name) })) })
  })
  const matching = Array.from({ length: 8 }, () => "S")

  it.each([
    ["shows none", ["ahead", "ahead", "ahead"], "TURNS_NOT_SEEN"],
    ["shows no face", ["none", "none"], "TURNS_NOT_SEEN"],
    ["shows too few", ["ahead", "left", "ahead"], "TURNS_NOT_SEEN"],
    ["shows them in another order", ["ahead", "right", "ahead", "left"], "TURNS_OTHERS"],
    ["shows them on somebody else", ["ahead", "left", "stranger", "right"], "TURNS_NOT_SEEN"],
    [
      "shows one of them on somebody else, between pictures of the customer,",
      ["ahead", "strangerLeft", "ahead", "right"],
      "TURNS_NOT_SEEN"
    ],
    ["shows them on nobody who can be known", ["ahead", "blurredLeft", "ahead", "blurredRight"], "TURNS_NOT_SEEN"]
  ] as const)(
    "leaves to a person a match whose video %s of the turns that were asked for",
    async (_name, names, reason) => {
      expect((await checked(matching, turning(...names))).result).toEqual(unclear(reason))
    }
  )

  it("keeps the farthest frame of each turn and the face between them, and looks no further than it needs", async () => {
    const { ofTurns, result } = await checked(matching, turning("ahead", "left", "ahead", "right", "broken"))
    expect([result, ofTurns]).toEqual([{ verdict: "MATCH", reasons: [] }, [0.3, 0.02, -0.3]])
  })

  it("takes a turn in which nobody can be known beside one in which the customer is", async () => {
    const { result } = await checked(matching, turning("ahead", "blurredLeft", "ahead", "right"))
    expect(result).toEqual({ verdict: "MATCH", reasons: [] })
  })

  it("leaves to a person a match that was asked for no turns, or whose beginning cannot be read", async () => {
    const asksNothing = { read: () => Effect.succeed({ ...video, turnsAsked: [] }) }
    expect((await checked(matching, { videos: asksNothing })).result).toEqual(unclear("TURNS_NOT_SEEN"))
    const refused = { _tag: "Refused", code: "UNREADABLE", rule: "must be whole" } as const
    expect((await checked(matching, { beginning: () => Effect.succeed(refused) })).result).toEqual(
      unclear("TURNS_NOT_SEEN")
    )
  })

  it("does not look for turns of somebody else, who records again", async () => {
    const { result } = await checked(
      Array.from({ length: 8 }, () => "D"),
      { beginning: () => Effect.die("was looked at") }
    )
    expect(result).toEqual({ verdict: "MISMATCH", reasons: ["VIDEO_MISMATCH"] })
  })

  it("leaves to a person what cannot be read, and a video that is gone", async () => {
    const refused = { _tag: "Refused", code: "UNREADABLE", rule: "must be whole" } as const
    expect((await checked([], { frames: () => Effect.succeed(refused) })).result).toEqual(unclear("UNREADABLE"))
    expect((await checked([], { videos: { read: () => Effect.succeed(null) } })).result).toEqual(unclear("NO_VIDEO"))
  })

  it("leaves to a person a video whose reference shows nobody who could be known", async () => {
    for (const reference of ["none", "many", "damaged"]) {
      const { asked, result } = await checked(matching, { reference })
      // The reference was looked at, and no frame.
      expect([result, asked]).toEqual([unclear("NO_REFERENCE"), [reference]])
    }
  })

  it.each([
    ["the reference cannot be looked at now", "FACE_CHECK", ["S"], { reference: "broken" }],
    ["faces cannot be compared now", "FACE_CHECK", ["S", "broken"], {}],
    [
      "the process cannot be had",
      "NOT_BEGUN",
      [],
      { frames: () => Effect.fail(new VideoReader.VideoReaderUnavailable({ reason: "NOT_BEGUN" })) }
    ],
    [
      "the database is away",
      "DATABASE",
      [],
      { videos: { read: () => Effect.fail(new StoreUnavailable({ cause: "away" })) } }
    ]
  ])("fails, to be made again, when %s", async (_name, reason, frames, changed) => {
    expect((await checked(frames, changed)).result).toMatchObject({ _tag: "VideoCheckUnavailable", reason })
  })
})
