/** What each operation answers when it succeeds: a sentence, and examples in the envelope. By operation id and status. */
import type { JourneyResource } from "../../schema/journeyResource.ts"
import { usualPageSize } from "../../schema/parameters.ts"
import { startBodies } from "../../schema/start/startBodies.ts"
import { Shape } from "../../schema/statuses.ts"
import { scenarioList } from "../journeys/readEndpoints.ts"
import { journeysLater, startedJourneys } from "./exampleJourneys.ts"
