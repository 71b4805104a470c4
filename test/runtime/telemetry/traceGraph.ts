/** Spans as a graph: what a reader of traces can reach by following parents, children and links, either way. */
import type { OtlpReceiver, ReceivedSpan } from "../../support/otlpReceiver.ts"

const nameOf = ({ spanId, traceId }: { readonly spanId: string; readonly traceId: string }) => `${traceId}-${spanId}`

/** Everything that hangs together with a span, itself included. */
export const connectedTo = (receiver: OtlpReceiver, first: ReceivedSpan): ReadonlyArray<ReceivedSpan> => {
  const neighbours = new Map<string, Set<string>>()
  const connect = (one: string, other: string) => {
    for (const [from, to] of [
      [one, other],
      [other, one]
    ] as const) {
      neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to))
    }
  }
  for (const span of receiver.spans) {
    if (span.parentSpanId !== null) connect(nameOf(span), nameOf({ ...span, spanId: span.parentSpanId }))
    for (const link of span.links) connect(nameOf(span), nameOf(link))
  }
  const reached = new Set([nameOf(first)])
  for (const one of reached) for (const next of neighbours.get(one) ?? []) reached.add(next)
  return receiver.spans.filter((span) => reached.has(nameOf(span)))
}

export const namesOf = (spans: ReadonlyArray<ReceivedSpan>): ReadonlyArray<string> =>
  [...new Set(spans.map(({ name }) => name))].toSorted()

/** Every span but those of a batch, which is everybody's: they say which journey they are about. */
export const isBatch = ({ name }: ReceivedSpan): boolean => name.endsWith(" batch") || name === "postgresql"
