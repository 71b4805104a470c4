/** What is removed of checks and mail, and what stays. Each journey is a row of the shape that matters. */
import { Layer } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import {
  removeClocksStatement,
  removeDecidedResultsStatement,
  removeDecidedStatement,
  removeLinksStatement,
  removeMailStatement,
  removeMediaStatement
} from "../../../../src/runtime/stores/erasure/retentionStatements.ts"
import { removeAgedFrom } from "../../../support/agedRows.ts"
import { VideoReader } from "../../../../src/runtime/video/VideoReader.ts"
import { startVideos, type JourneyFacts } from "../../../support/videoGround.ts"

let ground: Awaited<ReturnType<typeof startVideos>>
beforeAll(async () => {
  ground = await startVideos(Layer.mock(VideoReader, {}))
})
afterAll(() => ground.stop())
beforeEach(() =>
  ground.query(
    "truncate journeys, ended_journeys, journal, identity_attempts, provider_results, customer_photos, mails"
  )
)

const now = Date.UTC(2026, 5, 1, 12)
const [hour, day] = [3_600_000, 86_400_000]
const at = (millisAgo: number) => new Date(now - millisAgo)

const journeyThat = (status: string, facts: Partial<JourneyFacts> = {}) =>
  ground.journey({ identity: { status, check: 1 }, lastEventAt: now - 2 * hour, ...facts })
type Journey = Awaited<ReturnType<typeof journeyThat>>

/** An attempt of two hours ago; heard of as the journey's next message, or never. */
const attempt = async (journey: Journey, verdict: "SAME" | "UNCLEAR", heard: boolean, millisAgo = 2 * hour) => {
  const id = randomUUID()
  await ground.query(
    `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_document, sealed_selfie, sealed_prints)
     values ($1, $2, $3, 1, $4, $5::text, case when $5::text = 'UNCLEAR' then '\\x01'::bytea end, '\\x02', '\\x03')`,
    [id, journey.id, journey.customerId, at(millisAgo), verdict]
  )
  if (heard) await hear(journey, id)
  return id
}

const hear = (journey: Journey, messageId: string) =>
  ground.query(
    `insert into journal (journey_id, version, message_id, sender, message, at)
     select $1, count(*) + 1, $2, 'identity', '{}', now() from journal where journey_id = $1`,
    [journey.id, messageId]
  )

const kept = async (id: string): Promise<ReadonlyArray<string>> => {
  const [row] = await ground.query<{ readonly document: boolean; readonly selfie: boolean }>(
    "select sealed_document is not null as document, sealed_selfie is not null as selfie from identity_attempts where id = $1",
    [id]
  )
  return [...(row?.document === true ? ["document"] : []), ...(row?.selfie === true ? ["selfie"] : [])]
}

const removeDecided = () => ground.query(removeDecidedStatement, [at(hour)])

it("keeps both photos of a check as long as it waits for a reviewer", async () => {
  const waiting = await attempt(await journeyThat("UNDER_REVIEW"), "UNCLEAR", true, 100 * day)
  expect(await removeDecided()).toEqual([])
  expect(await kept(waiting)).toEqual(["document", "selfie"])
})

it("removes the document photo when a reviewer has approved, and keeps the selfie for the video", async () => {
  const approved = await attempt(await journeyThat("VERIFIED"), "UNCLEAR", true)
  expect(await removeDecided()).toHaveLength(1)
  expect(await kept(approved)).toEqual(["selfie"])
  expect(await removeDecided()).toEqual([])
})

it("removes both when a reviewer has rejected, or the journey ended meanwhile", async () => {
  const rejected = await attempt(await journeyThat("FAILED"), "UNCLEAR", true)
  const over = await attempt(await journeyThat("UNDER_REVIEW", { status: "CANCELLED" }), "UNCLEAR", true)
  expect(await removeDecided()).toHaveLength(2)
  expect([await kept(rejected), await kept(over)]).toEqual([[], []])
})

it("removes both of an attempt that another one overtook, and not the one that verified", async () => {
  const journey = await journeyThat("VERIFIED")
  const overtaken = await attempt(journey, "UNCLEAR", true)
  const verified = await attempt(journey, "SAME", true)
  await removeDecided()
  expect([await kept(overtaken), await kept(verified)]).toEqual([[], ["selfie"]])
})

it("removes what the journey never heard of, once it cannot hear of it any more", async () => {
  const journey = await journeyThat("UNDER_REVIEW")
  const waiting = await attempt(journey, "UNCLEAR", true)
  const [under, lost] = [
    await attempt(journey, "UNCLEAR", false, hour - 1000),
    await attempt(journey, "UNCLEAR", false, hour + 1000)
  ]
  await removeDecided()
  expect([await kept(waiting), await kept(under), await kept(lost)]).toEqual([
    ["document", "selfie"],
    ["document", "selfie"],
    []
  ])
})

