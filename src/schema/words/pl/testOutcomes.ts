/** What the pages of a test journey offer instead of a step, in Polish. */
import type { TestOutcomeWords } from "../en/testOutcomes.ts"

export const polishTestOutcomes: TestOutcomeWords = {
  nothingAsked: "Teraz klient nie ma nic do zrobienia",
  goesOn: "Zakup testowy toczy się sam; proszę odświeżyć stronę, aby zobaczyć jego stan.",
  staysHere:
    "Ten zakup testowy nie robi sam żadnego kroku. Można nacisnąć przycisk albo zasymulować kolejny krok w swoim programie.",
  orChoose: "Można też wybrać wynik tego kroku.",
  choose: "Można wykonać ten krok na stronie tak jak klient albo wybrać jego wynik.",
  waits: "Zakup czeka, dopóki strona jest używana; po dziesięciu minutach toczy się dalej sam.",
  waitsForGood:
    "Ten zakup testowy nie robi sam żadnego kroku: czeka, aż krok zostanie wykonany albo jego wynik wybrany.",
  samples: {
    about: "Próbki do wypróbowania tego kroku: można je wybrać na stronie tak jak klient albo nacisnąć przycisk.",
    document: "Próbka dokumentu tożsamości (JPEG)",
    selfie: "Próbne zdjęcie twarzy (JPEG)",
    video: "Próbne nagranie (MP4)",
    use: { VERIFY_IDENTITY: "Użyj próbnych zdjęć", RECORD_VIDEO: "Użyj próbnego nagrania" }
  },
  notPossible: "Ten wynik nie jest teraz możliwy",
  hasGoneOn: "W międzyczasie zakup posunął się dalej.",
  toTheEnd: "Przejdź do zakończonego przekazania"
}
