/** The consent to the comparison of faces, its refusal and its withdrawal, in Welsh. */
import type { ConsentWords } from "../en/consent.ts"
import { welshPlural } from "../locale/plural.ts"

const inDays = (days: number) =>
  `${days} ${welshPlural(days, { zero: "diwrnod", one: "diwrnod", two: "ddiwrnod", few: "diwrnod", many: "diwrnod", other: "diwrnod" })}`

export const welshConsent: ConsentWords = {
  what: "Beth sy'n cael ei gymharu",
  byWhom: "Gan bwy",
  howLong: "Am ba hyd y cedwir ef",
  choice: "Eich dewis chi",
  version: ({ version }) => `Hysbysiad ${version}`,
  back: "Yn ôl",
  identity: {
    heading: "A gawn ni gymharu eich lluniau?",
    intro: "Darllenwch hyn yn gyntaf, os gwelwch yn dda. Ni thynnir llun ac ni chymherir dim cyn i chi gytuno.",
    what: "Cymherir yr wyneb ar y llun o'ch dogfen adnabod â'r wyneb ar eich hunlun, i weld a yw'r ddau'n dangos yr un person. Lle gall peiriant ddarllen y ddogfen, cymherir eich enw a'ch dyddiad geni hefyd â manylion eich pryniant.",
    byWhom: ({ company }) =>
      `Ar ran ${company}, gan weithredwr y gwasanaeth hwn, ar beiriannau'r gweithredwr ei hun. Os nad yw'r canlyniad yn glir, bydd rhywun o dîm ${company} yn edrych ar eich lluniau. Nid oes neb arall yn eu cael.`,
    howLong: ({ days }) =>
      `Caiff y llun o'ch dogfen ei ddileu yn fuan ar ôl y penderfyniad. Caiff eich hunlun, y cymherir eich fideo trosglwyddo ag ef, a chopi bach llwyd o bob llun, sy'n dangos pan roddir yr un llun ddwywaith, eu dileu ${inDays(days)} ar ôl i'ch pryniant ddod i ben. Cedwir llun da sy'n aros am y llall am awr. Mae popeth wedi'i amgryptio.`,
    choice: ({ company }) =>
      `Nid oes rhaid i chi gytuno. Yna bydd tîm ${company} yn gorffen y gwiriad gyda chi mewn ffordd arall. Gallwch dynnu eich cydsyniad yn ôl hyd nes i'ch pryniant ddod i ben, a chaiff eich lluniau a'ch fideos eu dileu.`,
    agree: "Rwy'n cytuno",
    refuse: "Nid wyf yn cytuno",
    refusal: {
      heading: "Nid ydych am i'ch lluniau gael eu cymharu",
      text: ({ company }) =>
        `Ni thynnir lluniau. Bydd tîm ${company} yn gorffen y gwiriad hunaniaeth gyda chi mewn ffordd arall, ac yn cysylltu â chi. Os newidiwch eich meddwl yn nes ymlaen, atebwch un o'n negeseuon e-bost: gall y tîm ofyn i chi eto.`,
      confirm: "Peidiwch â chymharu fy lluniau"
    }
  },
  video: {
    heading: "A gawn ni gymharu eich fideo trosglwyddo?",
    intro: "Darllenwch hyn yn gyntaf, os gwelwch yn dda. Ni recordir ac ni chymherir dim cyn i chi gytuno.",
    what: "Cymherir yr wyneb mewn ychydig o fframiau o'ch fideo â llun ohonoch chi: hunlun neu bortread eich gwiriad hunaniaeth, neu'r llun a anfonodd y gwerthwr. Mae'r fframiau hefyd yn dangos a ydych yn troi eich pen fel y gofynnir, fel na all neb ddefnyddio llun neu hen fideo ohonoch.",
    byWhom: ({ company }) =>
      `Ar ran ${company}, gan weithredwr y gwasanaeth hwn, ar beiriannau'r gweithredwr ei hun. Os nad yw'r canlyniad yn glir, bydd rhywun o dîm ${company} yn gwylio eich fideo. Nid oes neb arall yn ei gael.`,
    howLong: ({ days }) =>
      `Caiff eich fideo a'r llun eu dileu ${inDays(days)} ar ôl i'ch pryniant ddod i ben. Caiff fideo na chafodd ei anfon i'w ddiwedd ei ddileu ar ôl diwrnod. Mae popeth wedi'i amgryptio.`,
    choice: ({ company }) =>
      `Nid oes rhaid i chi gytuno. Yna bydd tîm ${company} yn gorffen y trosglwyddo gyda chi mewn ffordd arall. Gallwch dynnu eich cydsyniad yn ôl hyd nes i'ch pryniant ddod i ben, a chaiff eich lluniau a'ch fideos eu dileu.`,
    agree: "Rwy'n cytuno",
    refuse: "Nid wyf yn cytuno",
    refusal: {
      heading: "Nid ydych am i'ch fideo gael ei gymharu",
      text: ({ company }) =>
        `Ni recordir fideo. Bydd tîm ${company} yn gorffen y trosglwyddo gyda chi mewn ffordd arall, ac yn cysylltu â chi. Os newidiwch eich meddwl yn nes ymlaen, atebwch un o'n negeseuon e-bost: gall y tîm ofyn i chi eto.`,
      confirm: "Peidiwch â chymharu fideo"
    }
  },
  withdrawal: {
    link: "Tynnu fy nghydsyniad yn ôl a dileu fy lluniau",
    heading: "Tynnu eich cydsyniad yn ôl?",
    what: "Caiff pob llun a phob fideo o'ch pryniant eu dileu o'r gwasanaeth hwn, ac ni chymherir wynebau mwyach. Nid oes modd dadwneud hyn.",
    after: ({ company }) =>
      `Mae'r hyn a wiriwyd yn aros wedi'i wirio. Bydd tîm ${company} yn gorffen gyda chi, mewn ffordd arall, yr hyn sy'n dal heb ei wneud. Gallwch fynd ymlaen heb dynnu'n ôl.`,
    confirm: "Tynnu'n ôl a dileu",
    keep: "Mynd yn ôl a chadw fy nghydsyniad"
  },
  standing: {
    refused: ({ company }) =>
      `Ni chytunoch i'r gymhariaeth, felly bydd tîm ${company} yn gorffen y cam hwn gyda chi mewn ffordd arall, ac yn cysylltu â chi. Os ydych wedi newid eich meddwl, atebwch un o'n negeseuon e-bost.`,
    withdrawn: ({ company }) =>
      `Rydych wedi tynnu eich cydsyniad yn ôl, felly bydd tîm ${company} yn gorffen y cam hwn gyda chi mewn ffordd arall, ac yn cysylltu â chi.`,
    heading: "Bydd y tîm yn gorffen y cam hwn gyda chi",
    deleting: "Rydych wedi tynnu eich cydsyniad yn ôl. Mae eich lluniau a'ch fideos yn cael eu dileu.",
    deleted: "Rydych wedi tynnu eich cydsyniad yn ôl. Mae eich lluniau a'ch fideos wedi'u dileu."
  }
}
