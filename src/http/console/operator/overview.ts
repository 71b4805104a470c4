/** The first page of the installation: whether the service is well, and how much is open over all companies. */
import { Effect } from "effect"
import { Readiness } from "../../ops/Readiness.ts"
import { installationOperations } from "../../api/installation/installation.ts"
import { wellness } from "../../home/wellness.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { operatorPath } from "../frame/consoleFrame.ts"
import { operatorPage, showPage } from "../frame/consolePage.ts"
import { listTable } from "../frame/lists.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

const counted = (count: number, to: number): string => (count < to ? String(count) : `${to} or more`)

const overdue = (since: string | null): Shown => (since === null ? "nothing is overdue" : shownTime(since))

const to = (page: string, words: string): Html => html`<a href="${operatorPath}/${page}">${words}</a>`

const showOverview = operatorPage((user) =>
  Effect.gen(function* () {
    const { checks } = yield* Readiness
    const work = yield* ask(installationOperations, "getOpenWork")
    const count = (number: number) => counted(number, work.countedTo)
    return yield* showPage(user, {
      heading: "Installation",
      content: html`${wellness(yield* checks)}
        ${listTable({
          caption: "What is open over all companies",
          head: ["What", "How many", "The oldest is due since"],
          empty: null,
          rows: [
            [to("waiting", "Active journeys"), count(work.activeJourneys), "–"],
            [to("set-aside", "Journeys that were set aside"), count(work.setAsideJourneys), "–"],
            [to("endpoints", "Endpoints that nothing reaches"), count(work.failingEndpoints), "–"],
            ["Alarms of journeys", count(work.alarms.waiting), overdue(work.alarms.oldestDue)],
            ["Webhook deliveries", count(work.deliveries.waiting), overdue(work.deliveries.oldestDue)],
            ["Mails to be sent", count(work.mails.waiting), overdue(work.mails.oldestDue)]
          ]
        })}
        <p>${to("companies", "Companies")} · ${to("runners", "Runners")} · ${to("mailbox", "Mailbox")}</p>`
    })
  })
)

export const operatorOverviewRoutes = [{ method: "GET", path: operatorPath, handle: showOverview }] as const
