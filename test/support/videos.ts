/**
 * Videos as customers and attackers send them, made from the project's sample photos: a person who looks into the
 * camera for two seconds, somebody else, nobody; wrapped as telephones and browsers do it, turned, endless, enormous.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Worker } from "node:worker_threads"
import type { HeadTurn } from "../../src/schema/media/headTurns.ts"
import { facePhoto, turnedFace } from "./photos.ts"

export interface Recipe {
  readonly photo?: Uint8Array
  /** Further files that FFmpeg reads, by name. */
  readonly files?: Readonly<Record<string, Uint8Array>>
  readonly args: ReadonlyArray<string>
  /** Changes a made video without encoding its frames again. */
  readonly copied?: ReadonlyArray<string>
  readonly extension: "mp4" | "mov" | "webm"
}

/** Several people. */
export const samplePhoto = (number: number): Buffer =>
  readFileSync(
    join(
      dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json")),
      `demo/sample${number}.jpg`
    )
  )

/** Where a person of the first sample photo stands who is not the person of `facePhoto`. */
export const otherPerson = { x: 1340, y: 82, w: 470, h: 470 }
const { h, w, x, y } = otherPerson

/** A check takes eight frames. More of them, or larger ones, only take longer to read. */
const seconds = (length: number) => ["-t", String(length), "-r", "5"]
const h264 = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast"]
const vp8 = ["-pix_fmt", "yuv420p", "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"]

const still = (
  photo: Uint8Array,
  filter: string,
  rest: ReadonlyArray<string>,
  extension: Recipe["extension"]
): Recipe => ({
  photo,
  args: ["-loop", "1", "-i", "photo.jpg", ...seconds(2), "-vf", filter, ...rest],
  extension
})

const drawn = (picture: string, rest: ReadonlyArray<string>, extension: Recipe["extension"] = "mp4"): Recipe => ({
  args: ["-f", "lavfi", "-i", picture, ...rest],
  extension
})

/** The customer, who moves: a photo that turns in its plane, as no photo does that somebody loops. */
const moving = "scale=640:-2,rotate=0.3*sin(PI*t)"

const ofFace = (rest: ReadonlyArray<string>, extension: Recipe["extension"], filter = moving) =>
  still(facePhoto(), filter, rest, extension)

export const recipes = {
  /** Telephones write the index at the end of the file. */
  indexAtEnd: ofFace(h264, "mp4"),
  indexAtStart: ofFace([...h264, "-movflags", "+faststart"], "mp4"),
  quickTime: ofFace(h264, "mov"),
  webm: ofFace(vp8, "webm"),
  /** As some browsers record: without a length and without an index. */
  recorded: ofFace([...vp8, "-live", "1"], "webm"),
  /** As other browsers record: in pieces, each with its own index. */
  fragmented: ofFace([...h264, "-movflags", "frag_keyframe+empty_moov+default_base_moof"], "mp4"),
  /** Held upright: stored on its side, with a note of how to turn it. */
  turned: { ...ofFace(h264, "mp4", `${moving},transpose=2`), copied: ["-metadata:s:v:0", "rotate=270"] },
  /** As large as a telephone's: noise keeps the frames from getting small. */
  large: ofFace([...h264, "-crf", "18"], "mp4", "scale=1280:-2,noise=alls=60:allf=t"),
  /** With all that files say beside their pictures: where and by what they were made, notes, and sound. */
  told: {
    photo: facePhoto(),
    args: [
      ["-loop", "1", "-i", "photo.jpg", "-f", "lavfi", "-i", "sine", ...seconds(2), "-vf", "scale=640:-2", ...h264],
      ["-c:a", "aac", "-metadata", "location=+51.5007-000.1246/", "-metadata", "comment=canary-note"],
      ["-metadata:s:v:0", "handler_name=canary-track"]
    ].flat(),
    extension: "mov"
  },
  /** One photo for two seconds. */
  looped: ofFace(h264, "mp4", "scale=640:-2"),
  /** The same, mirrored, smaller, darker and in worse quality. */
  loopedMirrored: ofFace([...h264, "-crf", "38"], "mp4", "scale=420:-2,hflip,eq=brightness=-0.1"),
  somebodyElse: still(samplePhoto(1), `crop=${w}:${h}:${x}:${y}`, h264, "mp4"),
  manyPeople: still(samplePhoto(1), "scale=1600:-2", h264, "mp4"),
  nobody: drawn("testsrc2=s=640x480:r=10", [...seconds(2), ...h264]),
  /** One half shows one person, the other half another. */
  twoPeople: {
    photo: samplePhoto(6),
    args: [
      "-loop",
      "1",
      "-i",
      "photo.jpg",
      ...seconds(4),
      // As many frames as a browser's, so that neighbours look different to the check of still pictures.
      "-r",
      "10",
      "-vf",
      `crop=301:317:if(lt(t\\,2)\\,625\\,1130):322,scale=600:-2`,
      ...h264
    ],
    extension: "mp4"
  },
  hours: drawn("color=s=64x64:r=2", ["-t", "7200", ...h264]),
  /** Each frame has twice as many pixels as a camera has. */
  enormous: drawn("color=s=8192x4320:r=2", ["-t", "1", ...h264]),
  soundOnly: drawn("sine", ["-t", "2", "-c:a", "aac"])
} as const satisfies Record<string, Recipe>