/** What an outside provider sent two hours ago; heard of as the journey's next message, or never. */
const result = async (journey: Journey, heard = true, millisAgo = 2 * hour) => {
  const id = randomUUID()
  await ground.query(
    `insert into provider_results
       (id, journey_id, customer_id, check_number, sealed_portrait, sealed_review_url, at)
     values ($1, $2, $3, 1, '\\x01', '\\x02', $4)`,
    [id, journey.id, journey.customerId, at(millisAgo)]
  )
  if (heard) await hear(journey, id)
  return id
}

const left = async (id: string): Promise<ReadonlyArray<string>> => {
  const [row] = await ground.query<{ readonly portrait: boolean; readonly page: boolean }>(
    `select sealed_portrait is not null as portrait, sealed_review_url is not null as page
     from provider_results where id = $1`,
    [id]
  )
  return [...(row?.portrait === true ? ["portrait"] : []), ...(row?.page === true ? ["page"] : [])]
}

it("removes a provider's page once the check is decided, and its portrait unless it is the verified face", async () => {
  const [waiting, verified, rejected, unheard] = [
    await result(await journeyThat("UNDER_REVIEW")),
    await result(await journeyThat("VERIFIED")),
    await result(await journeyThat("FAILED")),
    await result(await journeyThat("VERIFIED"), false)
  ]
  expect(await ground.query(removeDecidedResultsStatement, [at(hour)])).toHaveLength(3)
  expect(await ground.query(removeDecidedResultsStatement, [at(hour)])).toEqual([])
  const all = [waiting, verified, rejected, unheard]
  expect(await Promise.all(all.map(left))).toEqual([["portrait", "page"], ["portrait"], [], []])
})

it("keeps what a provider sent just now, and removes what waits for a reviewer when the journey has ended", async () => {
  const fresh = await result(await journeyThat("REQUESTED"), false, hour - 1000)
  const over = await result(await journeyThat("UNDER_REVIEW", { status: "CANCELLED" }))
  expect(await ground.query(removeDecidedResultsStatement, [at(hour)])).toEqual([{ id: over }])
  expect([await left(fresh), await left(over)]).toEqual([["portrait", "page"], []])
})

it("leaves the portrait of a provider's review when the provider verified the customer later without one", async () => {
  const journey = await journeyThat("VERIFIED")
  const reviewed = await result(journey)
  await hear(journey, randomUUID())
  expect(await ground.query(removeDecidedResultsStatement, [at(hour)])).toHaveLength(1)
  expect(await left(reviewed)).toEqual(["portrait"])
})

it("removes what a provider sent when the company keeps the journey's photos no longer", async () => {
  const old = await journeyThat("VERIFIED", { status: "COMPLETED", lastEventAt: now - 31 * day })
  const sent = await result(old)
  expect(await ground.query(removeMediaStatement, [at(0), 50])).toEqual([{ journey_id: old.id }])
  expect(await left(sent)).toEqual([])
  expect(await ground.query(removeMediaStatement, [at(0), 50])).toEqual([])
})

it("removes every photo of a journey when its company keeps them no longer", async () => {
  const ended = (daysAgo: number) => journeyThat("VERIFIED", { status: "COMPLETED", lastEventAt: now - daysAgo * day })
  const [old, young, running] = [await ended(31), await ended(29), await journeyThat("VERIFIED", { lastEventAt: 0 })]
  const selfies = await Promise.all([old, young, running].map((journey) => attempt(journey, "SAME", true)))
  for (const journey of [old, young, running]) await journey.keepPhoto(Buffer.from("a photo"))
  expect(await ground.query(removeMediaStatement, [at(0), 50])).toEqual([{ journey_id: old.id }])
  expect(await Promise.all(selfies.map(kept))).toEqual([[], ["selfie"], ["selfie"]])
  const printed = await ground.query<{ readonly id: string }>(
    "select id from identity_attempts where sealed_prints is not null"
  )
  expect(printed.map(({ id }) => id).toSorted()).toEqual(selfies.slice(1).toSorted())
  const photos = await ground.query<{ readonly journey_id: string }>("select journey_id from customer_photos")
  expect(photos.map(({ journey_id: id }) => id).toSorted()).toEqual([young.id, running.id].toSorted())
})

it("removes photos of as many journeys as it is asked to, also where the caller's photo is all that there is", async () => {
  const ended = { status: "CANCELLED", lastEventAt: now - 31 * day } as const
  const both = [await journeyThat("FAILED", ended), await journeyThat("FAILED", ended)]
  for (const journey of both) await journey.keepPhoto(Buffer.from("a photo"))
  expect(await ground.query(removeMediaStatement, [at(0), 1])).toHaveLength(1)
  expect(await ground.query("select from customer_photos")).toHaveLength(1)
  expect(await ground.query(removeMediaStatement, [at(0), 1])).toHaveLength(1)
  expect(await ground.query("select from customer_photos")).toEqual([])
})

