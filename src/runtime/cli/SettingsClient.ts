/** Requests to the settings API of a running service, and what is told when it is not there or says no. */
import { Context, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { FieldError } from "../../schema/problems.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { connection, type Connection } from "./connection.ts"

export interface Call {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT"
  /** Its parameters are encoded already. */
  readonly path: `/${string}`
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export class SettingsClient extends Context.Service<
  SettingsClient,
  {
    /** `data` of the answer. */
    readonly call: <A>(data: Schema.ConstraintDecoder<A>, call: Call) => Effect.Effect<A, CommandFailed>
  }
>()("journeys/runtime/commands/SettingsClient") {}

const answerTimeout = "30 seconds"

const failed = (message: string) => new CommandFailed({ message })

const Envelope = Schema.Struct({
  success: Schema.Boolean,
  data: Schema.Unknown,
  errors: Schema.NullOr(
    Schema.Array(Schema.Struct({ field: Schema.String, code: Schema.String, message: Schema.String }))
  )
})

export const layer = Layer.effect(
  SettingsClient,
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    // Looked for when the first request needs it: help and mistakes in a command need no service.
    const connected = yield* Effect.cached(connection)
    const send = ({ baseUrl, operatorToken }: Connection, { body, method, path, query = {} }: Call) =>
      HttpClientRequest.make(method)(`${baseUrl}/settings/v1${path}`).pipe(
        HttpClientRequest.bearerToken(operatorToken),
        HttpClientRequest.setUrlParams(query),
        (request) => (body === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, body)),
        client.execute,
        Effect.timeout(answerTimeout),
        Effect.mapError(() => failed(`the service does not answer at ${baseUrl}; is it running (npm start)?`))
      )

    const read = Effect.fnUntraced(function* <A>(
      data: Schema.ConstraintDecoder<A>,
      baseUrl: string,
      response: HttpClientResponse.HttpClientResponse
    ) {
      const stranger = failed(`what answers at ${baseUrl} is not this service, or another version of it`)
      const json = yield* Effect.mapError(response.json, () => stranger)
      const envelope = yield* Effect.mapError(Schema.decodeUnknownEffect(Envelope)(json), () => stranger)
      if (!envelope.success) {
        const requestId = response.headers["request-id"] ?? "unknown"
        // Codes of a newer service are shown as they come.
        const errors = (envelope.errors ?? []) as ReadonlyArray<FieldError>
        const message = errors[0]?.message ?? "the service refused"
        return yield* new CommandFailed({ message, refusal: { status: response.status, errors, requestId } })
      }
      return yield* Effect.mapError(Schema.decodeUnknownEffect(data)(envelope.data), () => stranger)
    })

    return SettingsClient.of({
      call: (data, call) =>
        Effect.gen(function* () {
          const to = yield* connected
          return yield* read(data, to.baseUrl, yield* send(to, call))
        })
    })
  })
).pipe(Layer.provide(FetchHttpClient.layer))
