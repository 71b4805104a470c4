/** The page of the delivery address, in English. */
import { englishPlural } from "../locale/plural.ts"

interface OfField {
  readonly field: string
}

export const englishAddress = {
  fields: {
    buildingNumber: "House number",
    buildingName: "House or building name",
    subBuildingName: "Flat or unit",
    organisationName: "Company at this address",
    street: "Street",
    city: "Town or city",
    county: "County",
    postcode: "Postcode"
  },
  optional: "(optional)",
  houseHint: "Give a number, a name in the next field, or both, so that the vehicle finds you.",
  error: "Error:",
  problems: {
    MISSING: ({ field }: OfField) => `${field} is required`,
    HOUSE_MISSING: "Give a house number, or the name of the house or building",
    NO_POSTCODE: "This cannot be a postcode; one looks like LS1 4DY",
    TOO_LONG: ({ field, limit }: OfField & { readonly limit: number }) =>
      `${field} must be at most ${limit} characters`,
    UNUSABLE: ({ field }: OfField) => `${field} has characters that cannot be used`
  },
  lookAgain: ({ count }: { readonly count: number }) =>
    englishPlural(count, { one: "Please look at one field again", other: `Please look at ${count} fields again` }),
  noneOnFile: "We have no address on file. Where is your vehicle to be handed over?",
  oneOnFile: "Is this where your vehicle is to be handed over?",
  severalOnFile: "Where is your vehicle to be handed over?",
  addressesOnFile: "Addresses on file",
  confirmed: "Your vehicle is to be handed over here. You can change the address until you send the handover video.",
  deliverHere: "Yes, deliver here",
  deliverToChosen: "Deliver to the chosen address",
  deliverToThis: "Deliver to this address",
  another: { insteadOfOne: "No, another address", insteadOfSeveral: "Another address" },
  leave: "Leave it as it is",
  doubtful: {
    heading: "Is this address right?",
    meant: "Yes, the address is right",
    change: "No, change the address",
    UNUSUAL_POSTCODE: "The postcode does not look like one of the United Kingdom, such as LS1 4DY.",
    OTHER_AREA: "The postcode is in another area than every address we have on file for you.",
    PO_BOX: "This looks like a PO box. A vehicle can only be handed over where somebody can meet you."
  },
  onJourneyPage: {
    heading: "Where your vehicle is handed over",
    change: "Change the address"
  }
}

export type AddressWords = typeof englishAddress
