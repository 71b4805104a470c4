/**
 * Live journeys whose identity check an outside provider makes (decision D6), with customers in a browser, real mail and
 * real looks at faces: with a portrait that the handover video matches nobody of the team has to do anything; a name that
 * differs goes to the team with what the provider said. Without Chromium the suite is skipped by name; in CI that is a
 * failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromium } from "../http/documents/browser.ts"
import { ask, askSettings, start, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { facePhoto } from "../support/photos.ts"
import type { Service } from "../support/service.ts"
import { emailOf, LiveCustomer } from "./liveCustomer.ts"
import { prepareGround, type Ground } from "./liveGround.ts"
import { patienceMillis } from "./mailedLink.ts"

const isCi = process.env["CI"] === "true"

let ground: Ground | undefined
let service: Service
let provider: Ground["provider"]
let outside: TestCompany

const prepare = async () => {
  if (chromium === undefined) throw new Error("CI needs Chromium for live journeys")
  ground = await prepareGround(chromium)
  ;({ outside, provider, service } = ground)
}

const meet = (name: string): Promise<LiveCustomer> => {
  if (ground === undefined) throw new Error("nobody to meet yet")
  return LiveCustomer.meet(ground, name)
}

/** A journey whose provider has given its page, and the check that the provider knows it by. */
const begin = async (name: string) => {
  const body = startBody("IDENTITY_DELIVERY")
  body.customer.email = emailOf(name)
  body.delivery.type = "IN_STORE"
  const { data, status } = await start(service, outside.liveKey, body)
  expect(status).toBe(202)
  expect([data.identity.status, data.nextAction]).toEqual([null, null])
  await reaches(data.id, "CUSTOMER_TO_VERIFY_IDENTITY")
  const check = [...provider.taken.values()].find(({ journeyId }) => journeyId === data.id)
  const { firstName, lastName } = body.customer
  expect(check?.customer).toEqual({ firstName, lastName, dateOfBirth: null })
  return { id: String(data.id), checkId: check?.checkId ?? "" }
}

const stateOf = async (id: string) => (await ask(service, outside.liveKey, `/api/v1/journeys/${id}`)).data

const reaches = (id: string, nextAction: string) =>
  eventually(
    () => stateOf(id),
    (journey) => journey.nextAction === nextAction,
    patienceMillis
  )

const completed = async (id: string) => {
  const { status } = await eventually(
    () => stateOf(id),
    (journey) => journey.status !== "ACTIVE",
    patienceMillis
  )
  expect(status).toBe("COMPLETED")
}

/** Who brought the journey where it is. */
const sendersOf = async (id: string) =>
  (
    await service.query<{ readonly sender: string }>("select distinct sender from journal where journey_id = $1", [id])
  ).map(({ sender }) => sender)

const portrait = facePhoto().toString("base64")

describe.skipIf(chromium === undefined && !isCi)(
  "live journeys that an outside provider checks, with customers in Chromium",
  { timeout: 600_000 },
  () => {
    beforeAll(prepare, 180_000)
    afterAll(() => ground?.stop())

    it("complete without a person when the provider's portrait and the handover video match", async () => {
      const { checkId, id } = await begin("portrait")
      const customer = await meet("portrait")
      await customer.opens("identity")
      await customer.goesToPartner("Start")
      const answer = await provider.report(service, checkId, "VERIFIED", "result-1", { beside: { portrait } })
      expect(answer.status).toBe(200)
      await reaches(id, "CUSTOMER_TO_RECORD_VIDEO")
      await customer.opens("video")
      await customer.sendsVideo("FILE")
      await completed(id)
      await customer.leaves()
      expect(await sendersOf(id)).not.toContain("operator")
      const { content } = (await askSettings(service, `/companies/${outside.id}/reviews`)).data
      expect(content).toEqual([])
    })

    it("go to the team with the provider's reasons when the name differs, and complete once the team approves", async () => {
      const { checkId, id } = await begin("names")
      const beside = { reasons: ["NAME_DIFFERS"], reviewUrl: "https://provider.example/checks/1", portrait }
      expect((await provider.report(service, checkId, "UNDER_REVIEW", "result-1", { beside })).status).toBe(200)
      await reaches(id, "IDENTITY_UNDER_REVIEW")
      const { content } = (await askSettings(service, `/companies/${outside.id}/reviews`)).data
      const [{ id: reviewId }] = content
      const review = `/companies/${outside.id}/reviews/${reviewId}`
      expect((await askSettings(service, review)).data).toMatchObject({
        kind: "IDENTITY",
        journeyId: id,
        reasons: ["NAME_DIFFERS"],
        reviewUrl: "https://provider.example/checks/1",
        pictures: [{ name: "portrait" }]
      })
      const body = { decision: "APPROVE", reason: "The document bears the maiden name" }
      expect((await askSettings(service, `${review}/decision`, { body })).status).toBe(200)
      const customer = await meet("names")
      await customer.opens("video")
      await customer.sendsVideo("FILE")
      await completed(id)
      await customer.leaves()
    })
  }
)
