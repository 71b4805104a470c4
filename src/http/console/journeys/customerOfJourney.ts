/** The customer of the journey that a page is about: what the team does with the customer concerns all of their journeys. */
import { Effect } from "effect"
import { JourneyId } from "../../../schema/ids.ts"
import { journeyActionOperations } from "../../api/actions/journeyActions.ts"
import { ask } from "../../server/endpoints/ask.ts"
import type { CompanyUser } from "../frame/consolePage.ts"
import { pathPart } from "../../server/answers/pathPart.ts"

export const customerOfJourney = Effect.fnUntraced(function* (user: CompanyUser) {
  const journeyId = yield* pathPart("journeyId")
  const overview = yield* ask(journeyActionOperations, "getCompanyJourney", { path: { ...user.path, journeyId } })
  const { customerReference, id } = overview.journey
  return { id: JourneyId.make(id), customerReference, overview }
})

export type CustomerOfJourney = Effect.Success<ReturnType<typeof customerOfJourney>>
