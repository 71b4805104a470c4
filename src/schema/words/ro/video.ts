/** The page of the handover video: what it shows, and what its script says meanwhile, in Romanian. */
import type { VideoWords } from "../en/video.ts"
import { romanianPlural } from "../locale/plural.ts"

export const romanianVideo: VideoWords = {
  hints: {
    face: "Întreaga față în cadru, lumină din față",
    vehicle: "Arătați vehiculul și plăcuța de înmatriculare",
    length: ({ megabytes, minutes }) =>
      `Cel mult ${romanianPlural(minutes, { one: "un minut", few: `${minutes} minute`, other: `${minutes} de minute` })} și ${megabytes}`
  },
  challenge: {
    heading: "Întâi întoarceți capul",
    how: ({ seconds }) =>
      `Priviți spre cameră la începutul înregistrării. Apoi întoarceți încet capul în această ordine și priviți din nou spre cameră după fiecare întoarcere. Faceți acest lucru în primele ${seconds} secunde.`,
    why: "Aceasta arată că înregistrarea este făcută acum: fiecare înregistrare are întoarcerile ei.",
    turns: { LEFT: "Spre stânga dumneavoastră", RIGHT: "Spre dreapta dumneavoastră" }
  },
  preview: "Ce vede camera",
  upload: "Încărcare",
  buttons: {
    camera: "Folosiți camera",
    record: "Începeți înregistrarea",
    stop: "Opriți",
    send: "Trimiteți această înregistrare",
    resume: "Continuați trimiterea",
    again: "Înregistrați din nou"
  },
  choose: "Alegeți un fișier video",
  sendChosen: "Trimiteți",
  withoutScripts: ({ megabytes }) => `Fără scripturi o înregistrare poate avea cel mult ${megabytes}.`,
  notUsed: "Înregistrarea nu a putut fi folosită",
  problems: {
    none: "Nu a fost ales niciun fișier video.",
    tooLarge: ({ megabytes }) => `Are mai mult de ${megabytes}. Vă rugăm să înregistrați una mai scurtă.`,
    tooLong: ({ minutes }) =>
      `Durează mai mult de ${romanianPlural(minutes, { one: "un minut", few: `${minutes} minute`, other: `${minutes} de minute` })}. Vă rugăm să înregistrați una mai scurtă.`,
    unsupported:
      "Nu este un tip de fișier video pe care îl putem citi. Înregistrați aici sau alegeți un fișier MP4, MOV sau WebM.",
    unreadable: "Nu a putut fi citită. Vă rugăm să faceți o altă înregistrare.",
    noChallenge:
      "Nu a fost făcută pentru întoarcerile cerute acum: ele sunt valabile pentru o singură înregistrare și câteva minute. Vă rugăm să faceți alta, cu întoarcerile de mai jos.",
    overBudget: "S-a trimis destul pentru astăzi. Vă rugăm să încercați din nou mâine.",
    notWhole: "Nu a ajuns întreagă. Vă rugăm să o trimiteți din nou.",
    anotherBegun: "Între timp a fost începută o altă încărcare. Vă rugăm să o trimiteți din nou."
  },
  script: {
    slow: "Conexiunea este lentă. Se încearcă din nou …",
    notUsed: "Înregistrarea nu a putut fi folosită. Vă rugăm să faceți o altă înregistrare.",
    signedOut:
      "Sesiunea dumneavoastră s-a încheiat. Reîncărcați această pagină pentru a vedea cum vă conectați din nou.",
    sending: ({ percent }) => `Se trimite înregistrarea: ${percent} %`,
    almostDone: "Aproape gata …",
    notWhole: "Înregistrarea nu a ajuns întreagă. Vă rugăm să încercați din nou.",
    empty: "Acest fișier este gol. Vă rugăm să alegeți altul sau să înregistrați din nou.",
    tooLarge: "Această înregistrare este prea mare. Vă rugăm să înregistrați una mai scurtă.",
    broken: "Conexiunea s-a întrerupt. Ce a ajuns este păstrat: continuați când sunteți din nou online.",
    notAllowed: "Camera nu poate fi folosită. Permiteți accesul în setările browserului sau alegeți un fișier mai jos.",
    noCamera:
      "Nu se poate folosi nicio cameră: aici nu există una sau o folosește altă aplicație. Puteți alege un fișier video mai jos.",
    cameraOn: "Camera este pornită. Asigurați-vă că întreaga față este în cadru.",
    noPicture: "Camera nu a dat nicio imagine. Încercați din nou sau alegeți un fișier mai jos.",
    watch: "Urmăriți înregistrarea. Trimiteți-o sau înregistrați din nou.",
    interrupted:
      "Înregistrarea s-a încheiat mai devreme: pagina a fost părăsită sau camera nu a mai fost disponibilă. Urmăriți înregistrarea. Trimiteți-o sau înregistrați din nou.",
    cannotRecord: "Acest browser nu poate înregistra aici. Puteți alege un fișier video mai jos.",
    recording: "Se înregistrează. Întoarceți capul în ordinea arătată, apoi arătați vehiculul.",
    leave: "Înregistrarea nu a fost trimisă: se pierde dacă părăsiți acum această pagină. O părăsiți totuși?",
    recorded: ({ longest, seconds }) => `Se înregistrează: ${seconds} din ${longest} s`
  }
}
