/**
 * What the receipt of a complete handover says: who sold what, when, and where a home delivery took place. Pure. The page
 * at the end of a journey shows it, and `endPage.ts` makes a file of it. Only the signed-in customer reads a receipt.
 */
import type { Details } from "../../../actors/customer/CustomerDetails.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { addressLines } from "../../../schema/requests/deliveryAddress.ts"
import type { Words } from "../../../schema/words/words.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { inSentence, nameMark, plateMark } from "./sentence.ts"

/** A journey whose handover is complete, with what is on file about it. */
export interface CompleteHandover {
  readonly journey: Journey
  readonly details: Details
}

type Row = readonly [name: string, value: Html]

const whereOf = (
  { details: { confirmedAddress: address }, journey }: CompleteHandover,
  { ending }: Words
): ReadonlyArray<Row> => {
  if (journey.handoverType === "IN_STORE") return [[ending.where, html`${ending.atTheSeller}`]]
  return address === null
    ? []
    : [[ending.where, html`${addressLines(address).map((line) => html`${nameMark(line)}<br />`)}`]]
}

/** The vehicle as the pages of the end name it. */
export const vehicleMark = ({ registration, vehicle }: Details): Html =>
  html`${vehicle === null ? null : html`<bdi>${vehicle}</bdi> `}${plateMark(registration)}`

/** How long photos stay, and whom to ask for one's data. */
export const dataNote = ({ companyName, mediaRetentionDays: days }: Details, { ending }: Words): Html =>
  html`<p class="hint">${ending.kept({ days })} ${inSentence(ending.yourData, { company: nameMark(companyName) })}</p>`

const rowsOf = (handover: CompleteHandover, words: Words): ReadonlyArray<Row> => {
  const { details, journey } = handover
  const { ending, formats } = words
  const { companyName, sellerName } = details
  return [
    [ending.vehicle, vehicleMark(details)],
    [ending.seller, nameMark(sellerName ?? companyName)],
    ...(sellerName === null ? [] : [[ending.arrangedBy, nameMark(companyName)] as const]),
    [ending.when, html`${formats.moment(journey.handover?.completedAt ?? journey.lastEventAt)}`],
    ...whereOf(handover, words),
    [ending.reference, html`<bdi class="reference">${journey.id}</bdi>`]
  ]
}

export const receiptList = (handover: CompleteHandover, words: Words): Html =>
  html`<dl class="receipt">
    ${rowsOf(handover, words).map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`
    )}
  </dl>`
