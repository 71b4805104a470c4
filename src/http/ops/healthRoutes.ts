/**
 * GET /health/live and GET /health/ready, open to everyone and for supervisors and load balancers. They are no part of
 * the API: no key, no version, and JSON of their own instead of the envelope, because the envelope has no room for the
 * checks in an answer that says no (`data` is null on failure), and that is the answer somebody will read at night.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Route } from "../server/answering.ts"
import { type Checks, Readiness } from "./Readiness.ts"

/** What load balancers act on. */
const ready = 200
const notReady = 503

const isReady = (checks: Checks): boolean => Object.values(checks).every(({ status }) => status !== "failed")

export const healthRoutes: ReadonlyArray<Route<Readiness>> = [
  {
    method: "GET",
    path: "/health/live",
    // That it is answered at all is the news: the event loop turns.
    handle: () => Effect.sync(() => HttpServerResponse.jsonUnsafe({ status: "live" }))
  },
  {
    method: "GET",
    path: "/health/ready",
    handle: () =>
      Effect.flatMap(Readiness, (readiness) =>
        Effect.map(readiness.checks, (checks) =>
          isReady(checks)
            ? HttpServerResponse.jsonUnsafe({ status: "ready", checks }, { status: ready })
            : HttpServerResponse.jsonUnsafe({ status: "not ready", checks }, { status: notReady })
        )
      )
  }
]
