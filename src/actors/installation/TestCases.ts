/** The port to whole journals, for test cases. What of a journal a test case shows is decided in `testCase.ts`. */
import { Context, type Effect } from "effect"
import type { JourneyId } from "../../schema/ids.ts"
import type { Journey } from "../journey/rules/state/Journey.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"

/** Times are epoch milliseconds. */
export interface Journal {
  readonly journey: Journey
  /** The beginning of the journal, the start's line first. */
  readonly lines: ReadonlyArray<{
    readonly version: number
    readonly at: number
    readonly message: Readonly<Record<string, unknown>>
  }>
  readonly isWhole: boolean
  /** Of those lines, in order. */
  readonly events: ReadonlyArray<{ readonly type: string; readonly version: number; readonly reason: string | null }>
  readonly isNewCustomer: boolean
}

export class TestCases extends Context.Service<
  TestCases,
  {
    /** Up to this many lines. Null: there is no such journey. */
    readonly journal: (id: JourneyId, lines: number) => Effect.Effect<Journal | null, StoreUnavailable>
  }
>()("journeys/actors/TestCases") {}
