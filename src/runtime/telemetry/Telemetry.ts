/**
 * Where the service's numbers, traces and log lines go. Numbers are kept in a registry of their own, for `/metrics`.
 * With OTEL_EXPORTER_OTLP_ENDPOINT, numbers, traces and log lines are also sent there, over OTLP/HTTP as JSON. Without
 * it there is no tracer, and spans cost nothing. `sampling.ts` decides what a span may say.
 */
import { ConfigProvider, Effect, Layer, Logger, Metric, References, Tracer } from "effect"
import { HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { apiVersion } from "../../schema/apiVersion.ts"
import { nextId } from "../node/NodeIds.ts"
import { Settings } from "../settings/Settings.ts"
import * as exporting from "./exporting.ts"
import { sampling } from "./sampling.ts"
import { telemetryLimits } from "./limits.ts"

const serviceName = "journeys"

const { logsEvery, metricsEvery, shutdownWithin: shutdownTimeout, tracesEvery } = telemetryLimits

const withoutTracer = Layer.succeed(References.TracerEnabled, false)

const tracer = (url: string, ratio: number, resource: Resource) =>
  ratio === 0
    ? withoutTracer
    : Layer.effect(
        Tracer.Tracer,
        Effect.map(OtlpTracer.make({ url, resource, exportInterval: tracesEvery, shutdownTimeout }), (inner) =>
          sampling(inner, ratio)
        )
      )

interface Resource {
  readonly serviceName: string
  readonly serviceVersion: string
  readonly attributes: Readonly<Record<string, string>>
}

/** The name of this node: the address where others reach it, or a name that is made for this start. */
const resourceOf = ({ runnerAddress }: Settings["Service"]): Resource => ({
  serviceName,
  serviceVersion: apiVersion,
  attributes: {
    "service.instance.id": runnerAddress === undefined ? nextId() : `${runnerAddress.host}:${runnerAddress.port}`
  }
})

const exporters = (endpoint: string, settings: Settings["Service"]) => {
  const base = endpoint.replace(/\/+$/, "")
  const resource = resourceOf(settings)
  return Layer.mergeAll(
    tracer(`${base}/v1/traces`, settings.tracesSamplerRatio, resource),
    Logger.layer([OtlpLogger.make({ url: `${base}/v1/logs`, resource, exportInterval: logsEvery, shutdownTimeout })], {
      mergeWithExisting: true
    }),
    Layer.effectDiscard(
      OtlpMetrics.make({ url: `${base}/v1/metrics`, resource, exportInterval: metricsEvery, shutdownTimeout })
    )
  ).pipe(
    Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, exporting.layer]),
    // Without this the exporters would read variables that are not settings of ours.
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
  )
}

/** Effect's own span of a request would carry its URL, headers and address. The server makes a span without them. */
const withoutRequestSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

export const layer = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    settings.otlpEndpoint === undefined ? withoutTracer : exporters(settings.otlpEndpoint, settings)
  )
).pipe(
  Layer.provideMerge(
    Layer.merge(
      withoutRequestSpans,
      Layer.sync(Metric.MetricRegistry, () => new Map())
    )
  )
)
