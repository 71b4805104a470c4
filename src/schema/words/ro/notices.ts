/** Pages that only say something: a link has ended, sign in first, a form was not ours. In Romanian. */
import type { NoticeWords } from "../en/notices.ts"
import { romanianPlural } from "../locale/plural.ts"

export const romanianNotices: NoticeWords = {
  linkEnded: {
    heading: "Acest link a expirat",
    once: ({ days }) =>
      `Fiecare link vă conectează o singură dată și este valabil ${romanianPlural(days, {
        one: "o zi",
        few: `${days} zile`,
        other: `${days} de zile`
      })}. Un e-mail mai nou înlocuiește și linkurile anterioare.`,
    offer: "Vă putem trimite unul nou. Îl trimitem la adresa de e-mail pe care o avem înregistrată.",
    button: "Trimiteți-mi un link nou"
  },
  newLink: {
    heading: "Verificați-vă e-mailul",
    sent: "Dacă aveți ceva de făcut, un link nou este pe drum către adresa de e-mail pe care o avem înregistrată. Poate dura câteva minute.",
    nothing:
      "Nu ați primit nimic? Căutați mai întâi în dosarul de mesaje nedorite. Într-o oră se pot trimite doar câteva linkuri noi; după aceea, așteptați puțin și încercați din nou."
  },
  closed: {
    heading: "Această achiziție este închisă"
  },
  signInFirst: {
    heading: "Vă rugăm să deschideți linkul din e-mail",
    away: ({ minutes }) =>
      `Nu v-ați conectat, ați lipsit mai mult de ${romanianPlural(minutes, {
        one: "un minut",
        few: `${minutes} minute`,
        other: `${minutes} de minute`
      })} sau s-a deschis un link mai nou, poate pe alt dispozitiv. Cel mai recent e-mail de la noi conține un link care vă aduce înapoi.`,
    used: "Linkul a fost deja folosit? Deschideți-l oricum: pagina are un buton care vă trimite unul nou."
  },
  runOut: {
    heading: "Sesiunea s-a încheiat",
    away: ({ hours, minutes }) =>
      `Ați lipsit mai mult de ${romanianPlural(minutes, {
        one: "un minut",
        few: `${minutes} minute`,
        other: `${minutes} de minute`
      })} sau v-ați conectat acum mai mult de ${romanianPlural(hours, {
        one: "o oră",
        few: `${hours} ore`,
        other: `${hours} de ore`
      })}. Pentru ca nimeni altcineva să nu poată continua în locul dumneavoastră, vă rugăm să vă conectați din nou cu un link nou.`
  },
  signedOut: {
    heading: "V-ați deconectat",
    back: "Pentru a reveni, deschideți linkul din e-mail."
  },
  forged: {
    heading: "Pagina nu mai era actuală",
    unchanged:
      "Nimic nu a fost modificat. Mergeți înapoi, reîncărcați pagina și încercați din nou. Dacă se repetă, permiteți cookie-urile pentru acest site."
  }
}
