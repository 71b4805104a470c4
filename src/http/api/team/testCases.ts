/** A journey's journal as a test case, for whoever runs the service and wants to know why a journey went as it did. */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { testCaseOf } from "../../../actors/installation/testCase.ts"
import { TestCases } from "../../../actors/installation/TestCases.ts"
import { installationLimits } from "../../../schema/installation/limits.ts"
import { TestCaseResource } from "../../../schema/installation/TestCase.ts"
import { JourneyIdParameter, naming } from "../../../schema/decoding/parameters.ts"
import { exampleTestCase } from "../../documents/exampleTestCase.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { notFound } from "../frame/ofCompany.ts"

const exportTestCase = HttpApiEndpoint.get("exportTestCase", "/settings/v1/journeys/:journeyId/test-case", {
  params: { journeyId: JourneyIdParameter.annotate({ description: "The journey's id", ...naming("journey") }) },
  success: answerOf("TestCaseAnswer", TestCaseResource),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Export a journey as a test case",
    description: `Every message of the journey with its time, what its rules knew at the start, and what it came to: a case that the test kit replays and makes shorter. Nothing of the customer, the company or the deal is in it; ids and references are replaced. Of a journal with more than ${installationLimits.mostCaseLines} lines only the beginning.`,
    answer: answer("The test case", "Test case", exampleTestCase)
  })
)

export const testCaseOperations = operatorResource([exportTestCase], {
  exportTestCase: (asked) =>
    Effect.gen(function* () {
      const journeyId = yield* asked.path("journeyId")
      const cases = yield* TestCases
      const journal = yield* cases.journal(journeyId, installationLimits.mostCaseLines)
      return journal === null ? yield* notFound("journey") : testCaseOf(journal)
    })
})
