/** The page of a journey: where it stands and what is asked now, in Polish. */
import type { JourneyWords } from "../en/journey.ts"

export const polishJourney: JourneyWords = {
  greeting: ({ firstName }) => `Dzień dobry, ${firstName}`,
  soldBy: ({ seller }) => `Sprzedawca: ${seller}`,
  askedNow: "Co trzeba zrobić teraz",
  yourSteps: "Państwa kroki",
  standings: { DONE: "Gotowe", NOW: "Państwa kolej", WAITING: "W toku", LATER: "Później" },
  rejected: "Ktoś z zespołu obejrzał ostatnią weryfikację i nie mógł jej zaakceptować. Oto powód:",
  until: ({ until }) => `Termin: ${until}.`,
  nothing: {
    heading: "Teraz nie trzeba nic robić",
    text: "Wyślemy wiadomość e-mail, gdy znów będzie Państwa kolej."
  },
  identity: {
    again: "Proszę ponownie zweryfikować tożsamość",
    failed: "Ostatnia weryfikacja się nie powiodła. Najbardziej pomaga dobre światło i cała twarz w kadrze.",
    inReview: "Zespół sprawdza weryfikację tożsamości",
    inReviewBy: "Sprawdza ją ktoś z zespołu. Nie trzeba nic robić; wyślemy wiadomość e-mail.",
    unavailable: "Weryfikacja tożsamości musi poczekać",
    unavailableUntil: "Nie można jej teraz rozpocząć. Zespół o tym wie i wyśle nowy link."
  },
  video: {
    again: "Proszę nagrać jeszcze raz",
    unclear:
      "Na ostatnim nagraniu nie udało się Państwa rozpoznać. Najbardziej pomaga dobre światło i cała twarz w kadrze.",
    recordAgain: "Nagraj ponownie",
    checked: "Sprawdzamy Państwa nagranie",
    checkedFor:
      "To potrwa minutę lub dwie. Można zamknąć tę stronę: wyślemy wiadomość e-mail, gdy tylko poznamy wynik.",
    seeWhether: "Sprawdź, czy już gotowe",
    inReview: "Zespół ogląda Państwa nagranie",
    inReviewBy: "Nagranie ogląda ktoś z zespołu. Nie trzeba nic robić; wyślemy wiadomość e-mail."
  }
}
