/**
 * Who reads which member of a start: the lender, who gets the application, the dealer whom a broker has named, who sees the
 * handover, and the company's own team, which sees the case file. The lists name every member; a new field of the start does not
 * compile until each says whether, or where, its reader gets the field. What is said to be shown does not compile until the
 * reader's schema and page have it. What the readers get is put together elsewhere.
 */
import type { startBodies } from "./startBodies.ts"
import type { StoredStart } from "./storedStart.ts"
import type { AllowList } from "./allowList.ts"

export type Application = (typeof startBodies.FINANCE_SUBMIT_VIA_MIRA)["Type"]
type FinanceSale = Extract<StoredStart, { readonly shape: "FINANCE_SALE" }>

type MemberOf<Union> = Union extends unknown ? keyof Union : never
type ValueOf<Union, Name extends PropertyKey> = Union extends { readonly [Key in Name]?: infer Value } ? Value : never

/** The parts of a start that have members of their own. */
type Section = "customer" | "vehicle" | "delivery" | "finance"
type SectionIn<Start, Name extends Section> = NonNullable<ValueOf<Start, Name>>

/** A section with the members that it has in the start of any shape. */
export type AnySection<Name extends Section> = {
  readonly [Member in MemberOf<SectionIn<StoredStart, Name>>]?: ValueOf<SectionIn<StoredStart, Name>, Member>
}

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
} as const satisfies AllowList<FinanceSale> & Readonly<Record<MemberOf<StoredStart>, unknown>>

/** Where in the case file a member is. APPLICATION: with its own name among what else the application says. */
type PartOfCase = "CUSTOMER" | "VEHICLE" | "SELLER" | "HANDOVER" | "FINANCE" | "APPLICATION" | "CONSENTS"

type CaseList = Readonly<Record<Exclude<MemberOf<StoredStart>, Section>, PartOfCase | false>> & {
  readonly [Name in Section]: Readonly<Record<keyof AnySection<Name>, PartOfCase | false>>
}

/** False: the journey's resource, which the case file has whole, tells it. */
export const shownToTeam = {
  shape: false,
  type: false,
  externalReference: false,
  externalCompanyName: "SELLER",
  customer: {
    title: "CUSTOMER",
    firstName: "CUSTOMER",
    lastName: "CUSTOMER",
    email: "CUSTOMER",
    mobile: "CUSTOMER",
    dateOfBirth: "CUSTOMER"
  },
  vehicle: {
    registration: "VEHICLE",
    make: "VEHICLE",
    model: "VEHICLE",
    year: "VEHICLE",
    colour: "VEHICLE",
    inventoryVehicleId: "VEHICLE",
    dealerCompanyId: "SELLER",
    dealerDirectoryId: "SELLER"
  },
  delivery: { saleType: false, type: false, notes: "HANDOVER" },
  finance: {
    panelSubmission: "FINANCE",
    panelName: "FINANCE",
    panelReference: "FINANCE",
    lender: "FINANCE",
    vehiclePrice: "FINANCE",
    depositAmount: "FINANCE",
    monthlyBudget: "FINANCE",
    loanTerm: "FINANCE",
    decision: false,
    maritalStatus: "APPLICATION",
    validUkPassport: "APPLICATION",
    drivingLicenceType: "APPLICATION",
    employmentHistory: "APPLICATION",
    addressHistory: "APPLICATION",
    consents: "CONSENTS"
  },
  customerFace: "CONSENTS"
} as const satisfies CaseList
