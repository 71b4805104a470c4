/** What every page of the customer's app says around its content, in Romanian. */
import type { FrameWords } from "../en/frame.ts"

export const romanianFrame: FrameWords = {
  skip: "Salt la conținut",
  language: "Limba",
  testMark: "TEST",
  testNote: "Aceasta este o achiziție de test. Nimic de aici nu este real.",
  problemTitle: ({ heading }) => `Problemă: ${heading}`,
  backToJourney: "Înapoi la achiziție",
  tryAgain: "Încercați din nou",
  seeJourney: "Vedeți stadiul achiziției",
  signOut: "Deconectare",
  encrypted: "Datele și fotografiile dumneavoastră sunt criptate."
}
