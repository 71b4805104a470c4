/**
 * A thread that makes videos with the service's FFmpeg, because FFmpeg changes the globals of whoever loads it.
 * `videos.ts` uses it.
 */
import { parentPort, workerData } from "node:worker_threads"
import { loadFfmpeg } from "../../src/runtime/video/ffmpeg.ts"
import type { Recipe } from "./videos.ts"

const ffmpeg = await loadFfmpeg()

const run = (...args: ReadonlyArray<string>) => {
  ffmpeg.reset()
  const status = ffmpeg.exec("-v", "quiet", ...args)
  if (status !== 0) throw new Error(`no video was made by ${args.join(" ")}`)
}

for (const { args, copied, extension, files = {}, photo } of workerData as ReadonlyArray<Recipe>) {
  const [made, copy] = [`made.${extension}`, `copy.${extension}`]
  if (photo !== undefined) ffmpeg.FS.writeFile("photo.jpg", photo)
  for (const [name, bytes] of Object.entries(files)) ffmpeg.FS.writeFile(name, bytes)
  run(...args, made)
  if (copied !== undefined) run("-i", made, "-c", "copy", ...copied, copy)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(ffmpeg.FS.readFile(copied === undefined ? made : copy))
}
