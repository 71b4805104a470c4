/** The steps that a journey can ask of its customer, in Romanian. */
import type { StepWords } from "../en/steps.ts"

export const romanianSteps: StepWords = {
  FINANCE: { name: "Decizia de finanțare" },
  VERIFY_IDENTITY: {
    name: "Verificarea identității",
    about:
      "Aveți nevoie de pașaport, de permisul de conducere sau de cartea de identitate și de lumină bună. Durează aproximativ două minute.",
    start: "Începeți",
    invitation: "Următorul pas este verificarea identității.",
    testTitle: "Simularea verificării identității"
  },
  CONFIRM_ADDRESS: {
    name: "Confirmarea adresei de livrare",
    about: "Spuneți-ne unde trebuie predat vehiculul.",
    start: "Continuați",
    invitation: "Următorul pas este să confirmați unde se livrează vehiculul.",
    testTitle: "Simularea adresei de livrare"
  },
  RECORD_VIDEO: {
    name: "Înregistrarea predării",
    about: "O înregistrare scurtă cu dumneavoastră și vehiculul, după ce l-ați primit. Durează aproximativ un minut.",
    start: "Continuați",
    invitation: "Următorul pas este înregistrarea predării vehiculului.",
    testTitle: "Simularea înregistrării predării"
  }
}
