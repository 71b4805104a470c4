/** The steps that a journey can ask of its customer, in Polish. */
import type { StepWords } from "../en/steps.ts"

export const polishSteps: StepWords = {
  FINANCE: { name: "Decyzja o finansowaniu" },
  VERIFY_IDENTITY: {
    name: "Weryfikacja tożsamości",
    invitation: "Następny krok to weryfikacja tożsamości.",
    testTitle: "Symulacja weryfikacji tożsamości"
  },
  CONFIRM_ADDRESS: {
    name: "Potwierdzenie adresu dostawy",
    invitation: "Następny krok to potwierdzenie, dokąd mamy dostarczyć pojazd.",
    testTitle: "Symulacja adresu dostawy"
  },
  RECORD_VIDEO: {
    name: "Nagranie z przekazania pojazdu",
    invitation: "Następny krok to nagranie z przekazania pojazdu.",
    testTitle: "Symulacja nagrania z przekazania"
  }
}
