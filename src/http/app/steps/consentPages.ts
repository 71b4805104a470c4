/**
 * What a customer reads about the comparison of faces (D7): the notice with its question, what a refusal means, the page that
 * withdraws every consent, and how the journey's page tells of it. Who may answer, and what follows, is in `consentStep.ts`.
 */
import type { HttpServerResponse } from "effect/http"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { mayWithdraw } from "../../../actors/journey/rules/state/consent.ts"
import type { ConsentStep } from "../../../schema/journey/consents.ts"
import { noticeVersions } from "../../../schema/words/consentNotices.ts"
import { frameOf, type CustomerSession } from "../session/CustomerSession.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { pageResponse } from "../frame/page.ts"
import { inSentence, nameMark } from "../frame/sentence.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

type Response = HttpServerResponse.HttpServerResponse

export const consentPath = (step: ConsentStep) => `/app/consent/${step}` as const
export const refusalPath = (step: ConsentStep) => `/app/consent/${step}/refusal` as const
export const withdrawalPath = "/app/consent/withdrawal"

const companyOf = ({ details }: CustomerSession) => ({ company: nameMark(details.companyName) })

/** The form names the notice that the customer has read: a text that has changed meanwhile is shown again. */
const noticeField = (version: string): Html => html`<input type="hidden" name="notice" value="${version}" />`

const versionOf = (customer: CustomerSession, kind: keyof typeof noticeVersions): string =>
  noticeVersions[kind][customer.visitor.words.code]

/** The notice, and the question. */
export const consentPage = (customer: CustomerSession, step: ConsentStep): Response => {
  const { words } = customer.visitor
  const says = words.consent[step]
  const version = versionOf(customer, step)
  const { mediaRetentionDays: days } = customer.details
  return pageResponse({
    ...frameOf(customer),
    heading: says.heading,
    content: html`<p>${says.intro}</p>
      <h2>${words.consent.what}</h2>
      <p>${says.what}</p>
      <h2>${words.consent.byWhom}</h2>
      <p>${inSentence(says.byWhom, companyOf(customer))}</p>
      <h2>${words.consent.howLong}</h2>
      <p>${says.howLong({ days })}</p>
      <h2>${words.consent.choice}</h2>
      <p>${inSentence(says.choice, companyOf(customer))}</p>
      <form method="post" action="${consentPath(step)}">
        ${tokenField(customer.formToken)}${noticeField(version)}<button>${says.agree}</button>
      </form>
      <p><a class="button quiet" href="${refusalPath(step)}">${says.refuse}</a></p>
      <p class="hint">${words.consent.version({ version })}</p>`
  })
}

/** What a refusal means, before it counts. The button that stands out changes nothing. */
export const refusalPage = (customer: CustomerSession, step: ConsentStep): Response => {
  const { words } = customer.visitor
  const says = words.consent[step].refusal
  return pageResponse({
    ...frameOf(customer),
    heading: says.heading,
    content: html`<p>${inSentence(says.text, companyOf(customer))}</p>
      <p><a class="button" href="${consentPath(step)}">${words.consent.back}</a></p>
      <form method="post" action="${refusalPath(step)}">
        ${tokenField(customer.formToken)}${noticeField(versionOf(customer, step))}<button class="quiet">
          ${says.confirm}
        </button>
      </form>`
  })
}

export const withdrawalPage = (customer: CustomerSession): Response => {
  const { words } = customer.visitor
  const says = words.consent.withdrawal
  const version = versionOf(customer, "withdrawal")
  return pageResponse({
    ...frameOf(customer),
    heading: says.heading,
    content: html`<p>${says.what}</p>
      <p>${inSentence(says.after, companyOf(customer))}</p>
      <p><a class="button" href="${journeyPagePath}">${says.keep}</a></p>
      <form method="post" action="${withdrawalPath}">
        ${tokenField(customer.formToken)}${noticeField(version)}<button class="quiet">${says.confirm}</button>
      </form>
      <p class="hint">${words.consent.version({ version })}</p>`
  })
}

/** In place of what the journey asks now: the team has the step, because the customer said no. Null: it is not so. */
export const consentStanding = (customer: CustomerSession): Html | null => {
  const { handover, identity } = customer.journey
  const says = customer.visitor.words.consent.standing
  const region = handover?.status === "UNDER_REVIEW" ? handover : identity?.status === "UNDER_REVIEW" ? identity : null
  const reasons = region?.reasons ?? []
  const sentence = reasons.includes("CONSENT_REFUSED")
    ? says.refused
    : reasons.includes("CONSENT_WITHDRAWN")
      ? says.withdrawn
      : null
  return sentence === null
    ? null
    : html`<h2>${says.heading}</h2>
        <p>${inSentence(sentence, companyOf(customer))}</p>`
}

/** The last lines of the journey's page: the way to withdraw, or what became of it. */
export const consentNote = ({ journey, visitor }: CustomerSession): Html | null => {
  const { standing, withdrawal } = visitor.words.consent
  if (mayWithdraw(journey)) return html`<p><a class="alone" href="${withdrawalPath}">${withdrawal.link}</a></p>`
  const { identity, video } = journey.consents ?? {}
  if (identity?.answer !== "WITHDRAWN" && video?.answer !== "WITHDRAWN") return null
  const isPending = journey.owed.some(({ kind }) => kind === "DELETE_BIOMETRICS")
  return html`<p class="hint">${isPending ? standing.deleting : standing.deleted}</p>`
}
