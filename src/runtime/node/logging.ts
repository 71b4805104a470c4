/**
 * Where log lines go and how they look: pretty at a terminal, one JSON object on each line everywhere else. A line that
 * is written in a span has the ids of its trace and span.
 */
import { Context, Effect, Formatter, Layer, Logger, References, Tracer } from "effect"
import { Settings } from "../settings/Settings.ts"

const traceIds = (span: Tracer.AnySpan | undefined): { readonly trace_id?: string; readonly span_id?: string } =>
  span === undefined || Context.get(span.annotations, Tracer.DisablePropagation)
    ? {}
    : { trace_id: span.traceId, span_id: span.spanId }

/** Libraries log a cause without a word, such as that of a connection to a node that is gone. */
const inWords = (message: unknown): unknown =>
  Array.isArray(message) && message.length === 0 ? "Something failed: the cause says what" : message

/** One line of the log as JSON. */
export const jsonLine: Logger.Logger<unknown, string> = Logger.make((options) => {
  const { message, ...line } = Logger.formatStructured.log(options)
  return Formatter.formatJson({
    message: inWords(message),
    ...line,
    ...traceIds(Context.getOrUndefined(options.fiber.context, Tracer.ParentSpan))
  })
})

export const layer = Layer.unwrap(
  Effect.map(Settings, ({ logLevel }) =>
    Layer.merge(
      Logger.layer([process.stdout.isTTY ? Logger.consolePretty() : Logger.withConsoleLog(jsonLine)]),
      Layer.succeed(References.MinimumLogLevel, logLevel)
    )
  )
)
