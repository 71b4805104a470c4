/**
 * GET /health/live and GET /health/ready, for supervisors and load balancers, and open to everyone. The routes are not part
 * of the API: they need no key and have no version. Their JSON is not the envelope, because `data` of the envelope is null
 * on a failure, and somebody who is called at night needs the checks of exactly that answer.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Route } from "../server/answers/answering.ts"
import { type Checks, Readiness } from "./Readiness.ts"

/** The statuses that load balancers act on. */
const ready = 200
const notReady = 503

const isReady = (checks: Checks): boolean => Object.values(checks).every(({ status }) => status !== "failed")

export const healthRoutes: ReadonlyArray<Route<Readiness>> = [
  {
    method: "GET",
    path: "/health/live",
    // An answer proves that the event loop turns. It says nothing else.
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
