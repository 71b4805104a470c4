/** The words of mail to a company's team. */
import { describe, expect, it } from "vitest"
import { contentOf } from "../../../../src/actors/mail/wording/emailContent.ts"
import { teamEmail, undeliveredEmail } from "../../../../src/actors/mail/wording/team.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { SubmissionFailure, UnavailableReason } from "../../../../src/schema/journey/statuses.ts"
import { driven } from "../../journey/rules/startedJourneys.ts"
import { live, shownIn } from "../mailContexts.ts"

const baseUrl = "https://journeys.example"
const journeyPage = `${baseUrl}/console/journeys/0197a000-0000-7000-8000-000000000001`
const reviewId = "019bc0a1-7c00-7005-8000-000000000004"

/** A mail about a journey, as a service writes it that knows its own address. */
const about = (journey: Journey) => ({ journey, companyName: "Cars.example Ltd", reviewId, baseUrl })

describe("a mail to the company's team", () => {
  it("asks for a review of what is under review, and says where", () => {
    const identity = driven(live("IDENTITY_DELIVERY"), { _tag: "IdentityUnderReview" })
    expect(teamEmail("REVIEW_NEEDED", about(identity)).subject).toBe("An identity check needs your review")
    const video = driven(
      live("IDENTITY_DELIVERY"),
      { _tag: "IdentityVerified" },
      { _tag: "HandoverCreated" },
      { _tag: "VideoUploaded" },
      { _tag: "VideoUnclear" }
    )
    const { subject, text } = contentOf(teamEmail("REVIEW_NEEDED", about(video)))
    expect(subject).toBe("A handover video needs your review")
    expect(text).toContain(`Open the review: ${baseUrl}/console/reviews/${reviewId}\n`)
  })

  it.each(["CONSENT_REFUSED", "CONSENT_WITHDRAWN"] as const)(
    "says that the customer wants no comparison, and not that something was unclear: %s",
    (reason) => {
      const refused = driven(live("IDENTITY_DELIVERY"), { _tag: "IdentityUnderReview", reasons: [reason] })
      const { text } = contentOf(teamEmail("REVIEW_NEEDED", about(refused)))
      expect(text).toContain("does not want faces to be compared")
      expect(text).not.toContain("no clear result")
    }
  )

  it.each(UnavailableReason.literals)("says why a check could not be started, and how to resend it: %s", (reason) => {
    const journey = driven(live("IDENTITY_DELIVERY"), { _tag: "IdentityUnavailable", reason })
    const { text } = contentOf(teamEmail("CHECK_UNAVAILABLE", about(journey)))
    expect(text).toContain(`(${reason}).`)
    expect(text).toContain(`Open the journey: ${journeyPage}\n`)
  })

  it.each(SubmissionFailure.literals)("says why an application could not be submitted: %s", (reason) => {
    const journey = driven(live("FINANCE_SUBMIT_VIA_MIRA"), { _tag: "PanelFailed", reason })
    expect(contentOf(teamEmail("SUBMISSION_FAILED", about(journey))).text).toContain(`(${reason}).`)
  })

  it.each(["https://console.evil.example/sign-in", "evil.example", "evil.example/2026/07700900123"])(
    "makes no link of the caller's reference: %s",
    (externalReference) => {
      const { html, text } = contentOf(undeliveredEmail("WELCOME", about({ ...live("CASH_SALE"), externalReference })))
      expect([html, text].filter((part) => /evil\.|https:\/\/console\./.test(part))).toEqual([])
    }
  )

  it.each(["deal-1234567", "2026/10.7-123456", "07700 900", "A.B 12"])(
    "shows a reference that is no link as people copy it: %s",
    (externalReference) => {
      const { text } = contentOf(undeliveredEmail("WELCOME", about({ ...live("CASH_SALE"), externalReference })))
      expect(text).toContain(`(your reference: ${externalReference})`)
    }
  )

  it("tells of a mail that did not reach a customer, and how to send the link again", () => {
    const { text } = contentOf(undeliveredEmail("RECORD_VIDEO", about(live("CASH_SALE"))))
    expect(text).toContain("It was the mail that asks for the handover video (RECORD_VIDEO).")
    expect(text).toContain(`Open the journey: ${journeyPage}\n`)
  })

  it("names the journey by its id and the caller's reference, in both parts alike", () => {
    const journey = { ...live("CASH_SALE"), externalReference: "deal <1>\r\n& more" }
    for (const kind of ["REVIEW_NEEDED", "CHECK_UNAVAILABLE", "SUBMISSION_FAILED"] as const) {
      const { html, text } = contentOf(teamEmail(kind, about(journey)))
      expect(text).toContain(`journey ${journey.id} (your reference: deal <1> & more)`)
      expect(shownIn(html)).toBe(text.trimEnd())
    }
    const unnamed = contentOf(teamEmail("SUBMISSION_FAILED", about({ ...journey, externalReference: null }))).text
    expect(unnamed).not.toContain("your reference")
  })

  it("names the company, for members of several, and makes no link of its name", () => {
    const journey = live("CASH_SALE")
    const mails = [teamEmail("CHECK_UNAVAILABLE", about(journey)), undeliveredEmail("RECORD_VIDEO", about(journey))]
    for (const mail of mails) {
      expect(contentOf(mail).text).toContain(`The journey is one of Cars\u200c.example Ltd.\n\nOpen the journey: `)
    }
  })

  it("leads to the queue when no review is open any more, and links nowhere from an unknown address", () => {
    const journey = driven(live("IDENTITY_DELIVERY"), { _tag: "IdentityUnderReview" })
    const queue = contentOf(teamEmail("REVIEW_NEEDED", { ...about(journey), reviewId: null }))
    expect(queue.text).toContain(`Open the review: ${baseUrl}/console/reviews\n`)
    for (const kind of ["REVIEW_NEEDED", "CHECK_UNAVAILABLE", "SUBMISSION_FAILED"] as const) {
      const { html, text } = contentOf(teamEmail(kind, { ...about(journey), baseUrl: null }))
      expect(`${html}${text}`).not.toMatch(/<a |:\/\//)
    }
  })

  it("has nothing but ids in the address of its button, and tells of no path of the settings API", () => {
    const journey = { ...live("IDENTITY_DELIVERY"), externalReference: "reference-canary" }
    const mails = [
      ...(["REVIEW_NEEDED", "CHECK_UNAVAILABLE", "SUBMISSION_FAILED"] as const).map((kind) =>
        teamEmail(kind, about(journey))
      ),
      undeliveredEmail("RECORD_VIDEO", about(journey))
    ]
    for (const mail of mails) {
      const { html, text } = contentOf(mail)
      const addresses = Array.from(html.matchAll(/href="([^"]*)"/g), ([, address = ""]) => address)
      expect(addresses).toHaveLength(2)
      for (const address of addresses) {
        expect(address).toMatch(/^https:\/\/journeys\.example\/console\/(?:journeys|reviews)\/[0-9a-f-]{36}$/)
      }
      expect(text).not.toMatch(/settings\/v1|GET |POST |PUT /)
    }
  })
})
