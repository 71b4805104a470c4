/** All that customers read of each step of a journey, in Welsh: on the pages, in mail, and on the pages of a test journey. */
import type { StepWords } from "../en/steps.ts"

export const welshSteps: StepWords = {
  FINANCE: { name: "Penderfyniad cyllid" },
  VERIFY_IDENTITY: {
    name: "Gwirio eich hunaniaeth",
    about:
      "Bydd arnoch angen eich pasbort, eich trwydded yrru neu eich cerdyn adnabod, a golau da. Mae'n cymryd tua dwy funud.",
    start: "Dechrau",
    invitation: "Y cam nesaf yw gwirio eich hunaniaeth.",
    testTitle: "Efelychu'r gwiriad hunaniaeth",
    testOutcomes: {
      "identity.verified": "Mae'r hunaniaeth wedi'i gwirio",
      "identity.under_review": "Mae'r gwiriad yn mynd at adolygydd",
      "identity.failed": "Mae'r gwiriad yn methu"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Gwiriwch eich hunaniaeth ar gyfer ${registration}`,
        preview: "Mae'n cymryd ychydig funudau ar eich ffôn. Byddwch â'ch dogfen adnabod wrth law.",
        ask: [
          ({ registration }) => `Eich tro chi yw'r cam nesaf tuag at ${registration}: gwiriwch eich hunaniaeth.`,
          () =>
            "Mae'n cymryd ychydig funudau ar eich ffôn. Byddwch â'ch dogfen adnabod wrth law; gofynnir i chi am lun ohoni ac am lun ohonoch chi."
        ],
        button: "Gwirio eich hunaniaeth"
      },
      again: {
        subject: ({ registration }) => `Rhowch gynnig arall ar wirio eich hunaniaeth ar gyfer ${registration}`,
        preview: "Ni lwyddodd y cynnig diwethaf. Golau da sy'n helpu fwyaf.",
        ask: [
          ({ registration }) =>
            `Ni fu modd gwirio eich hunaniaeth eto, felly mae prynu ${registration} yn aros amdanoch chi.`,
          () => "Rhowch gynnig arall arni. Mae golau da yn helpu, a rhaid i'r ddogfen adnabod gyfan fod yn y llun."
        ],
        button: "Rhoi cynnig arall arni"
      }
    }
  },
  CONFIRM_ADDRESS: {
    name: "Cadarnhau'r cyfeiriad danfon",
    about: "Dywedwch wrthym ble y dylid trosglwyddo eich cerbyd.",
    start: "Parhau",
    invitation: "Y cam nesaf yw cadarnhau i ble y dylid danfon eich cerbyd.",
    testTitle: "Efelychu'r cyfeiriad danfon",
    testOutcomes: {
      "delivery.location_confirmed": "Mae'r cyfeiriad wedi'i gadarnhau"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Cadarnhewch i ble y dylid danfon ${registration}`,
        preview: "Un cwestiwn, un munud: pa gyfeiriad?",
        ask: [
          ({ registration }) => `Eich tro chi yw'r cam nesaf tuag at ${registration}: cadarnhewch y cyfeiriad danfon.`
        ],
        button: "Cadarnhau'r cyfeiriad"
      },
      again: {
        subject: ({ registration }) => `Mae danfon ${registration} yn aros: cadarnhewch y cyfeiriad eto`,
        preview: "Mae'r danfon yn aros am eich cyfeiriad.",
        ask: [
          ({ registration }) => `Mae danfon ${registration} yn dal i aros amdanoch chi: cadarnhewch y cyfeiriad danfon.`
        ],
        button: "Cadarnhau'r cyfeiriad"
      }
    }
  },
  RECORD_VIDEO: {
    name: "Recordio'r fideo trosglwyddo",
    about: "Fideo byr ohonoch gyda'r cerbyd, ar ôl i chi ei dderbyn. Mae'n cymryd tua munud.",
    start: "Parhau",
    invitation: "Y cam nesaf yw recordio eich fideo trosglwyddo.",
    testTitle: "Efelychu'r fideo trosglwyddo",
    testOutcomes: {
      "delivery.video_uploaded": "Mae fideo wedi'i lanlwytho",
      "delivery.completed": "Mae fideo wedi'i lanlwytho ac mae'n cyfateb",
      "delivery.under_review": "Mae fideo wedi'i lanlwytho ac mae'n cael ei adolygu"
    },
    mail: {
      first: {
        subject: ({ registration }) => `Recordiwch fideo trosglwyddo ${registration}`,
        preview: "Pan fyddwch yn derbyn eich cerbyd: fideo byr ohonoch gydag ef.",
        ask: [
          ({ registration }) => `Mae eich cerbyd, ${registration}, yn barod i'w drosglwyddo i chi.`,
          () =>
            "Pan fyddwch yn ei dderbyn, recordiwch fideo byr ohonoch eich hun gydag ef. Mae'n cadarnhau mai chi oedd yno; rhaid gweld eich wyneb yn glir."
        ],
        button: "Recordio'r fideo"
      },
      again: {
        subject: ({ registration }) => `Recordiwch fideo trosglwyddo ${registration} eto`,
        preview: "Ni allem ddweud o'r un diwethaf mai chi oedd yno.",
        ask: [
          ({ registration }) =>
            `Nid oedd modd defnyddio fideo trosglwyddo ${registration} i gadarnhau mai chi a dderbyniodd y cerbyd.`,
          () => "Recordiwch ef unwaith eto. Mae golau da yn helpu, a rhaid gweld eich wyneb yn glir."
        ],
        button: "Recordio eto"
      }
    }
  }
}
