/**
 * GET /metrics, for Prometheus. The metrics hold no personal data, but the number of journeys that a company sells is
 * private, and the whole internet may reach this port. So the route asks for a token of the operator, such as a named one with the scope
 * `metrics:read`, which Prometheus sends as a bearer token. The route is not part of the API and not in its document.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { OperatorTokens } from "../../actors/installation/OperatorTokens.ts"
import type { Route } from "../server/answers/answering.ts"
import type { RateLimiter } from "../server/admission/RateLimiter.ts"
import { operatorGate, type Operator } from "../server/callers/operator.ts"

/** The text format of Prometheus. */
const contentType = "text/plain; version=0.0.4; charset=utf-8"

export const metricsRoutes: ReadonlyArray<Route<Operator | OperatorTokens | RateLimiter>> = [
  {
    method: "GET",
    path: "/metrics",
    handle: operatorGate(
      "metrics:read",
      () => Effect.void,
      () => Effect.map(PrometheusMetrics.format(), (text) => HttpServerResponse.text(text, { contentType }))
    )
  }
]
