/**
 * The pages of a dealer's handovers: those that brokers have named this company for. They show what the operations of
 * `api/handovers.ts` give and ask for nothing; what a dealer sees of a handover is decided in `actors/handover`.
 */
import { Effect } from "effect"
import type { CompanyResource } from "../../../schema/company/Company.ts"
import type { DeliveryStatus } from "../../../schema/journey/statuses.ts"
import { byNextAction, STEPS } from "../../../schema/journey/steps.ts"
import type {
  DealerHandoverEntry,
  DealerHandoverResource,
  HandoverWait
} from "../../../schema/review/DealerHandover.ts"
import { handoverOperations } from "../../api/handovers.ts"
import { ask } from "../../server/ask.ts"
import { html, type Html, type Shown } from "../../server/html.ts"
import { companyPage, pathOf, showPage } from "../frame/consolePage.ts"
import { mailLink, telephoneLink } from "../frame/contactLinks.ts"
import { factList, linesShown, listTable, withQuery, type LineOfEach } from "../frame/lists.ts"
import { pageQuery } from "../frame/pageQuery.ts"
import { eventWords } from "../words/eventWords.ts"
import { shownTime } from "../../server/shownTime.ts"

const path = "/console/handovers"

const types = { IN_STORE: "In store", HOME_DELIVERY: "To the customer's home" } as const

const statuses: Readonly<Record<Exclude<DeliveryStatus, `IDENTITY_${string}`>, string>> = {
  AWAITING_IDENTITY: "Not begun",
  AWAITING_LOCATION: "Address not confirmed",
  AWAITING_VIDEO: "Ready for the handover video",
  VIDEO_UPLOADED: "Video sent",
  UNDER_REVIEW: "Video under review",
  COMPLETED: "Complete",
  CANCELLED: "Cancelled",
  EXPIRED: "Expired"
}

const waits: Readonly<Record<HandoverWait, string>> = {
  ...byNextAction((step) => `The customer ${STEPS[step].team.does}`),
  VIDEO_CHECK: "The video is being checked",
  BROKER_TO_REVIEW: "The broker's team looks at the video"
}

const reviewStates: Readonly<Record<DealerHandoverResource["reviews"][number]["state"], string>> = {
  WAITING: "Waits for the broker's team",
  APPROVED: "Approved by the broker's team",
  REJECTED: "Rejected by the broker's team: the customer records again",
  ENDED: "The handover ended before anybody decided"
}

/** An event of a newer version shows its name. */
const happenings: Readonly<Record<string, string>> = {
  ...eventWords,
  "delivery.under_review": "The broker's team was asked to look at the video"
}

/** An empty choice shows both. */
const standings = { OPEN: "To be handed over", OVER: "Over", "": "All" } as const

const standingSwitch = (standing: string): Html =>
  html`<nav aria-label="Which handovers" class="case-modes">
    <ul>
      ${Object.entries(standings).map(
        ([value, label]) =>
          html`<li>
            <a href="${withQuery(path, { standing: value })}" ${value === standing && html`aria-current="page"`}
              >${label}</a
            >
          </li>`
      )}
    </ul>
  </nav>`

const noneOfThem = { OPEN: "Nothing is to be handed over now.", OVER: "No handover is over yet." } as const

const emptyOf = (standing: string, company: CompanyResource): Html =>
  standing === "OPEN" || standing === "OVER" ? html`<p>${noneOfThem[standing]}</p>` : nothingYet(company)

const waitOf = ({ waitingOn }: Pick<DealerHandoverEntry, "waitingOn">): string =>
  waitingOn === null ? "Nothing" : waits[waitingOn]

const nothingYet = ({ id, kind }: CompanyResource): Html =>
  kind === "DEALER"
    ? html`<p>There is nothing to hand over for a broker yet.</p>
        <p>
          When a broker starts a live journey and names your company as the dealer, the handover appears here once
          finance and identity are settled. Give your brokers the id of your company, which they send as
          <code>vehicle.dealerCompanyId</code>: <code>${id}</code>
        </p>
        <p>Handovers of journeys that you started yourselves are under <a href="/console/journeys">Journeys</a>.</p>`
    : html`<p>This page is for dealers: it shows them the handovers that brokers have named them for.</p>
        <p>
          To name a dealer, send its id as <code>vehicle.dealerCompanyId</code> when you start a journey. Your own
          journeys are under <a href="/console/journeys">Journeys</a>.
        </p>`

const table = (content: ReadonlyArray<DealerHandoverEntry>, next: string | null, empty: Html): Html =>
  html`${
    content.length > 0 &&
    html`<p>
      What brokers have named your company for, the newest first. What is under review is decided by the broker's team.
    </p>`
  }
  ${listTable({
    caption: "Handovers for brokers, the newest first",
    head: ["Vehicle", "Customer", "Broker", "Where", "Status", "Waits for", "Created"],
    empty,
    rows: content.map((one) => [
      html`<a href="${path}/${one.journeyId}"><bdi>${one.registration ?? "Erased"}</bdi></a>`,
      one.customerName === null ? "Erased customer" : html`<bdi>${one.customerName}</bdi>`,
      html`<bdi>${one.broker}</bdi>`,
      types[one.type],
      statuses[one.status],
      waitOf(one),
      shownTime(one.createdAt)
    ]),
    next
  })}`

