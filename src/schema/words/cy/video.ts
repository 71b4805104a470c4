/** The page of the handover video: what it shows, and what its script says meanwhile, in Welsh. */
import type { VideoWords } from "../en/video.ts"
import { welshPlural } from "../locale/plural.ts"

const inMinutes = (minutes: number): string =>
  welshPlural(minutes, {
    zero: `${minutes} munud`,
    one: "un funud",
    two: `${minutes} funud`,
    few: `${minutes} munud`,
    many: `${minutes} munud`,
    other: `${minutes} munud`
  })

export const welshVideo: VideoWords = {
  hints: {
    face: "Eich wyneb cyfan yn y golwg, golau o'r tu blaen",
    vehicle: "Dangoswch y cerbyd a'i blât cofrestru",
    length: ({ megabytes, minutes }) => `Hyd at ${inMinutes(minutes)}, ${megabytes} ar y mwyaf`
  },
  challenge: {
    heading: "Trowch eich pen yn gyntaf",
    how: ({ seconds }) =>
      `Edrychwch i'r camera ar ddechrau'r fideo. Yna trowch eich pen yn araf yn y drefn hon, ac edrychwch i'r camera eto ar ôl pob tro. Gwnewch hynny o fewn y ${seconds} eiliad cyntaf.`,
    why: "Mae hyn yn dangos bod y fideo'n cael ei wneud nawr: mae gan bob fideo ei droeon ei hun.",
    turns: { LEFT: "I'ch chwith", RIGHT: "I'ch de" }
  },
  preview: "Yr hyn y mae eich camera'n ei weld",
  upload: "Lanlwytho",
  buttons: {
    camera: "Defnyddio'r camera",
    record: "Dechrau recordio",
    stop: "Stopio",
    send: "Anfon y fideo hwn",
    resume: "Parhau i anfon",
    again: "Recordio eto"
  },
  choose: "Dewiswch fideo",
  sendChosen: "Anfon",
  withoutScripts: ({ megabytes }) => `Heb sgriptiau gall fideo fod yn ${megabytes} ar y mwyaf.`,
  notUsed: "Ni ellid defnyddio'r fideo",
  problems: {
    none: "Ni ddewiswyd fideo.",
    tooLarge: ({ megabytes }) => `Mae'n fwy na ${megabytes}. Recordiwch un byrrach.`,
    tooLong: ({ minutes }) => `Mae'n hirach na ${inMinutes(minutes)}. Recordiwch un byrrach.`,
    unsupported: "Nid yw'n fath o fideo y gallwn ei ddarllen. Recordiwch ef yma, neu dewiswch ffeil MP4, MOV neu WebM.",
    unreadable: "Ni ellid ei ddarllen. Recordiwch un arall.",
    noChallenge:
      "Ni chafodd ei wneud ar gyfer y troeon y gofynnir amdanynt nawr: maent yn ddilys am un fideo ac am rai munudau. Recordiwch un arall gyda'r troeon isod.",
    overBudget: "Anfonwyd digon am heddiw. Rhowch gynnig arall arni yfory.",
    notWhole: "Ni chyrhaeddodd yn gyfan. Anfonwch ef eto.",
    anotherBegun: "Dechreuwyd lanlwytho fideo arall yn y cyfamser. Anfonwch ef eto."
  },
  script: {
    slow: "Mae'r cysylltiad yn araf. Yn rhoi cynnig arall arni …",
    notUsed: "Ni ellid defnyddio'r fideo. Recordiwch un arall.",
    signedOut: "Rydych wedi'ch allgofnodi. Ail-lwythwch y dudalen hon i weld sut i fewngofnodi eto.",
    sending: ({ percent }) => `Yn anfon eich fideo: ${percent} %`,
    almostDone: "Bron â gorffen …",
    notWhole: "Ni chyrhaeddodd y fideo yn gyfan. Rhowch gynnig arall arni.",
    empty: "Mae'r ffeil hon yn wag. Dewiswch neu recordiwch un arall.",
    tooLarge: "Mae'r fideo hwn yn rhy fawr. Recordiwch un byrrach.",
    broken: "Torrodd y cysylltiad. Cedwir yr hyn sydd wedi cyrraedd: parhewch pan fyddwch ar-lein eto.",
    notAllowed: "Ni chaniateir defnyddio'r camera. Caniatewch ef yng ngosodiadau eich porwr, neu dewiswch fideo isod.",
    noCamera:
      "Ni ellir defnyddio camera: nid oes un yma, neu mae ap arall yn ei ddefnyddio. Gallwch ddewis fideo isod.",
    cameraOn: "Mae'r camera ymlaen. Gwnewch yn siŵr bod eich wyneb cyfan yn y golwg.",
    noPicture: "Ni roddodd y camera lun. Rhowch gynnig arall arni, neu dewiswch fideo isod.",
    watch: "Gwyliwch eich fideo. Anfonwch ef, neu recordiwch ef eto.",
    interrupted:
      "Daeth y recordiad i ben yn gynnar: gadawyd y dudalen, neu nid oedd y camera ar gael mwyach. Gwyliwch eich fideo. Anfonwch ef, neu recordiwch ef eto.",
    cannotRecord: "Ni all y porwr hwn recordio yma. Gallwch ddewis fideo isod.",
    recording: "Yn recordio. Trowch eich pen yn y drefn a ddangosir, yna dangoswch y cerbyd.",
    leave: "Nid yw eich fideo wedi'i anfon: bydd yn cael ei golli os gadewch y dudalen hon nawr. Gadael beth bynnag?",
    recorded: ({ longest, seconds }) => `Yn recordio: ${seconds} o ${longest} eiliad`
  }
}
