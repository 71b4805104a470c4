/**
 * A finance application as it is sent to the panel, made from what the start said: pure. The names are those of §4.2.
 * `schema/start/startReaders.ts` lists the members that leave. How the application is sent is in `actors/effects`.
 */
import { Result, Schema } from "effect"
import { startBodies } from "../../../schema/start/startBodies.ts"
import { onlyAllowed, type Allowed } from "../../../schema/start/allowList.ts"
import { sentToPanel, type Application } from "../../../schema/start/startReaders.ts"

/** In an application the current jobs and the current address come first. */
export type PanelApplication = Allowed<Application, typeof sentToPanel>

/** The personal record is no application that a panel can be sent. The error does not say why: it would quote personal data. */
export class NotAnApplication {
  readonly _tag = "NotAnApplication"
}

/** The start was judged by the rules of its time: a rule that came later does not make its record unfit. */
const decode = Schema.decodeUnknownResult(startBodies.FINANCE_SUBMIT_VIA_MIRA, { disableChecks: true })

/** The order within the current ones, and within those before, stays that of the start. */
const currentFirst = <A>(entries: ReadonlyArray<A>, isCurrent: (entry: A) => boolean): ReadonlyArray<A> => [
  ...entries.filter(isCurrent),
  ...entries.filter((entry) => !isCurrent(entry))
]

/** From the personal record of a journey, as it was written at the start. */
export const panelApplication = (record: unknown): Result.Result<PanelApplication, NotAnApplication> => {
  const decoded = decode(record)
  if (Result.isFailure(decoded)) return Result.fail(new NotAnApplication())
  const { finance } = decoded.success
  const addressHistory = currentFirst(finance.addressHistory, (one) => one.addressType === "CURRENT")
  const employmentHistory = currentFirst(finance.employmentHistory, (one) => one.employmentType === "CURRENT")
  // The start saw to both; the panel must never be sent an application without them.
  if (addressHistory[0]?.addressType !== "CURRENT" || employmentHistory[0]?.employmentType !== "CURRENT") {
    return Result.fail(new NotAnApplication())
  }
  const ordered = { ...decoded.success, finance: { ...finance, employmentHistory, addressHistory } }
  return Result.succeed(onlyAllowed(ordered, sentToPanel))
}
