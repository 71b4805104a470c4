/** Companies as the operator makes, reads and changes them, and the log of every change. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { auditDetailsOf, companyChange } from "../../../actors/company/companyChange.ts"
import { CompanyStore } from "../../../actors/company/CompanyStore.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { uuid } from "../../../schema/parameters.ts"
import { pageData, readPageQuery } from "../../server/pageQuery.ts"
import { problem, success, type Problem } from "../../server/problems.ts"
import { auditLine, changing } from "../change.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint } from "../../server/operator.ts"
import { Company, companyResource, decodeCompany, decodeCompanyPatch } from "../../../schema/company/Company.ts"
import { auditEntryResource } from "../../../schema/company/AuditEntry.ts"

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

export const createCompanyEndpoint = operatorBodyEndpoint(
  Effect.fn("POST /settings/v1/companies")(function* (request) {
    const body = yield* decoded(request, decodeCompany)
    const store = yield* CompanyStore
    const id = (yield* Ids).next()
    const line = yield* auditLine("company.created", { name: body.name, kind: body.kind })
    const company = Company.row.make({ ...body, id, createdAt: line.at })
    yield* changing(store.add([{ company, line, keys: [] }]))
    return success(201, companyResource(company), "Company created")
  })
)

export const listCompaniesEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies")(function* (request) {
    const query = yield* readPageQuery(request)
    const store = yield* CompanyStore
    return success(200, pageData(query, yield* store.list(query), companyResource), "Companies")
  })
)

export const getCompanyEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}")(function* () {
    return success(200, companyResource(yield* pathCompany), "Company")
  })
)

export const patchCompanyEndpoint = operatorBodyEndpoint(
  Effect.fn("PATCH /settings/v1/companies/{companyId}")(function* (request) {
    const company = yield* pathCompany
    const patch = yield* decoded(request, decodeCompanyPatch)
    if (Object.keys(patch).length === 0) return success(200, companyResource(company), "Nothing changed")
    const store = yield* CompanyStore
    const change = companyChange(company.id, patch, yield* Vault)
    const line = yield* auditLine("company.changed", auditDetailsOf(patch, change))
    const changed = yield* changing(store.change(company.id, change, line))
    return success(200, companyResource(changed ?? (yield* notFound("company"))), "Company changed")
  })
)

export const auditEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/audit")(function* (request) {
    const { id } = yield* pathCompany
    const query = yield* readPageQuery(request)
    const store = yield* CompanyStore
    const page = pageData(query, yield* store.audit(id, query), auditEntryResource)
    return success(200, page, "Audit log")
  })
)
