/** The page of the delivery address, in Welsh. */
import type { AddressWords } from "../en/address.ts"
import { welshPlural } from "../locale/plural.ts"

export const welshAddress: AddressWords = {
  fields: {
    buildingNumber: "Rhif y tŷ",
    buildingName: "Enw'r tŷ neu'r adeilad",
    subBuildingName: "Fflat neu uned",
    organisationName: "Cwmni yn y cyfeiriad hwn",
    street: "Stryd",
    city: "Tref neu ddinas",
    county: "Sir",
    postcode: "Cod post"
  },
  optional: "(dewisol)",
  houseHint: "Rhowch rif, enw yn y maes nesaf, neu'r ddau, er mwyn i'r cerbyd ddod o hyd i chi.",
  error: "Gwall:",
  problems: {
    MISSING: ({ field }) => `Mae angen llenwi'r maes: ${field}`,
    HOUSE_MISSING: "Rhowch rif y tŷ, neu enw'r tŷ neu'r adeilad",
    NO_POSTCODE: "Ni all hwn fod yn god post; mae cod post yn edrych fel LS1 4DY",
    TOO_LONG: ({ field, limit }) => `Rhy hir, y terfyn yw ${limit}: ${field}`,
    UNUSABLE: ({ field }) => `Nodau na ellir eu defnyddio: ${field}`
  },
  lookAgain: ({ count }) =>
    welshPlural(count, {
      zero: "Edrychwch ar y meysydd eto",
      one: "Edrychwch ar un maes eto",
      two: "Edrychwch ar ddau faes eto",
      few: `Edrychwch ar ${count} maes eto`,
      many: `Edrychwch ar ${count} maes eto`,
      other: `Edrychwch ar ${count} maes eto`
    }),
  noneOnFile: "Nid oes gennym gyfeiriad ar eich cyfer. Ble dylid trosglwyddo eich cerbyd?",
  oneOnFile: "Ai yma y dylid trosglwyddo eich cerbyd?",
  severalOnFile: "Ble dylid trosglwyddo eich cerbyd?",
  addressesOnFile: "Cyfeiriadau sydd gennym",
  confirmed:
    "Bydd eich cerbyd yn cael ei drosglwyddo yma. Gallwch newid y cyfeiriad nes i chi anfon y fideo trosglwyddo.",
  deliverHere: "Ie, danfon yma",
  deliverToChosen: "Danfon i'r cyfeiriad a ddewiswyd",
  deliverToThis: "Danfon i'r cyfeiriad hwn",
  another: { insteadOfOne: "Nage, cyfeiriad arall", insteadOfSeveral: "Cyfeiriad arall" },
  leave: "Ei adael fel y mae",
  doubtful: {
    heading: "A yw'r cyfeiriad hwn yn gywir?",
    meant: "Ydy, mae'r cyfeiriad yn gywir",
    change: "Nac ydy, newid y cyfeiriad",
    UNUSUAL_POSTCODE: "Nid yw'r cod post yn edrych fel un o'r Deyrnas Unedig, megis LS1 4DY.",
    OTHER_AREA: "Mae'r cod post mewn ardal wahanol i bob cyfeiriad sydd gennym ar eich cyfer.",
    PO_BOX: "Mae hwn yn edrych fel blwch swyddfa bost. Dim ond lle gall rhywun gwrdd â chi y gellir trosglwyddo cerbyd."
  },
  onJourneyPage: {
    heading: "Ble caiff eich cerbyd ei drosglwyddo",
    change: "Newid y cyfeiriad"
  }
}
