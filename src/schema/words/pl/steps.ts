/** All that customers read of each step of a journey, in Polish: on the pages, in mail, and on the pages of a test journey. */
import type { StepWords } from "../en/steps.ts"

export const polishSteps: StepWords = {
  FINANCE: { name: "Decyzja o finansowaniu" },
  VERIFY_IDENTITY: {
    name: "Weryfikacja tożsamości",
    about: "Potrzebny jest paszport, prawo jazdy lub dowód osobisty oraz dobre światło. Zajmie to około dwóch minut.",
    start: "Rozpocznij",
    invitation: "Następny krok to weryfikacja tożsamości.",
    testTitle: "Symulacja weryfikacji tożsamości",
    testOutcomes: {
      "identity.verified": "Tożsamość jest zweryfikowana",
      "identity.under_review": "Weryfikacja trafia do sprawdzenia",
      "identity.failed": "Weryfikacja się nie udaje"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Prosimy zweryfikować tożsamość: ${registration}`,
        preview: "Zajmie to kilka minut w telefonie. Proszę mieć pod ręką dokument tożsamości.",
        ask: [
          ({ registration }) =>
            `Następny krok w zakupie pojazdu ${registration} należy do Państwa: prosimy zweryfikować tożsamość.`,
          () =>
            "Zajmie to kilka minut w telefonie. Proszę mieć pod ręką dokument tożsamości; potrzebne będzie jego zdjęcie i Państwa zdjęcie."
        ],
        button: "Zweryfikuj tożsamość"
      },
      again: {
        subject: ({ registration }) => `Prosimy ponownie spróbować zweryfikować tożsamość: ${registration}`,
        preview: "Ostatnia próba się nie powiodła. Najbardziej pomaga dobre światło.",
        ask: [
          ({ registration }) =>
            `Nie udało się jeszcze zweryfikować Państwa tożsamości, dlatego zakup pojazdu ${registration} czeka.`,
          () => "Prosimy spróbować ponownie. Pomaga dobre światło, a na zdjęciu musi być cały dokument tożsamości."
        ],
        button: "Spróbuj ponownie"
      }
    }
  },
  CONFIRM_ADDRESS: {
    name: "Potwierdzenie adresu dostawy",
    about: "Proszę podać, gdzie ma się odbyć przekazanie pojazdu.",
    start: "Dalej",
    invitation: "Następny krok to potwierdzenie, dokąd mamy dostarczyć pojazd.",
    testTitle: "Symulacja adresu dostawy",
    testOutcomes: {
      "delivery.location_confirmed": "Adres jest potwierdzony"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Prosimy potwierdzić, dokąd dostarczyć pojazd ${registration}`,
        preview: "Jedno pytanie, jedna minuta: jaki to adres?",
        ask: [
          ({ registration }) =>
            `Następny krok w zakupie pojazdu ${registration} należy do Państwa: prosimy potwierdzić adres dostawy.`
        ],
        button: "Potwierdź adres"
      },
      again: {
        subject: ({ registration }) => `Dostawa pojazdu ${registration} czeka: prosimy ponownie potwierdzić adres`,
        preview: "Dostawa czeka na Państwa adres.",
        ask: [
          ({ registration }) =>
            `Dostawa pojazdu ${registration} nadal na Państwa czeka: prosimy potwierdzić adres dostawy.`
        ],
        button: "Potwierdź adres"
      }
    }
  },
  RECORD_VIDEO: {
    name: "Nagranie z przekazania pojazdu",
    about: "Krótkie nagranie, na którym widać Państwa i pojazd, zrobione po jego odbiorze. Zajmie to około minuty.",
    start: "Dalej",
    invitation: "Następny krok to nagranie z przekazania pojazdu.",
    testTitle: "Symulacja nagrania z przekazania",
    testOutcomes: {
      "delivery.video_uploaded": "Nagranie jest przesłane",
      "delivery.completed": "Nagranie jest przesłane i pasuje",
      "delivery.under_review": "Nagranie jest przesłane i trafia do sprawdzenia"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Prosimy o nagranie z przekazania pojazdu ${registration}`,
        preview: "Przy odbiorze pojazdu: krótkie nagranie Państwa z pojazdem.",
        ask: [
          ({ registration }) => `Państwa pojazd ${registration} jest gotowy do przekazania.`,
          () =>
            "Przy odbiorze prosimy zrobić krótkie nagranie, na którym widać Państwa z pojazdem. Potwierdza ono, kto odebrał pojazd; twarz musi być wyraźnie widoczna."
        ],
        button: "Zrób nagranie"
      },
      again: {
        subject: ({ registration }) => `Prosimy ponownie o nagranie z przekazania pojazdu ${registration}`,
        preview: "Na ostatnim nagraniu nie udało się Państwa rozpoznać.",
        ask: [
          ({ registration }) =>
            `Na podstawie nagrania z przekazania pojazdu ${registration} nie udało się potwierdzić, że to Państwo go odebrali.`,
          () => "Prosimy nagrać jeszcze raz. Pomaga dobre światło, a twarz musi być wyraźnie widoczna."
        ],
        button: "Nagraj ponownie"
      }
    }
  }
}
