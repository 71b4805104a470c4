/**
 * What the step VERIFY_IDENTITY shows: the form with its two photos, the way to a provider's page, and what came of an attempt.
 * `identityStep.ts` takes the requests.
 */
import type { HttpServerResponse } from "effect/http"
import type { IdentityOutcome } from "../../../actors/checks/identity/attemptResult.ts"
import type { IdentityWay } from "../../../actors/checks/identity/IdentityAttempts.ts"
import { checkLimits } from "../../../actors/checks/limits.ts"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { STEPS } from "../../../schema/journey/steps.ts"
import { photosScriptPath } from "../frame/assets.ts"
import { frameOf, type CustomerSession } from "../session/CustomerSession.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { pageResponse, toJourneyPage } from "../frame/page.ts"
import { pageStatus, type PageStatus } from "../../server/pages/pageStatus.ts"
import { photoForm, problemSummary, type PhotoProblems } from "./photoForm.ts"
import { rejectionOf } from "./rejection.ts"

type Response = HttpServerResponse.HttpServerResponse
type BuiltIn = Extract<IdentityWay, { readonly _tag: "BUILT_IN" }>

/** An outcome after which the customer may go on trying. */
type Unfinished = Extract<IdentityOutcome, { readonly _tag: "FAILED" | "UNUSABLE" | "UNAVAILABLE" }>

const { path } = STEPS.VERIFY_IDENTITY.app

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

const usualHeading = ({ visitor }: CustomerSession): string => visitor.words.steps.VERIFY_IDENTITY.name

const back = ({ visitor }: CustomerSession): Html =>
  html`<p><a class="button" href="${journeyPagePath}">${visitor.words.frame.seeJourney}</a></p>`

export const checkPage = (customer: CustomerSession, way: IdentityWay): Response => {
  const { identity } = customer.visitor.words
  const heading = usualHeading(customer)
  switch (way._tag) {
    case "BUILT_IN":
      return way.triesLeft === 0
        ? noTriesLeft(customer)
        : shown(
            customer,
            heading,
            html`${rejectionOf(customer)}
              <p>${identity.intro}</p>
              ${photoForm(customer, way)}`
          )
    case "PROVIDER":
      return shown(
        customer,
        heading,
        html`${rejectionOf(customer)}
          <p>${identity.provider.text}</p>
          <p><a class="button" href="${way.url}" rel="noreferrer">${identity.provider.button}</a></p>`
      )
    case "NOT_READY":
      return shown(
        customer,
        heading,
        html`<p>${identity.notReady.text}</p>
          <p><a class="button" href="${path}">${identity.notReady.button}</a></p>`
      )
  }
}

const noTriesLeft = (customer: CustomerSession): Response => {
  const { heading, text } = customer.visitor.words.identity.lastTry
  return shown(
    customer,
    heading,
    html`<p>${text({ tries: checkLimits.mostAttempts })}</p>
      ${back(customer)}`,
    pageStatus.tooOften
  )
}

/** The form again, with what is wrong by each photo. */
export const photosAgainPage = (customer: CustomerSession, way: BuiltIn, problems: PhotoProblems): Response =>
  shown(
    customer,
    usualHeading(customer),
    html`${problemSummary(customer, problems)}${photoForm(customer, { ...way, problems })}`,
    pageStatus.unusable
  )

/** `way`: as it is after the attempt. */
export const outcomePage = (
  customer: CustomerSession,
  outcome: Exclude<IdentityOutcome, { readonly _tag: "MISSING" }>,
  way: IdentityWay
): Response => {
  const { underReview, verified } = customer.visitor.words.identity
  const ended = ({ heading, text }: { readonly heading: string; readonly text: string }) =>
    shown(
      customer,
      heading,
      html`<p>${text}</p>
        ${back(customer)}`
    )
  switch (outcome._tag) {
    case "VERIFIED":
      return ended(verified)
    case "UNDER_REVIEW":
      return ended(underReview)
    case "TOO_MANY":
      return noTriesLeft(customer)
    case "NOT_ASKED":
    case "NOT_AGREED":
      return toJourneyPage()
    case "FAILED":
    case "UNUSABLE":
    case "UNAVAILABLE":
      return way._tag === "BUILT_IN" ? onceMore(customer, outcome, way) : toJourneyPage()
  }
}

const onceMore = (customer: CustomerSession, outcome: Unfinished, way: BuiltIn): Response => {
  const { different, samePhoto, unavailable } = customer.visitor.words.identity
  const again = ({ heading, text }: { readonly heading: string; readonly text: string }, status: PageStatus) =>
    shown(
      customer,
      heading,
      html`<p>${text}</p>
        ${photoForm(customer, way)}`,
      status
    )
  if (outcome._tag === "UNAVAILABLE") return again(unavailable, pageStatus.unavailable)
  if (way.triesLeft === 0) return noTriesLeft(customer)
  if (outcome._tag === "UNUSABLE") return photosAgainPage(customer, way, outcome.faults)
  return again(outcome.reason === "SAME_PICTURE" ? samePhoto : different, pageStatus.unusable)
}
