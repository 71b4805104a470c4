/** Which traces are sent, and what of a span: without a receiver, span by span. */
import { Cause, Context, Effect, Exit, Option, Tracer } from "effect"
import { describe, expect, it } from "vitest"
import { linksTo } from "../../../src/actors/kernel/Trace.ts"
import { isSampled, sampling } from "../../../src/runtime/telemetry/sampling.ts"

const tracerOf = (ratio: number) => sampling(Tracer.make({ span: (options) => new Tracer.NativeSpan(options) }), ratio)

const spanOf = (tracer: Tracer.Tracer, given: Partial<Parameters<Tracer.Tracer["span"]>[0]> = {}): Tracer.Span =>
  tracer.span({
    name: "test",
    parent: Option.none(),
    annotations: Context.empty(),
    links: [],
    startTime: 0n,
    kind: "server",
    root: false,
    sampled: true,
    ...given
  })

/** What an exporter is told of a span that fails. */
const ended = (cause: Cause.Cause<unknown>) => {
  const span = spanOf(tracerOf(1))
  span.end(1n, Exit.failCause(cause))
  const { status } = span
  if (status._tag !== "Ended" || Exit.isSuccess(status.exit)) throw new Error("it has not failed")
  return Cause.prettyErrors(status.exit.cause).map(({ message, name, stack }) => [name, message, stack])
}

const told = (name: string) => [[name, name, `${name}: ${name}`]]

const traceparent = (flags: "00" | "01") => `00-${"1".repeat(32)}-${"2".repeat(16)}-${flags}`

describe("a share of traces", () => {
  it("is chosen by the id alone, alike on every node, and has the configured size", () => {
    const ids = Array.from({ length: 4000 }, () => spanOf(tracerOf(1)).traceId)
    const sent = ids.filter((id) => isSampled(id, 0.25))
    expect(sent.length / ids.length).toBeGreaterThan(0.2)
    expect(sent.length / ids.length).toBeLessThan(0.3)
    // What is sent at a small share is sent at every larger one.
    expect(ids.filter((id) => isSampled(id, 0.1)).every((id) => sent.includes(id))).toBe(true)
    expect(ids.some((id) => isSampled(id, 0))).toBe(false)
    expect(ids.every((id) => isSampled(id, 1))).toBe(true)
  })

  it("includes everything that is begun within a span of it", () => {
    for (const sampled of [true, false]) {
      const parent = Option.some(Tracer.externalSpan({ traceId: "f".repeat(32), spanId: "e".repeat(16), sampled }))
      expect(spanOf(tracerOf(0.5), { parent, kind: "client" }).sampled).toBe(sampled)
    }
  })

  it("includes what links back to it, and is empty at a share of 0", () => {
    expect(spanOf(tracerOf(0.000001), { links: linksTo(traceparent("01")) }).sampled).toBe(true)
    expect(spanOf(tracerOf(0.999999), { links: linksTo(traceparent("00")) }).sampled).toBe(false)
    expect(spanOf(tracerOf(0), { links: linksTo(traceparent("01")) }).sampled).toBe(false)
  })

  it("does not include housekeeping, which begins without a request", () => {
    expect(spanOf(tracerOf(1), { kind: "client" }).sampled).toBe(false)
    expect(spanOf(tracerOf(1), { kind: "internal" }).sampled).toBe(false)
    for (const kind of ["server", "consumer", "producer"] as const) {
      expect(spanOf(tracerOf(1), { kind }).sampled).toBe(true)
    }
  })
})

describe("a span that is sent", () => {
  it("carries the attributes on the list and no others", () => {
    const span = spanOf(tracerOf(1))
    span.attribute("journey.id", "7")
    span.attribute("url.full", "https://example.com/?email=anna@example.com")
    span.attribute("db.query.text", "select 'anna@example.com'")
    span.event("anna@example.com", 0n)
    expect([...span.attributes]).toEqual([["journey.id", "7"]])
    expect(span).toHaveProperty("events", [])
  })

  it("names a failure and does not quote it", () => {
    const secret = new Error("anna@example.com", { cause: new Error("AA11 AAA") })
    expect(ended(Cause.die(secret))).toEqual(told("Error"))
    expect(ended(Cause.fail({ _tag: "StoreUnavailable", cause: secret }))).toEqual(told("StoreUnavailable"))
    expect(ended(Cause.fail("anna@example.com"))).toEqual(told("unknown"))
  })
})

describe("a place in a trace that was written down", () => {
  it("gives a link when it is well formed, and none otherwise", () => {
    expect(linksTo(traceparent("01")).map(({ span }) => [span.traceId, span.spanId, span.sampled])).toEqual([
      ["1".repeat(32), "2".repeat(16), true]
    ])
    for (const text of [null, "", "00-zz-11-01", `${traceparent("01")}-more`]) expect(linksTo(text)).toEqual([])
  })

  it("is not written down without a tracer", async () => {
    const { currentTraceparent } = await import("../../../src/actors/kernel/Trace.ts")
    const inSpan = Effect.withSpan(currentTraceparent, "test")
    expect(await Effect.runPromise(Effect.withTracerEnabled(inSpan, false))).toBeNull()
    expect(await Effect.runPromise(inSpan)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })
})
