/**
 * /app/video: the page that records the handover video or takes a file, and the plain form for browsers without a
 * script. The script sends a video in parts, which is `uploadRoutes.ts`; the form's one file is divided here.
 */
import { Effect, Semaphore } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { stepAskedOf } from "../../actors/journey/rules/waiting.ts"
import { Videos, type VideoRefused } from "../../actors/checks/Videos.ts"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { longestVideo, mostChunkBytes, mostVideoBytes } from "../../schema/media/videoHeader.ts"
import { videoScriptPath } from "./assets.ts"
import { readFileForm } from "./fileForm.ts"
import { hasToken } from "./forgery.ts"
import { html, type Html } from "./html.ts"
import { forgedPage } from "./noticePages.ts"
import { hiddenToken, pageResponse, seeOther } from "./page.ts"
import { pageStatus } from "./pageStatus.ts"
import { askAsCustomer } from "./askAsCustomer.ts"
import { frameOf, sent, visited, type Visit } from "./CustomerSession.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Bytes of a video in one form: it is held in memory, and a request has half a minute to arrive. */
const mostPlainBytes = 25 * 2 ** 20

const megabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)

/** The script finds its way by these; without it the form is all there is. */
const recorder = ({ formToken }: Visit): Html =>
  html`<div
    id="recorder"
    hidden
    data-token="${formToken}"
    data-chunk-bytes="${mostChunkBytes}"
    data-most-bytes="${mostVideoBytes}"
    data-longest-seconds="${longestVideo}"
  >
    <video id="preview" muted playsinline aria-label="What your camera sees"></video>
    <p id="status" role="status"></p>
    <progress id="progress" max="100" value="0" aria-label="Upload" hidden></progress>
    <div class="buttons">
      <button type="button" id="camera">Use the camera</button
      ><button type="button" id="record" hidden>Start recording</button
      ><button type="button" id="stop" hidden>Stop</button
      ><button type="button" id="send" hidden>Send this video</button
      ><button type="button" id="resume" hidden>Continue sending</button
      ><button type="button" id="again" class="quiet" hidden>Record again</button>
    </div>
  </div>`

const content = (visit: Visit, problem: string | null): Html =>
  html`${
      problem !== null &&
      html`<div class="summary" role="alert" tabindex="-1">
        <h2>The video could not be used</h2>
        <p>${problem}</p>
      </div>`
    }
    <ul class="hint">
      <li>Your whole face in view, light from the front</li>
      <li>Show the vehicle and its number plate</li>
      <li>Up to ${Math.floor(longestVideo / 60)} minutes, ${megabytes(mostVideoBytes)} MB at most</li>
    </ul>
    ${recorder(visit)}
    <form method="post" enctype="multipart/form-data" id="plain">
      ${hiddenToken(visit.formToken)}
      <div class="field photo">
        <label for="video">Or choose a video</label
        ><input type="file" id="video" name="video" accept="video/*" capture="user" required />
      </div>
      <button class="quiet">Send</button
      ><noscript
        ><p class="hint">Without scripts a video can have ${megabytes(mostPlainBytes)} MB at most.</p></noscript
      >
    </form>`

const shown = (visit: Visit, problem: string | null = null): Response =>
  pageResponse({
    ...frameOf(visit),
    heading: "Record the handover video",
    isProblem: problem !== null,
    status: problem === null ? pageStatus.shown : pageStatus.unusable,
    script: videoScriptPath,
    content: content(visit, problem)
  })

export const isVideoAsked = ({ journey }: Visit): boolean => journey.livemode && stepAskedOf(journey) === "RECORD_VIDEO"

export const videoPage = visited((_request, visit) =>
  Effect.succeed(isVideoAsked(visit) ? shown(visit) : seeOther("/app/journey"))
)

/** What was refused, as the customer reads it. */
export const refusalOf = ({ code, rule }: Pick<VideoRefused, "code" | "rule">): string => {
  switch (code) {
    case "TOO_LARGE":
      return `It is larger than ${megabytes(mostVideoBytes)} MB. Please record a shorter one.`
    case "TOO_LONG":
      return `It is longer than ${Math.floor(longestVideo / 60)} minutes. Please record a shorter one.`
    case "UNSUPPORTED":
      return "It is not a kind of video we can read. Please record it here, or choose an MP4, MOV or WebM file."
    case "UNREADABLE":
      return "It could not be read. Please record another one."
    case "INCOMPLETE":
    case "DAMAGED_CHUNK":
    case "WRONG_CHUNK":
      return `It did not arrive whole: the video ${rule}. Please send it again.`
  }
}

/** The journey is told once an upload is its video; told again it knows the message by the upload's id. */
export const uploaded = (visit: Visit, uploadId: string) =>
  // A journey that has moved on needs no video; the customer sees where the journey stands.
  Effect.catchTag(askAsCustomer(visit, { _tag: "VideoUploaded" }, uploadId), "JourneyRefused", () => Effect.void)

const keep = Effect.fnUntraced(function* (visit: Visit, video: Uint8Array) {
  const videos = yield* Videos
  const upload = { journeyId: visit.journey.id, uploadId: yield* videos.begin(visit.journey.id) }
  let number = 0
  for (let at = 0; at < video.length; at += mostChunkBytes) {
    const bytes = video.subarray(at, at + mostChunkBytes)
    yield* videos.chunk(upload, { number, bytes, sha256: hash("sha256", bytes, "hex") })
    number += 1
  }
  yield* videos.complete(upload, number)
  yield* uploaded(visit, upload.uploadId)
})

/** All of it may be done again. */
export const later = ({ cause }: { readonly cause: unknown }) => Effect.fail(new StoreUnavailable({ cause }))

/** Videos taken in one form at a time: each is held in memory, and whoever comes meanwhile waits to be read. */
const plainVideosAtOnce = 4
const plainVideos = Semaphore.makeUnsafe(plainVideosAtOnce)

const takePlainVideo = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, visit: Visit) {
  const isOurs = (token: string | null) => hasToken(visit.secret, token)
  const { files, token } = yield* readFileForm(request, { video: mostPlainBytes }, isOurs)
  if (!isOurs(token)) return forgedPage()
  const video = files.get("video") ?? new Uint8Array()
  if (video.length === 0) return shown(visit, "No video was chosen.")
  if (video.length > mostPlainBytes) {
    return shown(visit, `It is larger than ${megabytes(mostPlainBytes)} MB. Please record a shorter one.`)
  }
  return yield* keep(visit, video).pipe(
    Effect.as(seeOther("/app/journey")),
    Effect.catchTags({
      VideoNotAwaited: () => Effect.succeed(seeOther("/app/journey")),
      UploadGone: () => Effect.succeed(shown(visit, "Another upload was begun meanwhile. Please send it again.")),
      VideoRefused: (refused) => Effect.succeed(shown(visit, refusalOf(refused))),
      CommitUnknown: later
    })
  )
})

export const sendVideo = sent(
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, visit) {
    if (!isVideoAsked(visit)) return seeOther("/app/journey")
    return yield* plainVideos.withPermits(1)(takePlainVideo(request, visit))
  })
)