const list = companyPage((user) =>
  Effect.gen(function* () {
    const asked = pageQuery(user)
    const [after, standing] = [asked("after"), asked("standing")]
    const { content, next } = yield* ask(handoverOperations, "listHandovers", {
      path: user.path,
      query: { standing, after }
    })
    const empty = after === "" ? emptyOf(standing, user.company) : nothingFurther
    return yield* showPage(user, {
      heading: "Handovers",
      content: html`${standingSwitch(standing)}
      ${table(content, next === null ? null : withQuery(path, { standing, after: next }), empty)}`
    })
  })
)

const nothingFurther = html`<p>There are no older handovers.</p>
  <p><a href="${path}">The newest handovers</a></p>`

/** A list of what is known; what is not known has no line. */
const facts = (entries: ReadonlyArray<readonly [name: string, value: Shown]>): Html =>
  factList(entries.filter(([, value]) => value !== null))

const named = (text: string | null): Shown => text !== null && html`<bdi>${text}</bdi>`

const lines = (all: ReadonlyArray<string>): Shown =>
  all.map((line, at) => html`${at > 0 && html`<br />`}<bdi>${line}</bdi>`)

type Customer = NonNullable<DealerHandoverResource["customer"]>
type Vehicle = NonNullable<DealerHandoverResource["vehicle"]>

const customerFacts = ({ email, firstName, lastName, mobile, title }: Customer) =>
  linesShown({
    title: false,
    firstName: ["Name", named([title, firstName, lastName].filter((part) => part !== null).join(" "))],
    lastName: false,
    mobile: ["Telephone", mobile && telephoneLink(mobile)],
    email: ["Email", mailLink(email)]
  } satisfies LineOfEach<Customer>)

const vehicleFacts = ({ colour, make, model, registration, year }: Vehicle) =>
  linesShown({
    registration: ["Registration", named(registration)],
    make: ["Make", make && named(make)],
    model: ["Model", model && named(model)],
    year: ["Year", year],
    colour: ["Colour", colour && named(colour)]
  } satisfies LineOfEach<Vehicle>)

const customerOf = ({ customer, erased }: DealerHandoverResource): Html =>
  html`<h2>Customer</h2>
    ${
      customer === null
        ? html`<p>
            ${erased ? "The customer was erased. What was personal is gone." : "Nothing is known of the customer."}
          </p>`
        : facts(customerFacts(customer))
    }`

const placeOf = ({ address, status, type }: DealerHandoverResource): Html =>
  html`<h2>Where the vehicle goes</h2>
    ${
      type === "IN_STORE"
        ? html`<p>The customer collects it in your store.</p>`
        : address === null
          ? html`<p>
              ${status === "AWAITING_LOCATION" ? "The customer has not confirmed the address yet." : "No address is kept."}
            </p>`
          : html`<address>${lines(address.lines)}</address>
              <p>The customer confirmed this address ${shownTime(address.confirmedAt)}.</p>`
    }`

const reviewsOf = ({ broker, reviews }: DealerHandoverResource): Html =>
  html`<h2>Reviews of the video</h2>
    <p>
      The customer records a video at the handover. A video without a clear result is decided by the team of
      <bdi>${broker}</bdi>. You see here how it stands, and cannot decide it.
    </p>
    ${
      reviews.length === 0
        ? html`<p>No video needed a person so far.</p>`
        : html`<ul>
            ${reviews.map(
              ({ decidedAt, since, state }) =>
                html`<li>
                  ${shownTime(since)}: ${reviewStates[state]}${decidedAt !== null && html`, ${shownTime(decidedAt)}`}
                </li>`
            )}
          </ul>`
    }`

const timelineOf = ({ timeline }: DealerHandoverResource): Html =>
  html`<h2>What has happened</h2>
    ${listTable({
      caption: "The handover, the oldest first",
      head: ["When", "What"],
      empty: null,
      rows: timeline.map(({ at, event }) => [shownTime(at), happenings[event] ?? event])
    })}`

const shown = (handover: DealerHandoverResource): Html => {
  const { vehicle } = handover
  return html`${facts([
      ["Status", statuses[handover.status]],
      ["Waits for", waitOf(handover)],
      ["Broker", html`${named(handover.broker)}: ask them about the customer and the sale`],
      ["Where", types[handover.type]],
      ["Created", shownTime(handover.createdAt)],
      ["Until", handover.expiresAt && shownTime(handover.expiresAt)],
      ["Complete", handover.completedAt && shownTime(handover.completedAt)],
      ["Journey", html`<code>${handover.journeyId}</code>`]
    ])}
    ${customerOf(handover)} ${placeOf(handover)}
    <h2>Vehicle</h2>
    ${
      vehicle === null
        ? html`<p>What was known of the vehicle is gone with its customer.</p>`
        : facts(vehicleFacts(vehicle))
    }
    <h2>Notes of the broker</h2>
    ${handover.notes === null ? html`<p>None.</p>` : html`<p>${lines(handover.notes.split("\n"))}</p>`}
    ${reviewsOf(handover)} ${timelineOf(handover)}
    <p><small>Your look at this handover is in your audit log and in the broker's.</small></p>
    <p><a href="${path}">All handovers</a></p>`
}

const one = companyPage((user) =>
  Effect.gen(function* () {
    const journeyId = pathOf(user.request).split("/").at(-1) ?? ""
    const handover = yield* ask(handoverOperations, "getHandover", { path: { ...user.path, journeyId } })
    return yield* showPage(user, {
      heading: `Handover of ${handover.vehicle?.registration ?? "an erased customer"}`,
      content: shown(handover)
    })
  })
)

export const handoverRoutes = [
  { method: "GET", path, handle: list },
  { method: "GET", path: `${path}/:journeyId`, handle: one }
] as const
