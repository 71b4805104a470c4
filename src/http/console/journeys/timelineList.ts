/**
 * A journey's timeline as one column of time: every message with what came of it. What the timeline has is the operation's to
 * say; the page shows it and names the codes.
 */
import type {
  TimelineEntryResource,
  TimelineEvent,
  TimelineMail,
  TimelineWork
} from "../../../schema/review/timeline.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import {
  codeInWords,
  deliveryStates,
  mailStates,
  messageInWords,
  senderInWords,
  valueInWords,
  workNames
} from "../words/journeyWords.ts"
import { keyPath } from "../keys/keyParts.ts"
import { reasonInWords } from "../words/reasonWords.ts"
import { shownSecond } from "../../server/pages/shownTime.ts"

/** Members of a message that a reader has no use for. */
const unshown: ReadonlySet<string> = new Set(["serial", "kind", "check", "reviewed", "notice", "atPage"])

export const timelineList = (entries: ReadonlyArray<TimelineEntryResource>): Html =>
  html`<ol class="timeline">
    ${entries.map((entry) => html`<li id="line-${entry.version}">${entryOf(entry)}</li>`)}
  </ol>`

const entryOf = (entry: TimelineEntryResource): Html =>
  html`<p class="what">
      ${shownSecond(entry.at)} <strong>${messageInWords(entry)}</strong>
      <small>${senderOf(entry)}</small>
    </p>
    ${detailsOf(entry)} ${reasonsOf(entry)} ${noteOf(entry)} ${statusesOf(entry)} ${workOf(entry.work)}
    ${entry.events.map(eventOf)} ${entry.mails.map(mailOf)} ${vehicleOf(entry)}`

/** A member by their address, a key by its page. */
const senderOf = ({ sender, senderName }: TimelineEntryResource): Html => {
  const [kind, id] = sender.split(":", 2)
  if (kind === "key" && id !== undefined) return html`<a href="${keyPath(id)}">${senderInWords(sender)}</a>`
  return kind === "member" ? html`<bdi>${senderName}</bdi>` : html`${senderInWords(sender)}`
}

const detailsOf = ({ details }: TimelineEntryResource): Shown => {
  const shown = Object.entries(details).filter(
    ([name, value]) => !unshown.has(name) && (typeof value === "string" || typeof value === "number")
  )
  return (
    shown.length > 0 &&
    html`<p>
      ${shown.map(([name, value], at) => html`${at > 0 && ", "}${codeInWords(name)}: ${valueInWords(String(value))}`)}
    </p>`
  )
}

const reasonsOf = ({ reasons }: TimelineEntryResource): Shown =>
  reasons.length > 0 &&
  html`<p>Why: ${reasons.map((reason, at) => html`${at > 0 && "; "}${reasonInWords(reason)}`)}</p>`

const noteOf = ({ note }: TimelineEntryResource): Shown =>
  note !== null && html`<blockquote><bdi>${note}</bdi></blockquote>`

const statusesOf = ({ statuses }: TimelineEntryResource): Shown => {
  if (statuses === null) return null
  const parts: ReadonlyArray<readonly [name: string, status: string | null]> = [
    ["Journey", statuses.journeyStatus],
    ["finance", statuses.financeStatus],
    ["identity", statuses.identityStatus],
    ["handover", statuses.deliveryStatus]
  ]
  const known = parts.flatMap(([name, status]) => (status === null ? [] : [`${name} ${codeInWords(status)}`]))
  return html`<p>${known.join(", ")}</p>`
}

const workOf = (work: TimelineWork | null): Shown =>
  work !== null &&
  html`<p>
    ${work.kind === null ? "Work" : workNames[work.kind]}${work.attempt > 0 && `, attempt ${work.attempt}`}${
      work.dueAt !== null && html`, due ${shownSecond(work.dueAt)}`
    }
  </p>`

const eventOf = ({ delivery, type }: TimelineEvent): Html =>
  html`<p>
    Event <code>${type}</code>${
      delivery === null
        ? ": not sent as a webhook, because no endpoint of yours took it then"
        : html`: ${deliveryStates[delivery.status]}${attemptsOf(delivery)}`
    }
  </p>`

type Delivery = NonNullable<TimelineEvent["delivery"]>

const attemptsOf = ({ attempts, latestAttempts, nextAttemptAt }: Delivery): Html =>
  html`${attempts > 0 && ` (${attempts === 1 ? "1 attempt" : `${attempts} attempts`}: ${latestAttempts.map(outcomeOf).join(", ")})`}${
    nextAttemptAt !== null && html`, next attempt ${shownSecond(nextAttemptAt)}`
  }`

const outcomeOf = ({ durationMillis, error, httpStatus }: Delivery["latestAttempts"][number]): string =>
  `${error ?? httpStatus ?? "no answer"} in ${durationMillis} ms`

const mailOf = ({ kind, nextTryAt, state, tries }: TimelineMail): Html =>
  html`<p>
    Mail ${codeInWords(kind)}:
    ${mailStates[state]}${tries > 1 && ` after ${tries} tries`}${
      state === "PENDING" && nextTryAt !== null && html`, leaves ${shownSecond(nextTryAt)}`
    }
  </p>`

const vehicleOf = ({ vehicle }: TimelineEntryResource): Shown =>
  vehicle !== null && html`<p>Vehicle in the stock: ${codeInWords(vehicle)}</p>`
