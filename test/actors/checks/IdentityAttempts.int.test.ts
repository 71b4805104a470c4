/** The built-in identity check at the real service, from two photos to what the journey and the tables say (D3, D6). */
import { attemptIn, documentPhoto, selfie } from "./attemptsGround.ts"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { IdentityAttempts, layer as attemptsLayer } from "../../../src/actors/checks/identity/IdentityAttempts.ts"
import { checkLimits } from "../../../src/actors/checks/limits.ts"
import { documentPlace, selfiePlace } from "../../../src/actors/checks/identity/IdentityChecks.ts"
import * as AesVault from "../../../src/runtime/keys/AesVault.ts"
import * as PhotoFaceCheck from "../../../src/runtime/faces/looks/PhotoFaceCheck.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../../support/companies.ts"
import { masterKey } from "../../support/endpoints.ts"
import { eventually } from "../../support/eventually.ts"
import {
  documentPhoto as cardPhoto,
  facePhoto,
  facePhotoOf,
  truncated,
  withEveryMetadata
} from "../../support/photos.ts"
import { eventTypes, read, startLive } from "../../support/providerRequests.ts"
import { agreeTo } from "../../support/consents.ts"
import { startService, type Service } from "../../support/service.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { AttemptId } from "../../../src/schema/ids.ts"

type AttemptGiven = Parameters<typeof attemptIn> extends [unknown, unknown, ...infer Given] ? Given : never

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 1000, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => service.stop())

const attempt = (journeyId: string, ...given: AttemptGiven) => attemptIn(service, journeyId, ...given)
const way = (journeyId: string) =>
  service.run(Effect.flatMap(IdentityAttempts, (attempts) => attempts.way(JourneyId.make(journeyId))))

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

const keyOf = async (journeyId: string) => {
  const [row] = await service.query<{ readonly wrapped_key: Uint8Array }>(
    "select c.wrapped_key from journeys j join customers c on c.id = j.customer_id where j.id = $1",
    [journeyId]
  )
  return Effect.runPromise(AesVault.make(masterKey).keyOf(row?.wrapped_key ?? new Uint8Array()))
}

