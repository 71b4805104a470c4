/** The months of the tables that only grow, for the operator. They come and go by themselves (`runtime/work/Months.ts`), so nobody changes them here. */
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { MonthList } from "../../../actors/installation/MonthList.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { MonthListResource } from "../../../schema/installation/MonthList.ts"
import { timestampOrNull } from "../../../schema/moment.ts"
import { ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"

const listMonths = HttpApiEndpoint.get("listMonths", "/settings/v1/months", {
  success: answerOf("MonthListAnswer", MonthListResource),
  error: refusedWith(ofAnyToken)
}).annotateMerge(
  described({
    summary: "List months",
    description:
      "The months of the tables that only grow (journal, events, attempts), and what keeps each. A month leaves by itself, one month after its end, once no row is left in it.",
    answer: answer("The months, the oldest of each table first", "Months", {
      content: [
        {
          table: "events",
          part: "events_2026_01",
          endsAt: "2026-02-01T00:00:00.000Z",
          rows: 1_204_318,
          bytes: 903_487_488,
          oldestLiveJourney: exampleId("journey", 1)
        },
        { table: "events", part: "events_other", endsAt: null, rows: 0, bytes: 32_768, oldestLiveJourney: null }
      ]
    } satisfies MonthListResource)
  })
)

export const monthOperations = operatorResource([listMonths], {
  listMonths: () =>
    Effect.gen(function* () {
      const months = yield* MonthList
      const content = (yield* months.all).map(({ bytes, endsAt, oldestLiveJourney, part, rows, table }) => ({
        table,
        part,
        endsAt: timestampOrNull(endsAt),
        rows,
        bytes,
        oldestLiveJourney
      }))
      return { content }
    })
})
