/**
 * Photos that are refused before anyone looks at them: for their first bytes, for what their header says, and for a
 * consent that was not given (decision V15). Looking begins with a process; these start none.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { childProcesses } from "../../../support/childProcesses.ts"
import { changed } from "../../../schema/start/judge.ts"
import { startBody } from "../../../support/companies.ts"
import { jsonPart, photoPart, sendForm } from "../../../support/multipart.ts"
import { freshKey } from "../../../support/requests.ts"
import { facePhoto, facePhotoOf, hugePng, trailing, withSize } from "../../../support/photos.ts"
import { startLookingService } from "../../../support/service.ts"
import { journeys, prepareGround, refuses, still, type Ground } from "./oracle.ts"

const processes = () => childProcesses("photoProcess.ts")

/** A service that has seen no photo, on the database of one that has. */
let ground: Ground
let journeyId: string
beforeAll(async () => {
  const before = await prepareGround()
  ground = before
  journeyId = (await starting(facePhoto(), consented, madeBefore)).data.id
  await before.service.stop()
  ground = { ...before, service: await startLookingService({ ...still, DATABASE_URL: before.service.databaseUrl }) }
})
afterAll(async () => {
  await ground.service.stop()
})

const consented = startBody("FINANCE_SALE").customerFace

/** The Idempotency-Key of the start that was made. */
const madeBefore = "a-start-with-a-photo"

const starting = (photo: Uint8Array, customerFace: unknown = consented, idempotencyKey = freshKey()) =>
  sendForm(ground.service, ground.dealer.testKey, {
    parts: [jsonPart(changed(startBody("FINANCE_SALE"), { customerFace })), photoPart(photo)],
    idempotencyKey
  })

const replacing = (photo: Uint8Array, details: unknown = consented) =>
  sendForm(ground.service, ground.dealer.testKey, {
    method: "PUT",
    path: `${journeys}/${journeyId}/customer-face`,
    parts: [jsonPart(details, "details"), photoPart(photo)]
  })

describe.each([
  ["a start", starting],
  ["a replacement", replacing]
] as const)("%s", (_, send) => {
  it.each<[string, Uint8Array, string]>([
    ["is no JPEG or PNG (BAD-IMG1)", trailing.html, "400 UNSUPPORTED_IMAGE_TYPE"],
    ["is a PNG of 600 MB once decoded (BAD-IMG3)", hugePng(), "400 VALIDATION_FAILED"],
    [
      "says that it is larger than any photo (BAD-IMG3)",
      withSize(facePhoto(), 65_535, 65_535),
      "400 VALIDATION_FAILED"
    ],
    ["is arithmetic-coded (BAD-IMG7)", facePhotoOf("arithmetic"), "400 VALIDATION_FAILED"],
    ["has more than 5 MiB", Buffer.concat([facePhoto()], 5 * 1024 * 1024 + 1), "400 VALIDATION_FAILED"]
  ])("is refused without a look when its photo %s", async (_, photo, expected) => {
    await refuses(ground, () => send(photo), expected, "customerFace")
    expect(processes()).toEqual([])
  })

  it("is refused without a look when the customer has not consented, be the photo good or bad", async () => {
    const withoutConsent = changed(consented, { "biometricConsent.given": false })
    for (const photo of [facePhoto(), facePhoto().subarray(0, -1)]) {
      await refuses(ground, () => send(photo, withoutConsent), "422 BIOMETRIC_CONSENT_REQUIRED")
    }
    expect(processes()).toEqual([])
  })
})

it("a start that is repeated is answered without a look", async () => {
  const again = await starting(facePhoto(), consented, madeBefore)
  expect([again.status, again.data.id, processes()]).toEqual([200, journeyId, []])
})

// Last, for it shows that a look would have been noticed.
it("a photo that is looked at starts a process", async () => {
  expect((await replacing(facePhoto())).status).toBe(200)
  expect(processes()).toHaveLength(1)
})
