/** Going on by telephone, with a QR code on a wide screen, in Polish. */
import type { TelephoneWords } from "../en/telephone.ts"
import { polishPlural } from "../locale/plural.ts"

export const polishTelephone: TelephoneWords = {
  offer: "Kontynuuj na telefonie",
  heading: "Kontynuuj na telefonie",
  scan: "Telefon ma lepszy aparat. Proszę skierować jego aparat na ten kod i otworzyć link, który się pojawi.",
  code: "Kod QR z linkiem",
  once: ({ minutes }) =>
    `Kod działa jeden raz, przez ${polishPlural(minutes, {
      one: "minutę",
      few: `${minutes} minuty`,
      many: `${minutes} minut`,
      other: `${minutes} minuty`
    })}. Zastępuje link z naszej ostatniej wiadomości e-mail do tego kroku.`,
  goesOn: "Ta strona sama się zaktualizuje.",
  tooMany: "Zbyt wiele kodów",
  wait: "Proszę odczekać godzinę albo kontynuować tutaj."
}
