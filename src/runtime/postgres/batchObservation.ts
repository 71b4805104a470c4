/**
 * Observes group commit and group reading. A batch serves several callers and belongs to none of them, so it is a trace
 * of its own. The batch's span and the span of each traced item link to each other.
 */
import { Clock, Context, Effect, Exit, type Scope, Tracer } from "effect"
import { currentMeter } from "../../actors/kernel/Meter.ts"

/** Nanoseconds in a second. */
const second = 1e9

export interface Traced {
  /** The span in which an item waits for its answer; null when the caller is not traced. */
  readonly span: Tracer.Span | null
}

const link = (span: Tracer.AnySpan): Tracer.SpanLink => ({ span, attributes: {} })

const isTraced = (context: Context.Context<never>): boolean =>
  Context.getOrUndefined(context, Tracer.ParentSpan)?.sampled === true

/** Runs a statement in a span of its own if any item of the batch is traced, and without a span otherwise. */
const inBatchSpan = <A, E>(
  name: string,
  batch: ReadonlyArray<Traced>,
  statement: Effect.Effect<A, E>
): Effect.Effect<A, E> => {
  const spans = batch.flatMap(({ span }) => (span === null ? [] : [span]))
  if (spans.length === 0) return Effect.withTracerEnabled(statement, false)
  const options = { root: true, links: spans.map(link), attributes: { "batch.items": batch.length } }
  return Effect.useSpan(`${name} batch`, options, (span) => {
    for (const one of spans) one.addLinks([link(span)])
    return Effect.withParentSpan(statement, span, { captureStackTrace: false })
  })
}

export const observeBatches = Effect.fnUntraced(function* (
  name: string,
  waiting: () => number
): Effect.fn.Return<
  {
    /** Runs the statement of a batch. */
    readonly statement: <A, E>(batch: ReadonlyArray<Traced>, run: () => Effect.Effect<A, E>) => Effect.Effect<A, E>
    /** Hands over one item and waits for its answer. */
    readonly answer: <A, E>(
      journeyId: string | undefined,
      handOver: (span: Tracer.Span | null) => Effect.Effect<A, E>
    ) => Effect.Effect<A, E>
  },
  never,
  Scope.Scope
> {
  const clock = yield* Clock.Clock
  const meter = yield* currentMeter
  const now = () => clock.monotonicTimeNanosUnsafe()
  const since = (begun: bigint) => Number(now() - begun) / second
  yield* meter.read("journeys_batch_waiting", { batch: name }, waiting)

  return {
    statement: (batch, run) =>
      Effect.suspend(() => {
        const begun = now()
        meter.observe("journeys_batch_items", { batch: name }, batch.length)
        return Effect.onExit(inBatchSpan(name, batch, Effect.suspend(run)), (exit) => {
          const outcome = Exit.isSuccess(exit) ? "DONE" : "FAILED"
          meter.observe("journeys_batch_statement_seconds", { batch: name, outcome }, since(begun))
          return Effect.void
        })
      }),
    answer: (journeyId, handOver) =>
      Effect.withFiber((fiber) => {
        const begun = now()
        const waiting = isTraced(fiber.context)
          ? Effect.useSpan(name, journeyId === undefined ? {} : { attributes: { "journey.id": journeyId } }, handOver)
          : handOver(null)
        return Effect.map(waiting, (answer) => {
          meter.observe("journeys_batch_answer_seconds", { batch: name }, since(begun))
          return answer
        })
      })
  }
})
