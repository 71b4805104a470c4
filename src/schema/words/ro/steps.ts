/** All that customers read of each step of a journey, in Romanian: on the pages, in mail, and on the pages of a test journey. */
import type { StepWords } from "../en/steps.ts"

export const romanianSteps: StepWords = {
  FINANCE: { name: "Decizia de finanțare" },
  VERIFY_IDENTITY: {
    name: "Verificarea identității",
    about:
      "Aveți nevoie de pașaport, de permisul de conducere sau de cartea de identitate și de lumină bună. Durează aproximativ două minute.",
    start: "Începeți",
    invitation: "Următorul pas este verificarea identității.",
    testTitle: "Simularea verificării identității",
    testOutcomes: {
      "identity.verified": "Identitatea este verificată",
      "identity.under_review": "Verificarea ajunge la o persoană din echipă",
      "identity.failed": "Verificarea eșuează"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Vă rugăm să vă verificați identitatea pentru ${registration}`,
        preview: "Durează câteva minute, pe telefon. Pregătiți actul de identitate.",
        ask: [
          ({ registration }) =>
            `Următorul pas către ${registration} este al dumneavoastră: vă rugăm să vă verificați identitatea.`,
          () =>
            "Durează câteva minute, pe telefon. Pregătiți actul de identitate; vi se va cere o fotografie a lui și una cu dumneavoastră."
        ],
        button: "Verificați-vă identitatea"
      },
      again: {
        subject: ({ registration }) => `Vă rugăm să încercați din nou verificarea identității pentru ${registration}`,
        preview: "Ultima încercare nu a reușit. Ajută cel mai mult lumina bună.",
        ask: [
          ({ registration }) =>
            `Identitatea dumneavoastră nu a putut fi verificată încă, așa că achiziția vehiculului ${registration} vă așteaptă.`,
          () =>
            "Vă rugăm să mai încercați o dată. Lumina bună ajută, iar actul de identitate trebuie să fie întreg în fotografie."
        ],
        button: "Încercați din nou"
      }
    }
  },
  CONFIRM_ADDRESS: {
    name: "Confirmarea adresei de livrare",
    about: "Spuneți-ne unde trebuie predat vehiculul.",
    start: "Continuați",
    invitation: "Următorul pas este să confirmați unde se livrează vehiculul.",
    testTitle: "Simularea adresei de livrare",
    testOutcomes: {
      "delivery.location_confirmed": "Adresa este confirmată"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Vă rugăm să confirmați unde se livrează ${registration}`,
        preview: "O întrebare, un minut: care este adresa?",
        ask: [
          ({ registration }) =>
            `Următorul pas către ${registration} este al dumneavoastră: vă rugăm să confirmați adresa de livrare.`
        ],
        button: "Confirmați adresa"
      },
      again: {
        subject: ({ registration }) =>
          `Livrarea vehiculului ${registration} așteaptă: vă rugăm să confirmați din nou adresa`,
        preview: "Livrarea așteaptă adresa dumneavoastră.",
        ask: [
          ({ registration }) =>
            `Livrarea vehiculului ${registration} vă așteaptă în continuare: vă rugăm să confirmați adresa de livrare.`
        ],
        button: "Confirmați adresa"
      }
    }
  },
  RECORD_VIDEO: {
    name: "Înregistrarea predării",
    about: "O înregistrare scurtă cu dumneavoastră și vehiculul, după ce l-ați primit. Durează aproximativ un minut.",
    start: "Continuați",
    invitation: "Următorul pas este înregistrarea predării vehiculului.",
    testTitle: "Simularea înregistrării predării",
    testOutcomes: {
      "delivery.video_uploaded": "Înregistrarea este încărcată",
      "delivery.completed": "Înregistrarea este încărcată și se potrivește",
      "delivery.under_review": "Înregistrarea este încărcată și ajunge la analiză"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Vă rugăm să înregistrați predarea vehiculului ${registration}`,
        preview: "Când preluați vehiculul: o înregistrare scurtă cu dumneavoastră lângă el.",
        ask: [
          ({ registration }) => `Vehiculul dumneavoastră, ${registration}, este gata de predare.`,
          () =>
            "Când îl preluați, vă rugăm să faceți o înregistrare scurtă cu dumneavoastră lângă el. Ea confirmă că ați fost dumneavoastră; fața trebuie să se vadă clar."
        ],
        button: "Înregistrați predarea"
      },
      again: {
        subject: ({ registration }) => `Vă rugăm să înregistrați din nou predarea vehiculului ${registration}`,
        preview: "Din ultima înregistrare nu am putut stabili că sunteți dumneavoastră.",
        ask: [
          ({ registration }) =>
            `Înregistrarea predării vehiculului ${registration} nu a putut confirma că dumneavoastră l-ați preluat.`,
          () => "Vă rugăm să o faceți încă o dată. Lumina bună ajută, iar fața trebuie să se vadă clar."
        ],
        button: "Înregistrați din nou"
      }
    }
  }
}
