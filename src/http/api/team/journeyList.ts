/**
 * The list of a company's journeys for its people: what each waits on and since when. Whoever searches for what is personal asks
 * by POST, because a URL is written into logs and histories.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { JourneyList, type ListedJourney, type ListedPage } from "../../../actors/journey/list/JourneyList.ts"
import { journeySearch } from "../../../actors/journey/list/journeySearch.ts"
import { journeyResource } from "../../../actors/journey/rules/projection.ts"
import { waitingOnOf } from "../../../actors/journey/rules/state/waiting.ts"
import { JourneyListQuery, JourneySearchBody, ListedJourneyResource } from "../../../schema/company/ListedJourney.ts"
import { journeyListLimits } from "../../../schema/company/limits.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import { timestampOrNull } from "../../../schema/moment.ts"
import { usualPageSize } from "../../../schema/decoding/parameters.ts"
import { startedJourneys } from "../../documents/exampleJourneys.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample } from "../../server/endpoints/described.ts"
import { answerOf, cursorPageOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { oneLook, writeDownNames } from "../frame/asTeam.ts"
import { companyAsked, companyPath, ofCompany } from "../frame/ofCompany.ts"

const path = `${companyPath}/journeys` as const

const JourneyPieceAnswer = answerOf("ListedJourneyPageAnswer", cursorPageOf("ListedJourneyPage", ListedJourneyResource))

const example: ListedJourneyResource = {
  journey: startedJourneys.IDENTITY_DELIVERY,
  waitingOn: "CUSTOMER_TO_VERIFY_IDENTITY",
  waitingSince: "2026-01-15T10:30:00.000Z",
  customerName: "Ann Buyer",
  registration: "AB12 CDE",
  endedAt: null
}

const writtenDown = `A piece with names is in the audit log as \`journeys.listed\`; the same piece ${oneLook}.`

const piece = answer("A piece of the list", "Journeys", { content: [example], next: example.journey.id })

const listCompanyJourneys = HttpApiEndpoint.get("listCompanyJourneys", path, {
  params: ofCompany,
  query: JourneyListQuery,
  success: JourneyPieceAnswer,
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List journeys",
    allowedTo: "TEAM",
    description: `The company's journeys, newest first, each with its customer's name, what it waits on and since when. Go on with \`next\` as \`after\` until it is null; journeys that begin meanwhile come before the first page and change no other. What is searched for may hold no personal data: to search by email or registration, POST .../journeys/search. Of references that begin alike, the first ${journeyListLimits.mostByBeginning} in their own order are searched. A Request-Id finds the journey that the request has started or changed. ${writtenDown}`,
    answer: piece
  })
)

const searchJourneys = HttpApiEndpoint.post("searchJourneys", `${path}/search`, {
  params: ofCompany,
  payload: JourneySearchBody,
  success: JourneyPieceAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody)
}).annotateMerge(
  described({
    summary: "Search journeys",
    allowedTo: "TEAM",
    description: `Finds what the list's \`search\` finds, and journeys by the email of the customer or the registration of the vehicle, whole. Changes nothing. A customer who was erased is not found any more. ${writtenDown}`,
    request: jsonExample("By the vehicle", { search: "AB12 CDE", mode: "LIVE" } satisfies JourneySearchBody),
    answer: piece
  })
)

const lineOf = ({ customerName, journey, registration, waitingSince }: ListedJourney): ListedJourneyResource => {
  const awaited = waitingOnOf(journey)
  return {
    journey: journeyResource(journey),
    // The rules never answer UNKNOWN: it stands only in rows.
    waitingOn: awaited === "UNKNOWN" ? null : awaited,
    waitingSince: timestampOrNull(waitingSince),
    customerName,
    registration,
    endedAt: timestampOrNull(journey.status === "ACTIVE" ? null : journey.lastEventAt)
  }
}

/** A piece as the asker gets it, once the audit log has the look at its names. */
const shownPiece = Effect.fnUntraced(function* (companyId: CompanyId, { content, next }: ListedPage) {
  const names = content.map(({ customerName, journey }) => ({ journeyId: journey.id, customerName }))
  yield* writeDownNames(companyId, "journeys.listed", names)
  return { content: content.map(lineOf), next }
})

export const journeyListOperations = operatorResource([listCompanyJourneys, searchJourneys], {
  listCompanyJourneys: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { after = null, search, size = usualPageSize, ...filter } = yield* asked.query
      const journeys = yield* JourneyList
      const sought = search === undefined ? null : journeySearch(search, false)
      return yield* shownPiece(id, yield* journeys.list(id, { filter, search: sought, after, size }))
    }),

  searchJourneys: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { after = null, search, size = usualPageSize, ...filter } = yield* asked.body
      const journeys = yield* JourneyList
      const sought = journeySearch(search, true)
      return yield* shownPiece(id, yield* journeys.list(id, { filter, search: sought, after, size }))
    })
})