describe("an attempt", () => {
  it("that shows one face twice verifies the customer and keeps the selfie alone, under the customer's key", async () => {
    const journeyId = await begun()
    expect(await way(journeyId)).toEqual({ _tag: "BUILT_IN", triesLeft: checkLimits.mostAttempts, kept: [] })
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "VERIFIED" })
    expect((await read(service, company, journeyId)).identity.status).toBe("VERIFIED")
    const [one, ...others] = await kept(journeyId)
    expect(others).toEqual([])
    expect(one).toMatchObject({ verdict: "SAME", sealed_document: null })
    const key = await keyOf(journeyId)
    expect(
      await Effect.runPromise(
        key.open(selfiePlace(AttemptId.make(one?.id ?? "")), one?.sealed_selfie ?? new Uint8Array())
      )
    ).toBe(String(selfie))
    expect(await way(journeyId)).toEqual({ _tag: "NOT_READY" })
  })

  it("that is unclear goes to a person, with both photos for them to see", async () => {
    const journeyId = await begun()
    expect(await attempt(journeyId, "UNCLEAR")).toEqual({ _tag: "UNDER_REVIEW" })
    expect((await read(service, company, journeyId)).identity.status).toBe("UNDER_REVIEW")
    const [one] = await kept(journeyId)
    const key = await keyOf(journeyId)
    const opened = (place: string, sealed: Uint8Array | null | undefined) =>
      Effect.runPromise(key.open(place, sealed ?? new Uint8Array()))
    expect(await opened(documentPlace(AttemptId.make(one?.id ?? "")), one?.sealed_document)).toBe(String(documentPhoto))
    expect(await opened(selfiePlace(AttemptId.make(one?.id ?? "")), one?.sealed_selfie)).toBe(String(selfie))
    // The customer has nothing more to do meanwhile.
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "NOT_ASKED" })
  })

  it.each([
    ["two faces", "DIFFERENT", "DIFFERENT", "FACES_DIFFERENT"],
    ["one picture twice", "ONE_PICTURE", "SAME_PICTURE", "SAME_PICTURE"]
  ] as const)(
    "that shows %s fails with its reason, keeps no photo, counts as a try, and may be made again",
    async (_name, seen, verdict, reason) => {
      const journeyId = await begun()
      expect(await attempt(journeyId, seen)).toEqual({ _tag: "FAILED", reason })
      expect((await read(service, company, journeyId)).identity).toMatchObject({ status: "FAILED", attempts: 1 })
      expect(
        await service.query("select state -> 'identity' -> 'reasons' as reasons from journeys where id = $1", [
          journeyId
        ])
      ).toEqual([{ reasons: [reason] }])
      expect(await kept(journeyId)).toEqual([
        { id: expect.any(String), verdict, sealed_document: null, sealed_selfie: null }
      ])
      expect(await way(journeyId)).toEqual({ _tag: "BUILT_IN", triesLeft: checkLimits.mostAttempts - 1, kept: [] })
      expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "VERIFIED" })
      expect((await eventTypes(service, journeyId)).filter((type) => type.startsWith("identity."))).toEqual([
        "identity.requested",
        "identity.failed",
        "identity.verified"
      ])
    }
  )

  it("with photos of no use is free: the journey hears nothing, no event and no mail, and it says what is wrong with each", async () => {
    const journeyId = await begun()
    const before = await service.query("select id from mails where journey_id = $1", [journeyId])
    expect(await attempt(journeyId, "UNREADABLE")).toEqual({
      _tag: "UNUSABLE",
      faults: { documentPhoto: "UNREADABLE", selfie: "UNREADABLE" }
    })
    expect(await attempt(journeyId, "NO_FACE")).toMatchObject({
      faults: { documentPhoto: "NO_FACE", selfie: "NO_FACE" }
    })
    expect(await eventTypes(service, journeyId)).not.toContain("identity.failed")
    expect(await service.query("select id from mails where journey_id = $1", [journeyId])).toEqual(before)
    expect(await way(journeyId)).toEqual({ _tag: "BUILT_IN", triesLeft: checkLimits.mostAttempts, kept: [] })
    expect(await attempt(journeyId, "AWAY")).toEqual({ _tag: "UNAVAILABLE" })
    expect((await read(service, company, journeyId)).identity).toMatchObject({ status: "REQUESTED", attempts: 0 })
    expect((await kept(journeyId)).map(({ verdict }) => verdict)).toEqual(["NOT_JUDGED", "NOT_JUDGED", "NOT_JUDGED"])
  })

  it("may be made five times a day, also at once, and again the day after", async () => {
    const journeyId = await begun()
    const outcomes = await Promise.all(Array.from({ length: 9 }, () => attempt(journeyId, "DIFFERENT")))
    expect(outcomes.filter(({ _tag }) => _tag === "TOO_MANY")).toHaveLength(9 - checkLimits.mostAttempts)
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "TOO_MANY" })
    await service.query("update identity_attempts set at = at - interval '24 hours' where journey_id = $1", [journeyId])
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "VERIFIED" })
  })

  it("that comes second keeps no photo: the face of whoever was verified is the only one", async () => {
    const journeyId = await begun()
    const second = Promise.withResolvers<void>()
    const first = Promise.withResolvers<void>()
    // The second begins while the first is looked at, and is through with its photos after it.
    const late = attempt(journeyId, "UNCLEAR", second.resolve, first.promise)
    await second.promise
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "VERIFIED" })
    first.resolve()
    expect(await late).toEqual({ _tag: "NOT_ASKED" })
    expect(
      (await kept(journeyId)).map((one) => [one.verdict, one.sealed_document, one.sealed_selfie !== null])
    ).toEqual([
      ["UNCLEAR", null, false],
      ["SAME", null, true]
    ])
  })

  it("with photos of no use is not made without end either", async () => {
    const journeyId = await begun()
    for (let looks = 0; looks < 20; looks++) expect((await attempt(journeyId, "UNREADABLE"))._tag).toBe("UNUSABLE")
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "TOO_MANY" })
  })
})

