/**
 * A company's API keys (§5, decisions A1 to A6). The text of a key is in the answer that makes the key and nowhere else.
 * A revoked key stays in the list as it was and can become nothing else.
 */
import { Duration, Effect } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { keyedHashOf, keyTrace, newApiKey, newKeyText } from "../../../actors/company/apiKey.ts"
import { CompanyStore, type ApiKeyChange } from "../../../actors/company/CompanyStore.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import {
  ApiKeyBody,
  ApiKeyPatch,
  ApiKeyResource,
  apiKeyResource,
  NewApiKeyResource,
  type ApiKey
} from "../../../schema/company/ApiKey.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { exampleOf } from "../../../schema/model.ts"
import { ApiKeyIdParameter, naming, PageQuery } from "../../../schema/decoding/parameters.ts"
import { millisOf } from "../../../schema/decoding/dates.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, pageAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem, success } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, changing } from "../frame/change.ts"
import { companyPath, companyAsked, notFound, ofCompany, pages, type AsksForIds } from "../frame/ofCompany.ts"
import { ApiKeyId } from "../../../schema/ids.ts"

const path = `${companyPath}/api-keys` as const
const onePath = `${path}/:keyId` as const
const ofKey = {
  ...ofCompany,
  keyId: ApiKeyIdParameter.annotate({ description: "The API key's id", ...naming("apiKey") })
}

const ApiKeyAnswer = answerOf("ApiKeyAnswer", ApiKeyResource)
const NewApiKeyAnswer = answerOf("NewApiKeyAnswer", NewApiKeyResource)
const example = exampleOf(ApiKeyResource)
const newExample = exampleOf(NewApiKeyResource)

const createApiKey = HttpApiEndpoint.post("createApiKey", path, {
  params: ofCompany,
  payload: ApiKeyBody,
  success: NewApiKeyAnswer.pipe(HttpApiSchema.status(201)),
  error: refusedWith(ofAnyCompany, ...ofAnyBody)
}).annotateMerge(
  described({
    summary: "Create an API key",
    allowedTo: "OWNER",
    description: `The answer holds the key's text, which is shown only here. Without scopes the key may do everything its mode allows; without expiresAt it ends after ${companyLimits.usualKeyDays} days, and with null never.`,
    request: jsonExample("A key that expires", exampleOf(ApiKeyBody)),
    answer: answer("The key with its text", "API key created; its text is shown only now", newExample)
  })
)

const listApiKeys = HttpApiEndpoint.get("listApiKeys", path, {
  params: ofCompany,
  query: PageQuery,
  success: pages("ApiKeyPage", ApiKeyResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List API keys",
    allowedTo: "TEAM",
    description: "The company's keys, revoked ones included, by their last four characters.",
    answer: pageAnswer("API keys", example)
  })
)

const getApiKey = HttpApiEndpoint.get("getApiKey", onePath, {
  params: ofKey,
  success: ApiKeyAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get an API key",
    allowedTo: "TEAM",
    description: "One key, also one that was revoked; its text is never shown.",
    answer: answer("The key", "API key", example)
  })
)

const changeApiKey = HttpApiEndpoint.patch("changeApiKey", onePath, {
  params: ofKey,
  payload: ApiKeyPatch,
  success: ApiKeyAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Change an API key",
    allowedTo: "OWNER",
    description:
      "Its name, scopes, expiry, the addresses from which it is taken, or whether it is a developer key. A revoked key stays as it is.",
    request: jsonExample("A key that only reads", { scopes: ["journeys:read"] } satisfies ApiKeyPatch),
    answer: answer("The key as it is now", "API key changed", example)
  })
)

const revokeApiKey = HttpApiEndpoint.delete("revokeApiKey", onePath, {
  params: ofKey,
  success: ApiKeyAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Revoke an API key",
    allowedTo: "OWNER",
    description: "For good, and at once. Revoking a revoked key changes nothing.",
    answer: answer("The revoked key", "API key revoked", { ...example, revokedAt: "2026-01-15T10:31:07.218Z" })
  })
)

const rotateApiKey = HttpApiEndpoint.post("rotateApiKey", `${onePath}/rotate`, {
  params: ofKey,
  success: NewApiKeyAnswer,
  error: refusedWith(ofAnyCompany, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Rotate an API key",
    allowedTo: "OWNER",
    description:
      "Gives the key a new text, shown only in this answer. The old text stops working at once. A key that has expired is given a later `expiresAt` first.",
    answer: answer("The key with its new text", "API key rotated; its text is shown only now", newExample)
  })
)

