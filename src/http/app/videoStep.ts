/**
 * The step RECORD_VIDEO at /app/video: the page that records the handover video or takes a file, and the plain form for
 * browsers without scripts. The page's script (`browser/video.js`) sends a video in parts, which `videoUploads.ts` takes; this file divides the form's one
 * file into such parts. What the video shows is checked elsewhere, later.
 */
import { Effect, Semaphore } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { Videos, type VideoRefused } from "../../actors/checks/Videos.ts"
import { StoreUnavailable } from "../../actors/kernel/StoreError.ts"
import { STEPS } from "../../schema/journey/steps.ts"
import { sentVideoLimits } from "../../schema/media/limits.ts"
import { appRoute } from "./appRoute.ts"
import { askAsCustomer } from "./askAsCustomer.ts"
import { videoScriptPath } from "./assets.ts"
import { customerPage, customerPost, frameOf, whenAskedFor, type CustomerSession } from "./CustomerSession.ts"
import { readFileForm } from "./fileForm.ts"
import { hasToken } from "./forgery.ts"
import { html, type Html } from "./html.ts"
import { appLimits } from "./limits.ts"
import { forgedPage } from "./noticePages.ts"
import { hiddenToken, pageResponse, toJourneyPage } from "./page.ts"
import { pageStatus } from "./pageStatus.ts"

type Response = HttpServerResponse.HttpServerResponse

const megabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)

const { largestPlainVideoBytes: mostPlainBytes } = appLimits
const longestMinutes = Math.floor(sentVideoLimits.longestSeconds / 60)

/** The script finds its way by these ids and data. Without the script only the form is shown. */
const recorder = ({ formToken }: CustomerSession): Html =>
  html`<div
    id="recorder"
    hidden
    data-token="${formToken}"
    data-chunk-bytes="${sentVideoLimits.largestPartBytes}"
    data-most-bytes="${sentVideoLimits.largestBytes}"
    data-longest-seconds="${sentVideoLimits.longestSeconds}"
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

const content = (customer: CustomerSession, problem: string | null): Html =>
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
      <li>Up to ${longestMinutes} minutes, ${megabytes(sentVideoLimits.largestBytes)} MB at most</li>
    </ul>
    ${recorder(customer)}
    <form method="post" enctype="multipart/form-data" id="plain">
      ${hiddenToken(customer.formToken)}
      <div class="field photo">
        <label for="video">Or choose a video</label
        ><input type="file" id="video" name="video" accept="video/*" capture="user" required />
      </div>
      <button class="quiet">Send</button
      ><noscript
        ><p class="hint">Without scripts a video can have ${megabytes(mostPlainBytes)} MB at most.</p></noscript
      >
    </form>`

const { name: heading, path } = STEPS.RECORD_VIDEO.app

const shown = (customer: CustomerSession, problem: string | null = null): Response =>
  pageResponse({
    ...frameOf(customer),
    heading,
    isProblem: problem !== null,
    status: problem === null ? pageStatus.shown : pageStatus.unusable,
    script: videoScriptPath,
    content: content(customer, problem)
  })

/** What the customer reads about a refused video. */
export const refusalOf = ({ code, rule }: Pick<VideoRefused, "code" | "rule">): string => {
  switch (code) {
    case "TOO_LARGE":
      return `It is larger than ${megabytes(sentVideoLimits.largestBytes)} MB. Please record a shorter one.`
    case "TOO_LONG":
      return `It is longer than ${longestMinutes} minutes. Please record a shorter one.`
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

/** The journey hears of the video once the upload is complete. The upload's id makes a repeated message one message. */
export const announceVideo = (customer: CustomerSession, uploadId: string) =>
  // A journey that has moved on needs no video; the customer sees where the journey stands.
  Effect.catchTag(askAsCustomer(customer, { _tag: "VideoUploaded" }, uploadId), "JourneyRefused", () => Effect.void)

const keep = Effect.fnUntraced(function* (customer: CustomerSession, video: Uint8Array) {
  const videos = yield* Videos
  const upload = { journeyId: customer.journey.id, uploadId: yield* videos.begin(customer.journey.id) }
  let number = 0
  for (let at = 0; at < video.length; at += sentVideoLimits.largestPartBytes) {
    const bytes = video.subarray(at, at + sentVideoLimits.largestPartBytes)
    yield* videos.chunk(upload, { number, bytes, sha256: hash("sha256", bytes, "hex") })
    number += 1
  }
  yield* videos.complete(upload, number)
  yield* announceVideo(customer, upload.uploadId)
})

/** The outcome of the write is unknown. The customer may repeat everything, so the answer is "try again". */
export const tryLater = ({ cause }: { readonly cause: unknown }) => Effect.fail(new StoreUnavailable({ cause }))

const plainVideos = Semaphore.makeUnsafe(appLimits.plainVideosAtOnce)

const takePlainVideo = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  customer: CustomerSession
) {
  const isOurs = (token: string | null) => hasToken(customer.secret, token)
  const { files, token } = yield* readFileForm(request, { video: mostPlainBytes }, isOurs)
  if (!isOurs(token)) return forgedPage()
  const video = files.get("video") ?? new Uint8Array()
  if (video.length === 0) return shown(customer, "No video was chosen.")
  if (video.length > mostPlainBytes) {
    return shown(customer, `It is larger than ${megabytes(mostPlainBytes)} MB. Please record a shorter one.`)
  }
  return yield* keep(customer, video).pipe(
    Effect.as(toJourneyPage()),
    Effect.catchTags({
      VideoNotAwaited: () => Effect.succeed(toJourneyPage()),
      UploadGone: () => Effect.succeed(shown(customer, "Another upload was begun meanwhile. Please send it again.")),
      VideoRefused: (refused) => Effect.succeed(shown(customer, refusalOf(refused))),
      CommitUnknown: tryLater
    })
  )
})

const showVideoPage = whenAskedFor("RECORD_VIDEO", (_request: HttpServerRequest.HttpServerRequest, customer) =>
  Effect.succeed(shown(customer))
)

const sendVideo = whenAskedFor("RECORD_VIDEO", (request: HttpServerRequest.HttpServerRequest, customer) =>
  plainVideos.withPermits(1)(takePlainVideo(request, customer))
)

export const videoStepRoutes = [
  appRoute("GET", path, customerPage(showVideoPage)),
  appRoute("POST", path, customerPost(sendVideo))
] as const
