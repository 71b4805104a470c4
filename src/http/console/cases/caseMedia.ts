/**
 * Photos, videos and frames on pages of the console: each is asked of its operation, with the reason of the look, so that the
 * audit log has it. A path of them holds ids only, and nobody keeps what comes from it.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { caseMediaOperations } from "../../api/team/caseMedia.ts"
import { reviewMediaOperations } from "../../api/team/reviewMedia.ts"
import { nothingAllowed } from "../../server/answers/answering.ts"
import { askRaw } from "../../server/endpoints/ask.ts"
import { consoleHeaders } from "../frame/consoleFrame.ts"
import { companyPage, type CompanyUser } from "../frame/consolePage.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { pathPart } from "../../server/answers/pathPart.ts"

const ofCase = "/console/journeys/:journeyId/case" as const
const ofReview = "/console/reviews/:reviewId" as const

/** Headers of the operation, such as the range of a video, stay. */
const asMedia = (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setHeaders(response, { ...consoleHeaders, "content-security-policy": nothingAllowed })

/** The ids of the path, by the names that the operations give them. */
const pathOf = Effect.fnUntraced(function* (user: CompanyUser, ...names: ReadonlyArray<string>) {
  const parts = yield* Effect.forEach(names, (name) => Effect.map(pathPart(name), (part) => [name, part] as const))
  return { ...user.path, ...Object.fromEntries(parts) }
})

export const caseMediaRoutes = [
  {
    method: "GET",
    path: `${ofCase}/pictures/:of/:name`,
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const path = yield* pathOf(user, "journeyId", "of", "name")
        return asMedia(
          yield* askRaw(caseMediaOperations, "getCasePicture", { path, query: { reason: pageQuery(user)("reason") } })
        )
      })
    )
  },
  {
    method: "GET",
    path: `${ofCase}/video`,
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const path = yield* pathOf(user, "journeyId")
        return asMedia(
          yield* askRaw(caseMediaOperations, "getCaseVideo", { path, query: { reason: pageQuery(user)("reason") } })
        )
      })
    )
  },
  {
    method: "GET",
    path: `${ofCase}/video/frames/:number`,
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const path = yield* pathOf(user, "journeyId", "number")
        return asMedia(
          yield* askRaw(caseMediaOperations, "getCaseFrame", { path, query: { reason: pageQuery(user)("reason") } })
        )
      })
    )
  },
  {
    method: "GET",
    path: `${ofReview}/pictures/:name`,
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const path = yield* pathOf(user, "reviewId", "name")
        return asMedia(yield* askRaw(reviewMediaOperations, "getPicture", { path }))
      })
    )
  },
  {
    method: "GET",
    path: `${ofReview}/video`,
    handle: companyPage((user) =>
      Effect.gen(function* () {
        const path = yield* pathOf(user, "reviewId")
        return asMedia(yield* askRaw(reviewMediaOperations, "getReviewVideo", { path }))
      })
    )
  }
] as const
