/**
 * How a trace goes on after a row: the span of a commit is stored with the row as text (W3C Trace Context, `traceparent`), and
 * a later span links back to it. Without a tracer there is no such text, and no work is done for it.
 */
import { Context, Effect, References, Tracer } from "effect"

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/

const isTraced = (span: Tracer.AnySpan | undefined): span is Tracer.AnySpan =>
  span !== undefined && !Context.get(span.annotations, Tracer.DisablePropagation)

/** The current span; null without a tracer, and outside of a span. */
export const currentSpan: Effect.Effect<Tracer.AnySpan | null> = Effect.withFiberSucceed((fiber) => {
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  return isTraced(span) ? span : null
})

/**
 * Puts an effect into its span where somebody traces. Without a tracer the effect stays as it is: a span that nobody sees
 * costs as much as one that is exported.
 */
export const whenTraced =
  <A, E, R>(intoSpan: (traced: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
  (effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => (fiber.getRef(References.TracerEnabled) ? intoSpan(effect) : effect))

/** The current span as text, to be stored. */
export const currentTraceparent: Effect.Effect<string | null> = Effect.map(currentSpan, (span) =>
  span === null ? null : `00-${span.traceId.padStart(32, "0")}-${span.spanId}-${span.sampled ? "01" : "00"}`
)

/** Links to the span that stored this text. A text of another form links to nothing. */
export const linksTo = (traceparent: string | null): Array<Tracer.SpanLink> => {
  const [, traceId, spanId, sampled] = pattern.exec(traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? []
    : [{ span: Tracer.externalSpan({ traceId, spanId, sampled: sampled === "1" }), attributes: {} }]
}
