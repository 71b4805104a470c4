/** What went wrong with a request, and what the customer can do, in Romanian. */
import type { ProblemWords } from "../en/problems.ts"

export const romanianProblems: ProblemWords = {
  of: {
    anything: {
      heading: "Ceva nu a funcționat",
      text: "Este greșeala noastră și am luat notă de ea. Vă rugăm să încercați din nou peste puțin timp."
    },
    noSuchPage: {
      heading: "Nu există o astfel de pagină",
      text: "Adresa poate fi incompletă: deschideți din nou linkul din e-mail."
    },
    tooLarge: {
      heading: "A fost prea mare",
      text: "Nimic nu a fost păstrat. Mergeți înapoi și alegeți un fișier mai mic."
    },
    unreadable: {
      heading: "Nu s-a putut citi",
      text: "Mergeți înapoi, reîncărcați pagina și încercați din nou."
    },
    tooFast: {
      heading: "A fost puțin prea repede",
      text: "Vă rugăm să așteptați un minut și să încercați din nou."
    },
    away: {
      heading: "Nu putem răspunde acum",
      text: "Nimic din ce ați trimis nu s-a pierdut definitiv: vă rugăm să încercați din nou peste puțin timp."
    },
    tooSlow: {
      heading: "A durat prea mult",
      text: "Conexiunea a fost prea lentă sau s-a întrerupt. Nimic nu a fost păstrat. Vă rugăm să încercați din nou, eventual acolo unde conexiunea este mai bună."
    },
    headersTooLarge: {
      heading: "Nu s-a putut citi",
      text: "Browserul dumneavoastră a trimis mai mult decât putem primi. Ștergeți cookie-urile acestui site, apoi deschideți din nou linkul din e-mail."
    }
  },
  unknownOutcome: {
    heading: "Nu știm dacă a ajuns la noi",
    look: "Vă rugăm să vedeți stadiul achiziției înainte de a trimite din nou."
  }
}
