/** The page of the delivery address, in Polish. */
import type { AddressWords } from "../en/address.ts"
import { polishPlural } from "../locale/plural.ts"

export const polishAddress: AddressWords = {
  fields: {
    buildingNumber: "Numer domu",
    buildingName: "Nazwa domu lub budynku",
    subBuildingName: "Mieszkanie lub lokal",
    organisationName: "Firma pod tym adresem",
    street: "Ulica",
    city: "Miejscowość",
    county: "Hrabstwo",
    postcode: "Kod pocztowy"
  },
  optional: "(opcjonalnie)",
  houseHint: "Proszę podać numer, nazwę w następnym polu albo jedno i drugie, aby pojazd trafił we właściwe miejsce.",
  error: "Błąd:",
  problems: {
    MISSING: ({ field }) => `Pole „${field}” jest wymagane`,
    HOUSE_MISSING: "Proszę podać numer domu albo nazwę domu lub budynku",
    NO_POSTCODE: "To nie może być kod pocztowy; kod wygląda na przykład tak: LS1 4DY",
    TOO_LONG: ({ field, limit }) => `Pole „${field}” może mieć najwyżej tyle znaków: ${limit}`,
    UNUSABLE: ({ field }) => `Pole „${field}” zawiera znaki, których nie można użyć`
  },
  lookAgain: ({ count }) =>
    polishPlural(count, {
      one: "Proszę jeszcze raz sprawdzić jedno pole",
      few: `Proszę jeszcze raz sprawdzić ${count} pola`,
      many: `Proszę jeszcze raz sprawdzić ${count} pól`,
      other: `Proszę jeszcze raz sprawdzić ${count} pola`
    }),
  noneOnFile: "Nie mamy w naszych danych żadnego adresu. Gdzie ma się odbyć przekazanie pojazdu?",
  oneOnFile: "Czy przekazanie pojazdu ma się odbyć tutaj?",
  severalOnFile: "Gdzie ma się odbyć przekazanie pojazdu?",
  addressesOnFile: "Adresy w naszych danych",
  confirmed: "Przekazanie pojazdu ma się odbyć tutaj. Adres można zmienić do chwili wysłania nagrania z przekazania.",
  deliverHere: "Tak, dostarcz tutaj",
  deliverToChosen: "Dostarcz pod wybrany adres",
  deliverToThis: "Dostarcz pod ten adres",
  another: { insteadOfOne: "Nie, inny adres", insteadOfSeveral: "Inny adres" },
  leave: "Pozostaw bez zmian",
  doubtful: {
    heading: "Czy ten adres jest prawidłowy?",
    meant: "Tak, adres jest prawidłowy",
    change: "Nie, zmień adres",
    UNUSUAL_POSTCODE: "Kod pocztowy nie wygląda na kod Zjednoczonego Królestwa, taki jak LS1 4DY.",
    OTHER_AREA: "Kod pocztowy należy do innego obszaru niż wszystkie adresy, które mamy w naszych danych.",
    PO_BOX: "To wygląda na skrytkę pocztową. Pojazd można przekazać tylko tam, gdzie można się spotkać."
  },
  onJourneyPage: {
    heading: "Miejsce przekazania pojazdu",
    change: "Zmień adres"
  }
}
