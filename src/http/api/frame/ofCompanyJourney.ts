/** What the endpoints about one journey of a company have in common: the journey in the path. */
import { Effect } from "effect"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import { JourneyIdParameter, naming } from "../../../schema/decoding/parameters.ts"
import { companyAsked, companyPath, notFound, ofCompany, type AsksForIds } from "./ofCompany.ts"

export const companyJourneyPath = `${companyPath}/journeys/:journeyId` as const

export const ofCompanyJourney = {
  ...ofCompany,
  journeyId: JourneyIdParameter.annotate({ description: "The journey's id, live or test", ...naming("journey") })
}

/** The journey of the path, with its company. The team sees journeys of both modes. */
export const companyJourneyAsked = Effect.fnUntraced(function* (asked: AsksForIds<"companyId" | "journeyId">) {
  const company = yield* companyAsked(asked)
  const journeyId = yield* asked.path("journeyId")
  const store = yield* JourneyStore
  const inMode = (livemode: boolean) => store.read(journeyId, { companyId: company.id, livemode })
  const found = (yield* inMode(true)) ?? (yield* inMode(false)) ?? (yield* notFound("journey"))
  return { company, journey: found.journey }
})
