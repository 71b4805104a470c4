/**
 * An integrator's program, as small as it can be: makes a company and a test key through the settings API, then starts
 * and reads journeys with that key.
 */
import { Effect, Schema } from "effect"
import { JourneyResource } from "../../schema/journeyResource.ts"
import { startExamples } from "../../schema/start/examples.ts"
import type { Shape } from "../../schema/statuses.ts"
import { photo } from "./photo.ts"

/** The demo asked for something and was refused: its own mistake, or the service's. */
export class DemoRefused extends Schema.TaggedError<DemoRefused>()("DemoRefused", {
  request: Schema.String,
  status: Schema.Int,
  answer: Schema.String
}) {
  override get message(): string {
    return `${this.request} was answered ${this.status}: ${this.answer}`
  }
}

const DataOf = <S extends Schema.Top>(data: S) => Schema.Struct({ data })
const Created = DataOf(Schema.Struct({ id: Schema.String }))
const CreatedKey = DataOf(Schema.Struct({ key: Schema.String }))
const OneJourney = DataOf(JourneyResource)

const request = <S extends Schema.Codec<unknown, unknown>>(
  url: string,
  method: "GET" | "POST",
  token: string,
  answer: S,
  body?: { readonly json: unknown } | { readonly form: FormData },
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<S["Type"], DemoRefused> =>
  Effect.gen(function* () {
    const response = yield* Effect.promise(() =>
      fetch(url, {
        method,
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
    return yield* Effect.orDie(Schema.decodeUnknownEffect(answer)(JSON.parse(text)))
  })

export interface DemoClient {
  readonly start: (shape: Shape) => Effect.Effect<JourneyResource, DemoRefused>
  readonly get: (journeyId: string) => Effect.Effect<JourneyResource, DemoRefused>
}

const connect = Effect.fnUntraced(function* (
  baseUrl: string,
  operatorToken: string
): Effect.fn.Return<DemoClient, DemoRefused> {
  const companies = `${baseUrl}/settings/v1/companies`
  const company = yield* request(companies, "POST", operatorToken, Created, {
    json: { name: "Riverside Cars", kind: "DEALER", adminEmail: "owner@riverside.example" }
  })
  const created = yield* request(`${companies}/${company.data.id}/api-keys`, "POST", operatorToken, CreatedKey, {
    json: { mode: "TEST", name: "Demo" }
  })
  const { key } = created.data
  const journeys = `${baseUrl}/api/v1/journeys`
  const data = Effect.map(({ data }: typeof OneJourney.Type) => data)
  return {
    start: (shape) =>
      data(
        request(journeys, "POST", key, OneJourney, bodyOf(shape), { "idempotency-key": `demo-${shape.toLowerCase()}` })
      ),
    get: (journeyId) => data(request(`${journeys}/${journeyId}`, "GET", key, OneJourney))
  }
})

export const DemoClient = { connect }

/** A FINANCE_SALE is sent as multipart: the JSON, and the customer's photo. */
const bodyOf = (shape: Shape): { readonly json: unknown } | { readonly form: FormData } => {
  const json = startExamples[shape]
  if (shape !== "FINANCE_SALE") return { json }
  const form = new FormData()
  form.append("journey", new Blob([JSON.stringify(json)], { type: "application/json" }))
  form.append("customerFace", new Blob([photo], { type: "image/jpeg" }), "customer.jpg")
  return { form }
}
