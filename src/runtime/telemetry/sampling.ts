/**
 * Decides which spans leave the service and what they may say: a share of the traces, only attributes on a list, and
 * only the name of a failure. The list keeps personal data and secrets inside: no span carries a URL, header, address,
 * statement or error message, whoever sets it.
 *
 * A trace begins with a request, and its id decides whether it is sent. Work that continues another trace (an alarm, a
 * delivery, the batch of a commit) is a trace of its own with a link back, and it is sent if the linked trace is. So
 * the share is a share of whole stories. Work that neither begins with a request nor continues a trace, such as the
 * statements of a poller, is housekeeping and is never sent.
 */
import { Cause, Data, Exit, Option, type Tracer } from "effect"

/** Everything that a span may say beside its name and times. */
const attributes: ReadonlySet<string> = new Set([
  "batch.items",
  "db.system.name",
  "delivery.attempt",
  "delivery.outcome",
  "effect.attempt",
  "effect.kind",
  "effect.outcome",
  "entity.type",
  "event.id",
  "event.type",
  "fiber.id",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "journey.after",
  "journey.before",
  "journey.events",
  "journey.id",
  "journey.message",
  "journey.outcome",
  "journey.version",
  "mail.attempt",
  "mail.id",
  "mail.kind",
  "mail.outcome",
  "request.id",
  "rpc.method",
  "rpc.system.name"
])

/** The last digits of the trace's id decide: eight hexadecimal digits make a number that JavaScript holds exactly. */
const decidingDigits = 8

/** Every node decides alike, because only the id counts. */
export const isSampled = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-decidingDigits), 16) < ratio * 16 ** decidingDigits

/** The spans that begin something new: a request, or an attempt at a delivery. */
const beginning: ReadonlySet<Tracer.SpanKind> = new Set(["server", "consumer", "producer"])

type SpanOptions = Parameters<Tracer.Tracer["span"]>[0]

const isSent = ({ kind, links, parent, sampled }: SpanOptions, ratio: number, span: Tracer.Span): boolean => {
  if (!sampled || ratio === 0) return false
  if (Option.isSome(parent)) return parent.value.sampled
  if (links.length > 0) return links.some((link) => link.span.sampled)
  return beginning.has(kind) && isSampled(span.traceId, ratio)
}

/** A failure reduced to its name. Its message may quote what was sent, and so may its causes. */
class SpanFailure extends Data.TaggedError("SpanFailure")<{ readonly message: string }> {
  override readonly name = this.message
  override readonly stack = this.message
}

const errorOf = (cause: Cause.Cause<unknown>): unknown => {
  const failed = cause.reasons.find((reason) => reason._tag !== "Interrupt")
  return failed === undefined ? null : failed._tag === "Fail" ? failed.error : failed.defect
}

const nameOf = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return "unknown"
  if ("_tag" in error && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : "unknown"
}

const withoutMessage = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
    ? exit
    : Exit.fail(new SpanFailure({ message: nameOf(errorOf(exit.cause)) }))

const nothing = () => {}

/** A span that leaves the service. */
const guarded = (span: Tracer.Span): Tracer.Span => {
  const end = span.end.bind(span)
  const attribute = span.attribute.bind(span)
  return Object.assign(span, {
    attribute: (key: string, value: unknown) => {
      if (attributes.has(key)) attribute(key, value)
    },
    // Log lines go to the logs, with the ids of their span.
    event: nothing,
    end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, withoutMessage(exit))
  })
}

/** The exporter skips a span that is not sampled, and nothing of it is kept. */
const unsent = (span: Tracer.Span): Tracer.Span =>
  Object.assign(span, { sampled: false, attribute: nothing, event: nothing })

/** `inner` makes the spans that are sent. `ratio` is the share of traces, 0 to 1. */
export const sampling = (inner: Tracer.Tracer, ratio: number): Tracer.Tracer => ({
  span: (options) => {
    const span = inner.span({ ...options, sampled: true })
    return isSent(options, ratio, span) ? guarded(span) : unsent(span)
  }
})
