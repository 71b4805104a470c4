/** What every page of the customer's app says around its content, in Polish. */
import type { FrameWords } from "../en/frame.ts"
import { polishPlural } from "../locale/plural.ts"

const inMinutes = (minutes: number): string =>
  polishPlural(minutes, {
    one: "minutę",
    few: `${minutes} minuty`,
    many: `${minutes} minut`,
    other: `${minutes} minuty`
  })

export const polishFrame: FrameWords = {
  skip: "Przejdź do treści",
  language: "Język",
  testMark: "TEST",
  testNote: "To jest zakup testowy. Nic tutaj nie jest prawdziwe.",
  problemTitle: ({ heading }) => `Błąd: ${heading}`,
  backToJourney: "Powrót do zakupu",
  tryAgain: "Spróbuj ponownie",
  seeJourney: "Sprawdź stan zakupu",
  signOut: "Wyloguj się",
  session: {
    soon: ({ minutes }) => `Ze względów bezpieczeństwa sesja wygaśnie za mniej niż ${inMinutes(minutes)}.`,
    stay: "Przedłuż sesję",
    stays: "Sesja trwa dalej.",
    last: ({ minutes }) =>
      `Od zalogowania minęło wiele godzin, dlatego sesja wygaśnie za mniej niż ${inMinutes(minutes)}. Proszę dokończyć to, co zostało rozpoczęte.`,
    over: "Sesja wygasła.",
    signInAgain: "Zobacz, jak zalogować się ponownie",
    another:
      "Od otwarcia tej strony nastąpiło ponowne zalogowanie. Proszę skopiować to, co zostało tu wpisane, a potem wczytać stronę ponownie.",
    loadAgain: "Wczytaj tę stronę ponownie"
  },
  encrypted: "Państwa dane i zdjęcia są zaszyfrowane."
}
