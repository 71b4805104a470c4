/**
 * A finance application as the panel is sent it, made from what the start said: pure. The names are those of §4.2. What
 * the lender does not need stays here: the handover, notes for the team, and ids of other systems.
 */
import { Result, Schema } from "effect"
import { startBodies, type StartRequest } from "../../../schema/start/startBodies.ts"

type Request = Extract<StartRequest, { readonly shape: "FINANCE_SUBMIT_VIA_MIRA" }>
type Finance = Request["finance"]

export interface PanelApplication {
  /** The selling company, where a broker named it. */
  readonly externalCompanyName?: string
  readonly customer: Request["customer"]
  readonly vehicle: Pick<Request["vehicle"], "registration" | "make" | "model" | "year" | "colour">
  /** The current jobs and the current address come first. */
  readonly finance: Omit<Finance, "panelSubmission">
}

/** What is kept of the start is no application that a panel can be sent. Why is not said: it would quote personal data. */
export class NotAnApplication {
  readonly _tag = "NotAnApplication"
}

const decode = Schema.decodeUnknownResult(startBodies.FINANCE_SUBMIT_VIA_MIRA)

/** The order within the current ones, and within those before, stays that of the start. */
const currentFirst = <A>(entries: ReadonlyArray<A>, isCurrent: (entry: A) => boolean): ReadonlyArray<A> => [
  ...entries.filter(isCurrent),
  ...entries.filter((entry) => !isCurrent(entry))
]

/** From the personal record of a journey, as it was written at the start. */
export const panelApplication = (record: unknown): Result.Result<PanelApplication, NotAnApplication> => {
  const decoded = decode(record)
  if (Result.isFailure(decoded)) return Result.fail(new NotAnApplication())
  const { customer, externalCompanyName, finance, vehicle } = decoded.success
  const { addressHistory, employmentHistory, panelSubmission: _, ...rest } = finance
  const addresses = currentFirst(addressHistory, (one) => one.addressType === "CURRENT")
  const jobs = currentFirst(employmentHistory, (one) => one.employmentType === "CURRENT")
  // The start saw to both; the panel must never be sent an application without them.
  if (addresses[0]?.addressType !== "CURRENT" || jobs[0]?.employmentType !== "CURRENT") {
    return Result.fail(new NotAnApplication())
  }
  const { dealerCompanyId: _1, dealerDirectoryId: _2, inventoryVehicleId: _3, ...car } = vehicle
  return Result.succeed({
    ...(externalCompanyName === undefined ? {} : { externalCompanyName }),
    customer,
    vehicle: car,
    finance: { ...rest, employmentHistory: jobs, addressHistory: addresses }
  })
}
