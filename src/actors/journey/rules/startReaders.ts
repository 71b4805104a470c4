/**
 * Which members of a start others than the company and its team read: the lender, who gets the application, and the dealer whom a
 * broker has named, who sees the handover. The lists name every member; a new field of the start does not compile until both
 * say whether their reader gets the field. What the readers get is put together elsewhere.
 */
import type { startBodies } from "../../../schema/start/startBodies.ts"
import type { StoredStart } from "../../../schema/start/storedStart.ts"
import type { AllowList } from "./allowList.ts"

export type Application = (typeof startBodies.FINANCE_SUBMIT_VIA_MIRA)["Type"]
type FinanceSale = Extract<StoredStart, { readonly shape: "FINANCE_SALE" }>
/** The members of the starts of every shape. */
type MemberOfStart = StoredStart extends infer Start ? (Start extends unknown ? keyof Start : never) : never

/** The lender does not need the handover, the notes for the team, or the ids of other systems. */
export const sentToPanel = {
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
} as const satisfies AllowList<Application>

/** Finance, the customer's face and the caller's own references are none of the dealer's business. */
export const shownToDealer = {
  shape: false,
  type: false,
  externalReference: false,
  externalCompanyName: false,
  customer: { title: true, firstName: true, lastName: true, email: true, mobile: true, dateOfBirth: false },
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
  delivery: { saleType: false, type: false, notes: true },
  finance: false,
  customerFace: false
} as const satisfies AllowList<FinanceSale> & Readonly<Record<MemberOfStart, unknown>>
