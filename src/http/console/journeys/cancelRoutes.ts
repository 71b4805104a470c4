/**
 * How the team ends a journey: a page that says what it does and asks for the reason, and the form it sends. With a handover the team
 * cancels the handover, which ends the journey; before there is one it cancels the journey, and must say why.
 */
import { Effect } from "effect"
import { consolePages } from "../../../actors/mail/wording/consoleLink.ts"
import type { JourneyActions } from "../../../schema/journey/actions.ts"
import { journeyActionOperations } from "../../api/journeyActions.ts"
import { teamOperations } from "../../api/team.ts"
import { ask } from "../../server/ask.ts"
import { html, type Html } from "../../server/html.ts"
import { tokenField } from "../frame/consoleFrame.ts"
import { companyForm, companyPage, redirectTo, showPage, type CompanyUser } from "../frame/consolePage.ts"
import { callNames } from "../words/journeyWords.ts"
import { journeyRoute, pathAsked } from "./journeyAsked.ts"

type Cancel = "cancelHandover" | "cancelCompanyJourney"

interface CancelPage {
  readonly page: string
  readonly says: string
  readonly isReasonAsked: boolean
}

const pages: Readonly<Record<Cancel, CancelPage>> = {
  cancelHandover: {
    page: "cancel-handover",
    says: "The journey ends with its handover, for good.",
    isReasonAsked: false
  },
  cancelCompanyJourney: {
    page: "cancel",
    says: "The journey ends, for good. Credits held for what was not asked for yet are released.",
    isReasonAsked: true
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

const content = (call: Cancel, path: string, formToken: string): Html => {
  const { isReasonAsked, page, says } = pages[call]
  return html`<p>
      ${says} The customer's link says that the journey is closed, and your webhooks say that it was cancelled.
    </p>
    <form method="post" action="${path}/${page}">
      ${tokenField(formToken)}
      <label
        >Why, for the timeline; the customer does not read it (10 to 500
        characters${!isReasonAsked && ", or nothing"})<textarea
          name="reason"
          rows="3"
          ${isReasonAsked && html`required minlength="10"`}
          maxlength="500"
        ></textarea>
      </label>
      <button>${callNames[call]}</button>
    </form>
    <p><a href="${path}">Go back, cancel nothing</a></p>`
}

const shown = (call: Cancel) =>
  companyPage((user) =>
    Effect.gen(function* () {
      const path = yield* pathAsked(user)
      yield* ask(journeyActionOperations, "getCompanyJourney", { path })
      const heading = callNames[call]
      return yield* showPage(user, {
        heading,
        content: content(call, consolePages.journey(path.journeyId), user.formToken)
      })
    })
  )

const done = (user: CompanyUser, says: string) =>
  Effect.flatMap(pathAsked(user), ({ journeyId }) => redirectTo(consolePages.journey(journeyId), says))

export const cancelRoutes = [
  { method: "GET", path: `${journeyRoute}/cancel`, handle: shown("cancelCompanyJourney") },
  {
    method: "POST",
    path: `${journeyRoute}/cancel`,
    handle: companyForm((user, fields) =>
      Effect.gen(function* () {
        const path = yield* pathAsked(user)
        yield* ask(teamOperations, "cancelCompanyJourney", { path, body: { reason: fields.get("reason") ?? "" } })
        return yield* done(user, "The journey was cancelled.")
      })
    )
  },
  { method: "GET", path: `${journeyRoute}/cancel-handover`, handle: shown("cancelHandover") },
  {
    method: "POST",
    path: `${journeyRoute}/cancel-handover`,
    handle: companyForm((user, fields) =>
      Effect.gen(function* () {
        const path = yield* pathAsked(user)
        const reason = fields.get("reason")?.trim() ?? ""
        yield* ask(teamOperations, "cancelHandover", { path, body: reason === "" ? {} : { reason } })
        return yield* done(user, "The handover was cancelled, and the journey with it.")
      })
    )
  }
] as const
