/** The page of the identity check: the two photos, what came of an attempt, and what the page's script says. In Romanian. */
import type { IdentityWords } from "../en/identity.ts"
import { romanianPlural } from "../locale/plural.ts"

export const romanianIdentity: IdentityWords = {
  intro: "Aveți nevoie de două fotografii: una cu actul de identitate și una cu fața dumneavoastră.",
  documentPhoto: {
    label: "Fotografia actului de identitate",
    title: "Fotografiați actul de identitate",
    hints: [
      "Pagina sau partea pe care se vede fața dumneavoastră",
      "Toate cele patru colțuri vizibile, actul întins, fără reflexii",
      "Suficient de clară pentru a fi citită"
    ]
  },
  selfie: {
    label: "Fotografia feței dumneavoastră",
    title: "Fotografiați-vă fața",
    hints: [
      "Lumină din față, nimic orbitor în spate",
      "Numai dumneavoastră în fotografie",
      "Fără pălărie și fără ochelari de soare"
    ]
  },
  error: "Eroare:",
  problems: {
    NO_FACE:
      "În această fotografie nu se vede clar nicio față. Folosiți mai multă lumină și nu lăsați nimic să acopere fața: fără pălărie, fără ochelari de soare, fără reflexii.",
    FACE_TOO_SMALL: "Fața din această fotografie este prea mică. Vă rugăm să vă apropiați.",
    MULTIPLE_FACES: "În această fotografie se văd mai multe fețe.",
    BLURRED: "Această fotografie este prea neclară. Nu vă mișcați și folosiți mai multă lumină.",
    UNREADABLE: "Această fotografie nu poate fi citită. Faceți alta sau alegeți un fișier JPEG ori PNG.",
    OVER_BUDGET: "S-au trimis destule fotografii pentru astăzi. Vă rugăm să încercați din nou mâine.",
    MISSING: "Această fotografie lipsește.",
    TOO_LARGE: ({ megabytes }) => `Această fotografie are mai mult de ${megabytes}.`
  },
  kept: "Avem această fotografie. Nu este nevoie să o faceți din nou.",
  privacy:
    "Fotografiile sunt comparate de acest serviciu și nu sunt arătate nimănui altcuiva, cu excepția cazului în care comparația este neclară și trebuie să se uite o persoană.",
  triesLeft: ({ left, of }) =>
    `Astăzi mai aveți ${left} din ${romanianPlural(of, { one: "o încercare", few: `${of} încercări`, other: `${of} de încercări` })}.`,
  check: "Verificați fotografiile",
  takeAgain: ({ count }) =>
    romanianPlural(count, {
      one: "Vă rugăm să faceți din nou o fotografie",
      few: "Vă rugăm să faceți din nou ambele fotografii",
      other: "Vă rugăm să faceți din nou fotografiile"
    }),
  noTry: "Aceasta nu se socotește ca încercare.",
  provider: {
    text: "Verificarea se face pe pagina unui partener, care vă aduce înapoi aici.",
    button: "Mergeți la verificarea identității"
  },
  notReady: {
    text: "Verificarea se pregătește. Durează o clipă: vă rugăm să reîncărcați pagina.",
    button: "Reîncărcați"
  },
  verified: { heading: "Mulțumim, sunteți dumneavoastră", text: "Identitatea dumneavoastră este verificată." },
  underReview: {
    heading: "Mulțumim, ne uităm la fotografii",
    text: "Cineva din echipă se uită la fotografiile dumneavoastră înainte de a continua. Nu trebuie să faceți nimic; veți primi vești de la noi prin e-mail."
  },
  different: {
    heading: "Fotografiile nu se potrivesc",
    text: "Nu am putut stabili că ambele fotografii vă arată pe dumneavoastră. Puteți încerca din nou acum, cu lumină mai bună și cu toată fața în cadru."
  },
  samePhoto: {
    heading: "Ambele fotografii sunt aceeași",
    text: "O fotografie trebuie să arate actul, iar cealaltă fața dumneavoastră, făcută acum. O fotografie folosită pentru una dintre ele nu poate fi folosită pentru cealaltă."
  },
  lastTry: {
    heading: "A fost ultima încercare pe ziua de astăzi",
    text: ({ tries }) =>
      `Puteți încerca ${romanianPlural(tries, { one: "o dată", few: `de ${tries} ori`, other: `de ${tries} de ori` })} pe zi. Vă rugăm să reveniți mâine cu linkul din e-mail.`
  },
  unavailable: {
    heading: "Verificarea nu se poate face acum",
    text: "Aceasta nu s-a socotit ca încercare, iar fotografiile sunt păstrate. Vă rugăm să încercați din nou peste câteva minute."
  },
  camera: {
    take: "Folosiți camera",
    choose: "Sau alegeți o fotografie din dispozitiv",
    viewfinder: "Ce vede camera dumneavoastră",
    taken: "Fotografia făcută",
    progress: "Se trimite această fotografie",
    shoot: "Faceți fotografia",
    flip: "Folosiți cealaltă cameră",
    gallery: "Alegeți din dispozitiv",
    use: "Folosiți această fotografie",
    retake: "Faceți-o din nou",
    close: "Închideți camera",
    resume: "Continuați trimiterea"
  },
  script: {
    starting: "Camera pornește …",
    look: "Priviți fotografia. Folosiți-o sau faceți-o din nou. Încă nu a fost trimisă.",
    cameraRefused:
      "Camera nu poate fi folosită. Permiteți accesul în setările browserului sau alegeți o fotografie din dispozitiv.",
    noCamera:
      "Nu se poate folosi nicio cameră: aici nu există una sau o folosește altă aplicație. Puteți alege o fotografie din dispozitiv.",
    sending: ({ percent }) => `Se trimite această fotografie: ${percent} %`,
    slow: "Conexiunea este lentă. Se încearcă din nou …",
    broken: "Conexiunea s-a întrerupt. Ce a ajuns este păstrat: continuați când sunteți din nou online.",
    ready: "Această fotografie este gata.",
    empty: "Acest fișier este gol. Vă rugăm să alegeți altul.",
    tooLarge: "Această fotografie este prea mare. Vă rugăm să alegeți alta.",
    unusable: "Această fotografie nu a putut fi folosită. Vă rugăm să faceți alta.",
    notWhole: "Această fotografie nu a ajuns întreagă. Vă rugăm să încercați din nou.",
    signedOut:
      "Sesiunea dumneavoastră s-a încheiat. Reîncărcați această pagină pentru a vedea cum vă conectați din nou.",
    bothReady: "Ambele fotografii sunt gata.",
    takeFirst: "Vă rugăm să faceți mai întâi această fotografie.",
    stillSending: "O fotografie este încă în curs de trimitere.",
    offline: "Nu sunteți online. Fotografiile vor fi verificate imediat ce reveniți online.",
    checking: "Se compară fotografiile. Poate dura jumătate de minut."
  },
  hints: {
    card: {
      READY: "Încadrați actul în chenar.",
      NO_FACE: "Arătați în chenar partea pe care se vede fața dumneavoastră.",
      SMALL: "Apropiați-vă: actul trebuie să umple chenarul.",
      LARGE: "Depărtați-vă puțin: tot actul trebuie să fie în chenar.",
      DARK: "Este prea întuneric. Căutați mai multă lumină.",
      BRIGHT: "Se văd reflexii. Înclinați puțin actul.",
      BLURRED: "Nu vă mișcați: imaginea încă nu este clară.",
      GOOD: "Bine. Faceți fotografia."
    },
    oval: {
      READY: "Încadrați fața în oval.",
      NO_FACE: "Nu vă vedem fața. Priviți drept spre cameră.",
      SEVERAL: "În cadru trebuie să fiți numai dumneavoastră.",
      SMALL: "Apropiați-vă: fața trebuie să umple ovalul.",
      LARGE: "Depărtați-vă puțin.",
      ASIDE: "Mutați fața în mijlocul ovalului.",
      DARK: "Este prea întuneric. Întoarceți-vă spre lumină.",
      BRIGHT: "Este prea multă lumină. Întoarceți-vă de la lampă sau de la soare.",
      BLURRED: "Nu vă mișcați: imaginea încă nu este clară.",
      GOOD: "Bine. Faceți fotografia."
    }
  }
}
