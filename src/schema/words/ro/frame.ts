/** What every page of the customer's app says around its content, in Romanian. */
import type { FrameWords } from "../en/frame.ts"
import { romanianPlural } from "../locale/plural.ts"

const inMinutes = (minutes: number): string =>
  romanianPlural(minutes, {
    one: "un minut",
    few: `${minutes} minute`,
    other: `${minutes} de minute`
  })

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
  session: {
    soon: ({ minutes }) =>
      `Pentru siguranța dumneavoastră, sesiunea se va încheia în mai puțin de ${inMinutes(minutes)}.`,
    stay: "Prelungiți sesiunea",
    stays: "Sesiunea continuă.",
    last: ({ minutes }) =>
      `V-ați conectat cu multe ore în urmă, așa că sesiunea se va încheia în mai puțin de ${inMinutes(minutes)}. Vă rugăm să terminați ce ați început.`,
    over: "Sesiunea s-a încheiat.",
    signInAgain: "Vedeți cum vă conectați din nou",
    another:
      "V-ați conectat din nou de când a fost deschisă această pagină. Copiați ce ați scris aici, apoi reîncărcați pagina.",
    loadAgain: "Reîncărcați această pagină"
  },
  encrypted: "Datele și fotografiile dumneavoastră sunt criptate."
}
