/**
 * The HTTP client that sends telemetry. A receiver that is away, slow or frozen costs the telemetry that was meant for
 * it and nothing else: few requests are on their way at once, none takes long, and one log line reports the beginning
 * of the trouble and one its end. After a failure the exporters drop what they have and pause for a minute.
 */
import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { troubleNews } from "../../actors/kernel/troubleNews.ts"
import { telemetryLimits } from "./limits.ts"

const { answerWithin, mostRequests } = telemetryLimits

const limited = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  let underway = 0
  const news = troubleNews({
    ok: Effect.logInfo("Telemetry is sent again"),
    failed: () => Effect.logWarning("Telemetry cannot be sent; it is dropped, and tried again every minute")
  })

  return HttpClient.transform(client, (sending) =>
    Effect.suspend(() => {
      if (underway >= mostRequests) return Effect.die(new Error("too much telemetry is on its way"))
      underway += 1
      return sending.pipe(
        Effect.timeoutOrElse({ duration: answerWithin, orElse: () => Effect.die(new Error("no answer in time")) }),
        Effect.tap((response) => (response.status < 400 ? news.ok : news.failed())),
        Effect.onError(() => news.failed()),
        Effect.ensuring(
          Effect.sync(() => {
            underway -= 1
          })
        )
      )
    })
  )
}

export const layer = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, limited)).pipe(
  Layer.provide(FetchHttpClient.layer)
)
