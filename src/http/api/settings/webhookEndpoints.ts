/**
 * A company's webhook endpoints, one live and one test (§6.1, decisions W5, W6, W13 and W16). A secret is in the answer
 * that makes it and nowhere else; what may be secret in a URL, its path and query, is kept out of the audit log. Trying
 * an endpoint out is in `endpointTests.ts`, its log in `deliveryEndpoints.ts`.
 */
import { Clock, Duration, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { StoreUnavailable, type OutcomeUnknown } from "../../../actors/kernel/StoreError.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { secretPlace, type Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { EndpointMailbox } from "../../../actors/webhook/actor/EndpointMailbox.ts"
import { EndpointStore } from "../../../actors/webhook/actor/EndpointStore.ts"
import { judgeReachable } from "../../../actors/webhook/actor/reachable.ts"
import { endpointResource } from "../../../actors/webhook/actor/resources.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { secretText } from "../../../actors/webhook/rules/signature.ts"
import { everything } from "../../../schema/webhook/EventSelection.ts"
import type { SavedWebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import {
  decodeSecretRoll,
  decodeWebhookEndpoint,
  type WebhookEndpointBody
} from "../../../schema/webhook/webhookSettings.ts"
import { problem, success } from "../../server/problems.ts"
import { auditLine, written } from "../change.ts"
import { decoded, operatorBodyEndpoint, operatorEndpoint, ProviderAddresses } from "../../server/operator.ts"
import { pathEndpoint, pathScope, present } from "./pathEndpoint.ts"

const newSecret = (): string => secretText(SecureRandom.randomBytesUnsafe(webhookLimits.secretBytes))

const shown = (endpoint: Endpoint): Effect.Effect<SavedWebhookEndpointResource> =>
  Effect.map(Clock.currentTimeMillis, (now) => endpointResource(endpoint, now))

const conflict = () => problem("CONFLICT", "webhookEndpoint", "Someone else changed the endpoint at the same time")

/**
 * A change of the endpoint as it stands, made known to its actor before anyone is answered. Of changes at the same time
 * one wins; the others look again, once.
 */
const changingEndpoint = Effect.fnUntraced(function* <A extends { readonly endpoint: Endpoint | null }, E, R>(
  scope: Scope,
  change: (found: Endpoint | null) => Effect.Effect<A, E | StoreUnavailable | OutcomeUnknown, R>
) {
  const store = yield* EndpointStore
  const mailbox = yield* EndpointMailbox
  const once = Effect.gen(function* () {
    const changed = yield* change(yield* store.find(scope))
    const { endpoint } = changed
    if (endpoint === null) return null
    yield* mailbox.changed(endpoint.id)
    return { ...changed, endpoint }
  })
  return (yield* once) ?? (yield* once) ?? (yield* conflict())
}, Effect.uninterruptible)

/** Where the host leads, looked up before anything is written. Nothing can be said when nothing can be looked up. */
const refuseUnreachable = Effect.fnUntraced(function* (url: string) {
  const { allowInsecure } = yield* ProviderAddresses
  if (allowInsecure) return
  const rule = yield* Effect.mapError(judgeReachable(url), (cause) => new StoreUnavailable({ cause }))
  if (rule !== null) return yield* problem("VALIDATION_FAILED", "url", `url ${rule}`)
})

/** What a save makes of the endpoint that is there; another URL gets another secret, and so does one that comes back. */
const savingOver = Effect.fnUntraced(function* (scope: Scope, body: WebhookEndpointBody, found: Endpoint | null) {
  const store = yield* EndpointStore
  const vault = yield* Vault
  const before = found === null || found.removedAt !== null ? null : found
  const id = found?.id ?? (yield* Ids).next()
  const secret = before?.url === body.url ? null : newSecret()
  const { enabled = true, events = before?.events ?? [everything], url } = body
  const line = yield* auditLine("webhook_endpoint.saved", {
    endpointId: id,
    mode: scope.livemode ? "LIVE" : "TEST",
    url: new URL(url).origin,
    events,
    enabled,
    newSecret: secret !== null
  })
  const sealedSecret = secret === null ? null : vault.sealSecret(secretPlace(id), secret)
  const save = { id, scope, url, events, enabled, sealedSecret }
  return { endpoint: yield* written(store.save(save, found?.revision ?? null, line)), secret }
})

export const saveEndpoint = operatorBodyEndpoint(
  Effect.fn("PUT /settings/v1/companies/{companyId}/webhook-endpoints/{mode}")(function* (request) {
    const scope = yield* pathScope
    const body = yield* decoded(request, decodeWebhookEndpoint)
    yield* refuseUnreachable(body.url)
    const { endpoint, secret } = yield* changingEndpoint(scope, (found) => savingOver(scope, body, found))
    const resource = yield* shown(endpoint)
    return secret === null
      ? success(200, resource, "Webhook endpoint saved")
      : success(200, { ...resource, secret }, "Webhook endpoint saved; its secret is shown only now")
  })
)

export const getEndpoint = operatorEndpoint(
  Effect.fn("GET /settings/v1/companies/{companyId}/webhook-endpoints/{mode}")(function* () {
    return success(200, yield* shown(yield* pathEndpoint), "Webhook endpoint")
  })
)

export const removeEndpoint = operatorEndpoint(
  Effect.fn("DELETE /settings/v1/companies/{companyId}/webhook-endpoints/{mode}")(function* () {
    const scope = yield* pathScope
    const store = yield* EndpointStore
    const { endpoint } = yield* changingEndpoint(
      scope,
      Effect.fnUntraced(function* (found) {
        const before = yield* present(found)
        const line = yield* auditLine("webhook_endpoint.removed", { endpointId: before.id })
        return { endpoint: yield* written(store.remove(before, line)) }
      })
    )
    return success(200, yield* shown(endpoint), "Webhook endpoint removed; its delivery log stays")
  })
)

export const rollSecretEndpoint = operatorBodyEndpoint(
  Effect.fn("POST /settings/v1/companies/{companyId}/webhook-endpoints/{mode}/roll-secret")(function* (request) {
    const scope = yield* pathScope
    const { overlapHours } = yield* decoded(request, decodeSecretRoll)
    const store = yield* EndpointStore
    const vault = yield* Vault
    const { endpoint, secret } = yield* changingEndpoint(
      scope,
      Effect.fnUntraced(function* (found) {
        const before = yield* present(found)
        const secret = newSecret()
        const line = yield* auditLine("webhook_endpoint.secret_rolled", { endpointId: before.id, overlapHours })
        const roll = {
          sealedSecret: vault.sealSecret(secretPlace(before.id), secret),
          previousUntil: overlapHours === 0 ? null : line.at + Duration.toMillis(Duration.hours(overlapHours))
        }
        return { endpoint: yield* written(store.roll(before, roll, line)), secret }
      })
    )
    return success(200, { ...(yield* shown(endpoint)), secret }, "Secret rolled; the new one is shown only now")
  })
)
