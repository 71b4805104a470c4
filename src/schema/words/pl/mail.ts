/** Mail to customers, in Polish: the frame of every mail, and the mails that ask for nothing. `steps.ts` words the mail that asks for a step. */
import type { MailWords } from "../en/mail.ts"
import { polishPlural } from "../locale/plural.ts"

const daysOf = (days: number): string =>
  polishPlural(days, { one: "jednego dnia", few: `${days} dni`, many: `${days} dni`, other: `${days} dnia` })

const within = ({ days, until }: { readonly days: number; readonly until: string | null }): string =>
  `w ciągu ${daysOf(days)}${until === null ? "" : ` (termin: ${until})`}`

export const polishMail: MailWords = {
  greeting: ({ firstName }) => `Dzień dobry, ${firstName},`,
  openInstead: "Jeśli przycisk nie działa, proszę otworzyć ten adres w przeglądarce:",
  linkNote: (time) =>
    `Link działa jeden raz, ${within(time)}. Jeśli wygasł, strona, którą otwiera, może wysłać nowy. Jest przeznaczony tylko dla Państwa: prosimy nikomu go nie przekazywać.`,
  from: ({ company, registration }) =>
    `Tę wiadomość wysyła firma ${company}. Otrzymują ją Państwo, ponieważ firma ${company} prowadzi zakup pojazdu ${registration} i w tym celu otrzymała ten adres.`,
  fromFor: ({ company, registration, seller }) =>
    `Tę wiadomość wysyła firma ${company} w imieniu sprzedawcy: ${seller}. Otrzymują ją Państwo, ponieważ firma ${company} prowadzi zakup pojazdu ${registration} i w tym celu otrzymała ten adres.`,
  reply: "W razie pytań wystarczy odpowiedzieć na tę wiadomość.",
  replyOrCall: ({ telephone }) =>
    `W razie pytań wystarczy odpowiedzieć na tę wiadomość lub zadzwonić pod numer ${telephone}.`,
  reminder: {
    subject: ({ subject }) => `Przypomnienie: ${subject}`,
    first:
      "Prosiliśmy już o to i chcemy się tylko upewnić, że nasza wiadomość nie umknęła Państwa uwadze. Jeśli krok został już wykonany, nic więcej nie trzeba robić.",
    second: ({ company, registration }) =>
      `Prosiliśmy już o to, a zanim ten zakup pojazdu ${registration} wygaśnie, przypomnimy najwyżej jeszcze jeden raz. Gdy wygaśnie, tylko firma ${company} będzie mogła rozpocząć go od nowa. Jeśli krok został już wykonany, nic więcej nie trzeba robić.`,
    last: ({ company, days, registration, until }) =>
      `Prosimy zrobić to ${within({ days, until })}: potem ten zakup pojazdu ${registration} wygaśnie i tylko firma ${company} będzie mogła rozpocząć go od nowa.`
  },
  newLink: {
    subject: ({ subject }) => `Nowy link: ${subject}`,
    replaces: "Oto nowy link. Jeśli wcześniej wysłaliśmy link do tego kroku, już nie działa."
  },
  welcome: {
    subject: ({ registration }) => `Zakup pojazdu ${registration}`,
    preview: "Co będzie dalej. Na razie nie trzeba nic robić.",
    guides: ({ company, registration }) => `Firma ${company} poprowadzi Państwa przez zakup pojazdu ${registration}.`,
    guidesFor: ({ company, registration, seller }) =>
      `Firma ${company} poprowadzi Państwa przez zakup pojazdu ${registration} (sprzedawca: ${seller}).`,
    how: "Gdy nadejdzie Państwa kolej, wyślemy wiadomość z linkiem, który otwiera dany krok. Nie trzeba wymyślać ani pamiętać żadnego hasła.",
    nothing: "W związku z tą wiadomością nie trzeba nic robić."
  },
  financeApproved: {
    subject: ({ registration }) => `Finansowanie pojazdu ${registration} zostało przyznane`,
    preview: "Dobra wiadomość w sprawie zakupu.",
    approved: ({ registration }) => `Dobra wiadomość: finansowanie pojazdu ${registration} zostało przyznane.`,
    nothing: "W związku z tą wiadomością nie trzeba nic robić: gdy nadejdzie Państwa kolej, wyślemy osobną wiadomość."
  },
  financeUpdated: {
    subject: ({ registration }) => `Wiadomość w sprawie wniosku o finansowanie pojazdu ${registration}`,
    preview: "Jest nowa informacja o Państwa wniosku.",
    news: ({ registration }) => `Jest nowa informacja o Państwa wniosku o finansowanie pojazdu ${registration}.`,
    ask: ({ company }) => `Firma ${company} wyjaśni, co to oznacza i co będzie dalej.`
  },
  handoverComplete: {
    subject: ({ registration }) => `Przekazanie pojazdu ${registration} zostało zakończone`,
    preview: "Nic więcej nie trzeba robić.",
    complete: ({ registration }) =>
      `Przekazanie pojazdu ${registration} zostało zakończone i nic więcej nie trzeba robić.`,
    keep: "Prosimy zachować tę wiadomość: jest ona potwierdzeniem przekazania.",
    goodbye: "Szerokiej drogi!"
  }
}
