/** How much customer mail one address gets, on a real database: whatever comes, and however many ask at once. */
import { Context, Duration, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { MailAllowances, type MailAllowance } from "../../../../src/actors/mail/allowances/MailAllowances.ts"
import { mailLimits } from "../../../../src/actors/mail/limits.ts"
import { nextPlace } from "../../../../src/actors/mail/allowances/nextPlace.ts"
import * as Database from "../../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../../src/runtime/postgres/migrations/all.ts"
import * as PostgresMailAllowances from "../../../../src/runtime/stores/mail/PostgresMailAllowances.ts"
import { removeAgedFrom } from "../../../support/agedRows.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { freshDatabase } from "../../../support/service.ts"
import { MailId } from "../../../../src/schema/ids.ts"
import type { MailKind } from "../../../../src/schema/mail/mailKinds.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const begun = Date.UTC(2026, 0, 15, 10)

let url: string
let stop: () => Promise<void>
let admit: (mailId: string, now: number) => Promise<MailAllowance | null>
beforeAll(async () => {
  url = await freshDatabase()
  const runtime = ManagedRuntime.make(
    PostgresMailAllowances.layer.pipe(Layer.provideMerge(Database.layerOf(Redacted.make(url), migrations)))
  )
  const { admit: ask } = Context.get(await runtime.context(), MailAllowances)
  admit = (mailId, now) => runtime.runPromise(Effect.orDie(ask(MailId.make(mailId), now)))
  stop = () => runtime.dispose()
})
afterAll(() => stop())

let addresses = 0
const newAddress = () => (addresses += 1).toString(16).padStart(8, "0")

/** Mails to one address, each of a journey and a customer of another company. */
const mailsTo = async (address: string, count: number, livemode = true): Promise<ReadonlyArray<string>> => {
  const ids = Array.from({ length: count }, () => randomUUID())
  await queryDirectly(
    url,
    `with m as (
       select value::uuid as mail, gen_random_uuid() as journey, gen_random_uuid() as customer, gen_random_uuid() as company
       from json_array_elements_text($1::text::json)
     ), c as (
       insert into customers (id, company_id, livemode, email_index, wrapped_key, created_at)
       select customer, company, $3::boolean, decode($2, 'hex'), '', now() from m
     ), j as (
       insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, created_at)
       select journey, company, $3::boolean, 'ACTIVE', 1, customer, journey::text, '', '{}', now() from m
     )
     insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, due_at)
     select mail, mail::text, 'WELCOME', company, journey, '{}', now(), now() from m`,
    [JSON.stringify(ids), address, livemode]
  )
  return ids
}

/** What counts towards a limit at any time: at most so many of these within so long. */
const mostWithin = (times: ReadonlyArray<number>, within: number): number =>
  Math.max(0, ...times.map((end) => times.filter((at) => at > end - within && at <= end).length))

describe("the customer mail of one address", () => {
  it("is ten an hour, over all companies, also when all of it is asked for at once", async () => {
    const mails = await mailsTo(newAddress(), 40)
    const asked = await Promise.all(mails.map((mail) => admit(mail, begun)))
    expect(asked.filter((one) => one?.isAdmitted)).toHaveLength(10)
    const waiting = asked.find((one) => one?.isAdmitted === false)
    expect(nextPlace(waiting?.counted ?? [])).toBe(begun + hour)
  })

  it("counts a mail once, however often it is tried, and another address by itself", async () => {
    const [first = "", ...others] = await mailsTo(newAddress(), 10)
    for (let tries = 0; tries < 20; tries++) expect((await admit(first, begun + tries * minute))?.isAdmitted).toBe(true)
    for (const mail of others) expect((await admit(mail, begun + 20 * minute))?.isAdmitted).toBe(true)
    // The address has got all that it may, and this mail is one of those.
    expect((await admit(first, begun + 21 * minute))?.isAdmitted).toBe(true)
    const [other = ""] = await mailsTo(newAddress(), 1)
    expect((await admit(other, begun + 20 * minute))?.isAdmitted).toBe(true)
  })

  it("is forgotten a day after it left, so that what is kept of an address does not grow", async () => {
    const [first = "", second = "", third = ""] = await mailsTo(newAddress(), 3)
    await admit(first, begun)
    await admit(second, begun + hour)
    const counted = (await admit(third, begun + day))?.counted ?? []
    expect(counted.toSorted((a, b) => a - b)).toEqual([begun + hour, begun + day])
  })

  it("is not counted for test journeys, whose mail goes to the company", async () => {
    const [mail = ""] = await mailsTo(newAddress(), 1, false)
    expect(await admit(mail, begun)).toBeNull()
  })

  it("never exceeds ten an hour and thirty a day, and every mail that waits until it may leaves, whatever comes when", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(45 * minute), { minLength: 1, maxLength: 60 }), async (pauses) => {
        const mails = await mailsTo(newAddress(), pauses.length)
        let now = begun
        const due = mails.map((mail, at) => ({ mail, at: (now += pauses[at] ?? 0) }))
        const left: Array<number> = []
        while (due.length > 0) {
          due.sort((one, other) => one.at - other.at)
          const next = due.shift()
          if (next === undefined) break
          const answer = await admit(next.mail, next.at)
          if (answer?.isAdmitted === true) left.push(next.at)
          else {
            const until = nextPlace(answer?.counted ?? [])
            expect(until).toBeGreaterThan(next.at)
            due.push({ mail: next.mail, at: until })
          }
        }
        expect(left).toHaveLength(mails.length)
        expect(mostWithin(left, hour)).toBeLessThanOrEqual(10)
        expect(mostWithin(left, day)).toBeLessThanOrEqual(30)
      }),
      { numRuns: 12 }
    )
  })

  it("is none while its company has sent the mails of the day, by the company's age, and takes no place of its address", async () => {
    const heldAt = async (ageDays: number, sent: number, most: number | null = null) => {
      const [mail = ""] = await mailsTo(newAddress(), 1)
      await queryDirectly(
        url,
        `with m as (select company_id as id from mails where id = $1::uuid), o as (
           insert into companies (id, name, kind, admin_email, active, sandbox, created_at)
           select id, 'Young Cars', 'DEALER', 'owner@young.example', true, '{}', to_timestamp($2::float8) from m
         ), s as (insert into mail_standings (company_id, per_day) select id, $5::int4 from m)
         insert into mail_hours (company_id, hour, sent) select id, to_timestamp($3::float8), $4::int4 from m`,
        [mail, begun / 1000 - ageDays * 86_400, begun / 1000 - 7200, sent, most]
      )
      const answer = await admit(mail, begun)
      expect(answer?.isAdmitted).toBe(answer?.held === null)
      expect(answer?.counted).toHaveLength(answer?.held === null ? 1 : 0)
      return answer?.held
    }
    const over = { _tag: "Over", freeAt: begun - 2 * hour + day }
    expect(await heldAt(6, 199)).toBeNull()
    expect(await heldAt(6, 200)).toEqual(over)
    expect(await heldAt(29, 999)).toBeNull()
    expect(await heldAt(29, 1000)).toEqual(over)
    expect(await heldAt(31, 1_000_000)).toBeNull()
    expect(await heldAt(6, 200, 5000)).toBeNull()
    expect(await heldAt(31, 5000, 5000)).toEqual(over)
  })

  it("is none while its company's mail is stopped, and nobody hears of a limit then; afterwards it is none for a day from the first mail that counts", async () => {
    const [mail = ""] = await mailsTo(newAddress(), 1)
    const [{ companyId } = { companyId: "" }] = await queryDirectly<{ readonly companyId: string }>(
      url,
      `with o as (
         insert into companies (id, name, kind, admin_email, active, sandbox, created_at)
         select company_id, 'Stopped Cars', 'DEALER', 'owner@stopped.example', true, '{}', now() from mails where id = $1::uuid
         returning id
       ), s as (
         insert into mail_standings (company_id, per_day, stopped_at, stopped_by) select id, 100, now(), 'OPERATOR' from o
       ), h as (
         insert into mail_hours (company_id, hour, sent) select id, to_timestamp($2::float8) - ago * interval '1 hour', sent
         from o, (values (5, 0), (3, 4), (2, 8)) h (ago, sent)
       )
       select id as "companyId" from o`,
      [mail, begun / 1000]
    )
    const limitsTold = async () =>
      (await queryDirectly(url, "select from mails where company_id = $1::uuid and kind = 'MAIL_LIMITED'", [companyId]))
        .length
    const stopped = { isAdmitted: false, counted: [], held: { _tag: "Stopped" } }
    expect(await admit(mail, begun)).toEqual(stopped)
    await queryDirectly(url, "update mail_standings set per_day = 10 where company_id = $1::uuid", [companyId])
    expect(await admit(mail, begun)).toEqual(stopped)
    expect(await limitsTold()).toBe(0)
    await queryDirectly(
      url,
      "update mail_standings set stopped_at = null, stopped_by = null where company_id = $1::uuid",
      [companyId]
    )
    const over = { _tag: "Over", freeAt: begun - 3 * hour + day }
    expect(await admit(mail, begun)).toEqual({ isAdmitted: false, counted: [], held: over })
    expect(await limitsTold()).toBe(1)
  })

  it("waits behind an earlier mail of its journey that is held or was just taken, and takes no place of its address", async () => {
    /** What a mail is answered that was taken when the earlier mail of its journey was so. */
    const answered = async (earlier: {
      readonly dueIn: number
      readonly tries?: number
      readonly inHand?: boolean
      readonly facts?: object
      readonly kind?: MailKind
    }) => {
      const [mail = ""] = await mailsTo(newAddress(), 1)
      await queryDirectly(
        url,
        `with m as (update mails set tries = 1, due_at = to_timestamp($2::float8) where id = $1::uuid returning *)
         insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, tries, in_hand, due_at)
         select gen_random_uuid(), 'earlier|' || id, $7::text, company_id, journey_id, $3::text::json, created_at - interval '1 minute',
           $4::int4, $5::bool, to_timestamp($6::float8) from m`,
        [
          mail,
          (begun + Duration.toMillis(mailLimits.takenFor)) / 1000,
          JSON.stringify(earlier.facts ?? {}),
          earlier.tries ?? 0,
          earlier.inHand ?? false,
          (begun + earlier.dueIn) / 1000,
          earlier.kind ?? "WELCOME"
        ]
      )
      const answer = await admit(mail, begun + 10)
      expect(answer?.isAdmitted).toBe(answer?.held === null)
      expect(answer?.counted).toHaveLength(answer?.held === null ? 1 : 0)
      return answer?.held
    }
    expect(await answered({ dueIn: hour })).toEqual({ _tag: "Behind", until: begun + hour })
    // Due since this mail was taken, or in another node's hand: this mail is taken again when the earlier one has left.
    expect(await answered({ dueIn: 5 })).toEqual({ _tag: "Behind", until: begun + 5 })
    expect(await answered({ dueIn: minute, tries: 4, inHand: true })).toEqual({ _tag: "Behind", until: begun + 10 })
    expect(await answered({ dueIn: minute, tries: 4 })).toBeNull()
    expect(await answered({ dueIn: minute, facts: { waits: true } })).toBeNull()
    expect(await answered({ dueIn: -hour })).toBeNull()
    // The team's.
    expect(await answered({ dueIn: hour, kind: "REVIEW_NEEDED" })).toBeNull()
  })

  it("is forgotten a day after the last mail", async () => {
    const [old = "", fresh = ""] = [...(await mailsTo(newAddress(), 1)), ...(await mailsTo(newAddress(), 1))]
    await admit(old, begun - day - 1)
    await admit(fresh, begun)
    const kept = () => queryDirectly<{ readonly mails: object }>(url, "select mails from mail_allowances")
    await queryDirectly(url, removeAgedFrom("mail_allowances"), [new Date(begun - day)])
    const mails = new Set((await kept()).flatMap((row) => Object.keys(row.mails)))
    expect([mails.has(old), mails.has(fresh)]).toEqual([false, true])
  })
})
