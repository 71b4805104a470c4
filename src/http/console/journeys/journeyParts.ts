/**
 * The part of a journey's page that changes with the journey: its steps as a picture, what it waits for, what the team can do, the
 * calls that it takes, and its timeline. A stream tells the page when to ask for this part again; all of it works without a script.
 */
import { consolePages } from "../../../actors/mail/wording/consoleLink.ts"
import type { JourneyId } from "../../../schema/ids.ts"
import type { CustomerSessionResource } from "../../../schema/customer/ListedCustomerSession.ts"
import { buttonCalls, teamButtons, type JourneyActions } from "../../../schema/journey/actions.ts"
import { eventCatalogue, simulatableEvents, type SimulatableEvent } from "../../../schema/journey/events.ts"
import type { JourneyOverview, StepState } from "../../../schema/journey/overview.ts"
import type { TimelineEntryResource, TimelineOrder } from "../../../schema/review/timeline.ts"
import { largestPageSize } from "../../../schema/decoding/parameters.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import {
  awaitedFrom,
  awaitedThings,
  callNames,
  codeInWords,
  stateNames,
  stepName,
  undeliveredStates,
  workNames
} from "../words/journeyWords.ts"
import { consoleLimits } from "../frame/limits.ts"
import { keptWhenRefused } from "../frame/renewing.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { customerSessions } from "./customerSessions.ts"
import { cancelLink } from "./cancelRoutes.ts"
import { callTables } from "./callTables.ts"
import { timelineList } from "./timelineList.ts"
import { tokenField } from "../../server/pages/tokenField.ts"

/** How the timeline was asked for. */
export interface TimelineShown {
  readonly order: TimelineOrder
  /** Lines of a page. */
  readonly lines: number
  readonly page: number
  readonly upTo: number | null
}

export interface JourneyShown {
  readonly id: JourneyId
  readonly overview: JourneyOverview
  readonly actions: JourneyActions
  readonly entries: ReadonlyArray<TimelineEntryResource>
  readonly totalLines: number
  readonly sessions: ReadonlyArray<CustomerSessionResource>
  readonly asked: TimelineShown
  readonly formToken: string
  readonly isOwner: boolean
}

export const journeyPath = (id: JourneyId): string => consolePages.journey(id)

/** The path of a journey's page with another view of its timeline. */
export const timelinePath = (path: string, { lines, order, page, upTo }: TimelineShown): string => {
  const query = new URLSearchParams({ order, lines: String(lines) })
  if (page > 0) query.set("page", String(page))
  if (upTo !== null) query.set("upTo", String(upTo))
  return `${path}?${query.toString()}`
}

export const journeyParts = (shown: JourneyShown): Html =>
  html`${stepsPicture(shown.overview)}
    <div class="beside">${waitingSection(shown)} ${teamSection(shown)}</div>
    ${workSection(shown.actions)} ${customerSessions(shown, journeyPath(shown.id))} ${timelineSection(shown)}
    ${callTables(shown.actions)}`

const stateClass: Readonly<Record<StepState, string>> = {
  DONE: "done",
  NOW: "now",
  WAITING: "waiting",
  FAILED: "failed",
  NOT_REACHED: "not-reached",
  NOT_NEEDED: "not-needed"
}

/** Drawn by the style sheet; a reader who does not see it reads each step with its state. */
const stepsPicture = ({ steps }: JourneyOverview): Html =>
  html`<section aria-labelledby="steps-heading">
    <h2 id="steps-heading">Steps</h2>
    <ol class="steps">
      ${steps.map(
        ({ state, status, step }) =>
          html`<li class="${stateClass[state]}" ${state === "NOW" && html`aria-current="step"`}>
            <strong>${stepName(step)}</strong>
            <span>${step === "END" && state === "FAILED" ? "Ended early" : stateNames[state]}</span>
            <small
              >${(state === "NOW" || state === "FAILED") && status !== null && status !== "ACTIVE" && codeInWords(status)}</small
            >
          </li>`
      )}
    </ol>
  </section>`

/** The customer may not know that they are awaited: whoever looks why nothing happens finds it here. */
const undelivered = ({ actions: { undeliveredMail: mail }, id }: JourneyShown): Shown =>
  mail !== null &&
  html`<p role="note" class="flash">
    <strong>The customer's mail ${mail.state === "COMPLAINED_OF" ? "was reported as spam" : "did not arrive"}</strong>
    (${codeInWords(mail.mail)}): ${undeliveredStates[mail.state]} ${shownTime(mail.at)}.
    ${mail.state === "COMPLAINED_OF" && "Further mail may not be seen."}
    ${
      mail.state === "TRIED_AGAIN"
        ? "The service goes on trying."
        : html`Ask the customer for another address and <a href="${journeyPath(id)}/correct">correct it</a>, which mails
            a new link to it.`
    }
  </p>`

const waitingSection = (shown: JourneyShown): Html => {
  const { waitingOn } = shown.actions
  return html`<section aria-labelledby="waiting-heading">
    <h2 id="waiting-heading">Waiting for</h2>
    ${undelivered(shown)}
    ${
      waitingOn.length === 0
        ? html`<p>Nothing: the journey has ended.</p>`
        : html`<ul class="awaited">
            ${waitingOn.map(
              ({ expectedBy, expiresAt, on, since, who }) =>
                html`<li>
                  <strong>${awaitedThings[on]}</strong>
                  <span>Who must act: ${awaitedFrom[who]}</span>
                  ${since !== null && html`<span>Since ${shownTime(since)}</span>`}
                  ${expectedBy !== null && html`<span>Goes on by itself ${shownTime(expectedBy)}</span>`}
                  <span>Expires ${shownTime(expiresAt)}</span>
                </li>`
            )}
          </ul>`
    }
  </section>`
}

