/** Going on by telephone, with a QR code on a wide screen, in Welsh. */
import type { TelephoneWords } from "../en/telephone.ts"
import { welshPlural } from "../locale/plural.ts"

export const welshTelephone: TelephoneWords = {
  offer: "Parhau ar y ffôn",
  heading: "Parhau ar y ffôn",
  scan: "Mae gan ffôn well camera. Anelwch ei gamera at y cod hwn ac agorwch y ddolen y mae'n ei dangos.",
  code: "Cod QR gyda'ch dolen",
  once: ({ minutes }) =>
    `Mae'r cod yn gweithio unwaith, am ${welshPlural(minutes, {
      zero: `${minutes} munud`,
      one: "un funud",
      two: "ddwy funud",
      few: `${minutes} munud`,
      many: `${minutes} munud`,
      other: `${minutes} munud`
    })}. Mae'n disodli'r ddolen yn ein e-bost diwethaf ar gyfer y cam hwn.`,
  goesOn: "Mae'r dudalen hon yn dilyn ar ei phen ei hun.",
  tooMany: "Gormod o godau",
  wait: "Arhoswch awr, neu parhewch yma."
}
