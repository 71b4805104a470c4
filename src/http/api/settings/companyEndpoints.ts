/** What the path of a request about webhooks names: the company and the ids under it. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { CompanyStore } from "../../../actors/company/CompanyStore.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { uuid } from "../../../schema/parameters.ts"
import { problem, type Problem } from "../../server/problems.ts"
import type { Company } from "../../../schema/company/Company.ts"

/** What the ids of paths are of. */
const ofId = {
  companyId: "company",
  keyId: "apiKey",
  deliveryId: "delivery",
  taskId: "resend",
  journeyId: "journey",
  reviewId: "review",
  customerReference: "customer"
} as const

/** An id from the path, lower case; anything that is no id belongs to nothing. */
export const pathId = (name: keyof typeof ofId): Effect.Effect<string, Problem, HttpRouter.RouteContext> =>
  Effect.flatMap(HttpRouter.params, (params) => {
    const id = (params[name] ?? "").toLowerCase()
    return uuid.test(id) ? Effect.succeed(id) : Effect.fail(notFound(ofId[name]))
  })

export const notFound = (
  field: (typeof ofId)[keyof typeof ofId] | "picture" | "video" | "wallet" | "webhookEndpoint"
): Problem => problem("NOT_FOUND", field)

/** The company of the path; nothing else of a request is judged before it is known to exist. */
export const pathCompany: Effect.Effect<Company, Problem | StoreUnavailable, HttpRouter.RouteContext | CompanyStore> =
  Effect.gen(function* () {
    const id = yield* pathId("companyId")
    const store = yield* CompanyStore
    return (yield* store.find(id)) ?? (yield* notFound("company"))
  })
