/**
 * What the page of the delivery address shows: addresses on file to choose from, fields for another one, what is wrong with
 * them, and the question whether an unlikely address is meant. What happens with an address is decided in `addressStep.ts`.
 */
import type { AddressDoubt, JudgedAddress } from "../../../actors/customer/confirmedAddress.ts"
import {
  addressFields,
  addressLines,
  isRequired,
  type AddressField,
  type AddressProblem,
  type AddressProblems,
  type DeliveryAddress
} from "../../../schema/requests/deliveryAddress.ts"
import type { AddressWords } from "../../../schema/words/en/address.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** What the forms of the page need. */
export interface AddressPage {
  readonly words: AddressWords
  readonly formToken: string
}

export type GivenAddress = Readonly<Partial<Record<AddressField, string>>>

/** In the order of an address on an envelope, with what the browser may fill in. */
const fields: ReadonlyArray<{ readonly name: AddressField; readonly autocomplete?: string }> = [
  { name: "buildingNumber" },
  { name: "buildingName" },
  { name: "subBuildingName" },
  { name: "organisationName" },
  { name: "street", autocomplete: "address-line1" },
  { name: "city", autocomplete: "address-level2" },
  { name: "county", autocomplete: "address-level1" },
  { name: "postcode", autocomplete: "postal-code" }
]

/** A house has a number or a name: neither field is optional by itself. */
const ofHouse: ReadonlySet<AddressField> = new Set(["buildingNumber", "buildingName"])

const problemText = (words: AddressWords, name: AddressField, problem: AddressProblem): string => {
  const field = words.fields[name]
  switch (problem.kind) {
    case "TOO_LONG":
      return words.problems.TOO_LONG({ field, limit: problem.limit })
    case "MISSING":
    case "UNUSABLE":
      return words.problems[problem.kind]({ field })
    case "HOUSE_MISSING":
    case "NO_POSTCODE":
      return words.problems[problem.kind]
  }
}

const input = (
  words: AddressWords,
  given: GivenAddress,
  problems: AddressProblems,
  { autocomplete, name }: (typeof fields)[number]
): Html => {
  const problem = problems[name]
  const isOptional = !isRequired(name) && !ofHouse.has(name)
  const describedBy = [name === "buildingNumber" && `${name}-hint`, problem !== undefined && `${name}-error`].filter(
    (id) => id !== false
  )
  return html`<div class="field${problem !== undefined && " wrong"}">
    <label for="${name}"
      >${words.fields[name]}${isOptional && html` <span class="optional">${words.optional}</span>`}</label
    >${name === "buildingNumber" && html`<p class="hint" id="${name}-hint">${words.houseHint}</p>`}${
      problem !== undefined &&
      html`<p class="error" id="${name}-error"><strong>${words.error}</strong> ${problemText(words, name, problem)}</p>`
    }<input
      id="${name}"
      name="${name}"
      value="${given[name] ?? ""}"
      ${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${isRequired(name) && html` required`}${
        problem !== undefined && html` aria-invalid="true"`
      }${describedBy.length > 0 && html` aria-describedby="${describedBy.join(" ")}"`}
    />
  </div>`
}

const problemSummary = (words: AddressWords, problems: AddressProblems): Html => {
  const wrong = fields.flatMap(({ name }) => {
    const problem = problems[name]
    return problem === undefined ? [] : [html`<li><a href="#${name}">${problemText(words, name, problem)}</a></li>`]
  })
  return html`<div class="summary" role="alert" tabindex="-1">
    <h2>${words.lookAgain({ count: wrong.length })}</h2>
    <ul>
      ${wrong}
    </ul>
  </div>`
}

/** The form to type an address in, of which a page has one. */
export const typedForm = "address"

const addressForm = ({ formToken, words }: AddressPage, given: GivenAddress, problems: AddressProblems): Html =>
  html`<form method="post" id="${typedForm}" novalidate>
    ${tokenField(formToken)}${fields.map((field) => input(words, given, problems, field))}
    <button>${words.deliverToThis}</button>
  </form>`