const isAllowed = ({ allowed }: JourneyActions, operation: string): boolean =>
  allowed.some((one) => one.operation === operation)

const stepForm = ({ formToken, id }: JourneyShown, step: string, words: string): Html =>
  html`<form method="post" action="${journeyPath(id)}/${step}">${tokenField(formToken)}<button>${words}</button></form>`

/** What may be forced on a test journey now. A line without choices is about every event. */
const forcible = ({ allowed }: JourneyActions): ReadonlyArray<SimulatableEvent> => {
  const call = allowed.find(({ operation }) => operation === "forceOutcome")
  return call === undefined ? [] : simulatableEvents.filter((event) => call.choices?.values.includes(event) ?? true)
}

const forceForm = ({ actions, formToken, id }: JourneyShown): Shown => {
  const events = forcible(actions)
  return (
    events.length > 0 &&
    html`<form method="post" action="${journeyPath(id)}/simulate" class="force">
      ${tokenField(formToken)}
      <label for="force-event">Force an outcome of this test journey</label>
      <select id="force-event" name="event" aria-describedby="force-hint">
        ${events.map((event) => html`<option value="${event}">${eventCatalogue[event].when} (${event})</option>`)}
      </select>
      <small id="force-hint">The steps before it are taken, too, each with its events.</small>
      <button class="secondary">${callNames.forceOutcome}</button>
    </form>`
  )
}

/** The review that waits: its id is in the path with which it is decided. */
const reviewIn = ({ allowed }: JourneyActions): string | null => {
  const path = allowed.find(({ operation }) => operation === "decideReview")?.path
  return (path === undefined ? null : /\/reviews\/([^/]+)\//.exec(path)?.[1]) ?? null
}

const teamSection = (shown: JourneyShown): Html => {
  const { actions, id } = shown
  const review = reviewIn(actions)
  const steps: ReadonlyArray<Shown> = [
    review !== null && html`<p><a role="button" href="${consolePages.review(review)}">Open the review</a></p>`,
    ...buttonCalls.map(
      (name) => isAllowed(actions, name) && stepForm(shown, teamButtons[name].as, teamButtons[name].label)
    ),
    cancelLink(actions, journeyPath(id)),
    forceForm(shown)
  ]
  return html`<section aria-labelledby="team-heading" class="team-steps">
    <h2 id="team-heading">What you can do</h2>
    ${steps.every((one) => one === false || one === null) ? html`<p>Nothing now.</p>` : steps}
  </section>`
}

const workSection = ({ work }: JourneyActions): Shown =>
  work.length > 0 &&
  html`<section aria-labelledby="work-heading">
    <h2 id="work-heading">Work under way</h2>
    <ul>
      ${work.map(
        ({ attempts, dueAt, kind }) =>
          html`<li>
            ${workNames[kind]}${attempts > 0 && `, attempt ${attempts}`}${dueAt !== null && html`, due ${shownTime(dueAt)}`}
          </li>`
      )}
    </ul>
  </section>`

/** The hidden fields say how the timeline is shown when the page asks for this part again. */
const timelineSection = ({ asked, entries, id, totalLines }: JourneyShown): Html => {
  const { lines, order } = asked
  const other: TimelineOrder = order === "NEWEST_FIRST" ? "OLDEST_FIRST" : "NEWEST_FIRST"
  const first = { ...asked, page: 0, upTo: null }
  return html`<section aria-labelledby="timeline-heading" id="timeline">
    <h2 id="timeline-heading">What happened</h2>
    <p>
      ${order === "NEWEST_FIRST" ? "The newest first." : "The oldest first."}
      <a href="${timelinePath(journeyPath(id), { ...first, order: other })}#timeline"
        >${other === "NEWEST_FIRST" ? "Show the newest first" : "Show the oldest first"}</a
      >
    </p>
    <div id="timeline-asked" hidden>
      <input type="hidden" name="order" value="${order}" /><input type="hidden" name="lines" value="${lines}" />
    </div>
    ${timelineList(entries)} ${moreOf(asked, entries, { id, totalLines })}
  </section>`
}

/** More lines on the same page, as many as one answer has; what is older still is on pages of its own, which do not change. */
const moreOf = (
  asked: TimelineShown,
  entries: ReadonlyArray<TimelineEntryResource>,
  { id, totalLines }: { readonly id: JourneyId; readonly totalLines: number }
): Shown => {
  const { lines, order, page, upTo } = asked
  if ((page + 1) * lines >= totalLines) return null
  const path = journeyPath(id)
  if (page === 0 && lines < largestPageSize) {
    const wider = { ...asked, lines: Math.min(lines + consoleLimits.timelineLines, largestPageSize) }
    return html`<p>
      <a
        id="more-${wider.lines}"
        role="button"
        class="secondary"
        href="${timelinePath(path, wider)}#timeline"
        hx-get="${timelinePath(`${path}/part`, wider)}"
        hx-target="#changing"
        hx-sync="#changing:replace"
        ${keptWhenRefused}
        hx-swap="innerMorph"
        >Show more</a
      >
    </p>`
  }
  const newest = order === "NEWEST_FIRST" ? (upTo ?? entries[0]?.version ?? null) : upTo
  return html`<p>
    <a role="button" class="secondary" href="${timelinePath(path, { ...asked, page: page + 1, upTo: newest })}#timeline"
      >${order === "NEWEST_FIRST" ? "Older lines" : "Newer lines"}</a
    >
  </p>`
}
