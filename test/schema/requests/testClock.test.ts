/** The bodies of the sandbox's clocks, as a request is read and as the document says. */
import { Result } from "effect"
import { expect, it } from "vitest"
import { bodyDecoder } from "../../../src/schema/decoding/bodyDecoder.ts"
import { ClockAdvanceBody } from "../../../src/schema/requests/TestClock.ts"
import { document } from "../../http/documents/document.ts"

const decode = bodyDecoder(ClockAdvanceBody)
const facts = { now: Date.parse("2026-01-15T10:30:00Z"), allowInsecure: false }
const to = "2026-02-15T10:30:00Z"

it("an advance says how far or where to, and never both or neither", () => {
  expect(Result.isSuccess(decode({ by: "P30D" }, facts))).toBe(true)
  expect(Result.isSuccess(decode({ to }, facts))).toBe(true)
  for (const body of [{}, { by: "P30D", to }]) {
    const decoded = decode(body, facts)
    expect(Result.isFailure(decoded) && decoded.failure.map(({ message }) => message)).toEqual([
      "by or `to` must be given, and not both"
    ])
  }
})

it("the document says of an advance that it has one member", () => {
  const { ClockAdvance } = document.components.schemas
  expect(ClockAdvance).toMatchObject({ minProperties: 1, maxProperties: 1, additionalProperties: false })
})
