/**
 * A journey's case file as sections of a page, for the page of a review and for the page of the case: what is known in words.
 * What is erased or not begun is said. Photos and the video are in `casePictures.ts`; what the case file has is the operation's to say.
 */
import type { CaseFileResource } from "../../../schema/review/CaseFile.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { mailLink, telephoneLink } from "../frame/contactLinks.ts"
import { linesShown, listTable, type LineOfEach } from "../frame/lists.ts"
import { codeInWords, senderInWords } from "../words/journeyWords.ts"
import { reasonInWords } from "../words/reasonWords.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

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

type Customer = NonNullable<CaseFileResource["customer"]>
type Vehicle = NonNullable<CaseFileResource["vehicle"]>
type Seller = NonNullable<CaseFileResource["seller"]>
type Finance = NonNullable<CaseFileResource["finance"]>

const customerTerms = ({ dateOfBirth, email, firstName, lastName, mobile, title }: Customer) =>
  linesShown({
    title: false,
    firstName: ["Name", said(wordsOrNull([title, firstName, lastName]))],
    lastName: false,
    email: ["Email", email === null ? null : mailLink(email)],
    mobile: ["Mobile", mobile === null ? null : telephoneLink(mobile)],
    dateOfBirth: ["Date of birth", dateOfBirth]
  } satisfies LineOfEach<Customer>)

const vehicleTerms = ({ colour, inventoryVehicleId, make, model, registration, year }: Vehicle) =>
  linesShown({
    registration: ["Registration", said(registration)],
    make: ["Make and model", said(wordsOrNull([make, model]))],
    model: false,
    year: ["Year", year],
    colour: ["Colour", said(colour)],
    inventoryVehicleId: ["In the stock as", said(inventoryVehicleId)]
  } satisfies LineOfEach<Vehicle>)

const handoverTerms = ({ erased, handover: { address, notes, type } }: CaseFileResource) =>
  linesShown({
    type: ["Where", type === "HOME_DELIVERY" ? "At the customer's address" : "At the seller's place"],
    address: [
      "Confirmed address",
      type === "HOME_DELIVERY" &&
        (address === null
          ? erased
            ? "Gone with the customer"
            : "Not confirmed yet"
          : html`${linesOf(address.lines.join("\n"))} <small>${shownTime(address.confirmedAt)}</small>`)
    ],
    notes: ["Notes", linesOf(notes)],
    // Among what is known of the seller.
    dealerDirectoryId: false
  } satisfies LineOfEach<CaseFileResource["handover"]>)

const sellerTerms = ({ dealerCompanyId, dealerCompanyName, dealerDirectoryId, externalCompanyName }: Seller) =>
  linesShown({
    externalCompanyName: ["Company", said(externalCompanyName)],
    dealerCompanyName: ["Dealer of this service", said(dealerCompanyName ?? dealerCompanyId)],
    dealerCompanyId: false,
    dealerDirectoryId: ["In the dealers' directory", said(dealerDirectoryId)]
  } satisfies LineOfEach<Seller>)

const peopleOf = (file: CaseFileResource): Html => {
  const { customer, seller, vehicle } = file
  return html`
    ${section(
      "Customer",
      customer === null
        ? html`<p>The customer was erased: what was personal is gone.</p>`
        : terms(customerTerms(customer))
    )}
    ${vehicle !== null && section("Vehicle", terms(vehicleTerms(vehicle)))}
    ${section("Handover", terms(handoverTerms(file)))}
    ${
      seller !== null &&
      Object.values(seller).some((part) => part !== null) &&
      section("Seller", terms(sellerTerms(seller)))
    }
  `
}

const financeTerms = (finance: Finance) =>
  linesShown({
    // The journey's shape tells it.
    panelSubmission: false,
    panelName: ["Panel", said(finance.panelName)],
    panelReference: ["Reference at the panel", said(finance.panelReference)],
    lender: ["Lender", said(finance.lender)],
    vehiclePrice: ["Price of the vehicle", finance.vehiclePrice],
    depositAmount: ["Deposit", finance.depositAmount],
    monthlyBudget: ["Monthly budget", finance.monthlyBudget],
    loanTerm: ["Months", finance.loanTerm],
    // Below the others, as a whole.
    application: false
  } satisfies LineOfEach<Finance>)

const financeOf = ({ finance }: CaseFileResource): Shown =>
  finance !== null &&
  section(
    "Finance as recorded",
    html`${terms(financeTerms(finance))}
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
