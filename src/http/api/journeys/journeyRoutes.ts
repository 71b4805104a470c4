/** The REST API of §4, one line an endpoint. */
import type { HttpRouter } from "effect/http"
import type { Keyring } from "../../../actors/company/Keyring.ts"
import type { FaceCheck } from "../../../actors/faces/FaceCheck.ts"
import type { Ids } from "../../../actors/kernel/Ids.ts"
import type { JourneyMailbox } from "../../../actors/journey/actor/JourneyMailbox.ts"
import type { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import type { StartJourneys } from "../../../actors/journey/actor/StartJourneys.ts"
import type { Vault } from "../../../actors/kernel/Vault.ts"
import type { RateLimit } from "../../server/authentication.ts"
import type { Route } from "../../server/answering.ts"
import type { RateLimiter } from "../../server/RateLimiter.ts"
import { customerFaceEndpoint } from "./customerFaceEndpoint.ts"
import { cancelEndpoint, financeDecisionEndpoint, simulateEndpoint } from "./operationEndpoints.ts"
import { getEndpoint, listEndpoint, scenariosEndpoint } from "./readEndpoints.ts"
import { startEndpoint } from "./startEndpoint.ts"

type Services =
  | FaceCheck
  | HttpRouter.RouteContext
  | Ids
  | JourneyMailbox
  | JourneyStore
  | Keyring
  | RateLimit
  | RateLimiter
  | StartJourneys
  | Vault

export const journeyRoutes: ReadonlyArray<Route<Services>> = [
  { method: "POST", path: "/api/v1/journeys", handle: startEndpoint },
  { method: "GET", path: "/api/v1/journeys", handle: listEndpoint },
  { method: "GET", path: "/api/v1/journeys/:journeyId", handle: getEndpoint },
  { method: "POST", path: "/api/v1/journeys/:journeyId/cancel", handle: cancelEndpoint },
  { method: "PUT", path: "/api/v1/journeys/:journeyId/customer-face", handle: customerFaceEndpoint },
  { method: "POST", path: "/api/v1/journeys/:journeyId/finance-decision", handle: financeDecisionEndpoint },
  { method: "POST", path: "/api/v1/journeys/:journeyId/simulate", handle: simulateEndpoint },
  { method: "GET", path: "/api/v1/sandbox/scenarios", handle: scenariosEndpoint }
]
