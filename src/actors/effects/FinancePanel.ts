/**
 * The port to a company's finance panel: one attempt to submit an application. When to try again, and what a refusal means
 * for the journey, is decided elsewhere. The panel's decision on the application comes back later, as a callback.
 */
import { Context, Data, type Effect } from "effect"
import type { Provider } from "../company/providers.ts"
import type { PanelApplication } from "../journey/rules/panelApplication.ts"
import type { JourneyId } from "../../schema/ids.ts"

/** The panel will not take this application, however often it is sent. */
export class PanelRefused extends Data.TaggedError("PanelRefused")<{ readonly status: number }> {}

/** Nobody knows whether the panel has the application. `reason` is a code for the log. */
export class PanelUnreachable extends Data.TaggedError("PanelUnreachable")<{ readonly reason: string }> {}

export interface Submission {
  /** The same at every attempt: by this id the panel recognises a repeated application, so it is safe to send again. */
  readonly submissionId: string
  readonly journeyId: JourneyId
  readonly panel: Provider
  readonly application: PanelApplication
}

export class FinancePanel extends Context.Service<
  FinancePanel,
  { readonly submit: (submission: Submission) => Effect.Effect<"ACCEPTED", PanelRefused | PanelUnreachable> }
>()("journeys/actors/FinancePanel") {}
