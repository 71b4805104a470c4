/**
 * One complete, realistic body for each shape of a start request. The OpenAPI document, the README, the demo and the
 * tests share them. All people, firms and numbers are invented, and the mobiles are from the range that is kept for
 * fiction.
 */
import type { Shape } from "../journey/statuses.ts"
import type { startBodies } from "./startBodies.ts"

const vehicle = {
  registration: "AB12 CDE",
  make: "Ford",
  model: "Focus Titanium",
  year: 2021,
  colour: "Magnetic Grey",
  inventoryVehicleId: "stock-88213"
} as const

export const startExamples: { readonly [S in Shape]: (typeof startBodies)[S]["Encoded"] } = {
  FINANCE_ALREADY_SUBMITTED: {
    type: "FINANCE_IDENTITY_DELIVERY",
    externalReference: "deal-1001",
    customer: { firstName: "Priya", lastName: "Nair", email: "priya.nair@example.com", mobile: "+44 7700 900101" },
    vehicle,
    delivery: { type: "HOME_DELIVERY", notes: "Prefers a morning slot.\nCall on arrival." },
    finance: {
      panelSubmission: "ALREADY_SUBMITTED",
      panelName: "PanelOne",
      panelReference: "PO-204417",
      lender: "Northmoor Motor Finance",
      vehiclePrice: 15995,
      loanTerm: 48,
      depositAmount: 1500
    }
  },
  FINANCE_SUBMIT_VIA_MIRA: {
    type: "FINANCE_IDENTITY_DELIVERY",
    externalReference: "deal-1002",
    externalCompanyName: "Riverbank Car Supermarket Ltd",
    customer: {
      title: "MS",
      firstName: "Zoë",
      lastName: "Okafor",
      email: "zoe.okafor@example.com",
      mobile: "+44 7700 900102",
      dateOfBirth: "1990-04-17"
    },
    vehicle,
    delivery: { type: "HOME_DELIVERY" },
    finance: {
      panelSubmission: "SUBMIT_VIA_MIRA",
      vehiclePrice: 15995,
      loanTerm: 48,
      depositAmount: 1500,
      monthlyBudget: 349.99,
      maritalStatus: "MARRIED",
      drivingLicenceType: "FULL_UK",
      validUkPassport: true,
      employmentHistory: [
        {
          employmentType: "CURRENT",
          employmentStatus: "FULL_TIME_EMPLOYMENT",
          employer: "Harbourside Logistics plc",
          jobTitle: "Warehouse operations manager",
          monthlyIncome: 2950,
          timeAtEmployerYears: 2,
          timeAtEmployerMonths: 7
        },
        {
          employmentType: "PREVIOUS",
          employmentStatus: "PART_TIME_EMPLOYMENT",
          employer: "Meadow Garden Centres",
          jobTitle: "Sales assistant",
          monthlyIncome: 1180.5,
          timeAtEmployerYears: 4
        }
      ],
      addressHistory: [
        {
          addressType: "CURRENT",
          buildingNumber: "14",
          street: "Station Approach",
          city: "Leeds",
          county: "West Yorkshire",
          postcode: "LS1 4DY",
          timeAtAddressYears: 1,
          timeAtAddressMonths: 8,
          residentialStatus: "TENANT_PRIVATE"
        },
        {
          addressType: "PREVIOUS",
          subBuildingName: "Flat 22",
          buildingName: "Riverside House",
          street: "Canal Wharf",
          city: "Bradford",
          postcode: "BD1 5RT",
          timeAtAddressYears: 2,
          residentialStatus: "LIVING_WITH_FAMILY"
        }
      ],
      consents: {
        infoAccuracy: true,
        miraTerms: true,
        providerTerms: true,
        dataSharing: true,
        creditCheck: true,
        identityVerification: true,
        providerName: "Northmoor Motor Finance"
      }
    }
  },
  IDENTITY_DELIVERY: {
    type: "IDENTITY_DELIVERY",
    externalReference: "deal-1003",
    customer: { firstName: "Tomasz", lastName: "Wójcik", email: "tomasz.wojcik@example.com" },
    vehicle,
    delivery: { type: "IN_STORE" },
    finance: { panelName: "PanelOne", panelReference: "PO-204418", lender: "Northmoor Motor Finance" }
  },
  CASH_SALE: {
    type: "DELIVERY",
    externalReference: "deal-1004",
    customer: { firstName: "Grace", lastName: "Adeyemi", email: "grace.adeyemi@example.com", mobile: "07700 900104" },
    vehicle,
    delivery: { type: "HOME_DELIVERY", saleType: "CASH_SALE", notes: "Gate code is with reception." }
  },
  FINANCE_SALE: {
    type: "DELIVERY",
    externalReference: "deal-1005",
    customer: { firstName: "Owen", lastName: "Pritchard", email: "owen.pritchard@example.com" },
    vehicle,
    delivery: { type: "IN_STORE", saleType: "FINANCE_SALE" },
    customerFace: {
      source: "IN_PERSON_PHOTO",
      capturedAt: "2026-01-15T10:28:00Z",
      biometricConsent: {
        given: true,
        capturedAt: "2026-01-15T10:25:00Z",
        method: "SIGNED_IN_PERSON",
        noticeVersion: "2026-01",
        capturedBy: "Ellis Hart, showroom"
      }
    }
  }
}
