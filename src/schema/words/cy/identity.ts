/** The page of the identity check: the two photos, what came of an attempt, and what the page's script says. In Welsh. */
import type { IdentityWords } from "../en/identity.ts"
import { welshPlural } from "../locale/plural.ts"

export const welshIdentity: IdentityWords = {
  intro: "Mae angen dau lun arnoch: un o'ch dogfen adnabod, ac un o'ch wyneb.",
  documentPhoto: {
    label: "Llun o'ch dogfen adnabod",
    title: "Tynnu llun o'ch dogfen adnabod",
    hints: [
      "Y dudalen neu'r ochr sy'n dangos eich wyneb",
      "Y pedair cornel yn y golwg, yn wastad, heb ddisgleirdeb",
      "Yn ddigon clir i'w darllen"
    ]
  },
  selfie: {
    label: "Llun o'ch wyneb",
    title: "Tynnu llun o'ch wyneb",
    hints: [
      "Golau o'r tu blaen, heb ddim disglair y tu ôl i chi",
      "Dim ond chi yn y llun",
      "Heb het a heb sbectol haul"
    ]
  },
  error: "Gwall:",
  problems: {
    NO_FACE:
      "Nid oes wyneb y gallwn ei weld yn glir yn y llun hwn. Defnyddiwch fwy o olau, a pheidiwch â gadael i ddim guddio'r wyneb: dim het, dim sbectol haul, dim disgleirdeb.",
    FACE_TOO_SMALL: "Mae'r wyneb yn y llun hwn yn rhy fach. Ewch yn nes.",
    MULTIPLE_FACES: "Mae mwy nag un wyneb yn y llun hwn.",
    BLURRED: "Mae'r llun hwn yn rhy aneglur. Daliwch yn llonydd, a defnyddiwch fwy o olau.",
    UNREADABLE: "Ni ellir darllen y llun hwn. Tynnwch un arall, neu dewiswch ffeil JPEG neu PNG.",
    OVER_BUDGET: "Anfonwyd digon o luniau am heddiw. Rhowch gynnig arall arni yfory.",
    MISSING: "Mae'r llun hwn ar goll.",
    TOO_LARGE: ({ megabytes }) => `Mae'r llun hwn yn fwy na ${megabytes}.`
  },
  kept: "Mae'r llun hwn gennym. Nid oes angen ei dynnu eto.",
  privacy:
    "Mae'r gwasanaeth hwn yn cymharu eich lluniau, ac ni chânt eu dangos i neb arall, oni bai bod y gymhariaeth yn aneglur a bod rhaid i rywun edrych.",
  triesLeft: ({ left, of }) =>
    `Mae gennych ${left} o ${welshPlural(of, {
      zero: `${of} cynnig`,
      one: `${of} cynnig`,
      two: `${of} gynnig`,
      few: `${of} chynnig`,
      many: `${of} chynnig`,
      other: `${of} cynnig`
    })} ar ôl heddiw.`,
  check: "Gwirio fy lluniau",
  takeAgain: ({ count }) =>
    welshPlural(count, {
      zero: "Tynnwch y ddau lun eto",
      one: "Tynnwch un llun eto",
      two: "Tynnwch y ddau lun eto",
      few: "Tynnwch y lluniau eto",
      many: "Tynnwch y lluniau eto",
      other: "Tynnwch y lluniau eto"
    }),
  noTry: "Nid yw hyn yn cyfrif fel cynnig.",
  provider: {
    text: "Gwneir y gwiriad ar dudalen partner. Bydd yn dod â chi yn ôl yma.",
    button: "Mynd i'r gwiriad hunaniaeth"
  },
  notReady: {
    text: "Mae'r gwiriad yn cael ei baratoi. Mae hyn yn cymryd eiliad: ail-lwythwch y dudalen.",
    button: "Ail-lwytho"
  },
  verified: { heading: "Diolch, chi sydd yno", text: "Mae eich hunaniaeth wedi'i chadarnhau." },
  underReview: {
    heading: "Diolch, rydym yn edrych arno",
    text: "Mae rhywun o'r tîm yn edrych ar eich lluniau cyn ichi fynd ymlaen. Nid oes angen ichi wneud dim; cewch glywed gennym drwy e-bost."
  },
  different: {
    heading: "Nid yw'r lluniau'n cyfateb",
    text: "Ni allem weld mai chi sydd yn y ddau lun. Gallwch roi cynnig arall arni nawr, gyda gwell golau a'ch wyneb cyfan yn y golwg."
  },
  samePhoto: {
    heading: "Yr un llun yw'r ddau",
    text: "Rhaid i un llun ddangos eich dogfen, a'r llall eich wyneb, wedi'i dynnu nawr. Ni ellir defnyddio llun a ddefnyddiwyd ar gyfer y naill ar gyfer y llall."
  },
  lastTry: {
    heading: "Dyna'r cynnig olaf am heddiw",
    text: ({ tries }) =>
      `Gallwch roi cynnig arni ${welshPlural(tries, {
        zero: `${tries} gwaith`,
        one: "unwaith",
        two: "ddwywaith",
        few: `${tries} gwaith`,
        many: `${tries} gwaith`,
        other: `${tries} gwaith`
      })} y dydd. Dewch yn ôl yfory gyda'r ddolen yn eich e-bost.`
  },
  unavailable: {
    heading: "Ni ellir gwneud y gwiriad ar hyn o bryd",
    text: "Nid oedd hyn yn cyfrif fel cynnig, a chedwir eich lluniau. Rhowch gynnig arall arni ymhen ychydig funudau."
  },
  camera: {
    take: "Defnyddio'r camera",
    choose: "Neu ddewis llun o'ch dyfais",
    viewfinder: "Yr hyn y mae eich camera'n ei weld",
    taken: "Y llun a dynnwyd gennych",
    progress: "Anfon y llun hwn",
    shoot: "Tynnu'r llun",
    flip: "Defnyddio'r camera arall",
    gallery: "Dewis o'r ddyfais",
    use: "Defnyddio'r llun hwn",
    retake: "Ei dynnu eto",
    close: "Cau'r camera",
    resume: "Parhau i anfon"
  },
  script: {
    starting: "Mae'r camera'n cychwyn …",
    look: "Edrychwch ar y llun. Defnyddiwch ef, neu tynnwch ef eto. Nid yw wedi'i anfon eto.",
    cameraRefused:
      "Ni chaniateir defnyddio'r camera. Caniatewch ef yng ngosodiadau eich porwr, neu dewiswch lun o'ch dyfais.",
    noCamera:
      "Ni ellir defnyddio camera: nid oes un yma, neu mae ap arall yn ei ddefnyddio. Gallwch ddewis llun o'ch dyfais.",
    sending: ({ percent }) => `Anfon y llun hwn: ${percent} %`,
    slow: "Mae'r cysylltiad yn araf. Yn rhoi cynnig arall arni …",
    broken: "Torrodd y cysylltiad. Cedwir yr hyn sydd wedi cyrraedd: parhewch pan fyddwch ar-lein eto.",
    ready: "Mae'r llun hwn yn barod.",
    empty: "Mae'r ffeil hon yn wag. Dewiswch un arall.",
    tooLarge: "Mae'r llun hwn yn rhy fawr. Dewiswch un arall.",
    unusable: "Ni ellid defnyddio'r llun hwn. Tynnwch un arall.",
    notWhole: "Ni chyrhaeddodd y llun hwn yn gyfan. Rhowch gynnig arall arni.",
    signedOut: "Rydych wedi'ch allgofnodi. Ail-lwythwch y dudalen hon i weld sut i fewngofnodi eto.",
    bothReady: "Mae'r ddau lun yn barod.",
    takeFirst: "Tynnwch y llun hwn yn gyntaf.",
    stillSending: "Mae un llun yn dal i gael ei anfon.",
    offline: "Rydych all-lein. Caiff eich lluniau eu gwirio cyn gynted ag y byddwch ar-lein eto.",
    checking: "Yn cymharu eich lluniau. Gall hyn gymryd hanner munud."
  },
  hints: {
    card: {
      READY: "Rhowch eich dogfen yn y ffrâm.",
      NO_FACE: "Dangoswch yr ochr sydd â'ch wyneb arni, o fewn y ffrâm.",
      SMALL: "Dewch yn nes: dylai'r ddogfen lenwi'r ffrâm.",
      LARGE: "Symudwch yn ôl ychydig: dylai'r ddogfen gyfan fod yn y ffrâm.",
      DARK: "Mae'n rhy dywyll. Chwiliwch am fwy o olau.",
      BRIGHT: "Mae rhywbeth yn disgleirio. Gogwyddwch y ddogfen ychydig.",
      BLURRED: "Daliwch yn llonydd: nid yw'n glir eto.",
      GOOD: "Da iawn. Tynnwch y llun."
    },
    oval: {
      READY: "Rhowch eich wyneb yn yr hirgrwn.",
      NO_FACE: "Ni allwn weld eich wyneb. Edrychwch yn syth at y camera.",
      SEVERAL: "Dim ond chi ddylai fod yn y golwg.",
      SMALL: "Dewch yn nes: dylai eich wyneb lenwi'r hirgrwn.",
      LARGE: "Symudwch yn ôl ychydig.",
      ASIDE: "Symudwch eich wyneb i ganol yr hirgrwn.",
      DARK: "Mae'n rhy dywyll. Trowch tuag at y golau.",
      BRIGHT: "Mae'n rhy olau. Trowch oddi wrth y lamp neu'r haul.",
      BLURRED: "Daliwch yn llonydd: nid yw'n glir eto.",
      GOOD: "Da iawn. Tynnwch y llun."
    }
  }
}
