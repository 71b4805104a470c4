/** The steps that a journey can ask of its customer, in Polish. */
import type { StepWords } from "../en/steps.ts"

export const polishSteps: StepWords = {
  FINANCE: { name: "Decyzja o finansowaniu" },
  VERIFY_IDENTITY: {
    name: "Weryfikacja tożsamości",
    about: "Potrzebny jest paszport, prawo jazdy lub dowód osobisty oraz dobre światło. Zajmie to około dwóch minut.",
    start: "Rozpocznij",
    invitation: "Następny krok to weryfikacja tożsamości.",
    testTitle: "Symulacja weryfikacji tożsamości"
  },
  CONFIRM_ADDRESS: {
    name: "Potwierdzenie adresu dostawy",
    about: "Proszę podać, gdzie ma się odbyć przekazanie pojazdu.",
    start: "Dalej",
    invitation: "Następny krok to potwierdzenie, dokąd mamy dostarczyć pojazd.",
    testTitle: "Symulacja adresu dostawy"
  },
  RECORD_VIDEO: {
    name: "Nagranie z przekazania pojazdu",
    about: "Krótkie nagranie, na którym widać Państwa i pojazd, zrobione po jego odbiorze. Zajmie to około minuty.",
    start: "Dalej",
    invitation: "Następny krok to nagranie z przekazania pojazdu.",
    testTitle: "Symulacja nagrania z przekazania"
  }
}
