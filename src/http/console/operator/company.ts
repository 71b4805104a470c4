/**
 * One company as the operator sees it: what only the operator may set (whether it is active, and its credits), and the way into
 * its console. Opening that console is a line in the company's audit log.
 */
import { Effect, Schema } from "effect"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { consolePages } from "../../../actors/mail/wording/consoleLink.ts"
import { JourneyIdParameter } from "../../../schema/decoding/parameters.ts"
import { CompanyId } from "../../../schema/ids.ts"
import { writeDown } from "../../api/frame/asTeam.ts"
import { companyOperations } from "../../api/company/companies.ts"
import { mailStandingOperations } from "../../api/installation/mailStandings.ts"
import { walletOperations } from "../../api/company/wallets.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { html, type Html } from "../../server/pages/html.ts"
import { consolePath, leaveCompanyPath, operatorPath } from "../frame/consoleFrame.ts"
import { operatorForm, operatorPage, redirectTo, showPage, type ConsoleUser } from "../frame/consolePage.ts"
import { asFirstShown, type ConsoleFormState, formOf, isProblem, orShownAgain, statusWith } from "../frame/forms.ts"
import { askedFirst, factList, listTable } from "../frame/lists.ts"
import { numberOf } from "../frame/numberOf.ts"
import { shownTime } from "../../server/pages/shownTime.ts"
import { mailChangeOf, operatorMailPart } from "./companyMail.ts"
import { pageOfCompany } from "./listedCells.ts"
import { listedWords } from "../words/listedWords.ts"
import { tokenField } from "../../server/pages/tokenField.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { uuid } from "../../../schema/uuid.ts"
import { problem, type Problem } from "../../server/answers/problems.ts"

const path = `${operatorPath}/companies/:companyId` as const

const isJourneyId = Schema.is(JourneyIdParameter)

/** The company of the path, as the operation finds it. */
const companyAt = Effect.gen(function* () {
  const companyId = yield* pathPart("companyId")
  const company = yield* ask(companyOperations, "getCompany", { path: { companyId } })
  return { company, here: pageOfCompany(company.id), of: { companyId: company.id } }
})

const openForm = ({ formToken }: ConsoleUser, here: string): Html =>
  html`<form method="post" action="${here}/open">
    ${tokenField(formToken)}<button>Open the console of this company</button>
  </form>`

const activeForm = (user: ConsoleUser, here: string, active: boolean): Html => {
  const form = formOf(user, {
    id: "active",
    action: `${here}/active`,
    button: active ? "Turn the company off" : "Turn the company on",
    isDangerous: active,
    fields: [{ is: "hidden", name: "active", value: active ? "no" : "yes" }]
  })
  return active
    ? askedFirst(
        "Turn the company off",
        html`<p>All its API keys stop working at once. Journeys go on.</p>
          ${form}`
      )
    : form
}

/** `once`: the number of the form, under which its credits are added once. */
const creditForm = (user: ConsoleUser, here: string, once: string, state: ConsoleFormState): Html =>
  formOf(user, {
    id: "credits",
    action: `${here}/credits`,
    button: "Add credits",
    state,
    fields: [
      { is: "hidden", name: "once", value: once },
      {
        is: "select",
        name: "wallet",
        label: "Wallet",
        choices: [
          { value: "IDENTITY", label: listedWords.wallets.IDENTITY },
          { value: "APPLICATION", label: listedWords.wallets.APPLICATION }
        ]
      },
      { is: "number", name: "amount", label: "Credits", required: true },
      { is: "text", name: "note", label: "Note", required: true, hint: "Such as the number of an invoice" }
    ]
  })

/** A form of the page that was refused. */
type Refused = Readonly<Partial<Record<"credits" | "mail", ConsoleFormState>>>

