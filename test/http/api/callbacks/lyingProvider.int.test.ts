/**
 * A real service, a real database and an identity provider that refuses, breaks, stays silent, answers late and calls back
 * before it has answered: the customer is asked and the company charged exactly where the provider gave a page, or called
 * back about the check first (decisions D2, B1).
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { IdentityAttempts } from "../../../../src/actors/checks/identity/IdentityAttempts.ts"
import type { Journey } from "../../../../src/actors/journey/rules/state/Journey.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { ask, askSettings, type TestCompany } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { becomes, eventTypes, makeProvidedCompany, read, startLive } from "../../../support/providerRequests.ts"
import { decide } from "../settings/reviewGround.ts"
import { startProvidedService, type Provided } from "../../../support/providedService.ts"

let provided: Provided
let service: Provided["service"]
let panel: Provided["panel"]
let identity: Provided["identity"]
beforeAll(async () => {
  provided = await startProvidedService()
  ;({ identity, panel, service } = provided)
})
afterEach(() => {
  identity.behave("OK")
  identity.beforeAnswering(() => Promise.resolve())
  identity.answerWith(null)
})
afterAll(() => provided.stop())

const bought = 1000

/** What the wallet, its ledger and the holds of a company say together. */
const money = async ({ id }: TestCompany) => {
  const { content } = (await askSettings(service, `/companies/${id}/wallets`)).data
  const { balance, held } = content.find(({ wallet }: { readonly wallet: string }) => wallet === "IDENTITY")
  const [sums] = await service.query<{ readonly ledger: number; readonly holds: number }>(
    `select (select coalesce(sum(amount), 0)::int from wallet_ledger where company_id = $1 and wallet = 'IDENTITY') as ledger,
       (select coalesce(sum(credits), 0)::int from wallet_holds where company_id = $1 and wallet = 'IDENTITY') as holds`,
    [id]
  )
  expect([sums?.ledger, sums?.holds], "ledger and holds").toEqual([balance, held])
  return { charged: bought - balance, held }
}

const stateOf = async (journeyId: string): Promise<Journey> => {
  const [row] = await service.query<{ readonly state: Journey }>("select state from journeys where id = $1", [
    journeyId
  ])
  return row?.state ?? expect.fail("no journey")
}

/** Waits until an attempt at the provider has failed and the next one has been given its time. */
const failedOnce = (journeyId: string, attempts: number) =>
  eventually(
    () => stateOf(journeyId),
    ({ owed }) =>
      owed.some((one) => "attempts" in one && one.attempts === attempts && (one.dueAt ?? 0) > Date.now() + 45_000),
    // A call that is not answered ends after ten seconds.
    30_000
  )

/** Lets the minutes pass until the next attempt is due: the row says that it is, as it would then. */
const untilDue = (journeyId: string) =>
  service.query(
    `update journeys set version = version + 1, wake_at = now(),
       state = jsonb_set(state::jsonb, '{owed,0,dueAt}', '1')::json
     where id = $1`,
    [journeyId]
  )

const mailsOf = async (journeyId: string) =>
  (
    await service.query<{ readonly kind: string }>(
      "select kind from mails where journey_id = $1 and kind <> 'WELCOME'",
      [journeyId]
    )
  ).map(({ kind }) => kind)

const begin = async () => {
  const company = await makeProvidedCompany(service, panel, identity)
  return { company, journeyId: await startLive(service, company, "IDENTITY_DELIVERY") }
}

const isUnavailable = (it: { readonly identity: { readonly status: string } }) => it.identity.status === "UNAVAILABLE"
const isRequested = (it: { readonly identity: { readonly status: string } }) => it.identity.status === "REQUESTED"

const checkIds = (journeyId: string) =>
  [...identity.taken.values()].filter((one) => one.journeyId === journeyId).map(({ checkId }) => checkId)

const cancel = ({ liveKey }: TestCompany, journeyId: string) =>
  ask(service, liveKey, `/api/v1/journeys/${journeyId}/cancel`, { body: { reason: "The customer changed their mind" } })

