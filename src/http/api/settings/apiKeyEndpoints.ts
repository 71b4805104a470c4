/**
 * A company's API keys (§5, decisions A1 to A6). A key's text is in the answer that makes it and nowhere else; a revoked
 * key stays in the list as it was and can become nothing else.
 */
import { Effect } from "effect"
import { CompanyStore, type ApiKeyChange } from "../../../actors/company/CompanyStore.ts"
import { keyTrace, newApiKey, newKeyText } from "../../../actors/company/apiKey.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { millisOf } from "../../../schema/start/dates.ts"
import { pageData, readPageQuery } from "../../server/pageQuery.ts"
import { problem, success } from "../../server/problems.ts"
import { auditLine, changing } from "../change.ts"
import { notFound, pathCompany, pathId } from "./companyEndpoints.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint } from "../../server/operator.ts"
import {
  apiKeyResource,
  decodeApiKey,
  decodeApiKeyPatch,
  type ApiKey,
  type ApiKeyPatch,
  type NewApiKeyResource
} from "../../../schema/company/ApiKey.ts"

const chosenOf = ({ expiresAt, ...chosen }: ApiKeyPatch): ApiKeyChange => ({
  ...chosen,
  ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : millisOf(expiresAt) })
})

const withText = (key: ApiKey, text: string): NewApiKeyResource => ({ ...apiKeyResource(key), key: text })

const revoked = () => problem("CONFLICT", "apiKey", "A revoked key stays revoked; create another one")

/** The key of the path, of the company of the path. */
const pathKey = Effect.gen(function* () {
  const company = yield* pathCompany
  const id = yield* pathId("keyId")
  const store = yield* CompanyStore
  return (yield* store.findKey(company.id, id)) ?? (yield* notFound("apiKey"))
})

export const createKeyEndpoint = operatorBodyEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/api-keys")(function* (request) {
    const company = yield* pathCompany
    const { mode, ...patch } = yield* decoded(request, decodeApiKey)
    const store = yield* CompanyStore
    const text = newKeyText(mode)
    const { hash, last4 } = keyTrace(text)
    const id = (yield* Ids).next()
    const line = yield* auditLine("api_key.created", { keyId: id, mode, last4, ...patch })
    const key = newApiKey({ id, companyId: company.id, mode, last4, createdAt: line.at }, chosenOf(patch))
    yield* changing(store.addKey({ key, hash, line }))
    return success(201, withText(key, text), "API key created; its text is shown only now")
  })
)

export const listKeysEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/api-keys")(function* (request) {
    const { id } = yield* pathCompany
    const query = yield* readPageQuery(request)
    const store = yield* CompanyStore
    return success(200, pageData(query, yield* store.keys(id, query), apiKeyResource), "API keys")
  })
)

export const patchKeyEndpoint = operatorBodyEndpoint(
  Effect.fn("PATCH /settings/v1/companies/{companyId}/api-keys/{keyId}")(function* (request) {
    const key = yield* pathKey
    const patch = yield* decoded(request, decodeApiKeyPatch)
    if (key.revokedAt !== null) return yield* revoked()
    if (Object.keys(patch).length === 0) return success(200, apiKeyResource(key), "Nothing changed")
    const store = yield* CompanyStore
    const line = yield* auditLine("api_key.changed", { keyId: key.id, fields: Object.keys(patch), values: patch })
    const changed = yield* changing(store.changeKey(key.companyId, key.id, chosenOf(patch), line))
    return success(200, apiKeyResource(changed ?? (yield* revoked())), "API key changed")
  })
)

export const rotateKeyEndpoint = operatorEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/api-keys/{keyId}/rotate")(function* () {
    const key = yield* pathKey
    const store = yield* CompanyStore
    const text = newKeyText(key.mode)
    const trace = keyTrace(text)
    const line = yield* auditLine("api_key.rotated", { keyId: key.id, last4: trace.last4 })
    const rotated = yield* changing(store.rotateKey(key.companyId, key.id, trace, line))
    return success(200, withText(rotated ?? (yield* revoked()), text), "API key rotated; its text is shown only now")
  })
)

export const revokeKeyEndpoint = operatorEndpoint(
  Effect.fn("DELETE /settings/v1/companies/{companyId}/api-keys/{keyId}")(function* () {
    const key = yield* pathKey
    const store = yield* CompanyStore
    const line = yield* auditLine("api_key.revoked", { keyId: key.id })
    const now = yield* changing(store.revokeKey(key.companyId, key.id, line))
    // Revoked before, or by someone else in this moment: the first time stands.
    const stands = now ?? (yield* store.findKey(key.companyId, key.id)) ?? key
    return success(200, apiKeyResource(stands), "API key revoked")
  })
)