export type VideoName = keyof typeof recipes

const secondsOfLook = 0.8

/** A living head does not only turn. */
export const nodding = "scale=640:-2,rotate=0.2*sin(PI*t)"

/**
 * The customer, who looks into the camera, turns the head to these sides and looks into the camera again after each. The person of the
 * turned photos moves from one to the next at once, as in a film with few frames. Another picture may stand for the looks into the camera.
 */
const turning = (turns: ReadonlyArray<HeadTurn>, filter = nodding, ahead: Uint8Array = turnedFace("ahead")): Recipe => {
  const shown = ["ahead", ...turns.flatMap((turn) => [turn.toLowerCase(), "ahead"])]
  const lines = [...shown.flatMap((to) => [`file ${to}.jpg`, `duration ${secondsOfLook}`]), "file ahead.jpg"]
  const list = Buffer.from(["ffconcat version 1.0", ...lines].join("\n"))
  const [left, right] = [turnedFace("left"), turnedFace("right")]
  return {
    files: { "list.txt": list, "ahead.jpg": ahead, "left.jpg": left, "right.jpg": right },
    args: ["-f", "concat", "-safe", "0", "-i", "list.txt", "-r", "10", "-vf", filter, ...h264],
    extension: "mp4"
  }
}

export const turningVideo = async (
  turns: ReadonlyArray<HeadTurn>,
  filter?: string,
  ahead?: Uint8Array
): Promise<Buffer> => {
  const [video] = await madeOf([turning(turns, filter, ahead)])
  if (video === undefined) throw new Error("no video was made")
  return video
}

/** Made once for each file of tests. */
export const makeVideos = async <Name extends VideoName>(
  ...names: ReadonlyArray<Name>
): Promise<Record<Name, Buffer>> => {
  const made = await madeOf(names.map((name) => recipes[name]))
  return Object.fromEntries(names.map((name, at) => [name, made[at]])) as Record<Name, Buffer>
}

const madeOf = (all: ReadonlyArray<Recipe>): Promise<ReadonlyArray<Buffer>> =>
  new Promise((resolve, reject) => {
    const made: Array<Buffer> = []
    const worker = new Worker(new URL("videoMaker.ts", import.meta.url), { workerData: all })
    worker.on("message", (video: Uint8Array) => made.push(Buffer.from(video)))
    worker.on("error", reject)
    worker.on("exit", () => resolve(made))
  })

/** Videos that cannot be made here. */
export const recordedVideo = (name: "hevc.mp4" | "vp9.webm" | "av1.webm"): Buffer =>
  readFileSync(new URL(`../fixtures/videos/${name}`, import.meta.url))