describe("a provider that refuses", () => {
  it("leaves the customer unasked and the company uncharged, and the hold goes with the journey", async () => {
    identity.behave(400)
    const { company, journeyId } = await begin()
    await becomes(service, company, journeyId, isUnavailable)
    expect(await eventTypes(service, journeyId)).toEqual(["journey.created", "identity.unavailable"])
    expect(await mailsOf(journeyId)).toEqual(["CHECK_UNAVAILABLE"])
    expect(await money(company)).toEqual({ charged: 0, held: 1 })
    expect((await cancel(company, journeyId)).status).toBe(200)
    expect(await money(company)).toEqual({ charged: 0, held: 0 })
  })

  it("is asked for another check when the team resends, and a late word on the refused check changes nothing", async () => {
    // The provider has taken the check, and its answer is a refusal all the same.
    identity.behave(403)
    const { company, journeyId } = await begin()
    await becomes(service, company, journeyId, isUnavailable)
    const [request] = await service.query<{ readonly id: string }>(
      "select id from provider_requests where journey_id = $1",
      [journeyId]
    )
    const refused = request?.id ?? ""
    identity.behave("OK")
    await askSettings(service, `/companies/${company.id}/journeys/${journeyId}/resend-check`, { method: "POST" })
    await becomes(service, company, journeyId, isRequested)
    expect(checkIds(journeyId)).not.toContain(refused)
    expect(checkIds(journeyId)).toHaveLength(1)
    expect((await identity.report(service, refused, "VERIFIED", "late")).status).toBe(200)
    expect((await read(service, company, journeyId)).identity.status).toBe("REQUESTED")
    expect(await money(company)).toEqual({ charged: 1, held: 0 })
    expect(await mailsOf(journeyId)).toEqual(["CHECK_UNAVAILABLE", "VERIFY_IDENTITY"])
  })
})

describe("a provider that is broken", () => {
  it("is asked four times, and nothing is told or charged before the last failure", async () => {
    identity.behave(500)
    const { company, journeyId } = await begin()
    for (const attempts of [1, 2, 3]) {
      await failedOnce(journeyId, attempts)
      const journey = await read(service, company, journeyId)
      expect([journey.identity.status, journey.nextAction]).toEqual([null, null])
      expect(await eventTypes(service, journeyId)).toEqual(["journey.created"])
      await untilDue(journeyId)
    }
    await becomes(service, company, journeyId, isUnavailable)
    const asked = identity.asked.filter(({ body }) => body.journeyId === journeyId)
    expect(asked).toHaveLength(4)
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(await eventTypes(service, journeyId)).toEqual(["journey.created", "identity.unavailable"])
    expect(await money(company)).toEqual({ charged: 0, held: 1 })
  })

  it("or answers without a page, or never, is asked again, and charged for once it gives its page", async () => {
    identity.answerWith("{}")
    const { company, journeyId } = await begin()
    await failedOnce(journeyId, 1)
    identity.behave("SILENT")
    await untilDue(journeyId)
    await failedOnce(journeyId, 2)
    expect(await money(company)).toEqual({ charged: 0, held: 1 })
    identity.behave("OK")
    identity.answerWith(null)
    await untilDue(journeyId)
    await becomes(service, company, journeyId, isRequested)
    expect(await eventTypes(service, journeyId)).toEqual(["journey.created", "identity.requested"])
    expect(await mailsOf(journeyId)).toEqual(["VERIFY_IDENTITY"])
    expect(await money(company)).toEqual({ charged: 1, held: 0 })
    await cancel(company, journeyId)
    expect(await money(company)).toEqual({ charged: 1, held: 0 })
  })
})

const way = (journeyId: string) =>
  service.run(Effect.flatMap(IdentityAttempts, (attempts) => attempts.way(JourneyId.make(journeyId))))

