/** The words of mail to a company's team. */
import { describe, expect, it } from "vitest"
import { contentOf } from "../../../../src/actors/mail/wording/Email.ts"
import { teamEmail, undeliveredEmail } from "../../../../src/actors/mail/wording/team.ts"
import { SubmissionFailure, UnavailableReason } from "../../../../src/schema/journey/statuses.ts"
import { driven } from "../../journey/rules/startedJourneys.ts"
import { live, shownIn } from "../mailContexts.ts"

const settings = "/settings/v1/companies/0197a000-0000-7000-8000-000000000002"
const journeyPagePath = `${settings}/journeys/0197a000-0000-7000-8000-000000000001`

describe("a mail to the company's team", () => {
  it("asks for a review of what is under review, and says where", () => {
    const identity = driven(live("IDENTITY_DELIVERY"), { _tag: "IdentityUnderReview" })
    expect(teamEmail("REVIEW_NEEDED", identity).subject).toBe("An identity check needs your review")
    const video = driven(
      live("IDENTITY_DELIVERY"),
      { _tag: "IdentityVerified" },
      { _tag: "HandoverCreated" },
      { _tag: "VideoUploaded" },
      { _tag: "VideoUnclear" }
    )
    const { subject, text } = contentOf(teamEmail("REVIEW_NEEDED", video))
    expect(subject).toBe("A handover video needs your review")
    expect(text).toContain(`GET ${settings}/reviews`)
  })

  it.each(UnavailableReason.literals)("says why a check could not be started, and how to resend it: %s", (reason) => {
    const journey = driven(live("IDENTITY_DELIVERY"), { _tag: "IdentityUnavailable", reason })
    const { text } = contentOf(teamEmail("CHECK_UNAVAILABLE", journey))
    expect(text).toContain(`(${reason}).`)
    expect(text).toContain(`POST ${journeyPagePath}/resend-check`)
  })

  it.each(SubmissionFailure.literals)("says why an application could not be submitted: %s", (reason) => {
    const journey = driven(live("FINANCE_SUBMIT_VIA_MIRA"), { _tag: "PanelFailed", reason })
    expect(contentOf(teamEmail("SUBMISSION_FAILED", journey)).text).toContain(`(${reason}).`)
  })

  it("tells of a mail that did not reach a customer, and how to send the link again", () => {
    const { text } = contentOf(undeliveredEmail("RECORD_VIDEO", live("CASH_SALE")))
    expect(text).toContain("Its kind: RECORD_VIDEO.")
    expect(text).toContain(`POST ${journeyPagePath}/resend-link`)
  })

  it("names the journey by its id and the caller's reference, in both parts alike", () => {
    const journey = { ...live("CASH_SALE"), externalReference: "deal <1>\r\n& more" }
    for (const kind of ["REVIEW_NEEDED", "CHECK_UNAVAILABLE", "SUBMISSION_FAILED"] as const) {
      const { html, text } = contentOf(teamEmail(kind, journey))
      expect(text).toContain(`journey ${journey.id} (your reference: deal <1> & more)`)
      expect(shownIn(html)).toBe(text.trimEnd())
    }
    const unnamed = contentOf(teamEmail("SUBMISSION_FAILED", { ...journey, externalReference: null })).text
    expect(unnamed).not.toContain("your reference")
  })
})
