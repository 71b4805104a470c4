/** Mail about test journeys through a real SMTP server: it goes to the company's administrator. */
import { describe, expect, it } from "vitest"
import { ask } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import type { ReceivedMail } from "../support/mailServer.ts"
import { stateOf } from "../support/owedMail.ts"
import { baseUrl, subjects, textOf, journeyMailGround } from "./journeyMailGround.ts"

const { answers, liveCompany, newAddress, begin, mailsTo, arrived, causesOf, causeOf, service } = journeyMailGround()

describe("a test journey's mail", () => {
  it("goes to the administrator, marked, and names whom it would have gone to; the customer gets none", async () => {
    const owner = newAddress("owner")
    const ofTests = await liveCompany(owner)
    const email = newAddress()
    const id = await begin(ofTests.testKey, "FINANCE_ALREADY_SUBMITTED", email)
    const simulate = (event: string) =>
      ask(service(), ofTests.testKey, `/api/v1/journeys/${id}/simulate`, { body: { event } })
    await arrived(owner, 2)
    await simulate("finance_enquiry.referred")
    await arrived(owner, 3)
    await simulate("identity.under_review")
    await arrived(owner, 4)
    await simulate("finance_enquiry.approved")
    await arrived(owner, 5)
    await simulate("delivery.completed")
    const mails = await eventually(
      () => Promise.resolve(mailsTo(owner)),
      (some) => some.some(({ header }) => header("Subject")?.includes("is complete") === true)
    )
    expect(subjects(mails).slice(0, 5)).toEqual([
      "[TEST] Your purchase of AB12 CDE",
      "[TEST] Please verify your identity for AB12 CDE",
      "[TEST] News about your finance application for AB12 CDE",
      "[TEST] An identity check needs your review",
      "[TEST] Your finance for AB12 CDE is approved"
    ])
    const [welcome, verify, , review] = mails
    expect(textOf(welcome as ReceivedMail)).toContain(`Of a live one it would have gone to ${email}.`)
    expect(textOf(verify as ReceivedMail)).toContain(`${baseUrl}/app/l/`)
    expect(textOf(review as ReceivedMail)).toContain("Of a live one it would have gone to the company's team.")
    for (const { header, to } of mails) {
      expect(header("Subject")).toMatch(/^\[TEST\] /)
      expect(to).toEqual([owner])
    }
    expect(mailsTo(email)).toEqual([])
  })

  it("that the administrator's server refuses makes no further mail", async () => {
    const owner = newAddress("refusing")
    answers.set(owner, 550)
    const ofTests = await liveCompany(owner)
    const id = await begin(ofTests.testKey, "CASH_SALE", newAddress())
    const verify = await causeOf(id, "VERIFY_IDENTITY")
    await eventually(
      () => stateOf(service().databaseUrl, verify),
      (state) => state?.givenUp === true
    )
    expect(await causesOf(id, "MAIL_UNDELIVERED")).toEqual([])
  })
})
