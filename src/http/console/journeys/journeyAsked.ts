/** Which journey a page is about, as the operations are asked for it. An id that is none is refused by them. */
import { Effect } from "effect"
import { JourneyId } from "../../../schema/ids.ts"
import { pathPart } from "../../server/answers/pathPart.ts"
import type { CompanyUser } from "../frame/consolePage.ts"

/** The path of a journey's pages. */
export const journeyRoute = "/console/journeys/:journeyId" as const

const journeyIdAsked = Effect.map(pathPart("journeyId"), (text) => JourneyId.make(text.toLowerCase()))

/** What the operations are asked with. */
export const pathAsked = ({ path }: CompanyUser) => Effect.map(journeyIdAsked, (journeyId) => ({ ...path, journeyId }))
