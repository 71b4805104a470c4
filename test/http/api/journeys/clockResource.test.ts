/** What is shown of a test clock. What a clock does is tested beside it, by `testClocks.int.test.ts`. */
import { Duration } from "effect"
import { expect, it } from "vitest"
import { resourceOf } from "../../../../src/http/api/journeys/clockActions.ts"
import { exampleId } from "../../../../src/schema/exampleId.ts"
import { ClockId, CompanyId } from "../../../../src/schema/ids.ts"
import { clockLimits } from "../../../../src/schema/requests/limits.ts"

it("a clock says when it ends by itself: a while after it was made, however far it has been advanced", () => {
  const createdAt = Date.UTC(2026, 0, 15, 10)
  const clock = {
    id: ClockId.make(exampleId("clock", 1)),
    companyId: CompanyId.make(exampleId("company", 1)),
    now: createdAt + Duration.toMillis(Duration.days(90)),
    createdAt,
    target: null,
    isAdvancing: false,
    journeys: 1
  }
  const { endsAt } = resourceOf(clock)
  expect(Date.parse(endsAt) - createdAt).toBe(Duration.toMillis(clockLimits.livesFor))
})
