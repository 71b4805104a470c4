/** The page of a journey: where it stands and what is asked now, in Welsh. */
import type { JourneyWords } from "../en/journey.ts"

export const welshJourney: JourneyWords = {
  greeting: ({ firstName }) => `Helo ${firstName}`,
  soldBy: ({ seller }) => `Gwerthir gan ${seller}`,
  askedNow: "Beth i'w wneud nawr",
  yourSteps: "Eich camau",
  standings: { DONE: "Wedi'i wneud", NOW: "Eich tro chi", WAITING: "Ar y gweill", LATER: "Yn nes ymlaen" },
  rejected: "Edrychodd aelod o'r tîm ar eich gwiriad diwethaf ac ni allai ei dderbyn. Dyma pam:",
  until: ({ until }) => `Gallwch ei wneud hyd at y dyddiad cau: ${until}.`,
  nothing: {
    heading: "Nid oes dim i chi ei wneud nawr",
    text: "Byddwn yn anfon e-bost atoch pan ddaw eich tro chi eto."
  },
  identity: {
    again: "Gwiriwch eich hunaniaeth eto",
    failed: "Ni lwyddodd y gwiriad diwethaf. Golau da a'ch wyneb cyfan yn y golwg sy'n helpu fwyaf.",
    inReview: "Mae rhywun yn edrych ar eich gwiriad hunaniaeth",
    inReviewBy: "Mae aelod o'r tîm yn edrych arno. Nid oes dim i chi ei wneud; byddwn yn anfon e-bost atoch.",
    unavailable: "Rhaid i'r gwiriad hunaniaeth aros",
    unavailableUntil: "Ni ellir ei ddechrau ar hyn o bryd. Mae'r tîm yn gwybod a bydd yn anfon dolen newydd atoch."
  },
  video: {
    again: "Recordiwch y fideo eto",
    unclear: "Ni allem ddweud o'r un diwethaf mai chi oedd yno. Golau da a'ch wyneb cyfan yn y golwg sy'n helpu fwyaf.",
    recordAgain: "Recordio eto",
    checked: "Mae eich fideo yn cael ei wirio",
    checkedFor:
      "Mae hyn yn cymryd munud neu ddwy. Gallwch gau'r dudalen hon: byddwn yn anfon e-bost atoch cyn gynted ag y byddwn yn gwybod.",
    seeWhether: "Gweld a yw wedi'i wneud",
    inReview: "Mae rhywun yn edrych ar eich fideo",
    inReviewBy: "Mae aelod o'r tîm yn edrych ar eich fideo. Nid oes dim i chi ei wneud; byddwn yn anfon e-bost atoch."
  }
}
