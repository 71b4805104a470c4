/** The words of mail to customers, in Polish. Which mail is sent, and when, is decided elsewhere. */
import type { MailWords } from "../en/mail.ts"
import { polishPlural } from "../locale/plural.ts"

const hoursOf = (hours: number): string =>
  polishPlural(hours, {
    one: "jednej godziny",
    few: `${hours} godzin`,
    many: `${hours} godzin`,
    other: `${hours} godziny`
  })

const daysOf = (days: number): string =>
  polishPlural(days, { one: "jednego dnia", few: `${days} dni`, many: `${days} dni`, other: `${days} dnia` })

export const polishMail: MailWords = {
  greeting: ({ firstName }) => `Dzień dobry, ${firstName},`,
  openInstead: "Jeśli przycisk nie działa, proszę otworzyć ten adres w przeglądarce:",
  linkNote: ({ hours }) =>
    `Link działa jeden raz, w ciągu ${hoursOf(hours)}. Jeśli wygasł, strona, którą otwiera, może wysłać nowy. Jest przeznaczony tylko dla Państwa: prosimy nikomu go nie przekazywać.`,
  from: ({ company, registration }) =>
    `Tę wiadomość wysyła firma ${company}. Otrzymują ją Państwo, ponieważ firma ${company} prowadzi zakup pojazdu ${registration} i w tym celu otrzymała ten adres.`,
  fromFor: ({ company, registration, seller }) =>
    `Tę wiadomość wysyła firma ${company} w imieniu sprzedawcy: ${seller}. Otrzymują ją Państwo, ponieważ firma ${company} prowadzi zakup pojazdu ${registration} i w tym celu otrzymała ten adres.`,
  reply: "W razie pytań wystarczy odpowiedzieć na tę wiadomość.",
  replyOrCall: ({ telephone }) =>
    `W razie pytań wystarczy odpowiedzieć na tę wiadomość lub zadzwonić pod numer ${telephone}.`,
  reminder: {
    subject: ({ subject }) => `Przypomnienie: ${subject}`,
    askedBefore:
      "Prosiliśmy już o to i chcemy się tylko upewnić, że nasza wiadomość nie umknęła Państwa uwadze. Jeśli krok został już wykonany, nic więcej nie trzeba robić.",
    last: ({ company, days, registration }) =>
      `Prosimy zrobić to w ciągu ${daysOf(days)}: potem ten zakup pojazdu ${registration} wygaśnie i tylko firma ${company} będzie mogła rozpocząć go od nowa.`
  },
  steps: {
    VERIFY_IDENTITY: {
      first: {
        subject: ({ registration }) => `Prosimy zweryfikować tożsamość: ${registration}`,
        preview: "Zajmie to kilka minut w telefonie. Proszę mieć pod ręką dokument tożsamości.",
        ask: [
          ({ registration }) =>
            `Następny krok w zakupie pojazdu ${registration} należy do Państwa: prosimy zweryfikować tożsamość.`,
          () =>
            "Zajmie to kilka minut w telefonie. Proszę mieć pod ręką dokument tożsamości; potrzebne będzie jego zdjęcie i Państwa zdjęcie."
        ],
        button: "Zweryfikuj tożsamość"
      },
      again: {
        subject: ({ registration }) => `Prosimy ponownie spróbować zweryfikować tożsamość: ${registration}`,
        preview: "Ostatnia próba się nie powiodła. Najbardziej pomaga dobre światło.",
        ask: [
          ({ registration }) =>
            `Nie udało się jeszcze zweryfikować Państwa tożsamości, dlatego zakup pojazdu ${registration} czeka.`,
          () => "Prosimy spróbować ponownie. Pomaga dobre światło, a na zdjęciu musi być cały dokument tożsamości."
        ],
        button: "Spróbuj ponownie"
      }
    },
    CONFIRM_ADDRESS: {
      first: {
        subject: ({ registration }) => `Prosimy potwierdzić, dokąd dostarczyć pojazd ${registration}`,
        preview: "Jedno pytanie, jedna minuta: jaki to adres?",
        ask: [
          ({ registration }) =>
            `Następny krok w zakupie pojazdu ${registration} należy do Państwa: prosimy potwierdzić adres dostawy.`
        ],
        button: "Potwierdź adres"
      },
      again: {
        subject: ({ registration }) => `Dostawa pojazdu ${registration} czeka: prosimy ponownie potwierdzić adres`,
        preview: "Dostawa czeka na Państwa adres.",
        ask: [
          ({ registration }) =>
            `Dostawa pojazdu ${registration} nadal na Państwa czeka: prosimy potwierdzić adres dostawy.`
        ],
        button: "Potwierdź adres"
      }
    },
    RECORD_VIDEO: {
      first: {
        subject: ({ registration }) => `Prosimy o nagranie z przekazania pojazdu ${registration}`,
        preview: "Przy odbiorze pojazdu: krótkie nagranie Państwa z pojazdem.",
        ask: [
          ({ registration }) => `Państwa pojazd ${registration} jest gotowy do przekazania.`,
          () =>
            "Przy odbiorze prosimy zrobić krótkie nagranie, na którym widać Państwa z pojazdem. Potwierdza ono, kto odebrał pojazd; twarz musi być wyraźnie widoczna."
        ],
        button: "Zrób nagranie"
      },
      again: {
        subject: ({ registration }) => `Prosimy ponownie o nagranie z przekazania pojazdu ${registration}`,
        preview: "Na ostatnim nagraniu nie udało się Państwa rozpoznać.",
        ask: [
          ({ registration }) =>
            `Na podstawie nagrania z przekazania pojazdu ${registration} nie udało się potwierdzić, że to Państwo go odebrali.`,
          () => "Prosimy nagrać jeszcze raz. Pomaga dobre światło, a twarz musi być wyraźnie widoczna."
        ],
        button: "Nagraj ponownie"
      }
    }
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
