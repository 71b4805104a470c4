/** The consent to the comparison of faces, its refusal and its withdrawal, in Polish. */
import type { ConsentWords } from "../en/consent.ts"
import { polishPlural } from "../locale/plural.ts"

const inDays = (days: number) =>
  `${days} ${polishPlural(days, { one: "dzień", few: "dni", many: "dni", other: "dnia" })}`

export const polishConsent: ConsentWords = {
  what: "Co porównujemy",
  byWhom: "Kto porównuje",
  howLong: "Jak długo przechowujemy dane",
  choice: "Państwa wybór",
  version: ({ version }) => `Informacja ${version}`,
  back: "Wstecz",
  identity: {
    heading: "Czy możemy porównać Państwa zdjęcia?",
    intro:
      "Prosimy najpierw przeczytać tę informację. Przed wyrażeniem zgody nie robimy zdjęć i niczego nie porównujemy.",
    what: "Twarz na zdjęciu dokumentu tożsamości jest porównywana z twarzą na selfie, aby sprawdzić, czy oba zdjęcia przedstawiają tę samą osobę. Jeżeli urządzenie może odczytać dokument, imię, nazwisko i data urodzenia są też porównywane z danymi zakupu.",
    byWhom: ({ company }) =>
      `Na zlecenie firmy ${company} porównuje operator tej usługi, na własnych urządzeniach. Jeżeli wynik nie jest jednoznaczny, zdjęcia ogląda osoba z zespołu firmy ${company}. Nikt inny ich nie otrzymuje.`,
    howLong: ({ days }) =>
      `Zdjęcie dokumentu usuwamy wkrótce po decyzji. Selfie, z którym porównujemy nagranie z przekazania, oraz mała szara kopia każdego zdjęcia, która pokazuje, czy podano dwa razy to samo zdjęcie, są usuwane ${inDays(days)} po zakończeniu zakupu. Dobre zdjęcie, które czeka na drugie, przechowujemy przez godzinę. Wszystko jest zaszyfrowane.`,
    choice: ({ company }) =>
      `Nie muszą Państwo wyrażać zgody. Wtedy zespół firmy ${company} dokończy weryfikację w inny sposób. Zgodę można wycofać do zakończenia zakupu; zdjęcia i nagrania zostaną wtedy usunięte.`,
    agree: "Zgadzam się",
    refuse: "Nie zgadzam się",
    refusal: {
      heading: "Nie chcą Państwo, aby zdjęcia były porównywane",
      text: ({ company }) =>
        `Zdjęcia nie zostaną zrobione. Zespół firmy ${company} dokończy weryfikację tożsamości w inny sposób i skontaktuje się z Państwem. W razie zmiany zdania prosimy odpowiedzieć na jedną z naszych wiadomości e-mail: zespół może zapytać ponownie.`,
      confirm: "Nie wyrażam zgody na porównanie zdjęć"
    }
  },
  video: {
    heading: "Czy możemy porównać nagranie z przekazania?",
    intro: "Prosimy najpierw przeczytać tę informację. Przed wyrażeniem zgody niczego nie nagrywamy i nie porównujemy.",
    what: "Twarz na kilku klatkach nagrania jest porównywana z Państwa zdjęciem: z selfie lub portretem z weryfikacji tożsamości albo ze zdjęciem przesłanym przez sprzedawcę. Klatki pokazują też, czy obracają Państwo głowę zgodnie z prośbą, aby nikt nie użył Państwa zdjęcia ani starego nagrania.",
    byWhom: ({ company }) =>
      `Na zlecenie firmy ${company} porównuje operator tej usługi, na własnych urządzeniach. Jeżeli wynik nie jest jednoznaczny, nagranie ogląda osoba z zespołu firmy ${company}. Nikt inny go nie otrzymuje.`,
    howLong: ({ days }) =>
      `Nagranie i zdjęcie są usuwane ${inDays(days)} po zakończeniu zakupu. Nagranie, które nie zostało przesłane do końca, usuwamy po jednym dniu. Wszystko jest zaszyfrowane.`,
    choice: ({ company }) =>
      `Nie muszą Państwo wyrażać zgody. Wtedy zespół firmy ${company} dokończy przekazanie pojazdu w inny sposób. Zgodę można wycofać do zakończenia zakupu; zdjęcia i nagrania zostaną wtedy usunięte.`,
    agree: "Zgadzam się",
    refuse: "Nie zgadzam się",
    refusal: {
      heading: "Nie chcą Państwo, aby nagranie było porównywane",
      text: ({ company }) =>
        `Nagranie nie zostanie zrobione. Zespół firmy ${company} dokończy przekazanie pojazdu w inny sposób i skontaktuje się z Państwem. W razie zmiany zdania prosimy odpowiedzieć na jedną z naszych wiadomości e-mail: zespół może zapytać ponownie.`,
      confirm: "Nie wyrażam zgody na porównanie nagrania"
    }
  },
  withdrawal: {
    link: "Wycofaj zgodę i usuń moje zdjęcia",
    heading: "Wycofać zgodę?",
    what: "Wszystkie zdjęcia i nagrania tego zakupu zostaną usunięte z tej usługi, a twarze nie będą już porównywane. Tego nie można cofnąć.",
    after: ({ company }) =>
      `To, co zostało potwierdzone, pozostaje potwierdzone. To, co jest jeszcze otwarte, zespół firmy ${company} dokończy z Państwem w inny sposób. Można też kontynuować bez wycofania zgody.`,
    confirm: "Wycofaj i usuń",
    keep: "Wróć i zachowaj zgodę"
  },
  standing: {
    refused: ({ company }) =>
      `Nie wyrazili Państwo zgody na porównanie, dlatego zespół firmy ${company} dokończy ten krok w inny sposób i skontaktuje się z Państwem. W razie zmiany zdania prosimy odpowiedzieć na jedną z naszych wiadomości e-mail.`,
    withdrawn: ({ company }) =>
      `Wycofali Państwo zgodę, dlatego zespół firmy ${company} dokończy ten krok w inny sposób i skontaktuje się z Państwem.`,
    heading: "Zespół dokończy ten krok z Państwem",
    deleting: "Zgoda została wycofana. Zdjęcia i nagrania są usuwane.",
    deleted: "Zgoda została wycofana. Zdjęcia i nagrania zostały usunięte."
  }
}