describe("a provider that calls back before it has answered", () => {
  it("has had the customer asked: a failure is theirs to repeat, on the page that comes with the answer", async () => {
    identity.beforeAnswering(async ({ checkId }) => {
      expect((await identity.report(service, checkId, "FAILED", randomUUID())).status).toBe(200)
    })
    const { company, journeyId } = await begin()
    await becomes(service, company, journeyId, (it) => it.identity.status === "FAILED")
    expect(await eventTypes(service, journeyId)).toEqual(["journey.created", "identity.requested", "identity.failed"])
    expect(await mailsOf(journeyId)).toEqual(["VERIFY_IDENTITY"])
    expect(await money(company)).toEqual({ charged: 1, held: 0 })
    await eventually(
      () => stateOf(journeyId),
      ({ owed }) => owed.length === 0
    )
    expect((await way(journeyId))._tag).toBe("PROVIDER")
    expect(await money(company)).toEqual({ charged: 1, held: 0 })
  })

  it("and never gives a page has its customers checked nowhere else, and the team hears of it when it has sent them back", async () => {
    identity.behave("LOST")
    const { company, journeyId } = await begin()
    await failedOnce(journeyId, 1)
    const [checkId = ""] = checkIds(journeyId)
    await identity.report(service, checkId, "UNDER_REVIEW", "early")
    identity.behave(403)
    await untilDue(journeyId)
    // The page stays wanted as long as a reviewer may ask for it.
    await failedOnce(journeyId, 2)
    const { content } = (await askSettings(service, `/companies/${company.id}/reviews`)).data
    expect((await decide(service, company, content[0].id, "REJECT")).status).toBe(200)
    expect((await read(service, company, journeyId)).identity.status).toBe("FAILED")
    expect((await way(journeyId))._tag).toBe("NOT_READY")
    await untilDue(journeyId)
    await becomes(service, company, journeyId, isUnavailable)
    expect(await mailsOf(journeyId)).toContain("CHECK_UNAVAILABLE")
  })

  it("and whose answer is lost is charged once, and is not asked again about a verified customer", async () => {
    identity.behave("LOST")
    const { company, journeyId } = await begin()
    await failedOnce(journeyId, 1)
    const [checkId = ""] = checkIds(journeyId)
    expect(await money(company)).toEqual({ charged: 0, held: 1 })
    expect((await identity.report(service, checkId, "VERIFIED", "early")).status).toBe(200)
    const verified = await becomes(service, company, journeyId, ({ delivery }) => delivery !== null)
    expect(verified.identity.status).toBe("VERIFIED")
    expect((await eventTypes(service, journeyId)).slice(0, 3)).toEqual([
      "journey.created",
      "identity.requested",
      "identity.verified"
    ])
    expect((await stateOf(journeyId)).owed).toEqual([])
    expect(await money(company)).toEqual({ charged: 1, held: 0 })
  })
})

it("charges many journeys at once for just the pages it gave, whichever way each of them went", async () => {
  const company = await makeProvidedCompany(service, panel, identity)
  const manners = ["OK", 400, "LOST"] as const
  // The provider decides by the journey: a third each is given a page, refused, and taken without an answer.
  const mannerOf = (journeyId: string) => manners[Number.parseInt(journeyId.slice(-6), 16) % manners.length] ?? "OK"
  identity.behave(({ journeyId }) => mannerOf(journeyId))
  const journeys = await Promise.all(Array.from({ length: 24 }, () => startLive(service, company, "IDENTITY_DELIVERY")))
  const of = (manner: (typeof manners)[number]) => journeys.filter((id) => mannerOf(id) === manner)
  await Promise.all([
    ...of("OK").map((id) => becomes(service, company, id, isRequested)),
    ...of(400).map((id) => becomes(service, company, id, isUnavailable)),
    ...of("LOST").map((id) => failedOnce(id, 1))
  ])
  expect(await money(company)).toEqual({ charged: of("OK").length, held: 24 - of("OK").length })
  const [early, ended] = [of("LOST").slice(0, 2), journeys.filter((_, at) => at % 2 === 0)]
  await Promise.all([
    ...early.flatMap((id) => checkIds(id).map((checkId) => identity.report(service, checkId, "UNDER_REVIEW", "early"))),
    ...ended.filter((id) => !early.includes(id)).map((id) => cancel(company, id))
  ])
  const charged = of("OK").length + early.length
  const isHeld = (id: string) => mannerOf(id) !== "OK" && !early.includes(id) && !ended.includes(id)
  expect(await money(company)).toEqual({ charged, held: journeys.filter(isHeld).length })
})