it("removes what is left of a check where that is its prints, or the provider's page, alone", async () => {
  const ended = { status: "CANCELLED", lastEventAt: now - 31 * day } as const
  const [printed, paged] = [await journeyThat("FAILED", ended), await journeyThat("FAILED", ended)]
  await attempt(printed, "SAME", true)
  await ground.query("update identity_attempts set sealed_selfie = null where journey_id = $1", [printed.id])
  await result(paged)
  await ground.query("update provider_results set sealed_portrait = null where journey_id = $1", [paged.id])
  const removed = await ground.query<{ readonly journey_id: string }>(removeMediaStatement, [at(0), 50])
  expect(removed.map(({ journey_id: id }) => id).toSorted()).toEqual([printed.id, paged.id].toSorted())
  expect(await ground.query(removeMediaStatement, [at(0), 50])).toEqual([])
})

it("removes what old mail said and to whom, and keeps that it was sent", async () => {
  for (const [cause, daysAgo] of [
    ["old", 31],
    ["young", 29]
  ] as const) {
    await ground.query(
      `insert into mails (id, cause, kind, company_id, facts, created_at, sent_at, to_index, sealed)
       values (gen_random_uuid(), $1, 'WELCOME', gen_random_uuid(), '{}', $2, $2, '\\x01', '\\x02')`,
      [cause, at(daysAgo * day)]
    )
  }
  await ground.query(
    `insert into mails (id, cause, kind, company_id, facts, created_at, sent_at, is_unwritten)
     values (gen_random_uuid(), 'unread', 'WELCOME', gen_random_uuid(), '{}', $1, $1, true)`,
    [at(31 * day)]
  )
  expect(await ground.query(removeMailStatement, [at(30 * day)])).toHaveLength(2)
  const left = await ground.query(
    `select cause, sealed is not null or to_index is not null or is_unwritten as kept, sent_at is not null as sent from mails order by cause`
  )
  expect(left).toEqual([
    { cause: "old", kept: false, sent: true },
    { cause: "unread", kept: false, sent: true },
    { cause: "young", kept: true, sent: true }
  ])
})

const link = (madeMillisAgo: number, endedMillisAgo: number) =>
  ground.query(
    `insert into sign_in_links (token_hash, mail_id, journey_id, step, issued_at, expires_at)
     values (decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), first_id_at($1), gen_random_uuid(),
       'RECORD_VIDEO', $1, $2)`,
    [at(madeMillisAgo), at(endedMillisAgo)]
  )
const session = (millisAgo: number) =>
  ground.query(
    `insert into customer_sessions (secret_hash, link_hash, journey_id, opened_at, seen_at)
     values (decode(replace(gen_random_uuid()::text, '-', ''), 'hex'),
       decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), gen_random_uuid(), $1, now())`,
    [at(millisAgo)]
  )

it("removes links and sessions that are older, and keeps the others", async () => {
  for (const millisAgo of [hour, 3 * hour]) {
    await link(day + millisAgo, millisAgo)
    await session(millisAgo)
  }
  // The journey of a link runs on a test clock, by which the link ends later.
  await link(day + 4 * hour, hour)
  // Somebody may still open it, and then gets a new one.
  await link(3 * hour + 1, 3 * hour)
  for (const [statement, ...values] of [
    [removeLinksStatement, at(2 * hour), at(day + 2 * hour)],
    [removeAgedFrom("customer_sessions"), at(2 * hour)]
  ] as const) {
    expect(await ground.query(statement, values)).toHaveLength(1)
    expect(await ground.query(statement, values)).toEqual([])
  }
})

it("removes an old test clock when the last of its journeys is gone", async () => {
  const journey = await journeyThat("VERIFIED")
  const [clock] = await ground.query<{ readonly id: string }>(
    `with c as (
       insert into companies (id, name, kind, admin_email, sandbox, created_at)
       values (gen_random_uuid(), 'Harbour Cars', 'DEALER', 'a@b.example', '{}', now()) returning id
     )
     insert into sandbox_clocks (id, company_id, at, created_at) select gen_random_uuid(), id, $1, $1 from c returning id`,
    [at(31 * day)]
  )
  await ground.query("update journeys set livemode = false, clock_id = $2 where id = $1", [journey.id, clock?.id])
  expect(await ground.query(removeClocksStatement, [at(30 * day)])).toEqual([])
  await ground.query("delete from journeys where id = $1", [journey.id])
  expect(await ground.query(removeClocksStatement, [at(32 * day)])).toEqual([])
  expect(await ground.query(removeClocksStatement, [at(30 * day)])).toEqual([clock])
})
