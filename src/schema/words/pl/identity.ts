/** The page of the identity check: the two photos, what came of an attempt, and what the page's script says. In Polish. */
import type { IdentityWords } from "../en/identity.ts"
import { polishPlural } from "../locale/plural.ts"

export const polishIdentity: IdentityWords = {
  intro: "Potrzebne są dwa zdjęcia: dokumentu tożsamości i twarzy.",
  documentPhoto: {
    label: "Zdjęcie dokumentu tożsamości",
    title: "Zdjęcie dokumentu tożsamości",
    hints: [
      "Strona, na której widać twarz",
      "Widoczne wszystkie cztery rogi, dokument leży płasko, bez odblasków",
      "Na tyle ostre, by dało się je przeczytać"
    ]
  },
  selfie: {
    label: "Zdjęcie twarzy",
    title: "Zdjęcie twarzy",
    hints: [
      "Światło z przodu, nic nie oślepia z tyłu",
      "Na zdjęciu nie ma nikogo innego",
      "Bez nakrycia głowy i okularów przeciwsłonecznych"
    ]
  },
  error: "Błąd:",
  problems: {
    NO_FACE:
      "Na tym zdjęciu nie widać wyraźnie twarzy. Potrzeba więcej światła i nic nie może zasłaniać twarzy: nakrycie głowy, okulary przeciwsłoneczne ani odblaski.",
    FACE_TOO_SMALL: "Twarz na tym zdjęciu jest za mała. Proszę się zbliżyć.",
    MULTIPLE_FACES: "Na tym zdjęciu widać więcej niż jedną twarz.",
    BLURRED: "To zdjęcie jest zbyt nieostre. Proszę się nie poruszać i zadbać o lepsze światło.",
    UNREADABLE: "Nie udało się odczytać tego zdjęcia. Proszę zrobić inne albo wybrać plik JPEG lub PNG.",
    OVER_BUDGET: "Na dziś wysłano już dość zdjęć. Proszę spróbować ponownie jutro.",
    MISSING: "Brakuje tego zdjęcia.",
    TOO_LARGE: ({ megabytes }) => `To zdjęcie ma więcej niż ${megabytes}.`
  },
  kept: "Mamy to zdjęcie. Nie trzeba robić go ponownie.",
  privacy:
    "Zdjęcia porównuje ta usługa i nie są one pokazywane nikomu innemu, chyba że wynik porównania jest niejasny i musi na nie spojrzeć człowiek.",
  triesLeft: ({ left, of }) => `Na dziś pozostało prób: ${left} z ${of}.`,
  check: "Sprawdź moje zdjęcia",
  takeAgain: ({ count }) =>
    polishPlural(count, {
      one: "Proszę ponownie zrobić jedno zdjęcie",
      few: "Proszę ponownie zrobić oba zdjęcia",
      many: "Proszę ponownie zrobić zdjęcia",
      other: "Proszę ponownie zrobić zdjęcia"
    }),
  noTry: "To nie liczy się jako próba.",
  provider: {
    text: "Weryfikacja odbywa się na stronie partnera, która potem kieruje z powrotem tutaj.",
    button: "Przejdź do weryfikacji tożsamości"
  },
  notReady: {
    text: "Weryfikacja jest przygotowywana. To potrwa chwilę: proszę odświeżyć stronę.",
    button: "Odśwież"
  },
  verified: { heading: "Dziękujemy, tożsamość się zgadza", text: "Tożsamość została potwierdzona." },
  underReview: {
    heading: "Dziękujemy, sprawdzamy zdjęcia",
    text: "Zanim pójdą Państwo dalej, zdjęcia obejrzy ktoś z zespołu. Nie trzeba nic robić; odezwiemy się e-mailem."
  },
  different: {
    heading: "Zdjęcia nie pasują do siebie",
    text: "Nie udało się stwierdzić, że oba zdjęcia przedstawiają tę samą osobę. Można od razu spróbować ponownie, przy lepszym świetle i z całą twarzą w kadrze."
  },
  samePhoto: {
    heading: "Oba zdjęcia są takie same",
    text: "Jedno zdjęcie musi przedstawiać dokument, a drugie twarz, zrobione teraz. Zdjęcia użytego jako jedno z nich nie można użyć jako drugiego."
  },
  lastTry: {
    heading: "To była ostatnia próba na dziś",
    text: ({ tries }) =>
      `Liczba prób w ciągu dnia: ${tries}. Proszę wrócić jutro, korzystając z linku w wiadomości e-mail.`
  },
  unavailable: {
    heading: "Weryfikacja jest chwilowo niemożliwa",
    text: "To nie liczyło się jako próba, a zdjęcia zostały zachowane. Proszę spróbować ponownie za kilka minut."
  },
  camera: {
    take: "Użyj aparatu",
    choose: "Albo wybierz zdjęcie z urządzenia",
    viewfinder: "Obraz z aparatu",
    taken: "Zrobione zdjęcie",
    progress: "Wysyłanie tego zdjęcia",
    shoot: "Zrób zdjęcie",
    flip: "Użyj drugiego aparatu",
    gallery: "Wybierz z urządzenia",
    use: "Użyj tego zdjęcia",
    retake: "Zrób ponownie",
    close: "Zamknij aparat",
    resume: "Kontynuuj wysyłanie"
  },
  script: {
    starting: "Aparat się uruchamia …",
    look: "Proszę obejrzeć zdjęcie i użyć go albo zrobić je ponownie. Nie zostało jeszcze wysłane.",
    cameraRefused:
      "Nie można użyć aparatu. Proszę zezwolić na to w ustawieniach przeglądarki albo wybrać zdjęcie z urządzenia.",
    noCamera:
      "Nie można użyć aparatu: nie ma go tutaj albo korzysta z niego inna aplikacja. Można wybrać zdjęcie z urządzenia.",
    sending: ({ percent }) => `Wysyłanie tego zdjęcia: ${percent} %`,
    slow: "Połączenie jest wolne. Ponawiamy próbę …",
    broken: "Połączenie zostało przerwane. To, co dotarło, jest zachowane: można kontynuować po odzyskaniu połączenia.",
    ready: "To zdjęcie jest gotowe.",
    empty: "Ten plik jest pusty. Proszę wybrać inny.",
    tooLarge: "To zdjęcie jest za duże. Proszę wybrać inne.",
    unusable: "Nie udało się użyć tego zdjęcia. Proszę zrobić inne.",
    notWhole: "To zdjęcie nie dotarło w całości. Proszę spróbować ponownie.",
    signedOut: "Nastąpiło wylogowanie. Proszę odświeżyć tę stronę, aby zobaczyć, jak zalogować się ponownie.",
    bothReady: "Oba zdjęcia są gotowe.",
    takeFirst: "Proszę najpierw zrobić to zdjęcie.",
    stillSending: "Jedno zdjęcie jest jeszcze wysyłane.",
    offline: "Brak połączenia z internetem. Zdjęcia zostaną sprawdzone, gdy tylko połączenie wróci.",
    checking: "Porównujemy zdjęcia. To może potrwać pół minuty."
  },
  hints: {
    card: {
      READY: "Proszę umieścić dokument w ramce.",
      NO_FACE: "Proszę pokazać w ramce stronę, na której widać twarz.",
      SMALL: "Proszę się zbliżyć: dokument powinien wypełniać ramkę.",
      LARGE: "Proszę się trochę oddalić: w ramce powinien być cały dokument.",
      DARK: "Jest za ciemno. Potrzeba więcej światła.",
      BRIGHT: "Widać odblask. Proszę lekko przechylić dokument.",
      BLURRED: "Proszę się nie poruszać: obraz nie jest jeszcze ostry.",
      GOOD: "Dobrze. Można zrobić zdjęcie."
    },
    oval: {
      READY: "Proszę umieścić twarz w owalu.",
      NO_FACE: "Nie widać twarzy. Proszę patrzeć prosto w aparat.",
      SEVERAL: "W kadrze nie powinno być nikogo innego.",
      SMALL: "Proszę się zbliżyć: twarz powinna wypełniać owal.",
      LARGE: "Proszę się trochę oddalić.",
      ASIDE: "Proszę przesunąć twarz na środek owalu.",
      DARK: "Jest za ciemno. Proszę zwrócić się w stronę światła.",
      BRIGHT: "Jest za jasno. Proszę odwrócić się od lampy lub słońca.",
      BLURRED: "Proszę się nie poruszać: obraz nie jest jeszcze ostry.",
      GOOD: "Dobrze. Można zrobić zdjęcie."
    }
  }
}
