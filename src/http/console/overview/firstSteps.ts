/**
 * The first steps of a new owner: from the invitation to a test journey and its webhook, and then to live journeys. Each step says
 * whether it is done, and has the one thing that does it; the form that does it leads on to the next step. What counts as done is
 * decided by the overview's operation.
 */
import { Effect } from "effect"
import { Shape } from "../../../schema/journey/statuses.ts"
import type { OverviewResource } from "../../../schema/company/Overview.ts"
import { overviewOperations } from "../../api/company/overview.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { redirectTo, type CompanyUser, type ConsoleUser } from "../frame/consolePage.ts"
import { isOwner } from "../frame/owners.ts"
import { formOf, type ConsoleFormState } from "../frame/forms.ts"

type Done = OverviewResource["firstSteps"]

interface FirstStep {
  readonly name: keyof Done
  readonly title: string
  readonly why: Shown
  /** The link or the form that does the step. */
  readonly does: Shown
}

export const testJourneyPath = "/console/test-journeys"

const shapeLabels: Readonly<Record<Shape, string>> = {
  CASH_SALE: "Handover of a cash sale",
  FINANCE_SALE: "Handover of a finance sale, with the customer's photo",
  IDENTITY_DELIVERY: "Identity and handover",
  FINANCE_ALREADY_SUBMITTED: "Finance that was submitted already, identity and handover",
  FINANCE_SUBMIT_VIA_MIRA: "Finance submitted by the service, identity and handover"
}

/** Brokers sell no cars themselves. */
const shapesFor = ({ company }: CompanyUser): ReadonlyArray<Shape> => {
  const isDealer = company.kind === "DEALER"
  const all = Shape.literals.filter((shape) => isDealer || (shape !== "CASH_SALE" && shape !== "FINANCE_SALE"))
  return isDealer ? ["CASH_SALE", ...all.filter((shape) => shape !== "CASH_SALE")] : all
}

export const testJourneyForm = (user: CompanyUser, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "test-journey",
    action: testJourneyPath,
    button: "Start a test journey",
    isRow: true,
    state,
    fields: [
      {
        is: "select",
        name: "shape",
        label: "Which example",
        choices: shapesFor(user).map((value) => ({ value, label: shapeLabels[value] }))
      }
    ]
  })

const link = (path: string, label: string): Html => html`<a role="button" class="outline" href="${path}">${label}</a>`

/** To see how the service works, and how a program of the company's own works with it: no real customer, and nothing to pay. */
const tryingSteps = (testJourney: Html): ReadonlyArray<FirstStep> => [
  {
    name: "testJourney",
    title: "Start a first test journey",
    why: "It advances by itself, a step every few seconds. Its mails come to the administrator of the company.",
    does: testJourney
  },
  {
    name: "testKey",
    title: "Make a test key",
    why: "Your program starts test journeys with it, through the API. It costs nothing and reaches no real customer.",
    does: link("/console/keys", "Make a key")
  },
  {
    name: "testEndpoint",
    title: "Set a test endpoint",
    why: "An address of yours that takes webhooks, reached over https: the service tells it every event of your test journeys. Until you have one, the page says how a program on your own machine gets them.",
    does: link("/console/webhooks/test", "Set the test endpoint")
  },
  {
    name: "webhook",
    title: "See the first webhook arrive",
    why: "A ping is enough, or the next step of a test journey. The delivery log shows what your address answered.",
    does: link("/console/webhooks/test", "Ping it, and see")
  }
]

/** What journeys of real customers need. */
const liveSteps: ReadonlyArray<FirstStep> = [
  {
    name: "team",
    title: "Invite your team",
    why: "Whoever decides reviews and helps customers gets a mail with a link.",
    does: link("/console/team", "Invite somebody")
  },
  {
    name: "identityProvider",
    title: "Choose who checks identities",
    why: "The service itself, or a provider of yours. Live journeys with an identity check need one.",
    does: link("/console/company#identity-provider", "Choose")
  },
  {
    name: "financePanel",
    title: "Connect a finance panel",
    why: "Only for journeys whose finance the service submits. Leave it out if you submit it yourself.",
    does: link("/console/company#finance-panel", "Connect")
  },
  {
    name: "credits",
    title: "Get credits",
    why: "Live checks are paid from wallets, which the operator of this service fills.",
    does: link("/console/wallets", "See the wallets")
  },
  {
    name: "liveEndpoint",
    title: "Set a live endpoint",
    why: "An address of its own for the events of real customers, with a secret of its own. Leave it out if your program reads the events instead.",
    does: link("/console/webhooks/live", "Set the live endpoint")
  },
  {
    name: "liveKey",
    title: "Make a live key",
    why: html`From then on your program starts journeys of real customers.
      <a href="/docs/guides/going-live">What it needs before that</a>.`,
    does: link("/console/keys", "Make a live key")
  }
]

/** A company may well never need a panel, and may read its events instead of being told. */
const optional: ReadonlySet<string> = new Set<keyof Done>(["financePanel", "liveEndpoint"])

/** Whether the overview begins with the first steps: a clerk has none to take. */
export const areStepsLeft = (user: ConsoleUser, done: Done): boolean =>
  isOwner(user) && !Object.entries(done).every(([name, isDone]) => isDone || optional.has(name))

/** The first step that is not done, and that the company needs. */
const nextOf = (done: Done, steps: ReadonlyArray<FirstStep>): FirstStep | undefined =>
  steps.find(({ name }) => !done[name] && !optional.has(name)) ?? steps.find(({ name }) => !done[name])

const list = (done: Done, steps: ReadonlyArray<FirstStep>, next: FirstStep | undefined): Html =>
  html`<ol class="first-steps">
    ${steps.map(
      ({ does, name, title, why }) =>
        html`<li ${name === next?.name && html`aria-current="step"`}>
          <p>
            <strong>${title}</strong>
            <span class="state">${done[name] ? "Done" : optional.has(name) ? "If you need it" : "Not yet"}</span>
          </p>
          ${
            !done[name] &&
            html`<p>${why}</p>
              ${does}`
          }
        </li>`
    )}
  </ol>`

export const firstStepsList = (done: Done, testJourney: Html): Html => {
  const trying = tryingSteps(testJourney)
  const next = nextOf(done, [...trying, ...liveSteps])
  return html`<h2 id="first-steps">First steps: try it</h2>
    ${list(done, trying, next)}
    <h2>First steps: go live</h2>
    ${list(done, liveSteps, next)}`
}

/** Where an owner who has just taken a first step goes on; null: nothing is left to do, or somebody else takes the steps. */
export const nextFirstStep = (user: CompanyUser) =>
  ask(overviewOperations, "getOverview", { path: user.path }).pipe(
    Effect.map(({ firstSteps }) => {
      if (!areStepsLeft(user, firstSteps)) return null
      const next = nextOf(firstSteps, [...tryingSteps(html``), ...liveSteps])
      return next === undefined ? null : { path: "/console", words: `Next first step: ${lowerFirst(next.title)}` }
    }),
    // What was done stands, whether or not this is known.
    Effect.orElseSucceed(() => null)
  )

const lowerFirst = (title: string): string => `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`

/** After a form that may have been a first step: its page, with what was done and the way to the next step. */
export const redirectAfterStep = (user: CompanyUser, path: string, sentence: string) =>
  Effect.flatMap(nextFirstStep(user), (next) => redirectTo(path, sentence, next ?? undefined))
