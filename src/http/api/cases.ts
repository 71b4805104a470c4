/**
 * A journey's case file, its photos and its video, for the company's team. Everything personal is opened for one answer and
 * stored nowhere on the way; every read is in the audit log, with who read what of which journey. Photos and the video can be
 * seen as long as they are kept, whatever was decided on them.
 */
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Videos } from "../../actors/checks/Videos.ts"
import { CompanyStore } from "../../actors/company/CompanyStore.ts"
import type { Journey } from "../../actors/journey/rules/Journey.ts"
import { caseFile, type CasePaths } from "../../actors/review/caseFile.ts"
import { CaseFiles, type CaseFacts } from "../../actors/review/CaseFiles.ts"
import { CompanyId, type JourneyId } from "../../schema/ids.ts"
import { Id, naming } from "../../schema/parameters.ts"
import { CaseFileResource, CaseQuery } from "../../schema/review/CaseFile.ts"
import { PictureName } from "../../schema/review/Review.ts"
import { uuid } from "../../schema/uuid.ts"
import { exampleCase } from "../documents/exampleCase.ts"
import { ofAnyCompany } from "../server/commonRefusals.ts"
import { answer, described } from "../server/described.ts"
import { answerOf, refusedWith } from "../server/envelope.ts"
import { operatorResource } from "../server/serve.ts"
import { writeDown } from "./asTeam.ts"
import { notFound } from "./ofCompany.ts"
import { companyJourneyAsked, companyJourneyPath, ofCompanyJourney } from "./ofCompanyJourney.ts"
import { mediaTypeOf } from "./reviews.ts"

const path = `${companyJourneyPath}/case` as const

const bytesAs = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))
const bytes = (description: string) => ({ description, message: "", examples: {} })

const pathsOf = (companyId: CompanyId, journeyId: JourneyId): CasePaths => {
  const journey = `/settings/v1/companies/${companyId}/journeys/${journeyId}`
  return {
    picture: ({ name, of }) => `${journey}/case/pictures/${of}/${name}`,
    video: `${journey}/case/video`,
    timeline: `${journey}/timeline`
  }
}

const getCase = HttpApiEndpoint.get("getCase", path, {
  params: ofCompanyJourney,
  query: CaseQuery,
  success: answerOf("CaseFileAnswer", CaseFileResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Read a journey's case file",
    allowedTo: "TEAM",
    description:
      "Everything the team needs: customer, vehicle, notes, the confirmed address, finance as recorded, consents, the attempts at the identity check, videos with their verdicts, and where photos, video and timeline are. Live and test journeys. Every read is in the audit log as `case.opened`, with `reason`. What was erased is null.",
    answer: answer("The case file", "Case file", exampleCase(pathsOf))
  })
)

const getCasePicture = HttpApiEndpoint.get("getCasePicture", `${path}/pictures/:of/:name`, {
  params: {
    ...ofCompanyJourney,
    of: Id.annotate({ description: "The attempt, or the journey for the caller's photo", ...naming("picture") }),
    name: PictureName.annotate({ description: "Which photo", ...naming("picture") })
  },
  success: bytesAs("image/jpeg"),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Look at a photo of the case",
    allowedTo: "TEAM",
    description:
      "The photo itself, opened for this one look, as long as it is kept. Every look is in the audit log as `case.picture_opened`.",
    answer: bytes("The photo")
  })
)

const getCaseVideo = HttpApiEndpoint.get("getCaseVideo", `${path}/video`, {
  params: ofCompanyJourney,
  success: bytesAs("video/mp4"),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Look at the video of the case",
    allowedTo: "TEAM",
    description:
      "The last handover video as the customer recorded it, `video/mp4` or `video/webm`, as long as it is kept, before and after its decision. Every look is in the audit log as `case.video_opened`.",
    answer: bytes("The video")
  })
)

/** The name of the dealer who sells. A test key may name any id (V7), so a test journey tells no company's name. */
const dealerName = Effect.fnUntraced(function* ({ livemode }: Journey, { start }: CaseFacts) {
  const id = start?.vehicle.dealerCompanyId?.toLowerCase()
  if (!livemode || id === undefined || !uuid.test(id)) return null
  const companies = yield* CompanyStore
  return (yield* companies.find(CompanyId.make(id)))?.name ?? null
})

export const caseOperations = operatorResource([getCase, getCasePicture, getCaseVideo], {
  getCase: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const { reason = "support" } = yield* asked.query
      const files = yield* CaseFiles
      const facts = yield* files.read(journey.id)
      const found = caseFile(journey, facts, pathsOf(company.id, journey.id), yield* dealerName(journey, facts))
      yield* writeDown(company.id, "case.opened", { journeyId: journey.id, reason })
      return found
    }),

  getCasePicture: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const picture = { of: yield* asked.path("of"), name: yield* asked.path("name") }
      const files = yield* CaseFiles
      const jpeg = (yield* files.picture(journey.id, picture)) ?? (yield* notFound("picture"))
      yield* writeDown(company.id, "case.picture_opened", {
        journeyId: journey.id,
        picture: picture.name,
        ...(picture.of === journey.id ? {} : { attemptId: picture.of })
      })
      return HttpServerResponse.uint8Array(jpeg, { contentType: "image/jpeg" })
    }),

  getCaseVideo: (asked) =>
    Effect.gen(function* () {
      const { company, journey } = yield* companyJourneyAsked(asked)
      const videos = yield* Videos
      const { bytes: contentLength, content, kind } = (yield* videos.read(journey.id)) ?? (yield* notFound("video"))
      yield* writeDown(company.id, "case.video_opened", { journeyId: journey.id })
      return HttpServerResponse.stream(content, { contentType: mediaTypeOf[kind], contentLength })
    })
})
