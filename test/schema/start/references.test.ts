/** What an externalReference must not be (V23): refused is what reads as a mail address or a telephone number, and nothing else. */
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { referenceText } from "../../../src/schema/start/referenceText.ts"

const decode = Schema.decodeUnknownResult(referenceText(100))
const isTaken = (reference: string): boolean => Result.isSuccess(decode(reference))
const { pattern } = Schema.toJsonSchemaDocument(referenceText(100)).schema as { readonly pattern?: string }

/** What a caller who checks the body against the document finds. */
const fitsTheDocument = (reference: string): boolean => new RegExp(pattern ?? expect.fail()).test(reference)

describe("a reference", () => {
  it.each([
    "07-2026-12345",
    "07.2026.12345",
    "07 2026 12345",
    "07-28-2026-001",
    "0711-2026-123",
    "07112026-123",
    "07112026123",
    "07282026001",
    "FORD+20261128-001"
  ])("that begins with a month or a day, or joins words with a plus, is taken: %s", (reference) => {
    expect([isTaken(reference), fitsTheDocument(reference)]).toEqual([true, true])
  })

  it.each([
    "ann@example.com",
    "+44 7700 900123",
    "(+44) 7700 900123",
    "tel:+447700900123",
    "0044 (0)7700 900 123",
    "07700 900123",
    "0 7700 900123",
    "0770-090-0123",
    "07112 345678",
    "Ann 07700900123"
  ])("that reads as a mail address or a telephone number is refused: %s", (reference) => {
    expect([isTaken(reference), fitsTheDocument(reference)]).toEqual([false, false])
  })

  it.each([
    "+44 7700\u2013900123",
    "+44 7700\u2011900123",
    "+44 7700\u2212900123",
    "07700\u200b900123",
    "\uff0b44 7700 900123",
    "+49 170/1234567"
  ])("that reads as a telephone number is refused, whatever signs divide it: %j", (reference) => {
    expect(isTaken(reference)).toBe(false)
  })

  it.each(["A+49/170", "07/2026/123456", "deal \u2013 7", "2026\u201311\u201322"])(
    "that reads as no telephone number is taken, whatever signs divide it: %j",
    (reference) => {
      expect(isTaken(reference)).toBe(true)
    }
  )
})