const showCompany = (user: ConsoleUser, { credits = asFirstShown, mail = asFirstShown }: Refused = {}) =>
  Effect.gen(function* () {
    const { company, here, of } = yield* companyAt
    const wallets = yield* ask(walletOperations, "listWallets", { path: of })
    const standing = yield* ask(mailStandingOperations, "getMailStanding", { path: of })
    const once = (yield* Ids).next()
    return yield* showPage(user, {
      heading: company.name,
      status: Math.max(statusWith(credits), statusWith(mail)),
      content: html`<p><a href="${operatorPath}/companies">All companies</a></p>
        ${openForm(user, here)}
        ${factList([
          ["Id", html`<code>${company.id}</code>`],
          ["Kind", company.kind === "DEALER" ? "Dealer" : "Broker"],
          ["Administrator", html`<bdi>${company.adminEmail}</bdi>`],
          ["Made", shownTime(company.createdAt)],
          ["Active", company.active ? "yes" : html`<strong>no: its API keys do not work</strong>`]
        ])}
        ${activeForm(user, here, company.active)}
        <h2>Credits</h2>
        ${listTable({
          caption: "Wallets",
          head: ["Wallet", "Balance", "Held by running journeys"],
          empty: null,
          rows: wallets.content.map(({ balance, held, wallet }) => [listedWords.wallets[wallet], balance, held])
        })}
        ${creditForm(user, here, once, credits)} ${operatorMailPart(user, here, standing, mail)}`
    })
  })

const setActive = operatorForm((_, fields) =>
  Effect.gen(function* () {
    const { here, of } = yield* companyAt
    const active = fields.get("active") === "yes"
    yield* ask(companyOperations, "changeCompany", { path: of, body: { active } })
    return yield* redirectTo(
      here,
      active ? "The company is on: its keys work." : "The company is off: its keys do not work."
    )
  })
)

const isReused = (failure: unknown): failure is Problem =>
  isProblem(failure) && failure.errors[0].code === "IDEMPOTENCY_KEY_REUSED"

/** Whoever goes back to a form that has added credits, and changes it, means more credits: the form is shown with a new number. */
const sentBefore = problem(
  "CONFLICT",
  "form",
  "This form has added other credits before. Send it again to add these as well."
)

const addCredits = operatorForm((user, fields) =>
  Effect.gen(function* () {
    const { here, of } = yield* companyAt
    const once = fields.get("once")
    const adding = ask(walletOperations, "addCredits", {
      path: { ...of, wallet: fields.get("wallet") ?? "" },
      body: { amount: numberOf(fields, "amount"), note: fields.get("note") },
      // Without its number a form adds credits each time.
      ...(once !== null && uuid.test(once) ? { idempotencyKey: once } : {})
    })
    const added = yield* orShownAgain(
      Effect.catchIf(adding, isReused, () => sentBefore),
      fields
    )
    if ("state" in added) return yield* showCompany(user, { credits: added.state })
    return yield* redirectTo(here, `The wallet now has ${added.balance} credits.`)
  })
)

const changeMail = operatorForm((user, fields) =>
  Effect.gen(function* () {
    const { here, of } = yield* companyAt
    const standing = yield* orShownAgain(
      ask(mailStandingOperations, "changeMailStanding", { path: of, body: mailChangeOf(fields) }),
      fields
    )
    if ("state" in standing) return yield* showCompany(user, { mail: standing.state })
    return yield* redirectTo(
      here,
      standing.stoppedAt === null ? "Mail to customers leaves." : "Mail to customers is stopped."
    )
  })
)

/** Opens the company's console, at the journey that the form names, if it names one. */
const openConsole = operatorForm(({ secret }, fields) =>
  Effect.gen(function* () {
    const { company } = yield* companyAt
    const sessions = yield* ConsoleSessions
    const id = CompanyId.make(company.id)
    yield* writeDown(id, "console.opened", {})
    yield* sessions.choose(secret, id)
    const journeyId = fields.get("journeyId")
    return yield* redirectTo(isJourneyId(journeyId) ? consolePages.journey(journeyId) : consolePath)
  })
)

const leaveConsole = operatorForm(({ secret, session }) =>
  Effect.gen(function* () {
    const sessions = yield* ConsoleSessions
    yield* sessions.choose(secret, null)
    const back = `${operatorPath}/companies`
    return yield* redirectTo(session.company === null ? back : `${back}/${session.company}`)
  })
)

export const operatorCompanyRoutes = [
  { method: "GET", path, handle: operatorPage((user) => showCompany(user)) },
  { method: "POST", path: `${path}/active`, handle: setActive },
  { method: "POST", path: `${path}/credits`, handle: addCredits },
  { method: "POST", path: `${path}/mail`, handle: changeMail },
  { method: "POST", path: `${path}/open`, handle: openConsole },
  { method: "POST", path: leaveCompanyPath, handle: leaveConsole }
] as const
