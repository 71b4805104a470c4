/**
 * Where a trace goes on after it was put down in a row: the span of a commit as text (W3C Trace Context, `traceparent`),
 * and back as something a later span links to. Without a tracer there is no such text, and nothing is done for one.
 */
import { Context, Effect, Tracer } from "effect"

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/

const isTraced = (span: Tracer.AnySpan | undefined): span is Tracer.AnySpan =>
  span !== undefined && !Context.get(span.annotations, Tracer.DisablePropagation)

/** The span this runs in; null without a tracer, and outside of one. */
export const currentSpan: Effect.Effect<Tracer.AnySpan | null> = Effect.withFiberSucceed((fiber) => {
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  return isTraced(span) ? span : null
})

/** The span this runs in, to be written down. */
export const currentTraceparent: Effect.Effect<string | null> = Effect.map(currentSpan, (span) =>
  span === null ? null : `00-${span.traceId.padStart(32, "0")}-${span.spanId}-${span.sampled ? "01" : "00"}`
)

/** Links to the span that wrote this down. A text that is none links to nothing. */
export const linksTo = (traceparent: string | null): Array<Tracer.SpanLink> => {
  const [, traceId, spanId, sampled] = pattern.exec(traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? []
    : [{ span: Tracer.externalSpan({ traceId, spanId, sampled: sampled === "1" }), attributes: {} }]
}
