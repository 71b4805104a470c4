/**
 * The pages of a dealer's handovers: those that brokers have named this company for. They show what the operations of
 * `api/team/handovers.ts` give and ask for nothing; what a dealer sees of a handover is decided in `actors/handover`.
 */
import { Effect } from "effect"
import type { DealerHandoverResource } from "../../../schema/review/DealerHandover.ts"
import { handoverOperations } from "../../api/team/handovers.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import { companyPage, showPage } from "../frame/consolePage.ts"
import { mailLink, telephoneLink } from "../frame/contactLinks.ts"
import { factList, linesShown, listTable, type LineOfEach } from "../frame/lists.ts"
import { eventWords } from "../words/eventWords.ts"
import { handoverListRoutes } from "./handoverList.ts"
import { handoversPath, handoverStatuses, handoverTypes, waitOf } from "./handoverWords.ts"
import { shownTime } from "../../server/pages/shownTime.ts"

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
      ["Status", handoverStatuses[handover.status]],
      ["Waits for", waitOf(handover)],
      ["Broker", html`${named(handover.broker)}: ask them about the customer and the sale`],
      ["Where", handoverTypes[handover.type]],
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
    <p><a href="${handoversPath}">All handovers</a></p>`
}

const one = companyPage((user) =>
  Effect.gen(function* () {
    const journeyId = yield* pathPart("journeyId")
    const handover = yield* ask(handoverOperations, "getHandover", { path: { ...user.path, journeyId } })
    return yield* showPage(user, {
      heading: `Handover of ${handover.vehicle?.registration ?? "an erased customer"}`,
      content: shown(handover)
    })
  })
)

export const handoverRoutes = [
  ...handoverListRoutes,
  { method: "GET", path: `${handoversPath}/:journeyId`, handle: one }
] as const
