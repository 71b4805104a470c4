/** What a reviewer is shown of what the customer will read. That the words are those of pages and mails is tested over HTTP. */
import { describe, expect, it } from "vitest"
import type { Journey } from "../../../src/actors/journey/rules/state/Journey.ts"
import { customerReads } from "../../../src/actors/review/customerReads.ts"
import { messageOf } from "../../../src/actors/review/review.ts"
import { plainBrand } from "../../../src/schema/company/Brand.ts"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { reachableStates } from "../journey/rules/reachableStates.ts"

const withVideo = reachableStates.find(
  ({ journey: { consents, handover } }) => handover?.status === "UNDER_REVIEW" && consents?.video?.answer === "AGREED"
)?.journey

const to = {
  firstName: "Sam",
  registration: "AB12 CDE",
  company: "Harbour Cars",
  brand: plainBrand,
  seller: null,
  language: "en"
} as const

/** What the customer reads when the video is rejected. */
const readsOf = (change: (journey: Journey) => Partial<Journey>) => {
  if (withVideo === undefined) throw new Error("no such state")
  const journey = { ...withVideo, ...change(withVideo) }
  const message = messageOf({ journey, kind: "VIDEO", taken: null }, "REJECT", "fingerprint")
  return customerReads(journey, { decision: "REJECT", message }, to, journey.lastEventAt)
}

const { journey: says, steps } = wordsOf("en")

describe("what the customer reads when a video is rejected", () => {
  it("asks for another one", () => {
    expect(readsOf(() => ({})).page.map(({ text }) => text)).toEqual([says.video.again, says.video.unclear])
  })

  it("asks as for the first time whoever has said no to the comparison, and so has sent none that was looked at", () => {
    const refused = { answer: "REFUSED", notice: "video-1-en", at: 0 } as const
    const { page } = readsOf(({ consents }) => ({ consents: { ...consents, video: refused } }))
    expect(page.map(({ text }) => text)).toEqual([steps.RECORD_VIDEO.name, steps.RECORD_VIDEO.about])
  })

  it("has no mail that was owed before", () => {
    const { mails } = readsOf(() => ({}))
    const withWelcome = readsOf(({ owed, owedCount }) => ({
      owed: [...owed, { kind: "MAIL", serial: owedCount, mail: "WELCOME", again: false }]
    }))
    expect(withWelcome.mails).toEqual(mails)
  })
})
