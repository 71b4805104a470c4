/**
 * The step VERIFY_IDENTITY at /app/identity. With the built-in check, the page takes a photo of a document and a photo of
 * the customer's face, and shows the result at once. With an outside provider, the page leads to the provider's page. The
 * photos stay in memory only while they are looked at; `actors/checks` judges them.
 */
import { journeyPagePath } from "../../actors/customer/appPaths.ts"
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { IdentityAttempts, type IdentityOutcome } from "../../actors/checks/IdentityAttempts.ts"
import type { IdentityPhoto } from "../../actors/checks/judgePhotos.ts"
import { checkLimits } from "../../actors/checks/limits.ts"
import { largestPhotoBytes } from "../../schema/start/rules.ts"
import { STEPS } from "../../schema/journey/steps.ts"
import { appRoute } from "./appRoute.ts"
import { photosScriptPath } from "./assets.ts"
import { readFileForm } from "./fileForm.ts"
import { hasToken } from "./forgery.ts"
import { html, type Html } from "./html.ts"
import { forgedPage } from "./noticePages.ts"
import { hiddenToken, pageResponse, toJourneyPage } from "./page.ts"
import { pageStatus, type PageStatus } from "./pageStatus.ts"
import { rejectionOf } from "./rejection.ts"
import { customerPage, customerPost, frameOf, whenAskedFor, type CustomerSession } from "./CustomerSession.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const photos: Readonly<
  Record<IdentityPhoto, { readonly label: string; readonly hints: ReadonlyArray<string>; readonly camera: string }>
> = {
  documentPhoto: {
    label: "Photo of your identity document",
    hints: [
      "The page or side with your face on it",
      "All four corners in view, flat, no glare",
      "Sharp enough to read"
    ],
    camera: "environment"
  },
  selfie: {
    label: "Photo of your face",
    hints: ["Light from the front, nothing behind you that glares", "Only you in the picture", "No hat, no sunglasses"],
    camera: "user"
  }
}

const names: ReadonlyArray<IdentityPhoto> = ["documentPhoto", "selfie"]

type Problems = Readonly<Partial<Record<IdentityPhoto, string>>>

const photoField = (name: IdentityPhoto, problem: string | undefined): Html => {
  const { camera, hints, label } = photos[name]
  return html`<div class="field photo${problem !== undefined && " wrong"}">
    <label for="${name}">${label}</label>
    <ul class="hint" id="${name}-hint">
      ${hints.map((hint) => html`<li>${hint}</li>`)}
    </ul>
    ${
      problem !== undefined &&
      html`<p class="error" id="${name}-error"><strong>Error:</strong> This photo ${problem}</p>`
    }<input
      type="file"
      id="${name}"
      name="${name}"
      accept="image/jpeg,image/png"
      capture="${camera}"
      required
      aria-describedby="${name}-hint${problem !== undefined && ` ${name}-error`}"
      ${problem !== undefined && html` aria-invalid="true"`}
    />
  </div>`
}

const photoForm = ({ formToken }: CustomerSession, problems: Problems = {}): Html =>
  html`<form method="post" enctype="multipart/form-data" data-largest="${largestPhotoBytes}">
    ${hiddenToken(formToken)}${names.map((name) => photoField(name, problems[name]))}
    <p class="hint">
      Your photos are compared by this service and are not shown to anyone else, unless the comparison is unclear and a
      person has to look.
    </p>
    <button>Check my photos</button>
    <p role="status" class="hint"></p>
  </form>`

const shown = (
  customer: CustomerSession,
  heading: string,
  content: Html,
  status: PageStatus = pageStatus.shown
): Response =>
  pageResponse({
    ...frameOf(customer),
    heading,
    content,
    status,
    isProblem: status !== pageStatus.shown,
    script: photosScriptPath
  })

const { mostAttempts } = checkLimits
const { name: heading, path } = STEPS.VERIFY_IDENTITY.app
const back = html`<p><a class="button" href="${journeyPagePath}">See where your journey stands</a></p>`

