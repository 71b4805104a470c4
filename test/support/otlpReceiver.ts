/**
 * A receiver of OTLP over HTTP and JSON, like a collector. It takes what a service sends and gives it back decoded.
 * `answers` says what it does with a request; a receiver that hangs never answers.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export type Attributes = Readonly<Record<string, unknown>>

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  /** 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number
  /** 1 ok, 2 error. */
  readonly status: number
  readonly attributes: Attributes
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
}

export interface ReceivedLog {
  readonly body: string
  readonly severity: string
  readonly traceId: string | null
  readonly spanId: string | null
}

export interface OtlpReceiver {
  readonly url: string
  readonly spans: ReadonlyArray<ReceivedSpan>
  readonly logs: ReadonlyArray<ReceivedLog>
  /** The names of the metrics that arrived. */
  readonly metrics: ReadonlySet<string>
  /** The attributes of the sender in the last request. */
  readonly resource: () => Attributes
  /** Every body as it arrived. */
  readonly bodies: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

// oxlint-disable-next-line typescript/no-explicit-any -- the JSON of OTLP
type Json = any

const valueOf = (value: Json): unknown => {
  if (value === undefined || value === null) return null
  if ("arrayValue" in value) return (value.arrayValue.values ?? []).map(valueOf)
  if ("kvlistValue" in value) return attributesOf(value.kvlistValue.values)
  const [one] = Object.entries(value)
  return one === undefined ? null : one[0] === "intValue" ? Number(one[1]) : one[1]
}

const attributesOf = (list: ReadonlyArray<Json> = []): Attributes =>
  Object.fromEntries(list.map(({ key, value }) => [key, valueOf(value)]))

const spanOf = (span: Json): ReceivedSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? null,
  name: span.name,
  kind: span.kind,
  status: span.status?.code ?? 0,
  attributes: attributesOf(span.attributes),
  links: (span.links ?? []).map(({ spanId, traceId }: Json) => ({ spanId, traceId }))
})

const logOf = (log: Json): ReceivedLog => ({
  body: JSON.stringify(valueOf(log.body)),
  severity: log.severityText,
  traceId: log.traceId ?? null,
  spanId: log.spanId ?? null
})

export const startOtlpReceiver = async (answers: "all" | "none" = "all"): Promise<OtlpReceiver> => {
  const spans: Array<ReceivedSpan> = []
  const logs: Array<ReceivedLog> = []
  const metrics = new Set<string>()
  const bodies: Array<string> = []
  let resource: Attributes = {}

  const take = (text: string) => {
    bodies.push(text)
    const body: Json = JSON.parse(text)
    for (const one of body.resourceSpans ?? []) {
      resource = attributesOf(one.resource.attributes)
      for (const scope of one.scopeSpans) spans.push(...scope.spans.map(spanOf))
    }
    for (const one of body.resourceLogs ?? []) {
      for (const scope of one.scopeLogs) logs.push(...scope.logRecords.map(logOf))
    }
    for (const one of body.resourceMetrics ?? []) {
      for (const scope of one.scopeMetrics) for (const metric of scope.metrics) metrics.add(metric.name)
    }
  }

  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      take(Buffer.concat(chunks).toString())
      if (answers === "all") response.setHeader("content-type", "application/json").end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    logs,
    metrics,
    bodies,
    resource: () => resource,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
