/** What the pages of a test journey offer instead of a step, in Romanian. */
import type { TestOutcomeWords } from "../en/testOutcomes.ts"

export const romanianTestOutcomes: TestOutcomeWords = {
  nothingAsked: "Acum clientului nu i se cere nimic",
  goesOn: "O achiziție de test continuă de la sine; reîncărcați pagina pentru a vedea stadiul ei.",
  staysHere:
    "Această achiziție de test nu face niciun pas de la sine. Apăsați butonul sau simulați din programul dumneavoastră ce urmează.",
  orChoose: "Sau alegeți rezultatul acestui pas.",
  choose: "Faceți acest pas pe pagină, așa cum ar face clientul, sau alegeți rezultatul lui.",
  waits: "Achiziția vă așteaptă cât timp sunteți aici; după zece minute continuă de la sine.",
  waitsForGood:
    "Această achiziție de test nu face niciun pas de la sine: așteaptă până când faceți pasul sau alegeți rezultatul.",
  samples: {
    about: "Mostre pentru a încerca acest pas: alegeți-le pe pagină, așa cum ar face clientul, sau apăsați butonul.",
    document: "Mostră de act de identitate (JPEG)",
    selfie: "Fotografie mostră a unei fețe (JPEG)",
    video: "Înregistrare mostră (MP4)",
    use: { VERIFY_IDENTITY: "Folosiți fotografiile mostră", RECORD_VIDEO: "Folosiți înregistrarea mostră" }
  },
  notPossible: "Acest rezultat nu este posibil acum",
  hasGoneOn: "Între timp achiziția a mers mai departe.",
  toTheEnd: "Treceți la predarea încheiată"
}
