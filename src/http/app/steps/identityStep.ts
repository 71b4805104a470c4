/**
 * The step VERIFY_IDENTITY at /app/identity. With the built-in check, the page takes a photo of a document and a photo of
 * the customer's face, and shows the result at once. With an outside provider, the page leads to the provider's page. The
 * photos stay in memory only while they are looked at; `actors/checks` judges them, and `identityPages.ts` has the pages.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { GivenPhotos } from "../../../actors/checks/identity/attemptPhotos.ts"
import { IdentityAttempts } from "../../../actors/checks/identity/IdentityAttempts.ts"
import { identityPhotos, type IdentityPhoto } from "../../../actors/checks/identity/judgePhotos.ts"
import { STEPS } from "../../../schema/journey/steps.ts"
import { largestPhotoBytes } from "../../../schema/start/rules.ts"
import { appRoute } from "../frame/appRoute.ts"
import { mayUseCamera, toConsent, whenAgreed } from "./consentStep.ts"
import {
  afterwards,
  customerPage,
  customerPost,
  whenAskedFor,
  type CustomerSession
} from "../session/CustomerSession.ts"
import { readFileForm } from "../../server/bodies/fileForm.ts"
import { hasToken } from "../../server/callers/forgery.ts"
import { checkPage, outcomePage, photosAgainPage } from "./identityPages.ts"
import { forgedPage } from "../frame/noticePages.ts"
import { photoRefusal, type PhotoProblem, type PhotoProblems } from "./photoForm.ts"
import { uploadRoutesOf } from "./uploadRoutes.ts"

type Request = HttpServerRequest.HttpServerRequest

const { path } = STEPS.VERIFY_IDENTITY.app

const showCheck = whenAskedFor(
  "VERIFY_IDENTITY",
  Effect.fnUntraced(function* (_request: Request, customer) {
    const attempts = yield* IdentityAttempts
    const way = yield* attempts.way(customer.journey.id)
    return way._tag === "BUILT_IN" && !mayUseCamera("VERIFY_IDENTITY", customer)
      ? toConsent("VERIFY_IDENTITY")
      : checkPage(customer, way)
  })
)

const isTooLarge = (photo: Uint8Array): boolean => photo.length > largestPhotoBytes

/** The photos that can be looked at. A browser sends an empty file for a field in which none was chosen. */
const givenIn = (files: ReadonlyMap<string, Uint8Array>): GivenPhotos =>
  Object.fromEntries(
    identityPhotos.flatMap((name) => {
      const photo = files.get(name)
      return photo === undefined || photo.length === 0 || isTooLarge(photo) ? [] : [[name, photo]]
    })
  )

const tooLargeIn = (files: ReadonlyMap<string, Uint8Array>): ReadonlyArray<IdentityPhoto> =>
  identityPhotos.filter((name) => isTooLarge(files.get(name) ?? new Uint8Array()))

const problemsFor = (names: ReadonlyArray<IdentityPhoto>, problem: PhotoProblem): PhotoProblems =>
  Object.fromEntries(names.map((name) => [name, problem]))

const limits: Readonly<Record<IdentityPhoto, number>> = { documentPhoto: largestPhotoBytes, selfie: largestPhotoBytes }

const takePhotos = whenAskedFor(
  "VERIFY_IDENTITY",
  whenAgreed(
    "VERIFY_IDENTITY",
    Effect.fnUntraced(function* (request: Request, customer: CustomerSession) {
      const { files, token } = yield* readFileForm(request, limits, (token) => hasToken(customer.secret, token))
      if (!hasToken(customer.secret, token)) return forgedPage(customer.visitor)
      const { id } = customer.journey
      const attempts = yield* IdentityAttempts
      const tooLarge = tooLargeIn(files)
      const outcome = yield* attempts.attempt(id, givenIn(files), tooLarge)
      const way = yield* attempts.way(id)
      if (outcome._tag !== "MISSING") return outcomePage(yield* afterwards(customer), outcome, way)
      if (way._tag !== "BUILT_IN") return checkPage(customer, way)
      const problems = { ...problemsFor(outcome.missing, "MISSING"), ...problemsFor(tooLarge, "TOO_LARGE") }
      return photosAgainPage(customer, way, problems)
    })
  )
)

export const identityStepRoutes = [
  appRoute("GET", path, customerPage(showCheck)),
  appRoute("POST", path, customerPost(takePhotos)),
  ...uploadRoutesOf({ medium: "DOCUMENT_PHOTO", refusal: photoRefusal, completed: () => Effect.void }),
  ...uploadRoutesOf({ medium: "SELFIE", refusal: photoRefusal, completed: () => Effect.void })
] as const
