/** The end of a journey: the page and the receipt of a complete handover, and how a closed journey ended. In Polish. */
import type { EndingWords } from "../en/ending.ts"
import { polishPlural } from "../locale/plural.ts"

export const polishEnding: EndingWords = {
  heading: "Przekazanie pojazdu zostało zakończone",
  taken: "Pojazd jest już u Państwa. Nic więcej nie trzeba robić.",
  receipt: "Potwierdzenie przekazania",
  vehicle: "Pojazd",
  seller: "Sprzedawca",
  arrangedBy: "Za pośrednictwem",
  when: "Data przekazania",
  where: "Miejsce przekazania",
  atTheSeller: "U sprzedawcy",
  reference: "Numer referencyjny",
  save: "Pobierz potwierdzenie",
  print: "Tę stronę można też wydrukować. Jest widoczna do chwili wylogowania.",
  kept: ({ days }) =>
    `Zdjęcia i nagrania są usuwane najpóźniej po ${polishPlural(days, {
      one: "jednym dniu",
      few: `${days} dniach`,
      many: `${days} dniach`,
      other: `${days} dnia`
    })} od zakończenia zakupu.`,
  yourData: ({ company }) => `O kopię swoich danych, ich poprawienie lub usunięcie można poprosić firmę ${company}.`,
  closed: {
    COMPLETED: "Przekazanie pojazdu zostało zakończone. Nic więcej nie trzeba robić.",
    CANCELLED: ({ company }) =>
      `Zakup został anulowany przez firmę ${company} lub firmę, która z nią współpracuje. Nic więcej nie trzeba robić.`,
    ENDED: ({ company }) =>
      `Zakup zakończył się przed przekazaniem pojazdu i nic więcej nie trzeba tu robić. Więcej powie firma ${company}.`,
    FINANCE: ({ company }) =>
      `Jest nowa informacja o Państwa wniosku o finansowanie. Firma ${company} wyjaśni, co to oznacza i co będzie dalej.`,
    EXPIRED: ({ company }) =>
      `Zakup nie został dokończony na czas i dlatego wygasł. O tym, co dalej, poinformuje firma ${company}.`
  }
}
