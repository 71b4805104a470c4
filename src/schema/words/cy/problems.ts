/** What went wrong with a request, and what the customer can do, in Welsh. */
import type { ProblemWords } from "../en/problems.ts"

export const welshProblems: ProblemWords = {
  of: {
    anything: {
      heading: "Aeth rhywbeth o'i le",
      text: "Ein camgymeriad ni ydyw, ac rydym wedi'i nodi. Rhowch gynnig arall arni mewn munud."
    },
    noSuchPage: {
      heading: "Nid oes tudalen o'r fath",
      text: "Efallai nad yw'r cyfeiriad yn gyflawn: agorwch y ddolen yn eich e-bost eto."
    },
    tooLarge: { heading: "Roedd hynny'n rhy fawr", text: "Ni chadwyd dim. Ewch yn ôl a dewiswch ffeil lai." },
    unreadable: {
      heading: "Nid oedd modd darllen hynny",
      text: "Ewch yn ôl, ail-lwythwch y dudalen a rhowch gynnig arall arni."
    },
    tooFast: { heading: "Roedd hynny ychydig yn gyflym", text: "Arhoswch funud a rhowch gynnig arall arni." },
    away: {
      heading: "Ni allwn ateb ar hyn o bryd",
      text: "Nid yw'r hyn a anfonwyd gennych wedi'i golli am byth: rhowch gynnig arall arni mewn munud."
    },
    tooSlow: {
      heading: "Cymerodd hynny ormod o amser",
      text: "Roedd eich cysylltiad yn rhy araf, neu torrwyd arno. Ni chadwyd dim. Rhowch gynnig arall arni, efallai lle mae'r cysylltiad yn well."
    },
    headersTooLarge: {
      heading: "Nid oedd modd darllen hynny",
      text: "Anfonodd eich porwr fwy nag y gallwn ei dderbyn. Dilëwch gwcis y wefan hon, yna agorwch y ddolen yn eich e-bost eto."
    }
  },
  unknownOutcome: {
    heading: "Ni wyddom a gyrhaeddodd hynny",
    look: "Edrychwch ar hynt eich pryniant cyn ei anfon eto."
  }
}
