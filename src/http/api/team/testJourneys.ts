/**
 * Test journeys that a company's people start themselves, to see what happens before they write a program: the example of a shape,
 * by the code and the rules of a start with a test key. It needs no key and no body.
 */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import type { StartingKey } from "../../../actors/company/Keyring.ts"
import { startExample } from "../../../actors/journey/actor/start/startExample.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import type { Company } from "../../../schema/company/Company.ts"
import { Shape } from "../../../schema/journey/statuses.ts"
import { text } from "../../../schema/decoding/text.ts"
import { startedJourneys } from "../../documents/exampleJourneys.ts"
import { actorOf, Asker } from "../../server/endpoints/Asker.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample } from "../../server/endpoints/described.ts"
import { refusedWith } from "../../server/answers/envelope.ts"
import { problem, problems } from "../../server/answers/problems.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { toItsEnd, writeDown } from "../frame/asTeam.ts"
import { clockNamed } from "../start/startClock.ts"
import { asTyped, JourneyAnswer } from "../frame/journeyAnswer.ts"
import { companyAsked, companyPath, ofCompany } from "../frame/ofCompany.ts"
import { startRefusals } from "../start/readStart.ts"

/** Characters of an id. */
const clockIdLength = 36

const TestJourneyBody = Schema.Struct({
  shape: Shape.annotate({ description: "Which example; CASH_SALE and FINANCE_SALE are for dealers" }),
  clock: Schema.optionalKey(text(clockIdLength).annotate({ description: "The id of the test clock by which it runs" }))
}).annotate({ identifier: "TestJourneyStart" })

const startTestJourney = HttpApiEndpoint.post("startTestJourney", `${companyPath}/test-journeys`, {
  params: ofCompany,
  payload: TestJourneyBody,
  success: JourneyAnswer.pipe(HttpApiSchema.status(202)),
  error: refusedWith(
    [...ofAnyCompany, ...ofAnyBody],
    "CONFLICT",
    "DEALER_ONLY",
    "EKYC_NOT_CONFIGURED",
    "FINANCE_PANEL_NOT_CONFIGURED",
    "INSUFFICIENT_CREDITS"
  )
}).annotateMerge(
  described({
    summary: "Start a test journey",
    allowedTo: "TEAM",
    description:
      "Starts the example of a shape in the sandbox, as a test key would: it advances by itself at the company's pace, sends its events to the test endpoint, and its mails to the administrator.",
    request: jsonExample("A cash sale", { shape: "CASH_SALE" }),
    answer: answer("The journey, accepted", "Test journey started", { ...startedJourneys.CASH_SALE, livemode: false })
  })
)

const startingCompany = ({
  active,
  financePanel,
  handoverWindowDays,
  id,
  identityProvider,
  identityWindowDays,
  kind,
  sandbox
}: Company): StartingKey["company"] => ({
  id,
  kind,
  active,
  identityWindowDays,
  handoverWindowDays,
  sandbox,
  identityBy: identityProvider?.kind ?? null,
  hasFinancePanel: financePanel !== null
})

export const testJourneyOperations = operatorResource([startTestJourney], {
  startTestJourney: (asked) =>
    Effect.gen(function* () {
      const company = yield* companyAsked(asked)
      const { clock: clockId, shape } = yield* asked.body
      if (!company.active)
        return yield* problem("CONFLICT", "company", "The company is turned off, and its keys do not work")
      const clock = clockId === undefined ? null : yield* clockNamed(company.id, clockId)
      if (clock?.problem !== undefined) return yield* problems([clock.problem])
      const ids = yield* Ids
      const started = startExample({
        company: startingCompany(company),
        shape,
        sender: actorOf(yield* Asker),
        idempotencyKey: `console-${ids.next()}`,
        clock: clock?.at ?? null
      }).pipe(
        Effect.tap((of) => writeDown(company.id, "test_journey.started", { journeyId: of.journey.id, shape })),
        Effect.catchTags(startRefusals)
      )
      const { journey } = yield* toItsEnd(started)
      return asTyped(journey)
    })
})
