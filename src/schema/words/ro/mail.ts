/** Mail to customers, in Romanian: the frame of every mail, and the mails that ask for nothing. `steps.ts` words the mail that asks for a step. */
import type { MailWords } from "../en/mail.ts"
import { romanianPlural } from "../locale/plural.ts"

const daysOf = (days: number): string =>
  romanianPlural(days, { one: "o zi", few: `${days} zile`, other: `${days} de zile` })

const within = ({ days, until }: { readonly days: number; readonly until: string | null }): string =>
  `în cel mult ${daysOf(days)}${until === null ? "" : ` (până ${until})`}`

export const romanianMail: MailWords = {
  greeting: ({ firstName }) => `Bună ziua, ${firstName},`,
  openInstead: "Dacă butonul nu funcționează, deschideți această adresă în browser:",
  linkNote: (time) =>
    `Linkul funcționează o singură dată, ${within(time)}. Dacă a expirat, pagina pe care o deschide vă poate trimite unul nou. Este numai pentru dumneavoastră: vă rugăm să nu îl dați mai departe.`,
  from: ({ company, registration }) =>
    `Acest e-mail este trimis de ${company}. Îl primiți pentru că ${company} vă însoțește la cumpărarea vehiculului ${registration} și a primit adresa dumneavoastră în acest scop.`,
  fromFor: ({ company, registration, seller }) =>
    `Acest e-mail este trimis de ${company}, în numele vânzătorului ${seller}. Îl primiți pentru că ${company} vă însoțește la cumpărarea vehiculului ${registration} și a primit adresa dumneavoastră în acest scop.`,
  reply: "Dacă aveți o întrebare, răspundeți la acest e-mail.",
  replyOrCall: ({ telephone }) => `Dacă aveți o întrebare, răspundeți la acest e-mail sau sunați la ${telephone}.`,
  reminder: {
    subject: ({ subject }) => `Reamintire: ${subject}`,
    first:
      "V-am mai rugat acest lucru și dorim doar să ne asigurăm că mesajul nostru nu a trecut neobservat. Dacă l-ați făcut între timp, nu mai aveți nimic de făcut.",
    second: ({ company, registration }) =>
      `V-am mai rugat acest lucru și, înainte ca achiziția vehiculului ${registration} să se încheie, vă mai reamintim cel mult o dată. După ce se încheie, numai ${company} o poate începe din nou. Dacă l-ați făcut între timp, nu mai aveți nimic de făcut.`,
    last: ({ company, days, registration, until }) =>
      `Vă rugăm să o faceți ${within({ days, until })}: după aceea, achiziția vehiculului ${registration} se încheie și numai ${company} o poate începe din nou.`
  },
  newLink: {
    subject: ({ subject }) => `Link nou: ${subject}`,
    replaces: "Acesta este un link nou. Dacă v-am mai trimis un link pentru acest pas, acela nu mai funcționează."
  },
  welcome: {
    subject: ({ registration }) => `Achiziția vehiculului ${registration}`,
    preview: "Cum decurge. Deocamdată nu aveți nimic de făcut.",
    guides: ({ company, registration }) => `${company} vă însoțește la cumpărarea vehiculului ${registration}.`,
    guidesFor: ({ company, registration, seller }) =>
      `${company} vă însoțește la cumpărarea vehiculului ${registration} de la ${seller}.`,
    how: "Ori de câte ori este rândul dumneavoastră, primiți un e-mail cu un link care deschide pasul respectiv. Nu trebuie să inventați sau să rețineți nicio parolă.",
    nothing: "În legătură cu acest e-mail nu aveți nimic de făcut."
  },
  financeApproved: {
    subject: ({ registration }) => `Finanțarea pentru ${registration} este aprobată`,
    preview: "O veste bună despre achiziția dumneavoastră.",
    approved: ({ registration }) => `O veste bună: finanțarea pentru ${registration} este aprobată.`,
    nothing:
      "În legătură cu acest e-mail nu aveți nimic de făcut: dacă este rândul dumneavoastră, primiți un e-mail separat."
  },
  financeUpdated: {
    subject: ({ registration }) => `Noutăți despre cererea de finanțare pentru ${registration}`,
    preview: "Există noutăți despre cererea dumneavoastră.",
    news: ({ registration }) => `Există noutăți despre cererea dumneavoastră de finanțare pentru ${registration}.`,
    ask: ({ company }) => `${company} vă poate spune ce înseamnă acestea pentru dumneavoastră și ce urmează.`
  },
  handoverComplete: {
    subject: ({ registration }) => `Predarea vehiculului ${registration} este încheiată`,
    preview: "Nu mai aveți nimic de făcut.",
    complete: ({ registration }) =>
      `Predarea vehiculului ${registration} este încheiată și nu mai aveți nimic de făcut.`,
    keep: "Păstrați acest e-mail: este dovada predării.",
    goodbye: "Drum bun!"
  }
}
