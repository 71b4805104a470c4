/**
 * A company's webhook endpoints, one live and one test (§6.1, decisions W5, W6, W13 and W16). A secret is in the answer
 * that makes it and nowhere else. The path and the query of a URL may be secret and are kept out of the audit log. Trying
 * an endpoint out is in `pingAndSample.ts`, and its log in `deliveries.ts`.
 */
import { Clock, Duration, Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { StoreUnavailable, type OutcomeUnknown } from "../../../actors/kernel/StoreError.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { EndpointMailbox } from "../../../actors/webhook/actor/EndpointMailbox.ts"
import { newSigningSecret } from "../../../actors/webhook/newSigningSecret.ts"
import { EndpointStore } from "../../../actors/webhook/actor/EndpointStore.ts"
import { judgeReachable } from "../../../actors/webhook/actor/reachable.ts"
import { endpointResource } from "../../../actors/webhook/actor/resources.ts"
import { secretPlace, type Endpoint } from "../../../actors/webhook/rules/Endpoint.ts"
import { secretsAfterRoll } from "../../../actors/webhook/rules/secretRoll.ts"
import { timestamp } from "../../../schema/moment.ts"
import { SavedWebhookEndpointResource, WebhookEndpointResource } from "../../../schema/webhook/Endpoint.ts"
import { everything } from "../../../schema/webhook/EventSelection.ts"
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { keptUrl, SecretRollBody, WebhookEndpointBody } from "../../../schema/webhook/Endpoint.ts"
import { inWords } from "../../documents/durations.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { ProviderAddresses } from "../../server/callers/operator.ts"
import { problem, success } from "../../server/answers/problems.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { endpointPath, endpointAsked, ofEndpoint, present, scopeAsked } from "./ofEndpoint.ts"
import {
  endpointExample,
  offExample,
  removedExample,
  rolledExample,
  rollExample,
  savedExample
} from "./webhookExamples.ts"
import { EndpointId } from "../../../schema/ids.ts"
import { modeOf } from "../../../schema/Mode.ts"

const EndpointAnswer = answerOf("WebhookEndpointAnswer", WebhookEndpointResource)
const SavedEndpointAnswer = answerOf("SavedWebhookEndpointAnswer", SavedWebhookEndpointResource)

const saveWebhookEndpoint = HttpApiEndpoint.put("saveWebhookEndpoint", endpointPath, {
  params: ofEndpoint,
  payload: WebhookEndpointBody,
  success: SavedEndpointAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Save a webhook endpoint",
    allowedTo: "OWNER",
    description:
      "Makes the endpoint, changes it, or turns it on again. A new URL gets a new secret, which is shown only in this answer; with the URL it had, the endpoint keeps its secret. `enabled: false` turns it off: events are then kept until they are resent. A choice of events holds for those made afterwards.",
    request: jsonExample("Everything about identity checks, and the end of a journey", {
      url: "https://hooks.harbourcars.example/journeys",
      events: ["identity.*", "journey.completed"]
    } satisfies WebhookEndpointBody),
    answer: {
      description: "The endpoint as it is now, with its secret if that is new",
      message: "Webhook endpoint saved",
      examples: {
        New: {
          summary: "A new URL",
          message: "Webhook endpoint saved; its secret is shown only now",
          value: savedExample
        },
        Known: { summary: "The URL it had", value: endpointExample }
      }
    }
  })
)

const getWebhookEndpoint = HttpApiEndpoint.get("getWebhookEndpoint", endpointPath, {
  params: ofEndpoint,
  success: EndpointAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get a webhook endpoint",
    allowedTo: "TEAM",
    description: "The endpoint, and since when nothing reaches it; its secret is never shown.",
    answer: {
      description: "The endpoint",
      message: "Webhook endpoint",
      examples: {
        Well: { summary: "An endpoint that answers", value: endpointExample },
        Off: {
          summary: `Turned off after ${inWords(Duration.toMillis(webhookLimits.turnedOffAfter))}`,
          value: offExample
        }
      }
    }
  })
)

const removeWebhookEndpoint = HttpApiEndpoint.delete("removeWebhookEndpoint", endpointPath, {
  params: ofEndpoint,
  success: EndpointAnswer,
  error: refusedWith(ofAnyCompany, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Remove a webhook endpoint",
    allowedTo: "OWNER",
    description:
      "Nothing is sent there any more, and its secret is gone. Its delivery log stays; saving an endpoint again brings it back.",
    answer: answer("The endpoint as it was left", "Webhook endpoint removed; its delivery log stays", removedExample)
  })
)

const rollWebhookSecret = HttpApiEndpoint.post("rollWebhookSecret", `${endpointPath}/roll-secret`, {
  params: ofEndpoint,
  payload: SecretRollBody,
  success: SavedEndpointAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    summary: "Roll the secret",
    allowedTo: "OWNER",
    description: `Gives the endpoint a new secret, shown only in this answer. For \`overlapHours\` deliveries are signed with both, the new one first. A secret that an earlier roll lets sign goes on until its own end. ${webhookLimits.mostPreviousSecrets} sign beside the new one at most: a further roll is refused with \`CONFLICT\` until the first of them ends. \`0\` is for a secret that leaked: it ends all of them at once, and is never refused.`,
    request: jsonExample("A day to change over", rollExample),
    answer: answer("The endpoint with its new secret", "Secret rolled; the new one is shown only now", rolledExample)
  })
)

const shown = (one: Endpoint): Effect.Effect<SavedWebhookEndpointResource> =>
  Effect.map(Clock.currentTimeMillis, (now) => endpointResource(one, now))

