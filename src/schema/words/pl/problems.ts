/** What went wrong with a request, and what the customer can do, in Polish. */
import type { ProblemWords } from "../en/problems.ts"

export const polishProblems: ProblemWords = {
  of: {
    anything: {
      heading: "Coś poszło nie tak",
      text: "To nasz błąd i został już odnotowany. Proszę za chwilę spróbować ponownie."
    },
    noSuchPage: {
      heading: "Nie ma takiej strony",
      text: "Adres może być niepełny: proszę ponownie otworzyć link z wiadomości e-mail."
    },
    tooLarge: {
      heading: "To było za duże",
      text: "Nic nie zostało zapisane. Proszę wrócić i wybrać mniejszy plik."
    },
    unreadable: {
      heading: "Nie udało się tego odczytać",
      text: "Proszę wrócić, odświeżyć stronę i spróbować ponownie."
    },
    tooFast: { heading: "To było trochę za szybko", text: "Proszę odczekać minutę i spróbować ponownie." },
    away: {
      heading: "Chwilowo nie możemy odpowiedzieć",
      text: "Nic z tego, co zostało wysłane, nie przepadło na zawsze: proszę za chwilę spróbować ponownie."
    },
    tooSlow: {
      heading: "To trwało zbyt długo",
      text: "Połączenie było zbyt wolne lub zostało przerwane. Nic nie zostało zapisane. Proszę spróbować ponownie, najlepiej tam, gdzie połączenie jest lepsze."
    },
    headersTooLarge: {
      heading: "Nie udało się tego odczytać",
      text: "Przeglądarka wysłała więcej, niż możemy przyjąć. Proszę usunąć pliki cookie tej witryny, a potem ponownie otworzyć link z wiadomości e-mail."
    }
  },
  unknownOutcome: {
    heading: "Nie wiemy, czy to do nas dotarło",
    look: "Przed ponownym wysłaniem proszę sprawdzić stan zakupu."
  }
}
