/**
 * A finance application as it is sent to the panel, made from what the start said: pure. The names are those of §4.2. The
 * list below names every member that leaves; a new field of the start does not compile until the list says whether the
 * lender gets it. How the application is sent is in `actors/effects`.
 */
import { Result, Schema } from "effect"
import { startBodies } from "../../../schema/start/startBodies.ts"
import { onlyAllowed, type Allowed, type AllowList } from "./allowList.ts"

type StartBody = (typeof startBodies.FINANCE_SUBMIT_VIA_MIRA)["Type"]

/** The lender does not need the handover, the notes for the team, or the ids of other systems. */
const sentToPanel = {
  type: false,
  externalReference: false,
  /** The selling company, where a broker named it. */
  externalCompanyName: true,
  customer: { firstName: true, lastName: true, email: true, mobile: true, title: true, dateOfBirth: true },
  vehicle: {
    registration: true,
    make: true,
    model: true,
    year: true,
    colour: true,
    inventoryVehicleId: false,
    dealerCompanyId: false,
    dealerDirectoryId: false
  },
  delivery: false,
  finance: {
    panelSubmission: false,
    lender: true,
    vehiclePrice: true,
    loanTerm: true,
    depositAmount: true,
    monthlyBudget: true,
    maritalStatus: true,
    validUkPassport: true,
    drivingLicenceType: true,
    consents: {
      infoAccuracy: true,
      miraTerms: true,
      providerTerms: true,
      dataSharing: true,
      creditCheck: true,
      identityVerification: true,
      providerName: true
    },
    employmentHistory: {
      employmentType: true,
      employmentStatus: true,
      employer: true,
      jobTitle: true,
      monthlyIncome: true,
      timeAtEmployerYears: true,
      timeAtEmployerMonths: true
    },
    addressHistory: {
      addressType: true,
      street: true,
      city: true,
      postcode: true,
      buildingNumber: true,
      buildingName: true,
      subBuildingName: true,
      organisationName: true,
      county: true,
      timeAtAddressYears: true,
      timeAtAddressMonths: true,
      residentialStatus: true
    }
  }
} as const satisfies AllowList<StartBody>

/** In an application the current jobs and the current address come first. */
export type PanelApplication = Allowed<StartBody, typeof sentToPanel>

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
