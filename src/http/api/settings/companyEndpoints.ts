/** Companies as the operator makes, reads and changes them, and the log of every change. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { CompanyStore, type Company, type CompanyChange } from "../../../actors/company/CompanyStore.ts"
import { newCompany } from "../../../actors/company/newCompany.ts"
import { providerPlace } from "../../../actors/company/providers.ts"
import {
  companyResource,
  financePanelResource,
  identityProviderResource,
  timestamp
} from "../../../actors/company/resources.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { AuditEntryResource } from "../../../schema/company/Company.ts"
import { uuid } from "../../../schema/parameters.ts"
import { decodeCompany, decodeCompanyPatch, type CompanyPatch } from "../../../schema/company/settingsBodies.ts"
import { pageData, readPageQuery } from "../../server/pageQuery.ts"
import { problem, success, type Problem } from "../../server/problems.ts"
import { auditLine, changing } from "../change.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint } from "../../server/operator.ts"

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
    const company = newCompany(id, body, line.at)
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
    const change = changeOf(company.id, patch, yield* Vault)
    const line = yield* auditLine("company.changed", detailsOf(patch, change))
    const changed = yield* changing(store.change(company.id, change, line))
    return success(200, companyResource(changed ?? (yield* notFound("company"))), "Company changed")
  })
)

const changeOf = (companyId: string, patch: CompanyPatch, vault: Vault["Service"]): CompanyChange => {
  const { financePanel: panel, identityProvider: provider, ...rest } = patch
  const seal = (kind: Parameters<typeof providerPlace>[0], secret: string) =>
    Buffer.from(vault.sealSecret(providerPlace(kind, companyId), secret)).toString("base64")
  return {
    ...rest,
    ...(provider === undefined
      ? {}
      : {
          identityProvider:
            provider === null || provider.kind === "BUILT_IN"
              ? provider
              : { kind: "HTTP", url: provider.url, sealedSecret: seal("identity_provider", provider.secret) }
        }),
    ...(panel === undefined
      ? {}
      : {
          financePanel:
            panel === null
              ? null
              : { name: panel.name, url: panel.url, sealedSecret: seal("finance_panel", panel.secret) }
        })
  }
}

/** A path or query may be somebody's secret. */
const originOnly = <Provider extends object | null>(provider: Provider): Provider =>
  provider !== null && "url" in provider ? { ...provider, url: new URL(String(provider.url)).origin } : provider

/** The names of all changed fields, and the new values that are neither secret nor anyone's address. */
const detailsOf = (patch: CompanyPatch, change: CompanyChange) => {
  const { adminEmail: _, financePanel, identityProvider, ...values } = change
  return {
    fields: Object.keys(patch),
    values: {
      ...values,
      ...(identityProvider === undefined
        ? {}
        : { identityProvider: originOnly(identityProviderResource(identityProvider)) }),
      ...(financePanel === undefined ? {} : { financePanel: originOnly(financePanelResource(financePanel)) })
    }
  }
}

export const auditEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/audit")(function* (request) {
    const { id } = yield* pathCompany
    const query = yield* readPageQuery(request)
    const store = yield* CompanyStore
    const page = pageData(query, yield* store.audit(id, query), ({ at, ...entry }): AuditEntryResource => ({
      ...entry,
      at: timestamp(at)
    }))
    return success(200, page, "Audit log")
  })
)
