/**
 * Test cases that `journeys export-case` has printed: replayed through the rules, or through a copy of them that is under
 * suspicion, and made shorter as long as a fault still shows.
 */
import { Result, Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import { decide } from "../../src/actors/journey/rules/decide.ts"
import type { StartFacts } from "../../src/actors/journey/rules/decideStart.ts"
import { memberOf } from "../../src/schema/decoding/record.ts"
import { testCaseFormat, TestCaseResource } from "../../src/schema/installation/TestCase.ts"
import { Shape } from "../../src/schema/journey/statuses.ts"
import { folded, type History, type Sequence } from "../actors/journey/rules/histories.ts"
import { factsOf } from "../actors/journey/rules/startedJourneys.ts"
import { knownMessage } from "./knownMessage.ts"

const decodeCase = Schema.decodeUnknownResult(TestCaseResource)
const isShape = Schema.is(Shape)
const printAgain = 'Print the case again with "journeys export-case"'

/** What the rules know of a start. */
const everyFact = Object.keys(factsOf("CASH_SALE"))

/** A case is a file that somebody has kept, shortened or written: what it lacks is said. */
const readCase = (testCase: unknown): TestCaseResource => {
  const format = memberOf(testCase, "format")
  if (format !== testCaseFormat) {
    const found = format === undefined ? "no format" : `the format ${JSON.stringify(format)}`
    throw new Error(`The case has ${found}, and this kit knows the format ${testCaseFormat}. ${printAgain}`)
  }
  const decoded = decodeCase(testCase)
  if (Result.isFailure(decoded)) throw new Error(`The case is not whole: ${decoded.failure.message}. ${printAgain}`)
  const { facts } = decoded.success
  const missing = everyFact.filter((name) => !Object.hasOwn(facts, name))
  if (missing.length > 0) throw new Error(`The facts of the case lack ${missing.join(", ")}. ${printAgain}`)
  if (!isShape(facts["shape"])) throw new Error(`The case's shape is none of ${Shape.literals.join(", ")}`)
  return decoded.success
}

const lifeOf = (testCase: TestCaseResource): Sequence => {
  const { facts, messages, startedAt } = readCase(testCase)
  return {
    // The service has made the facts of this very type, and none is missing.
    facts: facts as unknown as StartFacts,
    startedAt,
    letters: messages.map(({ at, message }, place) => ({
      messageId: `message-${place + 1}`,
      message: knownMessage(message, `Message ${place + 1} of the case`),
      at
    }))
  }
}

/** The life as the journal tells it, one decision a line. */
export const replayed = (testCase: TestCaseResource, by: typeof decide = decide): History =>
  folded(lifeOf(testCase), undefined, by)

const cameTo = ({ events, journey }: History): TestCaseResource["cameTo"] => ({
  status: journey.status,
  events: events.map(({ type }) => type)
})

/** Where the rules come to something else than the journey did, in words. */
export const wrongsOfCase = (testCase: TestCaseResource, by: typeof decide = decide): ReadonlyArray<string> => {
  const history = replayed(testCase, by)
  const refused = history.entries.filter(({ outcome }) => outcome._tag !== "Step")
  const now = cameTo(history)
  const isAtEnd = testCase.isWhole
  return [
    ...refused.map(({ letter, outcome }) => `${letter.message._tag} was taken, and comes to ${outcome._tag}`),
    ...(isDeepStrictEqual(now.events, testCase.cameTo.events)
      ? []
      : [`events were ${testCase.cameTo.events.join(" ")}, and are ${now.events.join(" ")}`]),
    ...(!isAtEnd || now.status === testCase.cameTo.status
      ? []
      : [`the status was ${testCase.cameTo.status}, and is ${now.status}`])
  ]
}

/**
 * The case without every message that the fault can do without. What it comes to is what it comes to by today's rules. A case
 * that is not wrong, or cannot be read, is refused.
 */
export const shrunk = (
  testCase: TestCaseResource,
  isWrong: (testCase: TestCaseResource) => boolean
): TestCaseResource => {
  lifeOf(testCase)
  if (!isWrong(testCase)) throw new Error("The case shows no fault")
  let smallest = testCase
  let before = 0
  // Larger parts first; then one by one, until each that is left is needed.
  for (let size = Math.ceil(testCase.messages.length / 2); size > 1 || before !== smallest.messages.length;) {
    before = smallest.messages.length
    for (let from = 0; from < smallest.messages.length;) {
      const fewer = { ...smallest, messages: smallest.messages.toSpliced(from, size) }
      if (isWrong(fewer)) smallest = fewer
      else from += size
    }
    size = Math.max(1, Math.floor(size / 2))
  }
  return { ...smallest, cameTo: cameTo(replayed(smallest)) }
}
