/** Pages that only say something: a link has ended, sign in first, a form was not ours. In Polish. */
import type { NoticeWords } from "../en/notices.ts"
import { polishPlural } from "../locale/plural.ts"

export const polishNotices: NoticeWords = {
  linkEnded: {
    heading: "Ten link wygasł",
    once: ({ days }) =>
      `Każdy link pozwala zalogować się raz i jest ważny ${polishPlural(days, {
        one: "jeden dzień",
        few: `${days} dni`,
        many: `${days} dni`,
        other: `${days} dnia`
      })}. Nowsza wiadomość e-mail zastępuje też wcześniejsze linki.`,
    offer: "Możemy wysłać nowy link. Trafi na adres e-mail, który mamy w naszych danych.",
    button: "Wyślij mi nowy link"
  },
  newLink: {
    heading: "Proszę sprawdzić pocztę e-mail",
    sent: "Jeśli jest coś do zrobienia, nowy link jest już w drodze na adres e-mail, który mamy w naszych danych. Może to potrwać kilka minut.",
    nothing:
      "Nic nie przyszło? Proszę najpierw zajrzeć do folderu ze spamem. W ciągu godziny można wysłać tylko kilka nowych linków; potem proszę chwilę odczekać i spróbować ponownie."
  },
  closed: {
    heading: "Ten zakup jest zamknięty"
  },
  signInFirst: {
    heading: "Proszę otworzyć link z wiadomości e-mail",
    away: ({ minutes }) =>
      `Nie są Państwo zalogowani, przerwa trwała ponad ${polishPlural(minutes, {
        one: "minutę",
        few: `${minutes} minuty`,
        many: `${minutes} minut`,
        other: `${minutes} minuty`
      })} lub otwarto nowszy link, być może na innym urządzeniu. W najnowszej wiadomości od nas jest link, który prowadzi z powrotem.`,
    used: "Czy ten link został już użyty? Proszę mimo to go otworzyć: na stronie jest przycisk, który wysyła nowy."
  },
  runOut: {
    heading: "Sesja wygasła",
    away: ({ hours, minutes }) =>
      `Przerwa trwała ponad ${polishPlural(minutes, {
        one: "minutę",
        few: `${minutes} minuty`,
        many: `${minutes} minut`,
        other: `${minutes} minuty`
      })} albo od zalogowania minęło więcej niż ${polishPlural(hours, {
        one: "godzina",
        few: `${hours} godziny`,
        many: `${hours} godzin`,
        other: `${hours} godziny`
      })}. Aby nikt inny nie mógł kontynuować w Państwa imieniu, proszę zalogować się ponownie nowym linkiem.`
  },
  signedOut: {
    heading: "Wylogowano",
    back: "Aby wrócić, proszę otworzyć link z wiadomości e-mail."
  },
  forged: {
    heading: "Ta strona była nieaktualna",
    unchanged:
      "Nic nie zostało zmienione. Proszę wrócić, odświeżyć stronę i spróbować ponownie. Jeśli to się powtórzy, proszę zezwolić tej witrynie na pliki cookie."
  }
}
