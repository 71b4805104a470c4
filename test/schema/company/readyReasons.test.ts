import { Result } from "effect"
import { expect, it } from "vitest"
import { CompanyPatch } from "../../../src/schema/company/Company.ts"
import { readyReasonsIn } from "../../../src/schema/company/readyReasons.ts"
import { bodyDecoder } from "../../../src/schema/decoding/bodyDecoder.ts"
import { DecisionBody } from "../../../src/schema/review/Review.ts"

const facts = { now: 0, allowInsecure: false }
const patch = bodyDecoder(CompanyPatch, { isChange: true })
const decide = bodyDecoder(DecisionBody)

const isKept = (reasons: string) => Result.isSuccess(patch({ rejectionReasons: reasons }, facts))
const isTaken = (reason: string) => Result.isSuccess(decide({ decision: "REJECT", reason }, facts))

it.each([
  [9, "x", false],
  [10, "x", true],
  [500, "x", true],
  [501, "x", false],
  [9, "😀", false],
  [10, "😀", true],
  [500, "😀", true],
  [501, "😀", false]
])("a reason of %s times %s is kept ready exactly if a review takes it", (count, character, isFine) => {
  const reason = character.repeat(count)
  expect([isKept(reason), isTaken(reason)]).toEqual([isFine, isFine])
})

it("reasons are judged line by line, without blank lines and the spaces around them", () => {
  const reasons = `  The photo is blurred  \n\n\tThe document has expired\r\n`
  expect(isKept(reasons)).toBe(true)
  expect(readyReasonsIn(reasons)).toEqual(["The photo is blurred", "The document has expired"])
  expect(isKept(`${reasons}too short`)).toBe(false)
})
