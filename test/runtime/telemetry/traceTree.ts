/**
 * Spans as a tree, to be read by a person: under each span its children, and what links back to it. A batch, which is everybody's,
 * stands as one line under each span that it served. Not a test itself.
 */
import type { OtlpReceiver, ReceivedSpan } from "../../support/otlpReceiver.ts"
import { isBatch } from "./traceGraph.ts"

interface Branch {
  readonly span: ReceivedSpan
  /** Whether the span hangs on the one above by a link, as a trace of its own. */
  readonly isLinked: boolean
  readonly under: ReadonlyArray<Branch>
}

const keyOf = ({ spanId, traceId }: { readonly spanId: string; readonly traceId: string }) => `${traceId}-${spanId}`

/** What is shown beside the name, in this order. */
const shown = [
  "journey.message",
  "journey.before",
  "journey.after",
  "journey.events",
  "journey.outcome",
  "effect.kind",
  "effect.attempt",
  "effect.outcome",
  "mail.kind",
  "mail.outcome",
  "event.type",
  "delivery.outcome",
  "http.response.status_code"
]

export const treeOf = ({ spans }: Pick<OtlpReceiver, "spans">, root: ReceivedSpan): Branch => {
  const seen = new Set([keyOf(root)])
  const take = (span: ReceivedSpan, isLinked: boolean): ReadonlyArray<Branch> => {
    if (seen.has(keyOf(span))) return []
    seen.add(keyOf(span))
    return [branch(span, isLinked)]
  }
  const branch = (span: ReceivedSpan, isLinked: boolean): Branch => ({
    span,
    isLinked,
    under: [
      ...spans
        .filter(({ parentSpanId, traceId }) => parentSpanId === span.spanId && traceId === span.traceId)
        .flatMap((child) => take(child, false)),
      ...spans
        .filter((other) => !isBatch(other) && other.links.some((link) => keyOf(link) === keyOf(span)))
        .flatMap((other) => take(other, true))
    ]
  })
  return branch(root, false)
}

const lineOf = ({ isLinked, span }: Branch): string => {
  // What an attempt does is on every span within it; the attempt says it for all of them.
  const said = "effect.attempt" in span.attributes ? shown : shown.filter((name) => name !== "effect.kind")
  const facts = said.flatMap((name) => {
    const value = span.attributes[name]
    return typeof value === "string" && value !== "" ? [value] : typeof value === "number" ? [value.toString()] : []
  })
  return `${isLinked ? "~ " : ""}${span.name}${facts.length === 0 ? "" : `  [${facts.join("; ")}]`}${span.status === 2 ? "  FAILED" : ""}`
}

/** `~` marks a trace of its own, linked to the span above. */
export const printedTree = (branch: Branch, indent = ""): string =>
  [`${indent}${lineOf(branch)}`, ...branch.under.map((one) => printedTree(one, `${indent}   `))].join("\n")

export const branchesOf = (branch: Branch): ReadonlyArray<Branch> => [branch, ...branch.under.flatMap(branchesOf)]

/** The story of a journey: a tree for each request that moved it, in the order in which the requests came. */
export const storyOf = (receiver: Pick<OtlpReceiver, "spans">, journeyId: string): ReadonlyArray<Branch> =>
  receiver.spans
    .filter(({ links, parentSpanId }) => parentSpanId === null && links.length === 0)
    .map((root) => treeOf(receiver, root))
    .filter((tree) =>
      branchesOf(tree).some(
        ({ span: { attributes, name } }) => name === "Journey.decide" && attributes["journey.id"] === journeyId
      )
    )
