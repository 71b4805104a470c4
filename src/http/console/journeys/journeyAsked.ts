/** Which journey a page is about, as the operations are asked for it. An id that is none is refused by them. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { JourneyId } from "../../../schema/ids.ts"
import type { CompanyUser } from "../frame/consolePage.ts"

/** The path of a journey's pages. */
export const journeyRoute = "/console/journeys/:journeyId" as const

const journeyIdAsked = Effect.map(HttpRouter.params, ({ journeyId = "" }) => JourneyId.make(journeyId.toLowerCase()))

/** What the operations are asked with. */
export const pathAsked = ({ path }: CompanyUser) => Effect.map(journeyIdAsked, (journeyId) => ({ ...path, journeyId }))
