/** The webhook endpoint that a path of the settings API names: by its company and mode, for there is one of each. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { CompanyStore } from "../../../actors/company/CompanyStore.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import type { Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { EndpointStore } from "../../../actors/webhook/actor/EndpointStore.ts"
import type { Problem } from "../../server/problems.ts"
import { notFound, pathCompany } from "./companyEndpoints.ts"

type Reading<A, R = never> = Effect.Effect<A, Problem | StoreUnavailable, HttpRouter.RouteContext | CompanyStore | R>

/** `live` or `test`, exactly. */
export const pathScope: Reading<Scope> = Effect.gen(function* () {
  const { id } = yield* pathCompany
  const { mode } = yield* HttpRouter.params
  if (mode !== "live" && mode !== "test") return yield* notFound("webhookEndpoint")
  return { companyId: id, livemode: mode === "live" }
})

export const present = (endpoint: Endpoint | null): Effect.Effect<Endpoint, Problem> =>
  endpoint === null || endpoint.removedAt !== null ? Effect.fail(notFound("webhookEndpoint")) : Effect.succeed(endpoint)

/** The endpoint of the path, if there is one now. */
export const pathEndpoint: Reading<Endpoint, EndpointStore> = Effect.gen(function* () {
  const scope = yield* pathScope
  const store = yield* EndpointStore
  return yield* Effect.flatMap(store.find(scope), present)
})

/** The endpoint of the path, or the one that was there: its log stays. */
export const pathLog: Reading<Endpoint, EndpointStore> = Effect.gen(function* () {
  const scope = yield* pathScope
  const store = yield* EndpointStore
  return (yield* store.find(scope)) ?? (yield* notFound("webhookEndpoint"))
})
