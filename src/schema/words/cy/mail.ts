/** Mail to customers, in Welsh: the frame of every mail, and the mails that ask for nothing. `steps.ts` words the mail that asks for a step. */
import type { MailWords } from "../en/mail.ts"
import { welshPlural } from "../locale/plural.ts"

const daysOf = (days: number): string =>
  welshPlural(days, {
    zero: `${days} diwrnod`,
    one: "un diwrnod",
    two: "deuddydd",
    few: `${days} diwrnod`,
    many: `${days} diwrnod`,
    other: `${days} diwrnod`
  })

const within = ({ days, until }: { readonly days: number; readonly until: string | null }): string =>
  `o fewn ${daysOf(days)}${until === null ? "" : ` (dyddiad cau: ${until})`}`

export const welshMail: MailWords = {
  greeting: ({ firstName }) => `Helo ${firstName},`,
  openInstead: "Os nad yw'r botwm yn gweithio, agorwch y cyfeiriad hwn yn eich porwr:",
  linkNote: (time) =>
    `Mae'r ddolen yn gweithio unwaith, ${within(time)}. Os yw wedi dod i ben, gall y dudalen y mae'n ei hagor anfon un newydd atoch. I chi yn unig y mae hi: peidiwch â'i rhannu â neb arall.`,
  from: ({ company, registration }) =>
    `Daw'r e-bost hwn gan ${company}. Rydych yn ei gael am fod ${company} yn eich arwain drwy brynu ${registration} ac wedi cael eich cyfeiriad at y diben hwnnw.`,
  fromFor: ({ company, registration, seller }) =>
    `Daw'r e-bost hwn gan ${company}, ar ran y gwerthwr, ${seller}. Rydych yn ei gael am fod ${company} yn eich arwain drwy brynu ${registration} ac wedi cael eich cyfeiriad at y diben hwnnw.`,
  reply: "Os oes gennych gwestiwn, atebwch yr e-bost hwn.",
  replyOrCall: ({ telephone }) => `Os oes gennych gwestiwn, atebwch yr e-bost hwn neu ffoniwch ${telephone}.`,
  reminder: {
    subject: ({ subject }) => `Nodyn atgoffa: ${subject}`,
    first:
      "Rydym wedi gofyn i chi o'r blaen a dim ond eisiau gwneud yn siŵr na chollwyd ein neges. Os ydych wedi'i wneud yn y cyfamser, nid oes dim arall i'w wneud.",
    second: ({ company, registration }) =>
      `Rydym wedi gofyn i chi o'r blaen, a chyn i'r pryniant hwn o ${registration} ddod i ben byddwn yn eich atgoffa unwaith eto ar y mwyaf. Ar ôl iddo ddod i ben, dim ond ${company} all ei ddechrau o'r newydd. Os ydych wedi'i wneud yn y cyfamser, nid oes dim arall i'w wneud.`,
    last: ({ company, days, registration, until }) =>
      `Gwnewch hyn ${within({ days, until })}: ar ôl hynny daw'r pryniant hwn o ${registration} i ben, a dim ond ${company} all ei ddechrau o'r newydd.`
  },
  newLink: {
    subject: ({ subject }) => `Dolen newydd: ${subject}`,
    replaces: "Dyma ddolen newydd. Os ydym wedi anfon un atoch ar gyfer y cam hwn o'r blaen, nid yw'n gweithio mwyach."
  },
  welcome: {
    subject: ({ registration }) => `Eich pryniant o ${registration}`,
    preview: "Sut mae pethau'n mynd ymlaen. Nid oes dim i'w wneud eto.",
    guides: ({ company, registration }) => `Bydd ${company} yn eich arwain drwy brynu ${registration}.`,
    guidesFor: ({ company, registration, seller }) =>
      `Bydd ${company} yn eich arwain drwy brynu ${registration} gan ${seller}.`,
    how: "Pryd bynnag y daw eich tro chi, cewch e-bost â dolen sy'n agor y cam. Nid oes cyfrinair i'w greu na'i gofio.",
    nothing: "Nid oes dim i'w wneud gyda'r e-bost hwn."
  },
  financeApproved: {
    subject: ({ registration }) => `Mae eich cyllid ar gyfer ${registration} wedi'i gymeradwyo`,
    preview: "Newyddion da am eich pryniant.",
    approved: ({ registration }) => `Newyddion da: mae'r cyllid ar gyfer ${registration} wedi'i gymeradwyo.`,
    nothing: "Nid oes dim i'w wneud gyda'r e-bost hwn: os daw eich tro chi, cewch e-bost ar wahân amdano."
  },
  financeUpdated: {
    subject: ({ registration }) => `Newyddion am eich cais cyllid ar gyfer ${registration}`,
    preview: "Mae newyddion am eich cais.",
    news: ({ registration }) => `Mae newyddion am eich cais cyllid ar gyfer ${registration}.`,
    ask: ({ company }) => `Gall ${company} ddweud wrthych beth mae'n ei olygu i chi a beth sy'n digwydd nesaf.`
  },
  handoverComplete: {
    subject: ({ registration }) => `Mae trosglwyddo ${registration} wedi'i gwblhau`,
    preview: "Nid oes angen dim byd arall gennych.",
    complete: ({ registration }) =>
      `Mae trosglwyddo ${registration} wedi'i gwblhau, ac nid oes angen dim byd arall gennych.`,
    keep: "Cadwch yr e-bost hwn: dyma eich derbynneb.",
    goodbye: "Gyrrwch yn ddiogel."
  }
}
