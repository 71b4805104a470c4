/**
 * Somebody who has one JPEG of a customer and nothing else: the whole of a live journey, with real faces, a real reader of
 * documents and a real reader of videos. However the JPEG is used, the journey completes by no machine alone.
 */
import { Jimp } from "jimp"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { CustomerBrowser, newLink, tokenIn } from "../http/app/CustomerBrowser.ts"
import { makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { cardOfFacePhoto, documentPhoto, facePhoto } from "../support/photos.ts"
import { eventTypes, read } from "../support/providerRequests.ts"
import { startLookingService, type Service } from "../support/service.ts"
import { makeVideos } from "../support/videos.ts"

let service: Service
let company: TestCompany
let looped: Buffer
beforeAll(async () => {
  service = await startLookingService()
  company = await makeCompany(service, { credits: 1000, settings: { identityProvider: { kind: "BUILT_IN" } } })
  looped = (await makeVideos("looped")).looped
})
afterAll(() => service.stop())

const begun = async () => {
  const body = startBody("IDENTITY_DELIVERY")
  body.customer.email = `${randomUUID()}@customer.example`
  body.delivery.type = "IN_STORE"
  const journeyId = String((await start(service, company.liveKey, body)).data.id)
  const customer = new CustomerBrowser(service)
  await customer.signIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
  await customer.agree("identity")
  return { journeyId, customer }
}

/** Waits until the journey is so, and gives it: on a busy machine a video takes many seconds to be looked at. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any journey
const becomes = (journeyId: string, isSo: (journey: any) => boolean) =>
  eventually(() => read(service, company, journeyId), isSo, 120_000)

const send = async (customer: CustomerBrowser, path: string, files: Readonly<Record<string, Uint8Array>>) => {
  const form = new FormData()
  form.append("token", tokenIn(await customer.ask(path)))
  for (const [name, bytes] of Object.entries(files)) form.append(name, new Blob([new Uint8Array(bytes)]), name)
  await customer.send(path, form)
}

/** The JPEG turned, faded, smaller and before a wall. */
const disguised = async (): Promise<Uint8Array> => {
  const photo = await Jimp.read(facePhoto())
  photo.background = 0x9a9088ff
  photo.rotate(14).color([{ apply: "desaturate", params: [60] }])
  const wall = new Jimp({ width: 1000, height: 1000, color: 0x9a9088ff })
  wall.composite(photo, 250, 250)
  return wall.getBuffer("image/jpeg", { quality: 75 })
}

it(
  "verifies nobody as document and selfie, as it is, disguised or on a card that was made around it",
  { timeout: 240_000 },
  async () => {
    const { customer, journeyId } = await begun()
    for (const document of [facePhoto(), await disguised(), cardOfFacePhoto()]) {
      await send(customer, "/app/identity", { documentPhoto: document, selfie: facePhoto() })
      expect((await read(service, company, journeyId)).identity).toMatchObject({ status: "FAILED", assurance: "NONE" })
    }
    expect(await eventTypes(service, journeyId)).not.toContain("identity.verified")
  }
)

it(
  "completes nothing as a looped video, even beside a card with another photo of the customer",
  { timeout: 240_000 },
  async () => {
    const { customer, journeyId } = await begun()
    await send(customer, "/app/identity", { documentPhoto: documentPhoto(), selfie: facePhoto() })
    const verified = await becomes(journeyId, (journey) => Boolean(journey?.delivery))
    expect(verified.identity).toMatchObject({ status: "VERIFIED", assurance: "FACE_MATCH" })
    await customer.agree("video")
    await send(customer, "/app/video", { video: looped })
    // A read that finds the service too busy has no journey.
    const seen = await becomes(journeyId, (journey) =>
      ["UNDER_REVIEW", "COMPLETED"].includes(journey?.delivery?.status)
    )
    expect([seen.status, seen.nextAction]).toEqual(["ACTIVE", "DEALER_TO_REVIEW"])
  }
)