/** The form again, with what is wrong with what was given. */
export const wrongAddress = (page: AddressPage, given: GivenAddress, problems: AddressProblems): Html =>
  html`${problemSummary(page.words, problems)}${addressForm(page, given, problems)}`

export const shownAddress = (address: DeliveryAddress): Html =>
  html`<address translate="no">${addressLines(address).map((line) => html`${line}<br />`)}</address>`

/** The fields for another address than those that are offered, open once something was typed in them. */
const anotherAddress = (
  page: AddressPage,
  offered: GivenAddress,
  label: string,
  typed: GivenAddress = offered
): Html => {
  const isTyped = fields.some(({ name }) => (typed[name] ?? "") !== (offered[name] ?? ""))
  return html`<details${isTyped && html` open`}>
    <summary>${label}</summary>
    ${addressForm(page, typed, {})}
  </details>`
}

/**
 * The addresses on file, to be confirmed or chosen from. The fields for another one are one tap away and need no script. `typed`: what
 * was in them when the customer chose another language.
 */
export const addressChoice = (
  page: AddressPage,
  onFile: ReadonlyArray<DeliveryAddress>,
  typed?: GivenAddress
): Html => {
  const { formToken, words } = page
  const [only] = onFile
  if (only === undefined) {
    return html`<p>${words.noneOnFile}</p>
      ${addressForm(page, typed ?? {}, {})}`
  }
  if (onFile.length === 1) {
    return html`<p>${words.oneOnFile}</p>
      ${shownAddress(only)}
      <form method="post">
        ${tokenField(formToken)}<input type="hidden" name="choice" value="0" /><button>${words.deliverHere}</button>
      </form>
      ${anotherAddress(page, only, words.another.insteadOfOne, typed)}`
  }
  return html`<p>${words.severalOnFile}</p>
    <form method="post">
      ${tokenField(formToken)}
      <fieldset class="choices">
        <legend>${words.addressesOnFile}</legend>
        ${onFile.map(
          (address, at) =>
            html`<label class="choice" for="choice-${at}"
              ><input type="radio" id="choice-${at}" name="choice" value="${at}" ${at === 0 && html` checked`} /><span
                translate="no"
                >${addressLines(address).join(", ")}</span
              ></label
            >`
        )}
      </fieldset>
      <button>${words.deliverToChosen}</button>
    </form>
    ${anotherAddress(page, {}, words.another.insteadOfSeveral, typed)}`
}

/** The confirmed address, which may still be changed. */
export const addressCorrection = (
  page: AddressPage,
  confirmed: DeliveryAddress,
  backPath: string,
  typed?: GivenAddress
): Html =>
  html`<p>${page.words.confirmed}</p>
    ${shownAddress(confirmed)}
    <p><a class="button" href="${backPath}">${page.words.leave}</a></p>
    ${anotherAddress(page, confirmed, page.words.onJourneyPage.change, typed)}`

/** The question whether an unlikely address is meant. `meant` brings back what the customer was asked about. */
export const doubtfulAddress = (page: AddressPage, { address, doubts }: JudgedAddress): Html => {
  const { formToken, words } = page
  return html`<div class="summary doubtful" role="alert" tabindex="-1">
      <h2>${words.doubtful.heading}</h2>
      <ul>
        ${doubts.map((doubt) => html`<li>${words.doubtful[doubt]}</li>`)}
      </ul>
    </div>
    ${shownAddress(address)}
    <form method="post">
      ${tokenField(formToken)}<input type="hidden" name="meant" value="${doubts.join(" ")}" />${addressFields.map(
        (name) => address[name] !== undefined && html`<input type="hidden" name="${name}" value="${address[name]}" />`
      )}<button>${words.doubtful.meant}</button>
    </form>
    ${anotherAddress(page, address, words.doubtful.change)}`
}

/** Whether the customer was asked about all of these doubts, and meant the address. */
export const isMeant = (doubts: ReadonlyArray<AddressDoubt>, meant: string | null): boolean => {
  const asked = meant?.split(" ") ?? []
  return doubts.every((doubt) => asked.includes(doubt))
}
