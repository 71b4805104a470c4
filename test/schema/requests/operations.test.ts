import { Result, type Schema } from "effect"
import { describe, expect, it } from "vitest"
import type { FieldError } from "../../../src/schema/problems.ts"
import { eventCatalogue, eventTypes, simulatableEvents } from "../../../src/schema/journey/events.ts"
import { bodyDecoder } from "../../../src/schema/decoding/bodyDecoder.ts"
import { CancelBody, FinanceDecisionBody, SimulateBody } from "../../../src/schema/requests/operations.ts"

const decoderOf = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = bodyDecoder(schema)
  return (body: unknown) => decode(body, { now: 0, allowInsecure: false })
}

const decodeCancel = decoderOf(CancelBody)
const decodeFinanceDecision = decoderOf(FinanceDecisionBody)
const decodeSimulate = decoderOf(SimulateBody)

const lines = (result: Result.Result<unknown, ReadonlyArray<FieldError>>): ReadonlyArray<string> =>
  Result.match(result, {
    onSuccess: () => [],
    onFailure: (errors) => errors.map(({ code, field }) => `${code} ${field}`)
  })

const judged = (reason: unknown) => lines(decodeCancel({ reason }))

describe("cancel", () => {
  const refused = ["VALIDATION_FAILED reason"]

  it("takes a reason of 10 to 500 characters after trimming", () => {
    expect(judged("x".repeat(10))).toEqual([])
    expect(judged("x".repeat(500))).toEqual([])
    expect(judged("😀".repeat(10))).toEqual([])
    expect(judged("😀".repeat(500))).toEqual([])
    expect(judged(` ${"x".repeat(500)} `)).toEqual([])
    expect(judged("x".repeat(9))).toEqual(refused)
    expect(judged("😀".repeat(9))).toEqual(refused)
    expect(judged(`   ${"x".repeat(9)}   `)).toEqual(refused)
    expect(judged("x".repeat(501))).toEqual(refused)
  })

  it("refuses a reason that is missing, blank or no text", () => {
    expect(lines(decodeCancel({}))).toEqual(refused)
    for (const reason of [" ".repeat(10), 1_234_567_890, null, true, ["the customer left"], "\u200b".repeat(10)]) {
      expect(judged(reason)).toEqual(refused)
    }
  })

  it("takes lines, refuses control characters, and gives the reason in form", () => {
    expect(Result.getOrThrow(decodeCancel({ reason: "  sold to\nanother cafe\u0301  " }))).toEqual({
      reason: "sold to\nanother caf\u00e9"
    })
    expect(judged("the customer\u0007left")).toEqual(refused)
  })
})

describe("finance-decision", () => {
  it("takes the three decisions and nothing else", () => {
    for (const decision of ["APPROVED", "DECLINED", "REFERRED"]) {
      expect(Result.getOrThrow(decodeFinanceDecision({ decision }))).toEqual({ decision })
    }
    for (const decision of ["approved", "APPROVED ", "PENDING", "", null, 1]) {
      expect(lines(decodeFinanceDecision({ decision }))).toEqual(["VALIDATION_FAILED decision"])
    }
    expect(lines(decodeFinanceDecision({}))).toEqual(["VALIDATION_FAILED decision"])
  })
})

describe("simulate", () => {
  it.each(eventTypes)("knows whether %s can be simulated", (event) => {
    expect(lines(decodeSimulate({ event }))).toEqual(
      eventCatalogue[event].simulatable ? [] : ["VALIDATION_FAILED event"]
    )
  })

  it("refuses events that do not exist", () => {
    for (const event of ["delivery.done", "DELIVERY.COMPLETED", "delivery.*", "toString", "", null, 1]) {
      expect(lines(decodeSimulate({ event }))).toEqual(["VALIDATION_FAILED event"])
    }
    expect(lines(decodeSimulate({}))).toEqual(["VALIDATION_FAILED event"])
  })
})

describe.each([
  ["cancel", decodeCancel, { reason: "the customer left" }],
  ["finance-decision", decodeFinanceDecision, { decision: "APPROVED" }],
  ["simulate", decodeSimulate, { event: "delivery.completed" }]
] as const)("the body of %s", (_, decode, body) => {
  it("takes no unlisted field and is an object", () => {
    expect(lines(decode(body))).toEqual([])
    expect(lines(decode({ ...body, note: 1, livemode: true }))).toEqual([
      "VALIDATION_FAILED note",
      "VALIDATION_FAILED livemode"
    ])
    for (const other of [null, undefined, [], "x", 1]) expect(lines(decode(other))).toEqual(["VALIDATION_FAILED body"])
  })
})

describe("the event catalogue", () => {
  it("holds the 24 events of the specification, 14 of them simulatable", () => {
    expect(eventTypes).toHaveLength(24)
    expect(new Set(eventTypes.map((type) => type.split(".")[0]))).toEqual(
      new Set(["journey", "finance_enquiry", "identity", "delivery", "ping"])
    )
    expect(simulatableEvents).toEqual([
      "finance_enquiry.approved",
      "finance_enquiry.declined",
      "finance_enquiry.referred",
      "finance_enquiry.submission_failed",
      "identity.verified",
      "identity.under_review",
      "identity.failed",
      "delivery.location_confirmed",
      "delivery.awaiting_video",
      "delivery.video_uploaded",
      "delivery.under_review",
      "delivery.completed",
      "delivery.cancelled",
      "delivery.expired"
    ])
  })
})
