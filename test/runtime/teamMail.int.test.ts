/** Mail to a company's team leads to the page where the thing is done: the ids in its link are those that the settings API has. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { startService, type Service } from "../support/service.ts"
import {
  decide,
  journeyAt,
  reviewOf,
  simulate,
  slowCompany,
  unavailableJourney
} from "../http/api/settings/reviewGround.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
})
afterAll(() => service.stop())

interface Shown {
  readonly kind: string
  readonly text: string
}

const mailsAbout = async (journeyId: string, kind: string, many: number): Promise<ReadonlyArray<string>> => {
  const { content } = await eventually(
    async () => (await askSettings(service, `/mail?journeyId=${journeyId}`)).data,
    (data) => data.content.filter((mail: Shown) => mail.kind === kind).length === many
  )
  return content.filter((mail: Shown) => mail.kind === kind).map(({ text }: Shown) => text)
}

describe("a mail that asks for a review", () => {
  it("opens the review that waits, and the next time the next one", async () => {
    const company = await slowCompany(service)
    const journey = await journeyAt(service, company, "IDENTITY_DELIVERY", "identity.under_review")
    const first = await reviewOf(service, company, journey.id)
    const [mail] = await mailsAbout(journey.id, "REVIEW_NEEDED", 1)
    expect(mail).toContain(`Open the review: https://journeys.example/console/reviews/${first}\n`)
    expect((await decide(service, company, first)).status).toBe(200)
    await simulate(service, company, journey.id, "delivery.under_review")
    const second = await reviewOf(service, company, journey.id)
    expect(second).not.toBe(first)
    const [newest] = await mailsAbout(journey.id, "REVIEW_NEEDED", 2)
    expect(newest).toContain(`/console/reviews/${second}\n`)
  })
})

describe("a mail about a check that could not be started", () => {
  it("opens the journey, where the check is resent", async () => {
    const company = await slowCompany(service)
    const journey = await unavailableJourney(service, company)
    const [mail] = await mailsAbout(journey.id, "CHECK_UNAVAILABLE", 1)
    expect(mail).toContain(`Open the journey: https://journeys.example/console/journeys/${journey.id}\n`)
  })
})
