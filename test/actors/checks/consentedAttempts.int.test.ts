/** The customer's consent and the company's least assurance, as attempts at the built-in check meet them (D7, D8). */
import { attemptIn } from "./attemptsGround.ts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startLive } from "../../support/providerRequests.ts"
import { agreeTo, withdraw } from "../../support/consents.ts"
import { startService, type Service } from "../../support/service.ts"

type AttemptGiven = Parameters<typeof attemptIn> extends [unknown, unknown, ...infer Given] ? Given : never

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 1000, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => service.stop())

const attempt = (journeyId: string, ...given: AttemptGiven) => attemptIn(service, journeyId, ...given)
/** A journey whose customer is asked for the check and agrees that faces are compared. */
const begun = async () => {
  const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
  await agreeTo(service, journeyId, "identity")
  return journeyId
}

interface AttemptRow {
  readonly id: string
  readonly verdict: string | null
  readonly sealed_document: Uint8Array | null
  readonly sealed_selfie: Uint8Array | null
}
const kept = (journeyId: string) =>
  service.query<AttemptRow>(
    "select id, verdict, sealed_document, sealed_selfie from identity_attempts where journey_id = $1 order by at, id",
    [journeyId]
  )

describe("a customer's consent", () => {
  it("comes first: without it no attempt is begun and nothing is kept", async () => {
    const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "NOT_AGREED" })
    expect(await kept(journeyId)).toEqual([])
  })

  it("that is withdrawn while the photos are looked at leaves no photo, and verifies nobody", async () => {
    const journeyId = await begun()
    const looked = Promise.withResolvers<void>()
    const withdrawn = Promise.withResolvers<void>()
    const attempted = attempt(journeyId, "SAME", looked.resolve, withdrawn.promise)
    await looked.promise
    await withdraw(service, journeyId)
    await eventually(
      () => kept(journeyId),
      ([row]) => row?.verdict === "NOT_JUDGED"
    )
    withdrawn.resolve()
    expect(await attempted).toEqual({ _tag: "NOT_ASKED" })
    expect(await kept(journeyId)).toMatchObject([{ verdict: "NOT_JUDGED", sealed_document: null, sealed_selfie: null }])
    const { data } = await ask(service, company.liveKey, `/api/v1/journeys/${journeyId}`)
    expect(data.identity).toMatchObject({ status: "UNDER_REVIEW", assurance: "NONE" })
  })
})

describe("the company's least assurance", () => {
  it("sends a clear match to a person with both photos, whose approval keeps what was reached", async () => {
    const journeyId = await begun()
    await askSettings(service, `/companies/${company.id}`, { method: "PATCH", body: { assurance: "DOCUMENT" } })
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "UNDER_REVIEW" })
    await askSettings(service, `/companies/${company.id}`, { method: "PATCH", body: { assurance: "FACE_MATCH" } })
    const { data } = await askSettings(service, `/companies/${company.id}/reviews`)
    const review = data.content.find((one: { journeyId: string }) => one.journeyId === journeyId)
    expect(review).toMatchObject({ kind: "IDENTITY", reasons: ["ASSURANCE_TOO_LOW"], attempts: 1 })
    const path = `/companies/${company.id}/reviews/${review.id}`
    const names = (await askSettings(service, path)).data.pictures.map(({ name }: { name: string }) => name)
    expect(names.toSorted()).toEqual(["document", "selfie"])
    const body = { decision: "APPROVE", reason: "The document is the customer's" }
    const decided = await askSettings(service, `${path}/decision`, { body })
    expect(decided.data.identity).toMatchObject({ status: "VERIFIED", assurance: "FACE_MATCH" })
  })
})
