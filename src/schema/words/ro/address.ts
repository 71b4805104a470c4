/** The page of the delivery address, in Romanian. */
import type { AddressWords } from "../en/address.ts"
import { romanianPlural } from "../locale/plural.ts"

export const romanianAddress: AddressWords = {
  fields: {
    buildingNumber: "Numărul casei",
    buildingName: "Numele casei sau al clădirii",
    subBuildingName: "Apartament sau unitate",
    organisationName: "Firma de la această adresă",
    street: "Strada",
    city: "Orașul sau localitatea",
    county: "Comitatul",
    postcode: "Codul poștal"
  },
  optional: "(opțional)",
  houseHint:
    "Scrieți un număr, un nume în câmpul următor sau pe amândouă, pentru ca vehiculul să ajungă la dumneavoastră.",
  error: "Eroare:",
  problems: {
    MISSING: ({ field }) => `Câmpul „${field}” este obligatoriu`,
    HOUSE_MISSING: "Indicați numărul casei sau numele casei ori al clădirii",
    NO_POSTCODE: "Acesta nu poate fi un cod poștal; un cod arată, de exemplu, așa: LS1 4DY",
    TOO_LONG: ({ field, limit }) => `Câmpul „${field}” este prea lung; limita este de ${limit}`,
    UNUSABLE: ({ field }) => `Câmpul „${field}” are caractere care nu pot fi folosite`
  },
  lookAgain: ({ count }) =>
    romanianPlural(count, {
      one: "Vă rugăm să verificați din nou un câmp",
      few: `Vă rugăm să verificați din nou ${count} câmpuri`,
      other: `Vă rugăm să verificați din nou ${count} de câmpuri`
    }),
  noneOnFile: "Nu avem nicio adresă înregistrată. Unde trebuie predat vehiculul?",
  oneOnFile: "Aici trebuie predat vehiculul?",
  severalOnFile: "Unde trebuie predat vehiculul?",
  addressesOnFile: "Adrese înregistrate",
  confirmed: "Vehiculul vi se predă aici. Puteți schimba adresa până când trimiteți înregistrarea predării.",
  deliverHere: "Da, livrați aici",
  deliverToChosen: "Livrați la adresa aleasă",
  deliverToThis: "Livrați la această adresă",
  another: { insteadOfOne: "Nu, altă adresă", insteadOfSeveral: "Altă adresă" },
  leave: "Lăsați adresa așa cum este",
  doubtful: {
    heading: "Este corectă această adresă?",
    meant: "Da, adresa este corectă",
    change: "Nu, schimbați adresa",
    UNUSUAL_POSTCODE: "Codul poștal nu arată ca unul din Regatul Unit, cum este LS1 4DY.",
    OTHER_AREA: "Codul poștal este din altă zonă decât toate adresele pe care le avem înregistrate.",
    PO_BOX: "Aceasta pare o căsuță poștală. Un vehicul poate fi predat numai acolo unde vă poate întâlni cineva."
  },
  onJourneyPage: {
    heading: "Unde se predă vehiculul",
    change: "Schimbați adresa"
  }
}