const showCheck = whenAskedFor(
  "VERIFY_IDENTITY",
  Effect.fnUntraced(function* (_request: Request, customer) {
    const attempts = yield* IdentityAttempts
    const way = yield* attempts.way(customer.journey.id)
    switch (way._tag) {
      case "BUILT_IN":
        return shown(
          customer,
          heading,
          html`${rejectionOf(customer)}
            <p>Take two photos, or choose them from your device.</p>
            ${photoForm(customer)}`
        )
      case "PROVIDER":
        return shown(
          customer,
          heading,
          html`${rejectionOf(customer)}
            <p>The check is done on a partner's page. It brings you back here.</p>
            <p><a class="button" href="${way.url}" rel="noreferrer">Go to the identity check</a></p>`
        )
      case "NOT_READY":
        return shown(
          customer,
          heading,
          html`<p>The check is being prepared. This takes a moment: please reload the page.</p>
            <p><a class="button" href="${path}">Reload</a></p>`
        )
    }
  })
)

/** What is wrong with the files before the check looks at them. */
const problemsOf = (files: ReadonlyMap<string, Uint8Array>): Problems => {
  const megabytes = largestPhotoBytes / 1024 / 1024
  return Object.fromEntries(
    names.flatMap((name) => {
      const bytes = files.get(name)?.length ?? 0
      if (bytes === 0) return [[name, "is missing"]]
      return bytes > largestPhotoBytes ? [[name, `has more than ${megabytes} MB`]] : []
    })
  )
}

const again = (customer: CustomerSession, problems: Problems): Response =>
  shown(
    customer,
    heading,
    html`<div class="summary" role="alert" tabindex="-1">
        <h2>Please take ${Object.keys(problems).length === 1 ? "a photo" : "the photos"} again</h2>
        <ul>
          ${names.map(
            (name) =>
              problems[name] !== undefined &&
              html`<li><a href="#${name}">${photos[name].label}: it ${problems[name]}</a></li>`
          )}
        </ul>
        <p>For your safety browsers forget chosen photos: please choose both again.</p>
      </div>
      ${photoForm(customer, problems)}`,
    pageStatus.unusable
  )

const outcomePage = (customer: CustomerSession, outcome: IdentityOutcome): Response => {
  switch (outcome._tag) {
    case "VERIFIED":
      return shown(
        customer,
        "Thank you, that is you",
        html`<p>Your identity is verified.</p>
          ${back}`
      )
    case "UNDER_REVIEW":
      return shown(
        customer,
        "Thank you, we are having a look",
        html`<p>
            The photos could not be compared with certainty, so somebody of the team looks at them. You will hear from
            us by email.
          </p>
          ${back}`
      )
    case "FAILED":
      return shown(
        customer,
        "The photos do not match",
        html`<p>
            We could not tell that both photos show you. You can try again now, with better light and your whole face in
            view.
          </p>
          ${photoForm(customer)}`,
        pageStatus.unusable
      )
    case "UNREADABLE":
      return again(customer, { [outcome.which]: outcome.rule })
    case "TOO_MANY":
      return shown(
        customer,
        "That was the last try for today",
        html`<p>You can try ${mostAttempts} times a day. Please come back tomorrow with the link in your email.</p>
          ${back}`,
        pageStatus.tooOften
      )
    case "UNAVAILABLE":
      return shown(
        customer,
        "The check cannot be done just now",
        html`<p>Your photos were not kept. Please try again in a few minutes.</p>
          ${photoForm(customer)}`,
        pageStatus.unavailable
      )
    case "NOT_ASKED":
      return toJourneyPage()
  }
}

const limits: Readonly<Record<IdentityPhoto, number>> = { documentPhoto: largestPhotoBytes, selfie: largestPhotoBytes }

const takePhotos = whenAskedFor(
  "VERIFY_IDENTITY",
  Effect.fnUntraced(function* (request: Request, customer) {
    const { files, token } = yield* readFileForm(request, limits, (token) => hasToken(customer.secret, token))
    if (!hasToken(customer.secret, token)) return forgedPage()
    const [documentPhoto, selfie] = [files.get("documentPhoto"), files.get("selfie")]
    const problems = problemsOf(files)
    if (documentPhoto === undefined || selfie === undefined || Object.keys(problems).length > 0) {
      return again(customer, problems)
    }
    const attempts = yield* IdentityAttempts
    return outcomePage(customer, yield* attempts.attempt(customer.journey.id, documentPhoto, selfie))
  })
)

export const identityStepRoutes = [
  appRoute("GET", path, customerPage(showCheck)),
  appRoute("POST", path, customerPost(takePhotos))
] as const
