/** The end of a journey: the page and the receipt of a complete handover, and how a closed journey ended. In Romanian. */
import type { EndingWords } from "../en/ending.ts"
import { romanianPlural } from "../locale/plural.ts"

export const romanianEnding: EndingWords = {
  heading: "Predarea vehiculului este încheiată",
  taken: "Ați preluat vehiculul. Nu mai aveți nimic de făcut.",
  receipt: "Dovada predării",
  vehicle: "Vehicul",
  seller: "Vânzător",
  arrangedBy: "Prin intermediul",
  when: "Data predării",
  where: "Locul predării",
  atTheSeller: "La sediul vânzătorului",
  reference: "Număr de referință",
  save: "Salvați această dovadă",
  print: "Puteți, de asemenea, să tipăriți această pagină. O puteți vedea până când vă deconectați.",
  kept: ({ days }) =>
    `Fotografiile și înregistrările se șterg cel târziu la ${romanianPlural(days, {
      one: "o zi",
      few: `${days} zile`,
      other: `${days} de zile`
    })} după încheierea achiziției.`,
  yourData: ({ company }) =>
    `Pentru o copie a datelor dumneavoastră, corectarea sau ștergerea lor, adresați-vă firmei ${company}.`,
  closed: {
    COMPLETED: "Predarea vehiculului este încheiată. Nu mai aveți nimic de făcut.",
    CANCELLED: ({ company }) =>
      `A fost anulată de ${company} sau de o firmă care colaborează cu aceasta. Nu mai aveți nimic de făcut.`,
    ENDED: ({ company }) =>
      `S-a încheiat înainte de predarea vehiculului și nu mai aveți nimic de făcut aici. ${company} vă poate spune mai multe.`,
    FINANCE: ({ company }) =>
      `Există noutăți despre cererea dumneavoastră de finanțare. ${company} vă poate spune ce înseamnă acestea pentru dumneavoastră și ce urmează.`,
    EXPIRED: ({ company }) =>
      `Nu a fost încheiată la timp și de aceea a expirat. ${company} vă poate spune cum se poate continua.`
  }
}
