/** The steps that a journey can ask of its customer, in Welsh. */
import type { StepWords } from "../en/steps.ts"

export const welshSteps: StepWords = {
  FINANCE: { name: "Penderfyniad cyllid" },
  VERIFY_IDENTITY: {
    name: "Gwirio eich hunaniaeth",
    about:
      "Bydd arnoch angen eich pasbort, eich trwydded yrru neu eich cerdyn adnabod, a golau da. Mae'n cymryd tua dwy funud.",
    start: "Dechrau",
    invitation: "Y cam nesaf yw gwirio eich hunaniaeth.",
    testTitle: "Efelychu'r gwiriad hunaniaeth"
  },
  CONFIRM_ADDRESS: {
    name: "Cadarnhau'r cyfeiriad danfon",
    about: "Dywedwch wrthym ble y dylid trosglwyddo eich cerbyd.",
    start: "Parhau",
    invitation: "Y cam nesaf yw cadarnhau i ble y dylid danfon eich cerbyd.",
    testTitle: "Efelychu'r cyfeiriad danfon"
  },
  RECORD_VIDEO: {
    name: "Recordio'r fideo trosglwyddo",
    about: "Fideo byr ohonoch gyda'r cerbyd, ar ôl i chi ei dderbyn. Mae'n cymryd tua munud.",
    start: "Parhau",
    invitation: "Y cam nesaf yw recordio eich fideo trosglwyddo.",
    testTitle: "Efelychu'r fideo trosglwyddo"
  }
}
