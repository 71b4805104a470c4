/** The steps that a journey can ask of its customer, in Welsh. */
import type { StepWords } from "../en/steps.ts"

export const welshSteps: StepWords = {
  FINANCE: { name: "Penderfyniad cyllid" },
  VERIFY_IDENTITY: {
    name: "Gwirio eich hunaniaeth",
    invitation: "Y cam nesaf yw gwirio eich hunaniaeth.",
    testTitle: "Efelychu'r gwiriad hunaniaeth"
  },
  CONFIRM_ADDRESS: {
    name: "Cadarnhau'r cyfeiriad danfon",
    invitation: "Y cam nesaf yw cadarnhau i ble y dylid danfon eich cerbyd.",
    testTitle: "Efelychu'r cyfeiriad danfon"
  },
  RECORD_VIDEO: {
    name: "Recordio'r fideo trosglwyddo",
    invitation: "Y cam nesaf yw recordio eich fideo trosglwyddo.",
    testTitle: "Efelychu'r fideo trosglwyddo"
  }
}
