/**
 * The step RECORD_VIDEO at /app/video: shows the page that records the handover video, and takes the plain form of
 * browsers without scripts. The page's script (`browser/video.js`) sends a video in parts, which `uploadRoutes.ts` takes; the
 * form's one file is divided into such parts here, too. `videoPage.ts` says what the page shows. What the video shows is checked elsewhere, later.
 */
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { uploadWhole } from "../../../actors/checks/uploads/uploadWhole.ts"
import { VideoChallenges } from "../../../actors/checks/video/VideoChallenges.ts"
import { STEPS } from "../../../schema/journey/steps.ts"
import { unavailable } from "../../server/answers/problems.ts"
import { scriptAnswer } from "../../server/pages/scriptAnswer.ts"
import { appRoute } from "../frame/appRoute.ts"
import { askAsCustomer } from "../session/askAsCustomer.ts"
import { whenAgreed } from "./consentStep.ts"
import { customerPage, customerPost, whenAskedFor, type CustomerSession } from "../session/CustomerSession.ts"
import { readFileForm } from "../../server/bodies/fileForm.ts"
import { hasToken } from "../../server/callers/forgery.ts"
import { appLimits } from "../frame/limits.ts"
import { forgedPage } from "../frame/noticePages.ts"
import { toJourneyPage } from "../frame/page.ts"
import { makePlainVideoPlaces } from "./plainVideoPlaces.ts"
import { ofScript, uploadRoutesOf } from "./uploadRoutes.ts"
import { challengePath, tooLargeVideo, videoPage, videoRefusal } from "./videoPage.ts"

const { largestPlainVideoBytes: mostPlainBytes } = appLimits
const { path } = STEPS.RECORD_VIDEO.app

/** The journey hears of the video once the upload is complete. The upload's id makes a repeated message one message. */
const announceVideo = (customer: CustomerSession, uploadId: string) =>
  // A journey that has moved on needs no video; the customer sees where the journey stands.
  Effect.catchTag(askAsCustomer(customer, { _tag: "VideoUploaded" }, uploadId), "JourneyRefused", () => Effect.void)

/** The page with the turns that are asked for now; a journey that needs no video has none. */
const shown = (customer: CustomerSession, problem: string | null = null) =>
  Effect.flatMap(VideoChallenges, (challenges) => challenges.ask(customer.journey.id)).pipe(
    Effect.map((asked) => videoPage(customer, asked, problem)),
    Effect.catchTag("UploadNotAwaited", () => Effect.succeed(toJourneyPage()))
  )

const keep = (customer: CustomerSession, video: Uint8Array, challengeId: string) =>
  Effect.flatMap(uploadWhole(customer.journey.id, "VIDEO", video, challengeId), (uploadId) =>
    announceVideo(customer, uploadId)
  )

const inPlainVideoPlace = makePlainVideoPlaces()

const takePlainVideo = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  customer: CustomerSession
) {
  const isOurs = (token: string | null) => hasToken(customer.secret, token)
  const { fields, files, token } = yield* readFileForm(request, { video: mostPlainBytes }, isOurs, ["challenge"])
  if (!isOurs(token)) return forgedPage(customer.visitor)
  const video = files.get("video") ?? new Uint8Array()
  if (video.length === 0) return yield* shown(customer, customer.visitor.words.video.problems.none)
  if (video.length > mostPlainBytes) {
    return yield* shown(customer, tooLargeVideo(customer, mostPlainBytes))
  }
  return yield* sendWholeVideo(customer, video, fields.get("challenge") ?? "")
})

/** Takes a whole video in place of its customer's script, and says what came of it. `challengeId` is what the video names. */
export const sendWholeVideo = (customer: CustomerSession, video: Uint8Array, challengeId: string) =>
  keep(customer, video, challengeId).pipe(
    Effect.as(toJourneyPage()),
    Effect.catchTags({
      UploadNotAwaited: () => Effect.succeed(toJourneyPage()),
      UploadGone: () => shown(customer, customer.visitor.words.video.problems.anotherBegun),
      UploadRefused: (refused) => shown(customer, videoRefusal(customer, refused)),
      UploadNotRead: () => Effect.fail(unavailable())
    })
  )

const showVideoPage = whenAskedFor(
  "RECORD_VIDEO",
  whenAgreed("RECORD_VIDEO", (_request: HttpServerRequest.HttpServerRequest, customer) => shown(customer))
)

const sendVideo = whenAskedFor(
  "RECORD_VIDEO",
  whenAgreed("RECORD_VIDEO", (request: HttpServerRequest.HttpServerRequest, customer) =>
    Effect.flatMap(
      inPlainVideoPlace(customer.journey, takePlainVideo(request, customer)),
      Option.match({ onNone: () => Effect.fail(unavailable()), onSome: Effect.succeed })
    )
  )
)

/** The turns for the video that is recorded now: those of a page that was open for long are over. */
const askAgain = ofScript("VIDEO", (_request, customer) =>
  Effect.flatMap(VideoChallenges, (challenges) => challenges.ask(customer.journey.id)).pipe(
    Effect.map(({ id, turns }) => scriptAnswer("DONE", { id, turns })),
    Effect.catchTag("UploadNotAwaited", () => Effect.succeed(scriptAnswer("NOT_ASKED")))
  )
)

export const videoStepRoutes = [
  appRoute("GET", path, customerPage(showVideoPage)),
  appRoute("POST", path, customerPost(sendVideo)),
  appRoute("POST", challengePath, askAgain),
  ...uploadRoutesOf({ medium: "VIDEO", refusal: videoRefusal, completed: announceVideo })
] as const
