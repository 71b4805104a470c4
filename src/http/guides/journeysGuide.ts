/**
 * How the journeys of each shape go, drawn from the rules that decide them: what is awaited of whom, the events and mails that
 * follow, and the other ways that a journey can take from there. No status and no event is written here by hand.
 */
import { Duration, SchemaAST } from "effect"
import { decide } from "../../actors/journey/rules/decide.ts"
import { journeyLimits } from "../../actors/journey/rules/limits.ts"
import { nextAction } from "../../actors/journey/rules/state/waiting.ts"
import type { Journey } from "../../actors/journey/rules/state/Journey.ts"
import { record } from "../../actors/journey/rules/recordedEvent.ts"
import type { StoryStep } from "../../actors/journey/rules/story.ts"
import type { JourneyMessage } from "../../schema/journey/messages.ts"
import { Shape } from "../../schema/journey/statuses.ts"
import { startBodies } from "../../schema/start/startBodies.ts"
import { exampleStories } from "../documents/exampleJourneys.ts"
import { inWords } from "../documents/durations.ts"
import { html, type Html } from "../server/pages/html.ts"
import type { Rendered } from "./markdown.ts"

/** What can come instead, with how a reader calls it. */
const others: ReadonlyArray<readonly [says: string, message: JourneyMessage]> = [
  ["the lender declines", { _tag: "FinanceDecision", decision: "DECLINED" }],
  ["the lender refers", { _tag: "FinanceDecision", decision: "REFERRED" }],
  ["the panel declines", { _tag: "PanelDecision", decision: "DECLINED", check: { possible: true, by: "BUILT_IN" } }],
  ["the panel refers", { _tag: "PanelDecision", decision: "REFERRED", check: { possible: true, by: "BUILT_IN" } }],
  ["the application cannot be submitted", { _tag: "PanelFailed", reason: "PANEL_ERROR" }],
  ["the check gives no clear answer", { _tag: "IdentityUnderReview" }],
  ["the check fails", { _tag: "IdentityFailed" }],
  ["the video is unclear", { _tag: "VideoUnclear" }],
  ["the video does not match", { _tag: "VideoNotMatched" }],
  ["the customer's time is over", { _tag: "CustomerWindowPassed" }]
]

interface Branch {
  readonly says: string
  readonly events: ReadonlyArray<string>
  readonly mails: ReadonlyArray<string>
  /** What is awaited then, or how the journey has ended. */
  readonly next: string
}

const branchesOf = (journey: Journey): ReadonlyArray<Branch> =>
  others.flatMap(([says, message]) => {
    const outcome = decide(journey, message, journey.lastEventAt)
    if (outcome._tag !== "Step" || outcome.events.length === 0) return []
    const { journey: after, mails } = record(outcome, journey.lastEventAt, () => "")
    return [
      {
        says,
        events: outcome.events.map(({ type }) => type),
        mails: mails.map(({ mail }) => mail),
        next: after.status === "ACTIVE" ? (nextAction(after) ?? "VIDEO_BEING_CHECKED") : after.status
      }
    ]
  })

const names = (all: ReadonlyArray<string>): Html =>
  html`${all.map((name, at) => html`${at > 0 && ", "}<code>${name}</code>`)}`

const follows = ({ events, mails }: Pick<StoryStep, "events" | "mails">): Html =>
  html`${events.length > 0 && html`<p>events ${names(events)}</p>`}
  ${mails.length > 0 && html`<p>mails ${names(mails)}</p>`}`

const branchLine = ({ events, mails, next, says }: Branch): Html =>
  html`<li>${says}: ${names(events)}${mails.length > 0 && html`, mail ${names(mails)}`}; then <code>${next}</code></li>`

const stepNode = (step: StoryStep): Html => {
  const branches = step.before === null ? [] : branchesOf(step.before)
  return html`<li>
    <div class="state"><strong>${step.on}</strong> <span>${step.who}</span></div>
    <div class="arrow">
      ${follows(step)} ${step.charges.length > 0 && html`<p>charged ${names(step.charges)}</p>`}
      ${
        branches.length > 0 &&
        html`<details>
          <summary>Or ${branches.length} ${branches.length === 1 ? "other way" : "other ways"}</summary>
          <ul>
            ${branches.map(branchLine)}
          </ul>
        </details>`
      }
    </div>
  </li>`
}

const titleOf = (shape: Shape): string => SchemaAST.resolveTitle(startBodies[shape].ast) ?? shape

const idOf = (shape: Shape): string => shape.toLowerCase().replaceAll("_", "-")

const shapeSection = (shape: Shape): Html => {
  const { end, steps } = exampleStories(shape)
  return html`<h2 id="${idOf(shape)}">${titleOf(shape)}</h2>
    <p>Drawn with <code>delivery.type</code> <code>${end.handoverType}</code>.</p>
    <ol class="flow">
      ${steps.map(stepNode)}
      <li>
        <div class="state end"><strong>${end.status}</strong></div>
      </li>
    </ol>`
}

const textOf = (shape: Shape): string =>
  exampleStories(shape)
    .steps.map(({ events, mails, on, who }) => `${on} ${who} ${events.join(" ")} ${mails.join(" ")}`)
    .join(" ")

export const journeysGuide = (): Rendered => ({
  title: "How journeys go",
  content: html`<p>
      Each picture begins with the start and goes down to the end: what the journey waits for, as
      <code>waitingOn</code> of its actions names it, and of whom (<code>nextAction</code> has the same word, and is
      null while a video is checked); then the events and mails that follow once it is done. A journey may be cancelled
      at any moment, and whatever it waits for, it ends after ${inWords(Duration.toMillis(journeyLimits.safetyCap))}.
      The pictures are drawn from the rules that decide journeys. At a <code>HOME_DELIVERY</code> the customer confirms
      the address before the video; at a handover <code>IN_STORE</code> that step is left out. Nothing else differs.
    </p>
    ${Shape.literals.map(shapeSection)}`,
  sections: Shape.literals.map((shape) => ({ id: idOf(shape), title: titleOf(shape), text: textOf(shape) }))
})
