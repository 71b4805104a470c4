/** What every page of the customer's app says around its content, in Welsh. */
import type { FrameWords } from "../en/frame.ts"

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
  encrypted: "Mae eich manylion a'ch lluniau wedi'u hamgryptio."
}
