/** What every page of the customer's app says around its content, in Polish. */
import type { FrameWords } from "../en/frame.ts"

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
  encrypted: "Państwa dane i zdjęcia są zaszyfrowane."
}
