/**
 * Sample photos and a sample video, to try the pages of a test journey with: to be downloaded, or used at the press of a button
 * where a customer would choose files. They show one person of a sample photo that the package of face models ships. Live
 * journeys are offered none.
 */
import { Duration, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"
import { IdentityAttempts } from "../../../actors/checks/identity/IdentityAttempts.ts"
import { VideoChallenges } from "../../../actors/checks/video/VideoChallenges.ts"
import { appRoute } from "../frame/appRoute.ts"
import { whenAgreed } from "../steps/consentStep.ts"
import { afterwards, customerForm, whenAskedFor, type CustomerSession } from "../session/CustomerSession.ts"
import { checkPage, outcomePage } from "../steps/identityPages.ts"
import { appLimits } from "../frame/limits.ts"
import { toJourneyPage } from "../frame/page.ts"
import { samplePaths, usedSamplesPaths, type Sample } from "../frame/testAids.ts"
import { sendWholeVideo } from "../steps/videoStep.ts"

const types: Readonly<Record<Sample, string>> = { document: "image/jpeg", selfie: "image/jpeg", video: "video/mp4" }

const fileOf = (sample: Sample): Uint8Array =>
  readFileSync(new URL(samplePaths[sample].replace("/app/", ""), import.meta.url))

const files: Readonly<Record<Sample, Uint8Array>> = {
  document: fileOf("document"),
  selfie: fileOf("selfie"),
  video: fileOf("video")
}

const download = (sample: Sample) =>
  appRoute("GET", samplePaths[sample], () =>
    Effect.succeed(
      HttpServerResponse.uint8Array(files[sample], {
        contentType: types[sample],
        headers: {
          "cache-control": `public, max-age=${Duration.toSeconds(appLimits.samplesKeptFor)}`,
          "content-disposition": "attachment",
          "cross-origin-resource-policy": "same-origin"
        }
      })
    )
  )

const useSamplePhotos = whenAskedFor(
  "VERIFY_IDENTITY",
  whenAgreed(
    "VERIFY_IDENTITY",
    Effect.fnUntraced(function* (_form: URLSearchParams, customer: CustomerSession) {
      if (customer.journey.livemode) return toJourneyPage()
      const { id } = customer.journey
      const attempts = yield* IdentityAttempts
      const outcome = yield* attempts.attempt(id, { documentPhoto: files.document, selfie: files.selfie })
      const way = yield* attempts.way(id)
      return outcome._tag === "MISSING"
        ? checkPage(customer, way)
        : outcomePage(yield* afterwards(customer), outcome, way)
    })
  )
)

const useSampleVideo = whenAskedFor(
  "RECORD_VIDEO",
  whenAgreed(
    "RECORD_VIDEO",
    Effect.fnUntraced(function* (_form: URLSearchParams, customer: CustomerSession) {
      if (customer.journey.livemode) return toJourneyPage()
      const challenges = yield* VideoChallenges
      // The sample turns no head: the video of a test journey is compared with nothing (S7).
      const asked = yield* Effect.option(challenges.ask(customer.journey.id))
      return Option.isNone(asked) ? toJourneyPage() : yield* sendWholeVideo(customer, files.video, asked.value.id)
    })
  )
)

export const sampleRoutes = [
  download("document"),
  download("selfie"),
  download("video"),
  appRoute("POST", usedSamplesPaths.VERIFY_IDENTITY, customerForm(useSamplePhotos)),
  appRoute("POST", usedSamplesPaths.RECORD_VIDEO, customerForm(useSampleVideo))
] as const
