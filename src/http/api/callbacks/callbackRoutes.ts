/** Where outside providers call back, one line an endpoint. */
import type { HttpRouter } from "effect/http"
import type { JourneyMailbox } from "../../../actors/journey/actor/JourneyMailbox.ts"
import type { ProviderRequests } from "../../../actors/effects/ProviderRequests.ts"
import type { Vault } from "../../../actors/kernel/Vault.ts"
import type { Route } from "../../server/answering.ts"
import type { RateLimiter } from "../../server/RateLimiter.ts"
import { financeCallbackEndpoint, identityCallbackEndpoint } from "./callbackEndpoints.ts"

type Services = HttpRouter.RouteContext | JourneyMailbox | ProviderRequests | RateLimiter | Vault

export const callbackRoutes: ReadonlyArray<Route<Services>> = [
  { method: "POST", path: "/callbacks/v1/finance/:submissionId", handle: financeCallbackEndpoint },
  { method: "POST", path: "/callbacks/v1/identity/:checkId", handle: identityCallbackEndpoint }
]
