/**
 * The photos, the video and its frames of a journey's case file, each opened for one look, as long as they are kept. Every
 * look is in the audit log with its reason. What the case file says of them is in `cases.ts`.
 */
import { Effect } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { VideoFrames } from "../../../actors/checks/video/VideoFrames.ts"
import { Videos } from "../../../actors/checks/video/Videos.ts"
import { CaseFiles } from "../../../actors/review/CaseFiles.ts"
import { Id, naming, textParameter } from "../../../schema/decoding/parameters.ts"
import { CaseQuery } from "../../../schema/review/CaseFile.ts"
import { PictureName } from "../../../schema/review/Review.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { described } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { unavailable } from "../../server/answers/problems.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { writeDown } from "../frame/asTeam.ts"
import { bytes, bytesAs, jpegResponse } from "../frame/bytesAs.ts"
import { notFound } from "../frame/ofCompany.ts"
import { companyJourneyAsked, companyJourneyPath, ofCompanyJourney } from "../frame/ofCompanyJourney.ts"
import { videoResponse } from "../frame/videoResponse.ts"

const path = `${companyJourneyPath}/case` as const

const getCasePicture = HttpApiEndpoint.get("getCasePicture", `${path}/pictures/:of/:name`, {
  params: {
    ...ofCompanyJourney,
    of: Id.annotate({ description: "The attempt, or the journey for the caller's photo", ...naming("picture") }),
    name: PictureName.annotate({ description: "Which photo", ...naming("picture") })
  },
  query: CaseQuery,
  success: bytesAs("image/jpeg"),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Look at a photo of the case",
    allowedTo: "TEAM",
    description:
      "The photo itself, opened for this one look, as long as it is kept. Every look is in the audit log as `case.picture_opened`, with `reason`.",
    answer: bytes("The photo")
  })
)

const getCaseVideo = HttpApiEndpoint.get("getCaseVideo", `${path}/video`, {
  params: ofCompanyJourney,
  query: CaseQuery,
  success: [bytesAs("video/mp4"), bytesAs("video/mp4").pipe(HttpApiSchema.status(206))],
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Look at the video of the case",
    allowedTo: "TEAM",
    description:
      "The last handover video as the customer recorded it, `video/mp4` or `video/webm`, as long as it is kept, before and after its decision. `Range` is heeded. Every look is in the audit log as `case.video_opened`, with `reason`.",
    answer: { 200: bytes("The video"), 206: bytes("The part of the video that `Range` asks for") }
  })
)

const judgeNumber = (text: string) => (/^[1-9]\d?$/.test(text) ? undefined : "must be the number of a frame")

const getCaseFrame = HttpApiEndpoint.get("getCaseFrame", `${path}/video/frames/:number`, {
  params: {
    ...ofCompanyJourney,
    number: textParameter(judgeNumber, { pattern: "^[1-9][0-9]?$" }).annotate({
      description: "The frame's number in the case file, from 1",
      ...naming("frame")
    })
  },
  query: CaseQuery,
  success: bytesAs("image/jpeg"),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Look at a frame of the video",
    allowedTo: "TEAM",
    description:
      "The frame that was compared at its moment, as JPEG, as long as the video is kept. Frames that nobody has taken yet are taken now: while the machine is busy with another video the answer is 503 with `Retry-After`. Every look is in the audit log as `case.frame_opened`, with `reason`.",
    answer: bytes("The frame")
  })
)

export const caseMediaOperations = operatorResource([getCasePicture, getCaseVideo, getCaseFrame], {
  getCasePicture: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const picture = { of: yield* asked.path("of"), name: yield* asked.path("name") }
      const { reason = "support" } = yield* asked.query
      const files = yield* CaseFiles
      const jpeg = (yield* files.picture(journey.id, picture)) ?? (yield* notFound("picture"))
      yield* writeDown(company.id, "case.picture_opened", {
        journeyId: journey.id,
        reason,
        picture: picture.name,
        ...(picture.of === journey.id ? {} : { attemptId: picture.of })
      })
      return jpegResponse(jpeg, journey.id, picture.name)
    }),

  getCaseVideo: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const { reason = "support" } = yield* asked.query
      const videos = yield* Videos
      const video = (yield* videos.read(journey.id)) ?? (yield* notFound("video"))
      const details = { journeyId: journey.id, reason }
      const look = { companyId: company.id, action: "case.video_opened" as const, details }
      return yield* videoResponse(asked.request, video, look)
    }),

  getCaseFrame: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const number = Number(yield* asked.path("number"))
      const { reason = "support" } = yield* asked.query
      const frames = yield* VideoFrames
      const found = frames.open(journey.id, number)
      const jpeg =
        (yield* Effect.catchTag(found, "FramesBusy", () => Effect.fail(unavailable()))) ?? (yield* notFound("frame"))
      yield* writeDown(company.id, "case.frame_opened", { journeyId: journey.id, reason, frame: number })
      return jpegResponse(jpeg, journey.id, `frame-${number}`)
    })
})
