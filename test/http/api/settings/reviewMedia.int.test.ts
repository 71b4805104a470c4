import { Effect } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { fillFromState } from "../../../../src/runtime/postgres/migrations/0013_waiting.ts"
import { documentPlace, selfiePlace } from "../../../../src/actors/checks/identity/IdentityChecks.ts"
import type { DataKey } from "../../../../src/actors/kernel/Vault.ts"
import { make as makeVault } from "../../../../src/runtime/keys/AesVault.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { startWithPhoto } from "../../../support/multipart.ts"
import { operatorToken, startService, type Service } from "../../../support/service.ts"
import { codesOf, decide, reviewOf } from "./reviewGround.ts"
import { AttemptId } from "../../../../src/schema/ids.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => service.stop())

/** A live journey in the state a check would have left it in, and of a version that no actor has in memory. */
const intoReview = async (id: string, member: "identity" | "handover", change: object, event: string) => {
  await eventually(
    () => service.query("select 1 from journeys where id = $1 and state -> 'owed' ->> 0 is null", [id]),
    (rows) => rows.length === 1
  )
  await service.query(
    `update journeys set version = version + 1, waiting_on = 'DEALER_TO_REVIEW',
       state = jsonb_set(state::jsonb, array[$2::text], coalesce(nullif(state::jsonb -> $2::text, 'null'), '{}') || $3::text::jsonb)::json
     where id = $1`,
    [id, member, JSON.stringify(change)]
  )
  await service.query(fillFromState)
  await service.query(
    `insert into events (journey_id, sequence, id, company_id, livemode, type, body, created_at)
     select id, 99, gen_random_uuid(), company_id, livemode, $2, '{"data":{}}', now() from journeys where id = $1`,
    [id, event]
  )
  const { content } = (await askSettings(service, `/companies/${company.id}/reviews?size=100`)).data
  return content.find((one: { readonly journeyId: string }) => one.journeyId === id).id as string
}

const look = (review: string, rest: string) =>
  fetch(`${service.baseUrl}/settings/v1/companies/${company.id}/reviews/${review}/${rest}`, {
    headers: { authorization: `Bearer ${operatorToken}` }
  })

const whole = async (review: string) => (await askSettings(service, `/companies/${company.id}/reviews/${review}`)).data

const looks = async () =>
  (await askSettings(service, `/companies/${company.id}/audit?size=100`)).data.content.filter(
    (one: { readonly action: string }) => one.action.startsWith("review.") && one.action.endsWith("_opened")
  )

const keyOf = async (journeyId: string) => {
  const [row] = await service.query<{ readonly id: string; readonly wrapped_key: Uint8Array }>(
    "select c.id, c.wrapped_key from journeys j join customers c on c.id = j.customer_id where j.id = $1",
    [journeyId]
  )
  if (row === undefined) throw new Error("no customer")
  const vault = makeVault(Buffer.alloc(32, 7))
  return { customerId: row.id, key: await Effect.runPromise(vault.keyOf(row.wrapped_key)) }
}

const bytes = (name: string) => Buffer.from(`a picture of the ${name}`)
const sha256 = (content: Uint8Array) => createHash("sha256").update(content).digest("hex")

/** Keeps an attempt as a check would, which the journey hears of as its next message or never. */
const attemptOf =
  (journeyId: string, customerId: string, key: DataKey) =>
  async (verdict: "SAME" | "UNCLEAR", name: string, heardAs: string | null) => {
    const attempt = AttemptId.make(randomUUID())
    const sealed = (place: string, what: string) =>
      Buffer.from(key.sealBytes(place, bytes(`${name} ${what}`))).toString("hex")
    await service.query(
      `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_document, sealed_selfie)
       values ($1, $2, $3, 0, clock_timestamp(), $4, decode($5, 'hex'), decode($6, 'hex'))`,
      [
        attempt,
        journeyId,
        customerId,
        verdict,
        verdict === "UNCLEAR" ? sealed(documentPlace(attempt), "document") : null,
        sealed(selfiePlace(attempt), "selfie")
      ]
    )
    if (heardAs === null) return
    await service.query(
      `with heard as (update journeys set version = version + 1 where id = $1 returning id, version)
       insert into journal (journey_id, version, message_id, sender, message, at)
       select id, version, $2, 'identity', json_build_object('_tag', $3::text), now() from heard`,
      [journeyId, attempt, heardAs]
    )
  }

