/** The steps that a journey can ask of its customer, in Romanian. */
import type { StepWords } from "../en/steps.ts"

export const romanianSteps: StepWords = {
  FINANCE: { name: "Decizia de finanțare" },
  VERIFY_IDENTITY: {
    name: "Verificarea identității",
    invitation: "Următorul pas este verificarea identității.",
    testTitle: "Simularea verificării identității"
  },
  CONFIRM_ADDRESS: {
    name: "Confirmarea adresei de livrare",
    invitation: "Următorul pas este să confirmați unde se livrează vehiculul.",
    testTitle: "Simularea adresei de livrare"
  },
  RECORD_VIDEO: {
    name: "Înregistrarea predării",
    invitation: "Următorul pas este înregistrarea predării vehiculului.",
    testTitle: "Simularea înregistrării predării"
  }
}
