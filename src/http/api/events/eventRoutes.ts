/** The events API for integrators, one line an endpoint. */
import type { HttpRouter } from "effect/http"
import type { Keyring } from "../../../actors/company/Keyring.ts"
import type { EventStore } from "../../../actors/webhook/actor/EventStore.ts"
import type { RateLimit } from "../../server/authentication.ts"
import type { Route } from "../../server/answering.ts"
import type { RateLimiter } from "../../server/RateLimiter.ts"
import { getEventEndpoint, listEventsEndpoint } from "./eventEndpoints.ts"

type Services = EventStore | HttpRouter.RouteContext | Keyring | RateLimit | RateLimiter

export const eventRoutes: ReadonlyArray<Route<Services>> = [
  { method: "GET", path: "/api/v1/events", handle: listEventsEndpoint },
  { method: "GET", path: "/api/v1/events/:eventId", handle: getEventEndpoint }
]