it("shows the document and the selfie of the check that is under review, and says who looked", async () => {
  const { data } = await start(service, company.liveKey, startBody("IDENTITY_DELIVERY"))
  const { customerId, key } = await keyOf(data.id)
  const attempted = attemptOf(data.id, customerId, key)
  await attempted("UNCLEAR", "rejected", "IdentityUnderReview")
  await attempted("UNCLEAR", "shown", "IdentityUnderReview")
  await attempted("UNCLEAR", "unheard", null)
  await attempted("SAME", "unheard and clear", null)
  const review = await intoReview(
    data.id,
    "identity",
    { status: "UNDER_REVIEW", attempts: 1, check: 0 },
    "identity.under_review"
  )
  const path = `/settings/v1/companies/${company.id}/reviews/${review}/pictures`
  expect(await whole(review)).toMatchObject({
    open: true,
    mode: "LIVE",
    video: null,
    pictures: [
      { name: "document", path: `${path}/document` },
      { name: "selfie", path: `${path}/selfie` }
    ]
  })
  for (const name of ["document", "selfie"]) {
    const answer = await look(review, `pictures/${name}`)
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
      200,
      "image/jpeg",
      "no-store"
    ])
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes(`shown ${name}`))
  }
  expect(await looks()).toMatchObject([
    { actor: "operator", details: { picture: "selfie", reviewId: review } },
    { actor: "operator", details: { picture: "document", reviewId: review } }
  ])
  for (const name of ["customer-photo", "passport", "..%2Fselfie"]) {
    expect((await look(review, `pictures/${name}`)).status).toBe(404)
  }
  expect((await decide(service, company, review)).status).toBe(200)
  expect((await look(review, "pictures/selfie")).status).toBe(404)
  expect(await whole(review)).toMatchObject({ open: false, pictures: [] })
})

