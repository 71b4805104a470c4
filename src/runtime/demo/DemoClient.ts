/**
 * A minimal program of an integrator. It makes a company, a test key and a test webhook endpoint through the settings
 * API, then starts and reads journeys with that key.
 */
import { Effect, Schema } from "effect"
import { WebhookDeliveryResource } from "../../schema/webhook/WebhookDelivery.ts"
import { JourneyResource } from "../../schema/journey/resource.ts"
import { startExamples } from "../../schema/start/examples.ts"
import type { Shape } from "../../schema/journey/statuses.ts"
import { demoLimits } from "./limits.ts"
import { customerPhoto } from "../firstStart/samplePhoto.ts"

/** The service refused a request of the demo. Either the demo or the service has made a mistake. */
export class DemoRefused extends Schema.TaggedError<DemoRefused>()("DemoRefused", {
  request: Schema.String,
  status: Schema.Int,
  answer: Schema.String
}) {
  override get message(): string {
    return `${this.request} was answered ${this.status}: ${this.answer}`
  }
}

const Created = Schema.Struct({ id: Schema.String })
const CreatedKey = Schema.Struct({ key: Schema.String })
const CreatedEndpoint = Schema.Struct({ secret: Schema.String })
const LogPage = Schema.Struct({ content: Schema.Array(WebhookDeliveryResource), next: Schema.NullOr(Schema.String) })

/** Answers after which the same request may succeed a moment later. Nothing was done (§2.3). */
const isForNow = ({ status }: DemoRefused): boolean => status === 503 || status === 429

interface Sent {
  readonly body?: { readonly json: unknown } | { readonly form: FormData }
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request and gives the `data` of the answer. */
const request = <S extends Schema.Codec<unknown, unknown>>(
  url: string,
  method: "GET" | "POST" | "PUT" | "PATCH",
  token: string,
  data: S,
  { body, headers = {} }: Sent = {}
): Effect.Effect<S["Type"], DemoRefused> =>
  Effect.gen(function* () {
    const response = yield* Effect.promise((signal) =>
      fetch(url, {
        method,
        // A request that is left behind would keep the service from closing.
        signal,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && "json" in body ? { "content-type": "application/json" } : {}),
          ...headers
        },
        ...(body === undefined ? {} : { body: "json" in body ? JSON.stringify(body.json) : body.form })
      })
    )
    const text = yield* Effect.promise(() => response.text())
    if (!response.ok) {
      return yield* new DemoRefused({ request: `${method} ${url}`, status: response.status, answer: text })
    }
    const answer = JSON.parse(text) as { readonly data?: unknown }
    return yield* Effect.orDie(Schema.decodeUnknownEffect(data)(answer.data))
  }).pipe(Effect.retry({ while: isForNow, schedule: demoLimits.askAgain }))

export interface DemoClient {
  /** Saves the test endpoint and gives its secret. */
  readonly receiveAt: (url: string) => Effect.Effect<string, DemoRefused>
  readonly ping: Effect.Effect<WebhookDeliveryResource, DemoRefused>
  /** The whole delivery log of the test endpoint. */
  readonly deliveries: Effect.Effect<ReadonlyArray<WebhookDeliveryResource>, DemoRefused>
  readonly start: (shape: Shape) => Effect.Effect<JourneyResource, DemoRefused>
  readonly get: (journeyId: string) => Effect.Effect<JourneyResource, DemoRefused>
  readonly simulate: (journeyId: string, event: string) => Effect.Effect<JourneyResource, DemoRefused>
  /** From now on the company's test journeys wait for somebody. */
  readonly advanceByHand: Effect.Effect<void, DemoRefused>
}

const connect = Effect.fnUntraced(function* (
  baseUrl: string,
  operatorToken: string
): Effect.fn.Return<DemoClient, DemoRefused> {
  const companies = `${baseUrl}/settings/v1/companies`
  const company = yield* request(companies, "POST", operatorToken, Created, {
    body: { json: { name: "Riverside Cars", kind: "DEALER", adminEmail: "owner@riverside.example" } }
  })
  const { key } = yield* request(`${companies}/${company.id}/api-keys`, "POST", operatorToken, CreatedKey, {
    body: { json: { mode: "TEST", name: "Demo" } }
  })
  return yield* of(baseUrl, operatorToken, { id: company.id, key })
})

/** The program of a company that exists. */
const of = Effect.fnUntraced(function* (
  baseUrl: string,
  operatorToken: string,
  company: { readonly id: string; readonly key: string }
): Effect.fn.Return<DemoClient> {
  const { key } = company
  const companies = `${baseUrl}/settings/v1/companies`
  const photo = yield* customerPhoto
  const endpoint = `${companies}/${company.id}/webhook-endpoints/test`
  const journeys = `${baseUrl}/api/v1/journeys`

  const deliveriesFrom = (cursor: string | null): DemoClient["deliveries"] =>
    Effect.gen(function* () {
      const query = cursor === null ? "" : `?cursor=${cursor}`
      const { content, next } = yield* request(`${endpoint}/deliveries${query}`, "GET", operatorToken, LogPage)
      return next === null ? content : [...content, ...(yield* deliveriesFrom(next))]
    })

  return {
    receiveAt: (url) =>
      Effect.map(
        request(endpoint, "PUT", operatorToken, CreatedEndpoint, { body: { json: { url } } }),
        ({ secret }) => secret
      ),
    ping: request(`${endpoint}/ping`, "POST", operatorToken, WebhookDeliveryResource),
    deliveries: deliveriesFrom(null),
    start: (shape) =>
      request(journeys, "POST", key, JourneyResource, {
        body: bodyOf(shape, photo),
        headers: { "idempotency-key": `demo-${shape.toLowerCase()}` }
      }),
    get: (journeyId) => request(`${journeys}/${journeyId}`, "GET", key, JourneyResource),
    simulate: (journeyId, event) =>
      request(`${journeys}/${journeyId}/simulate`, "POST", key, JourneyResource, { body: { json: { event } } }),
    advanceByHand: Effect.asVoid(
      request(`${companies}/${company.id}`, "PATCH", operatorToken, Created, {
        body: { json: { sandbox: { pace: "manual" } } }
      })
    )
  }
})

export const DemoClient = { connect, of }

/** A FINANCE_SALE is sent as multipart: the JSON and the customer's photo. */
const bodyOf = (
  shape: Shape,
  photo: Uint8Array<ArrayBuffer>
): { readonly json: unknown } | { readonly form: FormData } => {
  const json = startExamples[shape]
  if (shape !== "FINANCE_SALE") return { json }
  const form = new FormData()
  form.append("journey", new Blob([JSON.stringify(json)], { type: "application/json" }))
  form.append("customerFace", new Blob([photo], { type: "image/jpeg" }), "customer.jpg")
  return { form }
}
