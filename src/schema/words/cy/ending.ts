/** The end of a journey: the page and the receipt of a complete handover, and how a closed journey ended. In Welsh. */
import type { EndingWords } from "../en/ending.ts"
import { welshDays } from "./durations.ts"

export const welshEnding: EndingWords = {
  heading: "Mae'r trosglwyddo wedi'i gwblhau",
  taken: "Rydych wedi derbyn eich cerbyd. Nid oes dim arall i'w wneud.",
  receipt: "Derbynneb am y trosglwyddo",
  vehicle: "Cerbyd",
  seller: "Gwerthwr",
  arrangedBy: "Trefnwyd gan",
  when: "Trosglwyddwyd",
  where: "Ble",
  atTheSeller: "Yn safle'r gwerthwr",
  reference: "Cyfeirnod",
  save: "Cadw'r dderbynneb hon",
  print: "Gallwch hefyd argraffu'r dudalen hon. Gallwch ei gweld cyhyd ag yr ydych wedi mewngofnodi.",
  kept: ({ days }) => `Caiff lluniau a fideos eu dileu fan bellaf ${welshDays(days)} ar ôl i'r pryniant ddod i ben.`,
  yourData: ({ company }) =>
    `Os ydych am gael copi o'ch data, neu am iddo gael ei gywiro neu ei ddileu, gofynnwch i ${company}.`,
  closed: {
    COMPLETED: "Mae'r trosglwyddo wedi'i gwblhau. Nid oes dim arall i'w wneud.",
    CANCELLED: ({ company }) =>
      `Cafodd ei ganslo gan ${company} neu gan fusnes sy'n cydweithio â'r cwmni. Nid oes dim arall i chi ei wneud.`,
    ENDED: ({ company }) =>
      `Daeth i ben cyn i'r trosglwyddo gael ei gwblhau, ac nid oes dim arall i chi ei wneud yma. Gall ${company} ddweud mwy wrthych.`,
    FINANCE: ({ company }) =>
      `Mae newyddion am eich cais cyllid. Gall ${company} ddweud wrthych beth mae'n ei olygu i chi a beth sy'n digwydd nesaf.`,
    EXPIRED: ({ company }) =>
      `Ni chafodd ei orffen mewn pryd, felly mae wedi dod i ben. Gall ${company} ddweud wrthych sut i fynd ymlaen.`
  }
}