describe("nobody is asked for an attempt", () => {
  it("on a journey that is unknown or has ended", async () => {
    const ended = await begun()
    await ask(service, company.liveKey, `/api/v1/journeys/${ended}/cancel`, { body: { reason: "No longer wanted" } })
    for (const journeyId of [randomUUID(), ended]) {
      expect(await way(journeyId)).toEqual({ _tag: "NOT_READY" })
      expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "NOT_ASKED" })
      expect(await kept(journeyId)).toEqual([])
    }
  })

  it("once the customer was erased, or the company is provided for otherwise", async () => {
    const erased = await begun()
    await service.query(
      "update customers set wrapped_key = null where id = (select customer_id from journeys where id = $1)",
      [erased]
    )
    expect(await attempt(erased, "SAME")).toEqual({ _tag: "NOT_ASKED" })
    const other = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
    const journeyId = await startLive(service, other, "CASH_SALE")
    await service.query("update companies set identity_provider = null where id = $1", [other.id])
    expect(await way(journeyId)).toEqual({ _tag: "NOT_READY" })
    expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "NOT_ASKED" })
  })
})

it("finishes here what was asked here, although the company has an outside provider by now", async () => {
  const other = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
  const journeyId = await startLive(service, other, "CASH_SALE")
  await agreeTo(service, journeyId, "identity")
  await eventually(
    () =>
      service.query<{ readonly owed: number }>(
        "select json_array_length(state -> 'owed') as owed from journeys where id = $1",
        [journeyId]
      ),
    ([row]) => row?.owed === 0
  )
  await askSettings(service, `/companies/${other.id}`, {
    method: "PATCH",
    body: { identityProvider: { kind: "HTTP", url: "https://identity.example", secret: "0123456789abcdef" } }
  })
  expect((await way(journeyId))._tag).toBe("BUILT_IN")
  expect(await attempt(journeyId, "SAME")).toEqual({ _tag: "VERIFIED" })
})

it("verifies one person by real photos, says which of two is of no use, refuses one picture twice, and keeps the selfie clean", async () => {
  const journeyId = await begun()
  const photo = withEveryMetadata(facePhoto(), "metadata-canary")
  const document = cardPhoto()
  // Time is no matter here, and the machine may be busy.
  const patient = PhotoFaceCheck.layerOf({ processes: 1, lookWithin: "40 seconds", answerWithin: "50 seconds" })
  const outcomes = await service.run(
    Effect.gen(function* () {
      const attempts = yield* IdentityAttempts
      return [
        yield* attempts.attempt(JourneyId.make(journeyId), { documentPhoto: truncated(document, 50), selfie: photo }),
        yield* attempts.attempt(JourneyId.make(journeyId), { documentPhoto: document, selfie: Buffer.from("GIF89a") }),
        yield* attempts.attempt(JourneyId.make(journeyId), { documentPhoto: facePhotoOf("grey"), selfie: photo }),
        yield* attempts.attempt(JourneyId.make(journeyId), { documentPhoto: document, selfie: photo })
      ]
    }).pipe(Effect.provide(Layer.fresh(attemptsLayer).pipe(Layer.provide(patient))))
  )
  expect(outcomes).toEqual([
    { _tag: "UNUSABLE", faults: { documentPhoto: "UNREADABLE" } },
    { _tag: "UNUSABLE", faults: { selfie: "UNREADABLE" } },
    { _tag: "FAILED", reason: "SAME_PICTURE" },
    { _tag: "VERIFIED" }
  ])
  const verified = (await kept(journeyId)).find(({ verdict }) => verdict === "SAME")
  const sealed = Buffer.from(verified?.sealed_selfie ?? [])
  expect(sealed.includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false)
  const key = await keyOf(journeyId)
  const selfieText = await Effect.runPromise(key.open(selfiePlace(AttemptId.make(verified?.id ?? "")), sealed))
  expect(selfieText.length).toBeGreaterThan(1000)
  expect(selfieText).not.toContain("metadata-canary")
})
