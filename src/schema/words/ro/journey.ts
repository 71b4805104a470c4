/** The page of a journey: where it stands and what is asked now, in Romanian. */
import type { JourneyWords } from "../en/journey.ts"

export const romanianJourney: JourneyWords = {
  greeting: ({ firstName }) => `Bună ziua, ${firstName}`,
  soldBy: ({ seller }) => `Vândut de ${seller}`,
  askedNow: "Ce este de făcut acum",
  yourSteps: "Pașii dumneavoastră",
  standings: { DONE: "Încheiat", NOW: "De făcut acum", WAITING: "În curs", LATER: "Mai târziu" },
  rejected: "Cineva din echipă a analizat ultima verificare și nu a putut-o accepta. Iată motivul:",
  until: ({ until }) => `Aveți timp până ${until}.`,
  nothing: {
    heading: "Acum nu aveți nimic de făcut",
    text: "Vă trimitem un e-mail când este din nou rândul dumneavoastră."
  },
  identity: {
    again: "Vă rugăm să vă verificați din nou identitatea",
    failed: "Ultima verificare nu a reușit. Ajută cel mai mult lumina bună și întreaga față în cadru.",
    inReview: "Verificarea identității este analizată",
    inReviewBy: "Cineva din echipă o analizează. Nu aveți nimic de făcut; vă trimitem un e-mail.",
    unavailable: "Verificarea identității trebuie să aștepte",
    unavailableUntil: "Nu poate fi începută acum. Echipa știe și vă va trimite un link nou."
  },
  video: {
    again: "Vă rugăm să înregistrați din nou",
    unclear:
      "Din ultima înregistrare nu am putut stabili că sunteți dumneavoastră. Ajută cel mai mult lumina bună și întreaga față în cadru.",
    recordAgain: "Înregistrați din nou",
    checked: "Înregistrarea dumneavoastră este verificată",
    checkedFor:
      "Durează un minut sau două. Puteți închide această pagină: vă trimitem un e-mail imediat ce aflăm rezultatul.",
    seeWhether: "Vedeți dacă este gata",
    inReview: "Înregistrarea dumneavoastră este analizată",
    inReviewBy: "Cineva din echipă vă analizează înregistrarea. Nu aveți nimic de făcut; vă trimitem un e-mail."
  }
}
