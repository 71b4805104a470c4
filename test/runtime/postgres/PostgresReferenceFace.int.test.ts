import { Layer } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { selfiePlace } from "../../../src/actors/journey/IdentityChecks.ts"
import { VideoReader } from "../../../src/runtime/video/VideoReader.ts"
import { startVideos, type JourneyFacts } from "../../support/videoGround.ts"

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(Layer.mock(VideoReader, {}))
})
afterAll(() => ground.stop())

type Journey = Awaited<ReturnType<(typeof ground)["journey"]>>

const verified: Partial<JourneyFacts> = { identity: { status: "VERIFIED", check: 2 } }

const keepSelfie = (journey: Journey, selfie: string, { check = 2, minute = 0, verdict = "SAME" } = {}) => {
  const id = randomUUID()
  return journey.keepSealed(
    `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_selfie)
      values ($4, $1, $2, $5, $6, $7, decode($3, 'base64'))`,
    journey.key.sealBytes(selfiePlace(id), Buffer.from(selfie)),
    [id, check, new Date(Date.UTC(2026, 0, 1, 12, minute)), verdict]
  )
}

const referenceOf = async ({ id }: Journey) => {
  const found = await ground.run(ground.references.of(id))
  if (found._tag === "Failure") throw new Error(found.failure._tag)
  return found.success && Buffer.from(found.success).toString()
}

it("is the photo the caller sent, whatever else there is", async () => {
  const journey = await ground.journey(verified)
  await journey.keepPhoto(Buffer.from("the caller's"))
  await keepSelfie(journey, "the customer's")
  expect(await referenceOf(journey)).toBe("the caller's")
})

it("is else the last selfie of the check that verified the customer", async () => {
  const journey = await ground.journey(verified)
  await keepSelfie(journey, "of another check", { check: 1, minute: 3 })
  await keepSelfie(journey, "rejected", { verdict: "UNCLEAR", minute: 1 })
  await keepSelfie(journey, "verified", { minute: 2 })
  expect(await referenceOf(journey)).toBe("verified")
})

it("is a selfie a reviewer approved, too", async () => {
  const journey = await ground.journey(verified)
  await keepSelfie(journey, "approved", { verdict: "UNCLEAR" })
  expect(await referenceOf(journey)).toBe("approved")
})

it("is none before the customer is verified", async () => {
  const journey = await ground.journey({ identity: { status: "UNDER_REVIEW", check: 2 } })
  await keepSelfie(journey, "unclear", { verdict: "UNCLEAR" })
  expect(await referenceOf(journey)).toBeNull()
})

it("is none when an outside provider verified the customer, or the customer was erased", async () => {
  const [elsewhere, erased] = [await ground.journey(verified), await ground.journey()]
  expect(await referenceOf(elsewhere)).toBeNull()
  await erased.keepPhoto(Buffer.from("the caller's"))
  await erased.erased()
  expect(await referenceOf(erased)).toBeNull()
})
