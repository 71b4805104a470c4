/**
 * GET /metrics, for Prometheus. It holds no personal data, but how many journeys of which kind are sold is nobody's
 * business either, and it is served on the port that the whole internet may reach: so it asks for the operator token,
 * which Prometheus sends as a bearer token. It is no part of the API and not in its document.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { Route } from "../server/answering.ts"
import type { RateLimiter } from "../server/RateLimiter.ts"
import { operatorGate, type Operator } from "../server/operator.ts"

/** The text format of Prometheus. */
const contentType = "text/plain; version=0.0.4; charset=utf-8"

export const metricsRoutes: ReadonlyArray<Route<Operator | RateLimiter>> = [
  {
    method: "GET",
    path: "/metrics",
    handle: operatorGate(
      () => Effect.void,
      () => Effect.map(PrometheusMetrics.format(), (text) => HttpServerResponse.text(text, { contentType }))
    )
  }
]
