/**
 * The handovers that brokers have named a company for as the dealer (V7, A8): a list, and one with what somebody needs who
 * hands the vehicle over. The dealer decides nothing here. Every look is in the audit log of the dealer, and in that of the
 * broker whose customer it is.
 */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { dealerHandover, dealerHandoverEntry } from "../../../actors/handover/dealerHandover.ts"
import { Handovers, type HandoverListAsk } from "../../../actors/handover/Handovers.ts"
import { journeySearch } from "../../../actors/journey/list/journeySearch.ts"
import { CaseFiles } from "../../../actors/review/CaseFiles.ts"
import { JourneyIdParameter, naming, usualPageSize } from "../../../schema/decoding/parameters.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import {
  DealerHandoverEntry,
  DealerHandoverQuery,
  DealerHandoverResource,
  HandoverSearchBody
} from "../../../schema/review/DealerHandover.ts"
import { exampleHandover } from "../../documents/exampleHandover.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample } from "../../server/endpoints/described.ts"
import { answerOf, cursorPageOf, refusedWith } from "../../server/answers/envelope.ts"
import { pageAsked } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { oneLook, writeDown, writeDownNames } from "../frame/asTeam.ts"
import { companyAsked, companyPath, notFound, ofCompany } from "../frame/ofCompany.ts"

const path = `${companyPath}/handovers` as const

/** The broker's audit log has a look of the dealer under this name. */
export const openedByDealer = "handover.opened_by_dealer"
export const listedByDealer = "handovers.listed_by_dealer"

const pieceAnswer = answerOf("DealerHandoverPageAnswer", cursorPageOf("DealerHandoverPage", DealerHandoverEntry))

const piece = answer("A piece of the list", "Handovers", { content: [exampleHandover.entry], next: null })

const writtenDown = `A piece with names is in the audit log of the dealer (\`handovers.listed\`) and of each broker (\`handovers.listed_by_dealer\`); the same piece ${oneLook}.`

const listHandovers = HttpApiEndpoint.get("listHandovers", path, {
  params: ofCompany,
  query: DealerHandoverQuery,
  success: pieceAnswer,
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "List the handovers of a named dealer",
    description: `For a dealer: the handovers of live journeys whose broker named this company as \`vehicle.dealerCompanyId\`, newest first. A handover is listed once it exists, which is after finance and identity. Go on with \`next\` as \`after\` until it is null. To search: POST .../handovers/search. ${writtenDown}`,
    answer: piece
  })
)

const searchHandovers = HttpApiEndpoint.post("searchHandovers", `${path}/search`, {
  params: ofCompany,
  payload: HandoverSearchBody,
  success: pieceAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody)
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "Search the handovers of a named dealer",
    description: `Finds, among what the list has, the handovers of a vehicle by its registration, of a customer by the email, of a broker by the beginning of its name, or one by the journey's id. Changes nothing. A customer who was erased is not found any more. ${writtenDown}`,
    request: jsonExample("By the vehicle", { search: "AB12 CDE", standing: "OPEN" } satisfies HandoverSearchBody),
    answer: piece
  })
)

const getHandover = HttpApiEndpoint.get("getHandover", `${path}/:journeyId`, {
  params: {
    ...ofCompany,
    journeyId: JourneyIdParameter.annotate({ description: "The journey's id", ...naming("handover") })
  },
  success: answerOf("DealerHandoverAnswer", DealerHandoverResource),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "Read a handover as its dealer",
    description:
      "What somebody needs who hands the vehicle over: customer, vehicle, the confirmed address, notes, how far it is. Nothing of the finance, of the identity check or of the broker's other journeys. A video that is under review is decided by the broker's team. Every read is in the audit log of the dealer (`handover.opened`) and of the broker (`handover.opened_by_dealer`). What was erased is null.",
    answer: answer("The handover", "Handover", exampleHandover.resource)
  })
)

/** A piece as the dealer gets it, once the audit logs have the look at its names. */
const shownPiece = Effect.fnUntraced(function* (dealerId: CompanyId, ask: HandoverListAsk) {
  const { content, next } = yield* (yield* Handovers).list(dealerId, ask)
  const entries = content.map(dealerHandoverEntry)
  // Each broker's log says nothing of other brokers' customers.
  for (const [brokerId, ofBroker] of Map.groupBy(content, ({ journey }) => journey.companyId)) {
    yield* writeDownNames(brokerId, listedByDealer, ofBroker.map(dealerHandoverEntry), { dealerCompanyId: dealerId })
  }
  yield* writeDownNames(dealerId, "handovers.listed", entries)
  return { content: entries, next }
})

export const handoverOperations = operatorResource([listHandovers, searchHandovers, getHandover], {
  listHandovers: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { after = null, standing = null, ...query } = yield* asked.query
      return yield* shownPiece(id, { standing, search: null, after, size: pageAsked(query).size })
    }),

  searchHandovers: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { after = null, search, size = usualPageSize, standing = null } = yield* asked.body
      return yield* shownPiece(id, { standing, search: journeySearch(search, true), after, size })
    }),

  getHandover: (asked) =>
    Effect.gen(function* () {
      const dealer = yield* companyAsked(asked)
      const journeyId = yield* asked.path("journeyId")
      const handovers = yield* Handovers
      const found = (yield* handovers.find(dealer.id, journeyId)) ?? (yield* notFound("handover"))
      const files = yield* CaseFiles
      const shown = dealerHandover(found, yield* files.read(journeyId))
      const { companyId: brokerId } = found.journey
      yield* writeDown(brokerId, openedByDealer, { journeyId, dealerCompanyId: dealer.id })
      yield* writeDown(dealer.id, "handover.opened", { journeyId, brokerCompanyId: brokerId })
      return shown
    })
})
