/** What nobody has typed is told in a sentence: messages and cases that come from files, or from plain JavaScript. */
import { describe, expect, it } from "vitest"
import type { TestCaseResource } from "../../src/schema/installation/TestCase.ts"
import type { JourneyMessage } from "../../src/schema/journey/messages.ts"
import { brokenBy, factsOf, given, replayed, shrunk, wrongsOfCase } from "./index.ts"

const whole: TestCaseResource = {
  format: 1,
  facts: { ...factsOf("IDENTITY_DELIVERY") },
  startedAt: 1_768_473_000_000,
  messages: [{ at: 1_768_473_001_000, message: { _tag: "Cancel" } }],
  cameTo: { status: "CANCELLED", events: ["journey.created", "identity.requested", "journey.cancelled"] },
  isWhole: true
}

/** As it comes out of a file. */
const read = (change: Readonly<Record<string, unknown>>): TestCaseResource =>
  JSON.parse(JSON.stringify({ ...whole, ...change }))

describe("given, when", () => {
  it("names a message that there is none of", () => {
    const misspelt = JSON.parse('{ "_tag": "Cancle" }') as JourneyMessage
    const sentence = /^Message 1 is "Cancle", which is no message\. Messages are Cancel, .*SandboxHeld/
    expect(() => given(factsOf("CASH_SALE")).when(misspelt)).toThrow(sentence)
    expect(() => given(factsOf("CASH_SALE"), misspelt).when()).toThrow(sentence)
    const unnamed = JSON.parse("{}") as JourneyMessage
    expect(() => given(factsOf("CASH_SALE")).when(unnamed)).toThrow("Message 1 has no _tag. Messages are ")
  })

  it("names what a message lacks", () => {
    const bare = JSON.parse('{ "_tag": "FinanceDecision" }') as JourneyMessage
    expect(() => given(factsOf("FINANCE_SALE")).when(bare)).toThrow(/^Message 1 is no FinanceDecision: .*decision/s)
  })
})

describe("a case", () => {
  it("that is whole comes to what it says, and breaks nothing", () => {
    expect(wrongsOfCase(read({}))).toEqual([])
    expect(brokenBy(replayed(read({})))).toEqual([])
  })

  it.each([
    [
      "of another format",
      read({ format: 2 }),
      "has the format 2, and this kit knows the format 1. Print the case again"
    ],
    ["without anything", JSON.parse("{}"), "The case has no format, and this kit knows the format 1. Print"],
    ["that is nothing", null, "The case has no format"],
    ["without messages", read({ messages: undefined }), /^The case is not whole: .*messages/s],
    [
      "with too few facts",
      read({ facts: { shape: "CASH_SALE" } }),
      /^The facts of the case lack id, .*check, .*sandbox\./
    ],
    [
      "of no shape",
      read({ facts: { ...whole.facts, shape: "BARTER" } }),
      "shape is none of FINANCE_ALREADY_SUBMITTED, "
    ],
    ["with an unknown message", read({ messages: [{ at: 1, message: { _tag: "Cancle" } }] }), 'of the case is "Cancle"']
  ])("%s is refused with what is wrong", (_which, testCase, sentence) => {
    for (const use of [wrongsOfCase, replayed, (one: TestCaseResource) => shrunk(one, () => true)]) {
      expect(() => use(testCase)).toThrow(sentence)
    }
  })
})
