/** Pages that only say something: a link has ended, sign in first, a form was not ours. In Welsh. */
import type { NoticeWords } from "../en/notices.ts"
import { welshPlural } from "../locale/plural.ts"
import { welshDays, welshMinutes } from "./durations.ts"

export const welshNotices: NoticeWords = {
  linkEnded: {
    heading: "Mae'r ddolen hon wedi dod i ben",
    once: ({ days }) =>
      `Mae pob dolen yn eich mewngofnodi unwaith ac yn para ${welshDays(days)}. Mae e-bost mwy newydd hefyd yn disodli'r dolenni cynharach.`,
    offer: "Gallwn anfon un newydd atoch. Bydd yn mynd i'r cyfeiriad e-bost sydd gennym ar eich cyfer.",
    button: "Anfon dolen newydd ataf"
  },
  newLink: {
    heading: "Edrychwch ar eich e-bost",
    sent: "Os oes rhywbeth i chi ei wneud, mae dolen newydd ar ei ffordd i'r cyfeiriad e-bost sydd gennym. Gall gymryd ychydig funudau.",
    nothing:
      "Dim byd yno? Edrychwch yn eich ffolder sothach yn gyntaf. Dim ond ychydig o ddolenni newydd y gellir eu hanfon mewn awr; ar ôl hynny, arhoswch ychydig a rhowch gynnig arall arni."
  },
  closed: {
    heading: "Mae'r pryniant hwn wedi'i gau"
  },
  signInFirst: {
    heading: "Agorwch y ddolen yn eich e-bost",
    away: ({ minutes }) =>
      `Nid ydych wedi mewngofnodi, buoch i ffwrdd am fwy na ${welshMinutes(minutes)}, neu agorwyd dolen fwy newydd, efallai ar ddyfais arall. Mae dolen yn yr e-bost diweddaraf a anfonwyd atoch a fydd yn dod â chi yn ôl.`,
    used: "A yw'r ddolen honno wedi'i defnyddio eisoes? Agorwch hi beth bynnag: mae botwm ar y dudalen sy'n anfon un newydd atoch."
  },
  runOut: {
    heading: "Rydych wedi cael eich allgofnodi",
    away: ({ hours, minutes }) =>
      `Buoch i ffwrdd am fwy na ${welshMinutes(minutes)}, neu fe wnaethoch fewngofnodi fwy na ${welshPlural(hours, {
        zero: `${hours} awr`,
        one: "awr",
        two: `${hours} awr`,
        few: `${hours} awr`,
        many: `${hours} awr`,
        other: `${hours} awr`
      })} yn ôl. Fel na all neb arall barhau yn eich lle, mewngofnodwch eto gyda dolen newydd.`
  },
  signedOut: {
    heading: "Rydych wedi allgofnodi",
    back: "I ddod yn ôl, agorwch y ddolen yn eich e-bost."
  },
  forged: {
    heading: "Roedd y dudalen honno wedi dyddio",
    unchanged:
      "Ni newidiwyd dim. Ewch yn ôl, ail-lwythwch y dudalen a rhowch gynnig arall arni. Os bydd yn digwydd eto, caniatewch gwcis ar gyfer y wefan hon."
  }
}
