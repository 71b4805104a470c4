/**
 * How the team ends a journey: a page that says what it does and asks for the reason, and the form it sends. With a handover the team
 * cancels the handover, which ends the journey; before there is one it cancels the journey, and must say why.
 */
import { Effect } from "effect"
import { consolePages } from "../../../actors/mail/wording/consoleLink.ts"
import type { JourneyActions } from "../../../schema/journey/actions.ts"
import { lengthOfReason } from "../../../schema/company/reasonText.ts"
import { journeyActionOperations } from "../../api/actions/journeyActions.ts"
import { teamOperations } from "../../api/team/team.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, statusWith } from "../frame/forms.ts"
import { callNames } from "../words/journeyWords.ts"
import { journeyRoute, pathAsked } from "./journeyAsked.ts"
import { whichJourney } from "./whichJourney.ts"

type Cancel = "cancelHandover" | "cancelCompanyJourney"

interface CancelPage {
  readonly page: string
  readonly says: string
  readonly isReasonAsked: boolean
  readonly done: string
}

const pages: Readonly<Record<Cancel, CancelPage>> = {
  cancelHandover: {
    page: "cancel-handover",
    says: "The journey ends with its handover, for good.",
    isReasonAsked: false,
    done: "The handover was cancelled, and the journey with it."
  },
  cancelCompanyJourney: {
    page: "cancel",
    says: "The journey ends, for good. Credits held for what was not asked for yet are released.",
    isReasonAsked: true,
    done: "The journey was cancelled."
  }
}

/** The page that ends a journey as it is now; null when nothing ends it. With a handover both calls would, and it is named. */
export const cancelLink = ({ allowed }: JourneyActions, path: string): Html | null => {
  const call = (["cancelHandover", "cancelCompanyJourney"] as const).find((name) =>
    allowed.some(({ operation }) => operation === name)
  )
  return call === undefined
    ? null
    : html`<p><a role="button" class="secondary" href="${path}/${pages[call].page}">${callNames[call]}</a></p>`
}

const shown = Effect.fnUntraced(function* (user: CompanyUser, call: Cancel, state: ConsoleFormState = asFirstShown) {
  const path = yield* pathAsked(user)
  const overview = yield* ask(journeyActionOperations, "getCompanyJourney", { path })
  const { isReasonAsked, page, says } = pages[call]
  const ofJourney = consolePages.journey(path.journeyId)
  return yield* showPage(user, {
    heading: callNames[call],
    status: statusWith(state),
    content: html`${whichJourney(overview)}
      <p>${says} The customer's link says that the journey is closed, and your webhooks say that it was cancelled.</p>
      ${formOf(user, {
        id: "cancel",
        action: `${ofJourney}/${page}`,
        button: callNames[call],
        isDangerous: true,
        state,
        fields: [
          {
            is: "area",
            name: "reason",
            label: isReasonAsked ? "Why" : "Why, if you like",
            rows: 3,
            hint: `${lengthOfReason}, for the timeline. The customer does not read it.`
          }
        ]
      })}
      <p><a href="${ofJourney}">Go back, cancel nothing</a></p>`
  })
})

/** What is wrong with the reason is said beside it. That the journey has ended meanwhile is a page of its own. */
const cancelled = (call: Cancel) =>
  companyForm((user, fields) =>
    Effect.gen(function* () {
      const path = yield* pathAsked(user)
      const { done, isReasonAsked } = pages[call]
      const reason = fields.get("reason")?.trim() ?? ""
      const body = reason === "" && !isReasonAsked ? {} : { reason }
      return yield* ask(teamOperations, call, { path, body }).pipe(
        Effect.flatMap(() => redirectTo(consolePages.journey(path.journeyId), done)),
        Effect.catchTag("Problem", (failure) =>
          failure.errors[0].code === "VALIDATION_FAILED"
            ? shown(user, call, { typed: fields, errors: failure.errors })
            : Effect.fail(failure)
        )
      )
    })
  )

export const cancelRoutes = [
  {
    method: "GET",
    path: `${journeyRoute}/cancel`,
    handle: companyPage((user) => shown(user, "cancelCompanyJourney"))
  },
  { method: "POST", path: `${journeyRoute}/cancel`, handle: cancelled("cancelCompanyJourney") },
  {
    method: "GET",
    path: `${journeyRoute}/cancel-handover`,
    handle: companyPage((user) => shown(user, "cancelHandover"))
  },
  { method: "POST", path: `${journeyRoute}/cancel-handover`, handle: cancelled("cancelHandover") }
] as const
