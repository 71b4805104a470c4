/** Going on by telephone, with a QR code on a wide screen, in Romanian. */
import type { TelephoneWords } from "../en/telephone.ts"
import { romanianPlural } from "../locale/plural.ts"

export const romanianTelephone: TelephoneWords = {
  offer: "Continuați pe telefon",
  heading: "Continuați pe telefon",
  scan: "Un telefon are o cameră mai bună. Îndreptați camera lui spre acest cod și deschideți linkul pe care îl arată.",
  code: "Cod QR cu linkul dumneavoastră",
  once: ({ minutes }) =>
    `Codul funcționează o singură dată, timp de ${romanianPlural(minutes, {
      one: "un minut",
      few: `${minutes} minute`,
      other: `${minutes} de minute`
    })}. El înlocuiește linkul din ultimul nostru e-mail pentru acest pas.`,
  goesOn: "Această pagină se actualizează singură.",
  tooMany: "Prea multe coduri",
  wait: "Vă rugăm să așteptați o oră sau să continuați aici."
}
