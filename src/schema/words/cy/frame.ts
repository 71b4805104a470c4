/** What every page of the customer's app says around its content, in Welsh. */
import type { FrameWords } from "../en/frame.ts"
import { welshMinutes } from "./durations.ts"

export const welshFrame: FrameWords = {
  skip: "Neidio i'r cynnwys",
  language: "Iaith",
  testMark: "PRAWF",
  testNote: "Pryniant prawf yw hwn. Nid oes dim yma'n real.",
  problemTitle: ({ heading }) => `Gwall: ${heading}`,
  backToJourney: "Yn ôl i'ch pryniant",
  tryAgain: "Rhowch gynnig arall arni",
  seeJourney: "Gweld hynt eich pryniant",
  signOut: "Allgofnodi",
  session: {
    soon: ({ minutes }) => `Er eich diogelwch, cewch eich allgofnodi ymhen llai na ${welshMinutes(minutes)}.`,
    stay: "Aros wedi'ch mewngofnodi",
    stays: "Rydych yn dal wedi'ch mewngofnodi.",
    last: ({ minutes }) =>
      `Gwnaethoch fewngofnodi oriau lawer yn ôl, felly cewch eich allgofnodi ymhen llai na ${welshMinutes(minutes)}. Gorffennwch yr hyn rydych wedi'i ddechrau.`,
    over: "Rydych wedi cael eich allgofnodi.",
    signInAgain: "Gweld sut i fewngofnodi eto",
    another:
      "Rydych wedi mewngofnodi eto ers i'r dudalen hon gael ei hagor. Copïwch yr hyn rydych wedi'i deipio yma, yna ail-lwythwch y dudalen.",
    loadAgain: "Ail-lwytho'r dudalen hon"
  },
  encrypted: "Mae eich manylion a'ch lluniau wedi'u hamgryptio."
}
