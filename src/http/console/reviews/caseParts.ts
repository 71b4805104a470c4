/**
 * A journey's case file as sections of a page, for the page of a review and for the page of the case: what is known in words.
 * What is erased or not begun is said. Photos and the video are in `casePictures.ts`; what the case file has is the operation's to say.
 */
import type { CaseFileResource } from "../../../schema/review/CaseFile.ts"
import { html, type Html, type Shown } from "../../server/html.ts"
import { mailLink, telephoneLink } from "../frame/contactLinks.ts"
import { listTable } from "../frame/lists.ts"
import { codeInWords, senderInWords } from "../words/journeyWords.ts"
import { reasonInWords } from "../words/reasonWords.ts"
import { shownTime } from "../../server/shownTime.ts"

type Term = readonly [name: string, value: Shown]

/** Names and values; what is not known is left out. */
export const terms = (all: ReadonlyArray<Term>): Html =>
  html`<dl class="case-terms">
    ${all
      .filter(([, value]) => value !== null && value !== false && value !== "")
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`
      )}
  </dl>`

/** What somebody wrote, in whatever direction it runs. */
const said = (text: string | number | null): Shown => text !== null && html`<bdi>${text}</bdi>`

/** Null where nothing is known: a list of facts then leaves the fact out. */
const wordsOrNull = (parts: ReadonlyArray<string | null>): string | null =>
  parts.filter((part) => part !== null).join(" ") || null

const linesOf = (text: string | null): Shown =>
  text !== null && html`<span class="case-lines"><bdi>${text}</bdi></span>`

export const section = (heading: string, content: Shown): Html =>
  html`<section>
    <h2>${heading}</h2>
    ${content}
  </section>`

const table = (caption: string, head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Shown>>): Html =>
  listTable({ caption, head, rows, empty: null })

const reasonList = (reasons: ReadonlyArray<string>): Shown =>
  reasons.map((code) => html`<span class="case-reason">${reasonInWords(code)}</span> `)

const peopleOf = (file: CaseFileResource): Html => {
  const { customer, handover, seller, vehicle } = file
  const titled = customer && [customer.title, customer.firstName, customer.lastName].filter((part) => part !== null)
  return html`
    ${section(
      "Customer",
      customer === null
        ? html`<p>The customer was erased: what was personal is gone.</p>`
        : terms([
            ["Name", said(titled?.join(" ") ?? null)],
            ["Email", customer.email === null ? null : mailLink(customer.email)],
            ["Mobile", customer.mobile === null ? null : telephoneLink(customer.mobile)],
            ["Date of birth", customer.dateOfBirth]
          ])
    )}
    ${
      vehicle !== null &&
      section(
        "Vehicle",
        terms([
          ["Registration", said(vehicle.registration)],
          ["Make and model", said(wordsOrNull([vehicle.make, vehicle.model]))],
          ["Year", vehicle.year],
          ["Colour", said(vehicle.colour)],
          ["In the stock as", said(vehicle.inventoryVehicleId)]
        ])
      )
    }
    ${section(
      "Handover",
      terms([
        ["Where", handover.type === "HOME_DELIVERY" ? "At the customer's address" : "At the seller's place"],
        [
          "Confirmed address",
          handover.type === "HOME_DELIVERY" &&
            (handover.address === null
              ? file.erased
                ? "Gone with the customer"
                : "Not confirmed yet"
              : html`${linesOf(handover.address.lines.join("\n"))}
                  <small>${shownTime(handover.address.confirmedAt)}</small>`)
        ],
        ["Notes", linesOf(handover.notes)]
      ])
    )}
    ${
      seller !== null &&
      Object.values(seller).some((part) => part !== null) &&
      section(
        "Seller",
        terms([
          ["Company", said(seller.externalCompanyName)],
          ["Dealer of this service", said(seller.dealerCompanyName ?? seller.dealerCompanyId)],
          ["In the dealers' directory", said(seller.dealerDirectoryId)]
        ])
      )
    }
  `
}

const financeOf = ({ finance }: CaseFileResource): Shown =>
  finance !== null &&
  section(
    "Finance as recorded",
    html`${terms([
      ["Panel", said(finance.panelName)],
      ["Reference at the panel", said(finance.panelReference)],
      ["Lender", said(finance.lender)],
      ["Price of the vehicle", finance.vehiclePrice],
      ["Deposit", finance.depositAmount],
      ["Monthly budget", finance.monthlyBudget],
      ["Months", finance.loanTerm]
    ])}
    ${
      finance.application !== null &&
      html`<details>
        <summary>The application</summary>
        <pre class="case-lines"><bdi>${JSON.stringify(finance.application, null, 2)}</bdi></pre>
      </details>`
    }`
  )

const consentAbout = {
  APPLICATION: "The application",
  CALLERS_PHOTO: "The photo that the seller sent",
  IDENTITY_CHECK: "The identity check",
  HANDOVER_VIDEO: "The handover video"
} as const

const consentAnswers = { AGREED: "Agreed", REFUSED: "Refused", WITHDRAWN: "Withdrawn" } as const

const consentsOf = ({ consents }: CaseFileResource): Html =>
  section(
    "Consents",
    consents.length === 0
      ? html`<p>Nobody has been asked yet.</p>`
      : table(
          "Consents",
          ["About", "Answer", "Told by", "Notice", "When"],
          consents.map((one) => [
            consentAbout[one.about],
            consentAnswers[one.answer],
            one.by === "CALLER" ? "The seller" : "The customer",
            said(one.notice),
            shownTime(one.at)
          ])
        )
  )

const attemptsOf = ({ identity, video }: CaseFileResource): Html =>
  section(
    "Attempts so far",
    html`${
      identity === null
        ? html`<p>This journey has no identity check.</p>`
        : identity.attempts.length === 0
          ? html`<p>The customer has not tried the identity check yet.</p>`
          : table(
              "Identity check",
              ["When", "By", "Comparison", "Verdict", "Reasons"],
              identity.attempts.map((one) => [
                shownTime(one.at),
                senderInWords(one.sender),
                one.comparison && codeInWords(one.comparison),
                one.verdict && codeInWords(one.verdict),
                reasonList(one.reasons)
              ])
            )
    }
    ${
      video === null
        ? html`<p>There is no handover yet.</p>`
        : video.verdicts.length === 0
          ? html`<p>${video.sent === 0 ? "No video has been sent yet." : "The video has no verdict yet."}</p>`
          : table(
              "Handover video",
              ["When", "By", "Verdict", "Reasons"],
              video.verdicts.map((one) => [
                shownTime(one.at),
                senderInWords(one.sender),
                one.verdict && codeInWords(one.verdict),
                reasonList(one.reasons)
              ])
            )
    }`
  )

/** Everything that the case file knows but its photos and video. */
export const caseSections = (file: CaseFileResource): Html => html`
  ${attemptsOf(file)}
  <div class="case-grid">${peopleOf(file)} ${financeOf(file)}</div>
  ${consentsOf(file)}
`
