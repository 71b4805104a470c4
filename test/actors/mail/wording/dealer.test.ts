/** The words of the mail to the dealer whom a broker has named. */
import { describe, expect, it } from "vitest"
import { contentOf } from "../../../../src/actors/mail/wording/emailContent.ts"
import { dealerEmail } from "../../../../src/actors/mail/wording/dealer.ts"
import { live } from "../mailContexts.ts"

const baseUrl = "https://journeys.example"

describe("a mail to a named dealer", () => {
  it("says whose handover it is, where it takes place, and leads to its page", () => {
    const journey = live("IDENTITY_DELIVERY")
    const inStore = { ...journey, handoverType: "IN_STORE" } as const
    const { subject, text } = contentOf(dealerEmail({ journey: inStore, companyName: "Broad Brokers", baseUrl }))
    expect(subject).toBe("A handover for Broad Brokers")
    expect(text).toContain(`in your store: handover ${journey.id}.`)
    expect(text).toContain(`Open the handover: ${baseUrl}/console/handovers/${journey.id}\n`)
    const atHome = { ...journey, handoverType: "HOME_DELIVERY" } as const
    expect(contentOf(dealerEmail({ journey: atHome, companyName: "Broad Brokers", baseUrl })).text).toContain(
      "at the customer's home"
    )
  })

  it("makes no link of the broker's name, and has no button while the service's address is unknown", () => {
    const about = { journey: live("IDENTITY_DELIVERY"), companyName: "Cars.example Ltd", baseUrl: null }
    const { subject, text } = contentOf(dealerEmail(about))
    expect([subject, text].join(" ")).not.toContain("Cars.example")
    expect(text).not.toContain("Open the handover")
  })
})