const chosenOf = ({ expiresAt, ...chosen }: ApiKeyPatch): ApiKeyChange => ({
  ...chosen,
  ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : millisOf(expiresAt) })
})

const withText = (key: ApiKey, text: string): NewApiKeyResource => ({ ...apiKeyResource(key), key: text })

const revoked = () => problem("CONFLICT", "apiKey", "A revoked key stays revoked; create another one")
const expired = () =>
  problem(
    "CONFLICT",
    "apiKey",
    "The key has expired, and a new text would be refused as well; give it a later expiresAt first"
  )

/** The key of the path, which belongs to the company of the path. */
const keyAsked = Effect.fnUntraced(function* (asked: AsksForIds<"companyId" | "keyId">) {
  const { id: companyId } = yield* companyAsked(asked)
  const id = yield* asked.path("keyId")
  const store = yield* CompanyStore
  return (yield* store.findKey(companyId, id)) ?? (yield* notFound("apiKey"))
})

export const keyOperations = operatorResource(
  [createApiKey, listApiKeys, getApiKey, changeApiKey, revokeApiKey, rotateApiKey],
  {
    createApiKey: (asked) =>
      Effect.gen(function* () {
        const { id: companyId } = yield* companyAsked(asked)
        const { mode, ...patch } = yield* asked.body
        const store = yield* CompanyStore
        const keyed = keyedHashOf(yield* Vault)
        const text = newKeyText(mode, keyed)
        const trace = keyTrace(text, keyed)
        const { last4 } = trace
        const id = ApiKeyId.make((yield* Ids).next())
        const line = yield* auditLine("api_key.created", { keyId: id, mode, last4, ...patch })
        const expiresAt = line.at + Duration.toMillis(Duration.days(companyLimits.usualKeyDays))
        const key = newApiKey({ id, companyId, mode, last4, createdAt: line.at }, { expiresAt, ...chosenOf(patch) })
        yield* changing(store.addKey({ key, trace, line }))
        return withText(key, text)
      }),

    listApiKeys: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* companyAsked(asked)
        const page = pageAsked(yield* asked.query)
        const store = yield* CompanyStore
        return pageOf(page, yield* store.keys(id, page), apiKeyResource)
      }),

    getApiKey: (asked) => Effect.map(keyAsked(asked), apiKeyResource),

    changeApiKey: (asked) =>
      Effect.gen(function* () {
        const key = yield* keyAsked(asked)
        const patch = yield* asked.body
        if (key.revokedAt !== null) return yield* revoked()
        if (Object.keys(patch).length === 0) return success(200, apiKeyResource(key), "Nothing changed")
        const store = yield* CompanyStore
        const line = yield* auditLine("api_key.changed", {
          keyId: key.id,
          mode: key.mode,
          last4: key.last4,
          fields: Object.keys(patch),
          values: patch
        })
        const changed = yield* changing(store.changeKey(key.companyId, key.id, chosenOf(patch), line))
        return apiKeyResource(changed ?? (yield* revoked()))
      }),

    revokeApiKey: (asked) =>
      Effect.gen(function* () {
        const key = yield* keyAsked(asked)
        const store = yield* CompanyStore
        const line = yield* auditLine("api_key.revoked", { keyId: key.id, mode: key.mode, last4: key.last4 })
        const now = yield* changing(store.revokeKey(key.companyId, key.id, line))
        // The key was revoked before, or somebody else has just revoked it: the first time stands.
        return apiKeyResource(now ?? (yield* store.findKey(key.companyId, key.id)) ?? key)
      }),

    rotateApiKey: (asked) =>
      Effect.gen(function* () {
        const key = yield* keyAsked(asked)
        const store = yield* CompanyStore
        const keyed = keyedHashOf(yield* Vault)
        const text = newKeyText(key.mode, keyed)
        const trace = keyTrace(text, keyed)
        const line = yield* auditLine("api_key.rotated", { keyId: key.id, mode: key.mode, last4: trace.last4 })
        if (key.revokedAt === null && key.expiresAt !== null && key.expiresAt <= line.at) return yield* expired()
        const rotated = yield* changing(store.rotateKey(key.companyId, key.id, trace, line))
        return withText(rotated ?? (yield* revoked()), text)
      })
  }
)
