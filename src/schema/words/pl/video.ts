/** The page of the handover video: what it shows, and what its script says meanwhile, in Polish. */
import type { VideoWords } from "../en/video.ts"
import { polishPlural } from "../locale/plural.ts"

export const polishVideo: VideoWords = {
  hints: {
    face: "Cała twarz w kadrze, światło z przodu",
    vehicle: "Proszę pokazać pojazd i jego tablicę rejestracyjną",
    length: ({ megabytes, minutes }) =>
      `Najwyżej ${polishPlural(minutes, { one: "jedna minuta", few: `${minutes} minuty`, many: `${minutes} minut`, other: `${minutes} minuty` })} i ${megabytes}`
  },
  challenge: {
    heading: "Najpierw proszę obrócić głowę",
    how: ({ seconds }) =>
      `Na początku nagrania proszę patrzeć w kamerę. Następnie proszę powoli obracać głowę w podanej kolejności i po każdym obrocie znów spojrzeć w kamerę. Proszę to zrobić w ciągu pierwszych ${seconds} sekund.`,
    why: "To pokazuje, że nagranie powstaje teraz: każde nagranie ma własne obroty.",
    turns: { LEFT: "W lewo", RIGHT: "W prawo" }
  },
  preview: "Obraz z kamery",
  upload: "Przesyłanie",
  buttons: {
    camera: "Użyj kamery",
    record: "Rozpocznij nagrywanie",
    stop: "Zatrzymaj",
    send: "Wyślij to nagranie",
    resume: "Kontynuuj wysyłanie",
    again: "Nagraj ponownie"
  },
  choose: "Plik z nagraniem",
  sendChosen: "Wyślij",
  withoutScripts: ({ megabytes }) => `Bez skryptów nagranie może mieć najwyżej ${megabytes}.`,
  notUsed: "Nie można użyć tego nagrania",
  problems: {
    none: "Nie wybrano nagrania.",
    tooLarge: ({ megabytes }) => `Ma więcej niż ${megabytes}. Proszę nagrać krótsze.`,
    tooLong: ({ minutes }) =>
      `Trwa dłużej niż ${polishPlural(minutes, { one: "minutę", few: `${minutes} minuty`, many: `${minutes} minut`, other: `${minutes} minuty` })}. Proszę nagrać krótsze.`,
    unsupported:
      "Nie możemy odczytać nagrania tego rodzaju. Proszę nagrać je tutaj albo wybrać plik MP4, MOV lub WebM.",
    unreadable: "Nie udało się go odczytać. Proszę nagrać inne.",
    noChallenge:
      "Nie powstało dla obrotów, o które teraz prosimy: obowiązują one dla jednego nagrania i przez kilka minut. Proszę nagrać inne, z obrotami podanymi poniżej.",
    overBudget: "Na dziś wysłano już dość. Proszę spróbować ponownie jutro.",
    notWhole: "Nie dotarło w całości. Proszę wysłać je ponownie.",
    anotherBegun: "W międzyczasie rozpoczęto przesyłanie innego nagrania. Proszę wysłać je ponownie."
  },
  script: {
    slow: "Połączenie jest wolne. Ponawiamy próbę …",
    notUsed: "Nie można użyć tego nagrania. Proszę nagrać inne.",
    signedOut: "Nastąpiło wylogowanie. Proszę odświeżyć tę stronę, aby zobaczyć, jak zalogować się ponownie.",
    sending: ({ percent }) => `Wysyłanie nagrania: ${percent} %`,
    almostDone: "Prawie gotowe …",
    notWhole: "Nagranie nie dotarło w całości. Proszę spróbować ponownie.",
    empty: "Ten plik jest pusty. Proszę wybrać inny albo nagrać nowy film.",
    tooLarge: "To nagranie jest za duże. Proszę nagrać krótsze.",
    broken: "Połączenie zostało przerwane. To, co dotarło, jest zachowane: można kontynuować po odzyskaniu połączenia.",
    notAllowed: "Nie można użyć kamery. Proszę zezwolić na to w ustawieniach przeglądarki albo wybrać plik poniżej.",
    noCamera:
      "Nie można użyć kamery: nie ma jej tutaj albo korzysta z niej inna aplikacja. Poniżej można wybrać plik z nagraniem.",
    cameraOn: "Kamera jest włączona. Proszę się upewnić, że w kadrze jest cała twarz.",
    noPicture: "Kamera nie dała obrazu. Proszę spróbować ponownie albo wybrać plik poniżej.",
    watch: "Proszę obejrzeć nagranie, a potem je wysłać albo nagrać ponownie.",
    interrupted:
      "Nagrywanie zakończyło się wcześniej: strona została opuszczona albo kamera przestała być dostępna. Proszę obejrzeć nagranie i wysłać je albo nagrać ponownie.",
    cannotRecord: "Ta przeglądarka nie może tu nagrywać. Poniżej można wybrać plik z nagraniem.",
    recording: "Nagrywanie trwa. Proszę obracać głowę w podanej kolejności, a potem pokazać pojazd.",
    leave: "Nagranie nie zostało wysłane: przepadnie po opuszczeniu tej strony. Czy mimo to opuścić stronę?",
    recorded: ({ longest, seconds }) => `Nagrywanie: ${seconds} z ${longest} s`
  }
}
