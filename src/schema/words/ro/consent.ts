/** The consent to the comparison of faces, its refusal and its withdrawal, in Romanian. */
import type { ConsentWords } from "../en/consent.ts"
import { romanianPlural } from "../locale/plural.ts"

const inDays = (days: number) => `${days} ${romanianPlural(days, { one: "zi", few: "zile", other: "de zile" })}`

export const romanianConsent: ConsentWords = {
  what: "Ce se compară",
  byWhom: "Cine compară",
  howLong: "Cât timp se păstrează",
  choice: "Alegerea dumneavoastră",
  version: ({ version }) => `Informarea ${version}`,
  back: "Înapoi",
  identity: {
    heading: "Putem compara fotografiile dumneavoastră?",
    intro:
      "Vă rugăm să citiți mai întâi acest text. Nu se fotografiază și nu se compară nimic înainte să fiți de acord.",
    what: "Fața din fotografia actului de identitate este comparată cu fața din selfie, pentru a vedea dacă ambele arată aceeași persoană. Acolo unde un program poate citi actul, numele și data nașterii sunt comparate și cu datele achiziției.",
    byWhom: ({ company }) =>
      `Pentru ${company}, de către operatorul acestui serviciu, pe propriile sale echipamente. Dacă rezultatul nu este clar, o persoană din echipa ${company} se uită la fotografii. Nimeni altcineva nu le primește.`,
    howLong: ({ days }) =>
      `Fotografia actului se șterge la scurt timp după decizie. Selfie-ul, cu care se compară înregistrarea predării, și o copie mică, gri, a fiecărei fotografii, care arată dacă aceeași fotografie a fost dată de două ori, se șterg la ${inDays(days)} după încheierea achiziției. O fotografie bună care o așteaptă pe cealaltă se păstrează o oră. Totul este criptat.`,
    choice: ({ company }) =>
      `Nu este obligatoriu să fiți de acord. În acest caz, echipa ${company} încheie verificarea cu dumneavoastră în alt mod. Vă puteți retrage acordul până la încheierea achiziției, iar fotografiile și înregistrările se șterg.`,
    agree: "Sunt de acord",
    refuse: "Nu sunt de acord",
    refusal: {
      heading: "Nu doriți ca fotografiile să fie comparate",
      text: ({ company }) =>
        `Nu se face nicio fotografie. Echipa ${company} încheie verificarea identității cu dumneavoastră în alt mod și vă contactează. Dacă vă răzgândiți, răspundeți la unul dintre e-mailurile noastre: echipa vă poate întreba din nou.`,
      confirm: "Nu comparați fotografiile mele"
    }
  },
  video: {
    heading: "Putem compara înregistrarea predării?",
    intro:
      "Vă rugăm să citiți mai întâi acest text. Nu se înregistrează și nu se compară nimic înainte să fiți de acord.",
    what: "Fața din câteva cadre ale înregistrării este comparată cu o fotografie a dumneavoastră: selfie-ul sau portretul de la verificarea identității ori fotografia trimisă de vânzător. Cadrele arată și dacă întoarceți capul așa cum vi se cere, pentru ca nimeni să nu folosească o fotografie sau o înregistrare veche a dumneavoastră.",
    byWhom: ({ company }) =>
      `Pentru ${company}, de către operatorul acestui serviciu, pe propriile sale echipamente. Dacă rezultatul nu este clar, o persoană din echipa ${company} se uită la înregistrare. Nimeni altcineva nu o primește.`,
    howLong: ({ days }) =>
      `Înregistrarea și fotografia se șterg la ${inDays(days)} după încheierea achiziției. O înregistrare care nu a fost trimisă până la capăt se șterge după o zi. Totul este criptat.`,
    choice: ({ company }) =>
      `Nu este obligatoriu să fiți de acord. În acest caz, echipa ${company} încheie predarea cu dumneavoastră în alt mod. Vă puteți retrage acordul până la încheierea achiziției, iar fotografiile și înregistrările se șterg.`,
    agree: "Sunt de acord",
    refuse: "Nu sunt de acord",
    refusal: {
      heading: "Nu doriți ca înregistrarea să fie comparată",
      text: ({ company }) =>
        `Nu se face nicio înregistrare. Echipa ${company} încheie predarea cu dumneavoastră în alt mod și vă contactează. Dacă vă răzgândiți, răspundeți la unul dintre e-mailurile noastre: echipa vă poate întreba din nou.`,
      confirm: "Nu comparați o înregistrare"
    }
  },
  withdrawal: {
    link: "Îmi retrag acordul și șterg fotografiile",
    heading: "Vă retrageți acordul?",
    what: "Toate fotografiile și înregistrările acestei achiziții se șterg din acest serviciu și nu se mai compară nicio față. Acest lucru nu poate fi anulat.",
    after: ({ company }) =>
      `Ceea ce a fost verificat rămâne verificat. Ceea ce este încă deschis va fi încheiat de echipa ${company} cu dumneavoastră, în alt mod. Puteți continua și fără să vă retrageți acordul.`,
    confirm: "Retrageți și ștergeți",
    keep: "Înapoi, îmi păstrez acordul"
  },
  standing: {
    refused: ({ company }) =>
      `Nu ați fost de acord cu comparația, așa că echipa ${company} încheie acest pas cu dumneavoastră în alt mod și vă contactează. Dacă v-ați răzgândit, răspundeți la unul dintre e-mailurile noastre.`,
    withdrawn: ({ company }) =>
      `V-ați retras acordul, așa că echipa ${company} încheie acest pas cu dumneavoastră în alt mod și vă contactează.`,
    heading: "Echipa încheie acest pas cu dumneavoastră",
    deleting: "V-ați retras acordul. Fotografiile și înregistrările sunt în curs de ștergere.",
    deleted: "V-ați retras acordul. Fotografiile și înregistrările au fost șterse."
  }
}
