/** The webhook endpoint that a path of the settings API names: by its company and mode, because there is one for each mode. */
import { Effect, Schema } from "effect"
import type { HttpRouter } from "effect/http"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { EndpointStore } from "../../../actors/webhook/actor/EndpointStore.ts"
import type { Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { naming } from "../../../schema/decoding/parameters.ts"
import type { Problem } from "../../server/answers/problems.ts"
import { companyPath, companyAsked, notFound, ofCompany } from "../frame/ofCompany.ts"
import type { CompanyId } from "../../../schema/ids.ts"

export const endpointPath = `${companyPath}/webhook-endpoints/:mode` as const

export const ofEndpoint = {
  ...ofCompany,
  mode: Schema.Literals(["live", "test"]).annotate({
    description: "Which of the company's two endpoints",
    ...naming("webhookEndpoint")
  })
}

interface AsksOfEndpoint {
  readonly path: {
    (name: "companyId"): Effect.Effect<CompanyId, Problem, HttpRouter.RouteContext>
    (name: "mode"): Effect.Effect<"live" | "test", Problem, HttpRouter.RouteContext>
  }
}

/** The company and mode of the path. */
export const scopeAsked = Effect.fnUntraced(function* (asked: AsksOfEndpoint) {
  const { id } = yield* companyAsked(asked)
  const mode = yield* asked.path("mode")
  const scope: Scope = { companyId: id, livemode: mode === "live" }
  return scope
})

/** The endpoint, unless there is none now. */
export const present = (found: Endpoint | null): Effect.Effect<Endpoint, Problem> =>
  found === null || found.removedAt !== null ? Effect.fail(notFound("webhookEndpoint")) : Effect.succeed(found)

/** The endpoint of the path, if there is one now. */
export const endpointAsked = Effect.fnUntraced(function* (asked: AsksOfEndpoint) {
  const scope = yield* scopeAsked(asked)
  const store = yield* EndpointStore
  return yield* Effect.flatMap(store.find(scope), present)
})

/** The endpoint of the path, or the endpoint that was there: its log stays. */
export const logAsked = Effect.fnUntraced(function* (asked: AsksOfEndpoint) {
  const scope = yield* scopeAsked(asked)
  const store = yield* EndpointStore
  return (yield* store.find(scope)) ?? (yield* notFound("webhookEndpoint"))
})
