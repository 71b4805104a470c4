import { Layer } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { portraitPlace } from "../../../../src/actors/checks/identity/ProviderResults.ts"
import { selfiePlace } from "../../../../src/actors/checks/identity/IdentityChecks.ts"
import { VideoReader } from "../../../../src/runtime/video/VideoReader.ts"
import { startVideos, type JourneyFacts } from "../../../support/videoGround.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { AttemptId } from "../../../../src/schema/ids.ts"

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(Layer.mock(VideoReader, {}))
})
afterAll(() => ground.stop())

type Journey = Awaited<ReturnType<(typeof ground)["journey"]>>

const verified: Partial<JourneyFacts> = { identity: { status: "VERIFIED", check: 2 } }

interface Attempt {
  readonly check?: number
  /** The version of the journey that heard of it; none: the journey never did. */
  readonly heard?: number
  /** After the others by the clock. */
  readonly minute?: number
  readonly verdict?: "SAME" | "UNCLEAR"
  readonly says?: string
}

const keepSelfie = async (
  journey: Journey,
  selfie: string,
  { check = 2, heard, minute = 0, says = "IdentityVerified", verdict = "SAME" }: Attempt = {}
) => {
  const id = AttemptId.make(randomUUID())
  await journey.keepSealed(
    `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_selfie)
      values ($4, $1, $2, $5, $6, $7, decode($3, 'base64'))`,
    journey.key.sealBytes(selfiePlace(id), Buffer.from(selfie)),
    [id, check, new Date(Date.UTC(2026, 0, 1, 12, minute)), verdict]
  )
  if (heard !== undefined) await hears(journey, heard, "identity", says, id)
}

/** A line of the journal. */
const hears = (journey: Journey, version: number, sender: string, says: string, messageId: string = randomUUID()) =>
  ground.query(
    "insert into journal (journey_id, version, message_id, sender, message, at) values ($1, $2, $3, $4, $5, now())",
    [journey.id, version, messageId, sender, JSON.stringify({ _tag: says })]
  )

const referenceOf = async ({ id }: Journey) => {
  const found = await ground.run(ground.references.of(JourneyId.make(id)))
  if (found._tag === "Failure") throw new Error(found.failure._tag)
  return found.success && Buffer.from(found.success.photo).toString()
}

it("is the photo the caller sent, whatever else there is", async () => {
  const journey = await ground.journey(verified)
  await journey.keepPhoto(Buffer.from("the caller's"))
  await keepSelfie(journey, "the customer's", { heard: 2 })
  expect(await referenceOf(journey)).toBe("the caller's")
})

it("is else the selfie of the attempt that verified the customer, whatever was tried before, beside and after", async () => {
  const journey = await ground.journey(verified)
  await keepSelfie(journey, "of another check", { check: 1, heard: 2, minute: 5 })
  await keepSelfie(journey, "rejected", { verdict: "UNCLEAR", heard: 3, says: "IdentityUnderReview", minute: 4 })
  await hears(journey, 4, "operator", "IdentityFailed")
  await keepSelfie(journey, "verified", { heard: 5, minute: 1 })
  await keepSelfie(journey, "of an attempt that the journey never heard of", { minute: 6 })
  expect(await referenceOf(journey)).toBe("verified")
})

it("is a selfie a reviewer approved, too, and not a clear one that the journey never heard of", async () => {
  const journey = await ground.journey(verified)
  await keepSelfie(journey, "approved", { verdict: "UNCLEAR", heard: 2, says: "IdentityUnderReview" })
  await keepSelfie(journey, "unheard", { minute: 1 })
  await hears(journey, 3, "operator", "IdentityVerified")
  expect(await referenceOf(journey)).toBe("approved")
})

it("is none before the customer is verified", async () => {
  const journey = await ground.journey({ identity: { status: "UNDER_REVIEW", check: 2 } })
  await keepSelfie(journey, "unclear", { verdict: "UNCLEAR", heard: 2, says: "IdentityUnderReview" })
  expect(await referenceOf(journey)).toBeNull()
})

/** What an outside provider sent with its result, which the journey heard at a version or never. */
const keepPortrait = async (
  journey: Journey,
  portrait: string,
  { check = 2, heard, says = "IdentityVerified" }: Attempt
) => {
  const id = AttemptId.make(randomUUID())
  await journey.keepSealed(
    `insert into provider_results (id, journey_id, customer_id, check_number, sealed_portrait, at)
      values ($4, $1, $2, $5, decode($3, 'base64'), now())`,
    journey.key.sealBytes(portraitPlace(id), Buffer.from(portrait)),
    [id, check]
  )
  if (heard !== undefined) await hears(journey, heard, "identity", says, id)
}

it("is the portrait of the result by which an outside provider verified the customer, and of no other result", async () => {
  const journey = await ground.journey(verified)
  await keepPortrait(journey, "of an earlier check", { check: 1, heard: 2 })
  await keepPortrait(journey, "of a review that was overtaken", { heard: 3, says: "IdentityUnderReview" })
  await keepPortrait(journey, "verified", { heard: 4 })
  await keepPortrait(journey, "never heard of", {})
  expect(await referenceOf(journey)).toBe("verified")
  const approved = await ground.journey(verified)
  await keepPortrait(approved, "approved by a person", { heard: 2, says: "IdentityUnderReview" })
  await hears(approved, 3, "operator", "IdentityVerified")
  expect(await referenceOf(approved)).toBe("approved by a person")
  const waiting = await ground.journey({ identity: { status: "UNDER_REVIEW", check: 2 } })
  await keepPortrait(waiting, "of nobody yet", { heard: 2, says: "IdentityUnderReview" })
  expect(await referenceOf(waiting)).toBeNull()
})

it("is the portrait of the provider's review when the result that verified the customer came later and without one", async () => {
  const journey = await ground.journey(verified)
  await keepPortrait(journey, "of a first review", { heard: 2, says: "IdentityUnderReview" })
  await hears(journey, 3, "identity", "IdentityFailed")
  await keepPortrait(journey, "of the review", { heard: 4, says: "IdentityUnderReview" })
  await hears(journey, 5, "identity", "IdentityVerified")
  expect(await referenceOf(journey)).toBe("of the review")
})

it("is no portrait of a try that failed, or was rejected, before the try that verified the customer without one", async () => {
  for (const sender of ["identity", "operator"]) {
    const journey = await ground.journey(verified)
    await keepPortrait(journey, "of another person", { heard: 2, says: "IdentityUnderReview" })
    await hears(journey, 3, sender, "IdentityFailed")
    await hears(journey, 4, "identity", "IdentityVerified")
    expect(await referenceOf(journey)).toBeNull()
  }
})

it("is none when an outside provider verified the customer without a portrait, or the customer was erased", async () => {
  const [elsewhere, erased] = [await ground.journey(verified), await ground.journey()]
  await keepSelfie(elsewhere, "of a check made here before", {
    heard: 2,
    says: "IdentityUnderReview",
    verdict: "UNCLEAR"
  })
  await hears(elsewhere, 3, "identity", "IdentityVerified")
  expect(await referenceOf(elsewhere)).toBeNull()
  await erased.keepPhoto(Buffer.from("the caller's"))
  await erased.erased()
  expect(await referenceOf(erased)).toBeNull()
})