it("shows the caller's photo and the customer's video while the video waits, and nothing after", async () => {
  const { data } = await startWithPhoto(service, company.liveKey, startBody("FINANCE_SALE"))
  const { customerId, key } = await keyOf(data.id)
  const upload = randomUUID()
  const parts = [Buffer.alloc(70_000, 1), Buffer.alloc(30_000, 2)]
  await service.query(
    `insert into video_uploads (id, journey_id, customer_id, kind, bytes, chunks, begun_at, completed_at)
     values ($1, $2, $3, 'WEBM', 100000, 2, now(), now())`,
    [upload, data.id, customerId]
  )
  for (const [number, bytes] of parts.entries()) {
    await service.query(
      "insert into video_chunks (upload_id, number, digest, bytes, sealed) values ($1, $2, '', $3, decode($4, 'hex'))",
      [
        upload,
        number,
        bytes.length,
        Buffer.from(key.sealBytes(`video_chunks|${upload}|${number}`, bytes)).toString("hex")
      ]
    )
  }
  const review = await intoReview(
    data.id,
    "handover",
    { status: "UNDER_REVIEW", mismatches: 3 },
    "delivery.under_review"
  )
  const found = await whole(review)
  expect([found.kind, found.attempts, found.pictures.map((one: { readonly name: string }) => one.name)]).toEqual([
    "VIDEO",
    3,
    ["customer-photo"]
  ])
  const photo = await look(review, "pictures/customer-photo")
  expect(Buffer.from(await photo.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  expect(found.video).toBe(`/settings/v1/companies/${company.id}/reviews/${review}/video`)
  const video = await look(review, "video")
  expect([video.headers.get("content-type"), video.headers.get("content-length")]).toEqual(["video/webm", "100000"])
  expect(sha256(Buffer.from(await video.arrayBuffer()))).toBe(sha256(Buffer.concat(parts)))
  expect((await decide(service, company, review, "REJECT")).data.delivery.status).toBe("AWAITING_VIDEO")
  expect((await look(review, "video")).status).toBe(404)
  expect((await look(review, "pictures/customer-photo")).status).toBe(404)
})

it("shows beside a video the selfie that verified the customer, and nothing else of their check", async () => {
  const { data } = await start(service, company.liveKey, startBody("IDENTITY_DELIVERY"))
  const { customerId, key } = await keyOf(data.id)
  const attempted = attemptOf(data.id, customerId, key)
  await attempted("UNCLEAR", "approved", "IdentityUnderReview")
  await attempted("SAME", "unheard", null)
  const identity = { status: "VERIFIED", attempts: 1, check: 0, requestedAt: 0, verifiedAt: 0 }
  await intoReview(data.id, "identity", { status: "UNDER_REVIEW", check: 0 }, "identity.under_review")
  const handover = { status: "UNDER_REVIEW", createdAt: 0, completedAt: null, mismatches: 3 }
  await service.query(
    "update journeys set state = jsonb_set(state::jsonb, '{identity}', $2::text::jsonb)::json where id = $1",
    [data.id, JSON.stringify(identity)]
  )
  await service.query(fillFromState)
  await service.query("delete from events where journey_id = $1 and sequence = 99", [data.id])
  const review = await intoReview(data.id, "handover", handover, "delivery.under_review")
  expect((await whole(review)).pictures.map((one: { readonly name: string }) => one.name)).toEqual(["selfie"])
  expect(Buffer.from(await (await look(review, "pictures/selfie")).arrayBuffer())).toEqual(bytes("approved selfie"))
  expect((await look(review, "pictures/document")).status).toBe(404)
})

it("approved, a live handover is complete and its vehicle sold, in one commit", async () => {
  const body = startBody("FINANCE_SALE")
  const { data } = await startWithPhoto(service, company.liveKey, body)
  const vehicle = `/companies/${company.id}/vehicles/${body.vehicle.inventoryVehicleId}`
  await askSettings(service, vehicle, { method: "PUT", body: { status: "IN_STOCK" } })
  const review = await intoReview(data.id, "handover", { status: "UNDER_REVIEW" }, "delivery.under_review")
  expect((await decide(service, company, review)).data.status).toBe("COMPLETED")
  const stock = (await askSettings(service, `/companies/${company.id}/vehicles`)).data.content
  expect(stock).toMatchObject([{ id: body.vehicle.inventoryVehicleId, status: "SOLD", soldBy: data.id }])
  const timeline = (await askSettings(service, `/companies/${company.id}/journeys/${data.id}/timeline`)).data.content
  expect(timeline.at(-1)).toMatchObject({ message: "TeamApprovesVideo", sender: "operator", vehicle: "MARKED" })
})

it("shows nothing to another company's path, or without the token", async () => {
  const { data } = await startWithPhoto(service, company.liveKey, startBody("FINANCE_SALE"))
  const review = await intoReview(data.id, "handover", { status: "UNDER_REVIEW" }, "delivery.under_review")
  const other = await makeCompany(service)
  const strange = await askSettings(service, `/companies/${other.id}/reviews/${review}`)
  expect(codesOf(strange)).toEqual([["review", "NOT_FOUND"]])
  const path = `${service.baseUrl}/settings/v1/companies/${company.id}/reviews/${review}/pictures/customer-photo`
  expect((await fetch(path)).status).toBe(401)
  await expect(reviewOf(service, other, data.id)).rejects.toThrow("waits for no review")
})
