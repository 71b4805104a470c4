/**
 * Going on by telephone. The journey's page offers a QR code on wide screens: /app/telephone makes a new one-time link for
 * the step that is asked for now, and shows the link as a QR code and nowhere else. The page behind a mailed link shows that
 * link itself: looking at a page issues nothing.
 */
import { Duration, Effect } from "effect"
import { journeyPagePath, linkPath } from "../../../actors/customer/appPaths.ts"
import { customerLimits } from "../../../actors/customer/limits.ts"
import { SignInLinks } from "../../../actors/customer/SignInLinks.ts"
import { stepAskedOf } from "../../../actors/journey/rules/state/waiting.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { ServiceAddress } from "../../../actors/mail/ServiceAddress.ts"
import { appRoute } from "../frame/appRoute.ts"
import { progressScriptPath } from "../frame/assets.ts"
import { customerForm, frameOf, type CustomerSession } from "./CustomerSession.ts"
import { html, type Shown } from "../../server/pages/html.ts"
import { pageResponse, toJourneyPage, type Frame } from "../frame/page.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { qrCode } from "./qrCode.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

const path = "/app/telephone"

/** The link of a page as a QR code, for wide screens. Nothing, when the service does not know its own address. */
export const codeOfLink = ({ words }: Frame, token: string): Effect.Effect<Shown, never, ServiceAddress> =>
  Effect.map(
    ServiceAddress,
    ({ baseUrl }) =>
      baseUrl !== null &&
      html`<section class="telephone">
        <h2>${words.telephone.heading}</h2>
        <p>${words.telephone.scan}</p>
        ${qrCode(new URL(linkPath(token), baseUrl).href, words.telephone.code)}
      </section>`
  )

/** The button that makes a new link for the step that is asked for now. */
export const telephoneOffer = ({ formToken, journey, visitor }: CustomerSession) =>
  Effect.map(
    ServiceAddress,
    ({ baseUrl }): Shown =>
      baseUrl !== null &&
      stepAskedOf(journey) !== null &&
      html`<form method="post" action="${path}" class="telephone">
        ${tokenField(formToken)}<button class="quiet">${visitor.words.telephone.offer}</button>
      </form>`
  )

const minutes = Duration.toMinutes(customerLimits.telephoneLinkLifetime)

const showCode = customerForm(
  Effect.fnUntraced(function* (_form: URLSearchParams, customer) {
    const { baseUrl } = yield* ServiceAddress
    const step = stepAskedOf(customer.journey)
    if (step === null || baseUrl === null) return toJourneyPage()
    const links = yield* SignInLinks
    const ids = yield* Ids
    const token = yield* links.issueForTelephone({ id: ids.next(), journeyId: customer.journey.id, step })
    const { frame, telephone } = customer.visitor.words
    const back = html`<p><a class="alone" href="${journeyPagePath}">${frame.backToJourney}</a></p>`
    return token === null
      ? pageResponse({
          ...frameOf(customer),
          back: journeyPagePath,
          heading: telephone.tooMany,
          isProblem: true,
          status: pageStatus.tooOften,
          content: html`<p>${telephone.wait}</p>
            ${back}`
        })
      : pageResponse({
          ...frameOf(customer),
          back: journeyPagePath,
          heading: telephone.heading,
          script: progressScriptPath,
          content: html`<p>${telephone.scan}</p>
            ${qrCode(new URL(linkPath(token), baseUrl).href, telephone.code)}
            <p class="hint">${telephone.once({ minutes })}</p>
            <p id="progress" data-elsewhere="${step}" role="status">${telephone.goesOn}</p>
            ${back}`
        })
  })
)

export const telephoneRoutes = [
  appRoute("GET", path, () => Effect.succeed(toJourneyPage())),
  appRoute("POST", path, showCode)
] as const