/** Whoever rolls for a leak is never refused: a roll without overlap ends all. */
const enoughSecrets = (nextAt: number) =>
  problem(
    "CONFLICT",
    "overlapHours",
    `${webhookLimits.mostPreviousSecrets} earlier secrets still sign, the first until ${timestamp(nextAt)}. Roll after that, or with overlapHours 0, which ends all of them at once`
  )

const conflict = () => problem("CONFLICT", "webhookEndpoint", "Someone else changed the endpoint at the same time")

/**
 * Changes the endpoint as it stands, and makes the change known to the endpoint's actor before anyone is answered. Of
 * changes at the same time one wins; the others look again, once.
 */
const changingEndpoint = Effect.fnUntraced(function* <A extends { readonly endpoint: Endpoint | null }, E, R>(
  scope: Scope,
  change: (found: Endpoint | null) => Effect.Effect<A, E | StoreUnavailable | OutcomeUnknown, R>
) {
  const store = yield* EndpointStore
  const mailbox = yield* EndpointMailbox
  const once = Effect.gen(function* () {
    const changed = yield* change(yield* store.find(scope))
    if (changed.endpoint === null) return null
    yield* mailbox.changed(changed.endpoint.id)
    return { ...changed, endpoint: changed.endpoint }
  })
  return (yield* once) ?? (yield* once) ?? (yield* conflict())
}, Effect.uninterruptible)

/** Looks up where the host leads before anything is written. If nothing can be looked up, nothing can be said. */
const refuseUnreachable = Effect.fnUntraced(function* (url: string) {
  const { allowInsecure } = yield* ProviderAddresses
  if (allowInsecure) return
  const rule = yield* Effect.mapError(judgeReachable(url), (cause) => new StoreUnavailable({ cause }))
  if (rule !== null) return yield* problem("VALIDATION_FAILED", "url", `url ${rule}`)
})

/** Saves over the endpoint that is there. Another URL gets another secret, and so does an endpoint that comes back. */
const savingOver = Effect.fnUntraced(function* (scope: Scope, body: WebhookEndpointBody, found: Endpoint | null) {
  const store = yield* EndpointStore
  const vault = yield* Vault
  const before = found === null || found.removedAt !== null ? null : found
  const id = found?.id ?? EndpointId.make((yield* Ids).next())
  const secret = before?.url === body.url ? null : newSigningSecret()
  const { enabled = true, events = before?.events ?? [everything], url } = body
  const line = yield* auditLine("webhook_endpoint.saved", {
    endpointId: id,
    mode: modeOf(scope.livemode),
    url: new URL(url).origin,
    events,
    enabled,
    newSecret: secret !== null
  })
  const sealedSecret = secret === null ? null : vault.sealSecret(secretPlace(id), secret)
  const save = { id, scope, url, events, enabled, sealedSecret }
  return { endpoint: yield* written(store.save(save, found?.revision ?? null, line)), secret }
})

export const webhookEndpointOperations = operatorResource(
  [saveWebhookEndpoint, getWebhookEndpoint, removeWebhookEndpoint, rollWebhookSecret],
  {
    saveWebhookEndpoint: (asked) =>
      Effect.gen(function* () {
        const scope = yield* scopeAsked(asked)
        const given = yield* asked.body
        const body = { ...given, url: keptUrl(given.url, yield* ProviderAddresses) }
        // An endpoint whose host is gone can be turned off all the same.
        const isTurnedOff = body.enabled === false && (yield* (yield* EndpointStore).find(scope))?.url === body.url
        if (!isTurnedOff) yield* refuseUnreachable(body.url)
        const { endpoint, secret } = yield* changingEndpoint(scope, (found) => savingOver(scope, body, found))
        const resource = yield* shown(endpoint)
        return secret === null
          ? resource
          : success(200, { ...resource, secret }, "Webhook endpoint saved; its secret is shown only now")
      }),

    getWebhookEndpoint: (asked) => Effect.flatMap(endpointAsked(asked), shown),

    removeWebhookEndpoint: (asked) =>
      Effect.gen(function* () {
        const scope = yield* scopeAsked(asked)
        const store = yield* EndpointStore
        const { endpoint } = yield* changingEndpoint(
          scope,
          Effect.fnUntraced(function* (found) {
            const before = yield* present(found)
            const line = yield* auditLine("webhook_endpoint.removed", {
              endpointId: before.id,
              mode: modeOf(scope.livemode)
            })
            return { endpoint: yield* written(store.remove(before, line)) }
          })
        )
        return yield* shown(endpoint)
      }),

    rollWebhookSecret: (asked) =>
      Effect.gen(function* () {
        const scope = yield* scopeAsked(asked)
        const { overlapHours } = yield* asked.body
        const store = yield* EndpointStore
        const vault = yield* Vault
        const { endpoint, secret } = yield* changingEndpoint(
          scope,
          Effect.fnUntraced(function* (found) {
            const before = yield* present(found)
            const secret = newSigningSecret()
            const line = yield* auditLine("webhook_endpoint.secret_rolled", {
              endpointId: before.id,
              mode: modeOf(scope.livemode),
              overlapHours
            })
            const until = overlapHours === 0 ? null : line.at + Duration.toMillis(Duration.hours(overlapHours))
            const after = secretsAfterRoll(before, until, line.at)
            if (after._tag === "Full") return yield* enoughSecrets(after.nextAt)
            const { previousSecrets } = after
            const roll = { sealedSecret: vault.sealSecret(secretPlace(before.id), secret), previousSecrets }
            return { endpoint: yield* written(store.roll(before, roll, line)), secret }
          })
        )
        return { ...(yield* shown(endpoint)), secret }
      })
  }
)
