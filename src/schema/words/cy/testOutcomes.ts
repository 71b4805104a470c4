/** What the pages of a test journey offer instead of a step, in Welsh. */
import type { TestOutcomeWords } from "../en/testOutcomes.ts"

export const welshTestOutcomes: TestOutcomeWords = {
  nothingAsked: "Ni ofynnir dim i'r cwsmer nawr",
  goesOn: "Mae pryniant prawf yn mynd yn ei flaen ar ei ben ei hun; ail-lwythwch y dudalen i weld ei hynt.",
  staysHere:
    "Nid yw'r pryniant prawf hwn yn cymryd unrhyw gam ar ei ben ei hun. Pwyswch y botwm, neu gadewch i'ch rhaglen efelychu beth ddaw nesaf.",
  orChoose: "Neu dewiswch beth ddaw o'r cam hwn.",
  choose: "Cymerwch y cam hwn ar y dudalen fel y byddai cwsmer, neu dewiswch beth ddaw ohono.",
  waits: "Mae'r pryniant yn aros amdanoch tra byddwch yma; ar ôl deg munud mae'n mynd yn ei flaen ar ei ben ei hun.",
  waitsForGood:
    "Nid yw'r pryniant prawf hwn yn cymryd unrhyw gam ar ei ben ei hun: mae'n aros nes i chi gymryd y cam neu ddewis.",
  samples: {
    about: "Samplau i roi cynnig ar y cam hwn: dewiswch nhw ar y dudalen fel y byddai cwsmer, neu pwyswch y botwm.",
    document: "Sampl o ddogfen adnabod (JPEG)",
    selfie: "Llun sampl o wyneb (JPEG)",
    video: "Fideo sampl (MP4)",
    use: { VERIFY_IDENTITY: "Defnyddio'r lluniau sampl", RECORD_VIDEO: "Defnyddio'r fideo sampl" }
  },
  notPossible: "Nid yw'r canlyniad hwnnw'n bosibl nawr",
  hasGoneOn: "Mae'r pryniant wedi mynd yn ei flaen yn y cyfamser.",
  toTheEnd: "Mynd ymlaen at drosglwyddo wedi'i gwblhau"
}
