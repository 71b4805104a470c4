/** How a company's mail to others is stopped and started again, on a real database. */
import { Context, Duration, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { mailLimits } from "../../../../src/actors/mail/limits.ts"
import { MailStandings } from "../../../../src/actors/mail/allowances/MailStandings.ts"
import { CompanyId, MailId } from "../../../../src/schema/ids.ts"
import * as Database from "../../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../../src/runtime/postgres/migrations/all.ts"
import * as PostgresMailStandings from "../../../../src/runtime/stores/mail/PostgresMailStandings.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { owe } from "../../../support/owedMail.ts"
import { freshDatabase } from "../../../support/service.ts"

const hour = 3_600_000
const begun = Date.UTC(2026, 0, 15, 10)

let url: string
let stop: () => Promise<void>
let standings: MailStandings["Service"]
let companyId: CompanyId

beforeAll(async () => {
  url = await freshDatabase()
  const runtime = ManagedRuntime.make(
    PostgresMailStandings.layer.pipe(Layer.provideMerge(Database.layerOf(Redacted.make(url), migrations)))
  )
  standings = Context.get(await runtime.context(), MailStandings)
  stop = () => runtime.dispose()
})
afterAll(() => stop())

const newCompany = async (): Promise<CompanyId> => {
  const id = CompanyId.make(randomUUID())
  await queryDirectly(
    url,
    "insert into companies (id, name, kind, admin_email, sandbox, created_at) values ($1::uuid, 'Harbour Cars', 'DEALER', 'a@b.example', '{}', now())",
    [id]
  )
  return id
}
beforeEach(async () => {
  companyId = await newCompany()
})

/** What has happened to mail of the company by now. */
const count = (sent: number, refused: number, reported: number) =>
  queryDirectly(
    url,
    "insert into mail_hours (company_id, hour, sent, refused, reported) values ($1::uuid, to_timestamp($2::float8), $3::int4, $4::int4, $5::int4)",
    [companyId, begun / 1000 - 3600, sent, refused, reported]
  )

const judge = (at = begun) => Effect.runPromise(standings.judge(companyId, at))
const read = (at = begun) => Effect.runPromise(standings.read(companyId, at))
const change = (changed: Parameters<MailStandings["Service"]["change"]>[1], at: number) =>
  Effect.runPromise(
    standings.change(companyId, changed, {
      actor: "operator",
      action: "mail.changed",
      details: {},
      at,
      ipAddress: null
    })
  )

const owed = async (kind: string): Promise<number> => {
  const rows = await queryDirectly(url, "select id from mails where company_id = $1::uuid and kind = $2", [
    companyId,
    kind
  ])
  return rows.length
}

it.each([
  [17, 2, 0, false],
  [18, 2, 0, false],
  [17, 3, 0, true],
  [20, 0, 2, false],
  [20, 0, 3, true]
])(
  "of %i mails that left, %i refused and %i that came back later stop mail: %s",
  async (sent, refused, late, stops) => {
    await count(sent, refused, late)
    await judge()
    expect((await read()).stoppedBy).toBe(stops ? "RATE" : null)
    expect(await owed("MAIL_STOPPED")).toBe(stops ? 1 : 0)
  }
)

it("a mail to the company's own people that comes back counts for nothing", async () => {
  const [own = ""] = await owe(url, { companyId, causes: [randomUUID()] })
  const line = { actor: "operator", action: "mail.returned", details: {}, at: begun, ipAddress: null } as const
  expect(await Effect.runPromise(standings.returned(MailId.make(own), "BOUNCE", line))).toBeNull()
  expect(await read()).toMatchObject({ reported: 0 })
})

it("mail that is stopped stays stopped by whoever has stopped it first, since then, and its owners hear nothing more", async () => {
  await change({ stopped: true }, begun - hour)
  await count(10, 10, 10)
  await judge()
  await change({ stopped: true }, begun)
  expect(await read()).toMatchObject({ stoppedBy: "OPERATOR", stoppedAt: begun - hour })
  expect(await owed("MAIL_STOPPED")).toBe(0)
})

it("what waits is due when mail is started again, and what a node has in hand is left to the node", async () => {
  const [inHand = "", waiting = ""] = await owe(url, { companyId, causes: [randomUUID(), randomUUID()] })
  const [ofOther = ""] = await owe(url, { companyId: await newCompany(), causes: [randomUUID()] })
  const takenUntil = begun + Duration.toMillis(mailLimits.takenFor)
  await queryDirectly(
    url,
    "update mails set due_at = to_timestamp($3::float8 / 1000) + case when id = $1::uuid then interval '0' else interval '1 hour' end where id in ($1::uuid, $2::uuid, $4::uuid)",
    [inHand, waiting, takenUntil, ofOther]
  )
  const dueAt = async () => {
    const rows = await queryDirectly<{ readonly id: string; readonly at: Date }>(
      url,
      "select id, due_at as at from mails where id in ($1::uuid, $2::uuid, $3::uuid)",
      [inHand, waiting, ofOther]
    )
    return new Map(rows.map(({ at, id }) => [id, at.getTime()]))
  }
  await change({ stopped: true }, begun)
  await change({ perDay: 100 }, begun)
  expect(await dueAt()).toEqual(
    new Map([
      [inHand, takenUntil],
      [waiting, takenUntil + hour],
      [ofOther, takenUntil + hour]
    ])
  )
  await change({ stopped: false }, begun)
  expect(await dueAt()).toEqual(
    new Map([
      [inHand, takenUntil],
      [waiting, begun],
      [ofOther, takenUntil + hour]
    ])
  )
  expect(await read()).toMatchObject({ stoppedBy: null, perDay: 100 })
})

it.each([
  ["BOUNCE", 1],
  ["COMPLAINT", 0]
] as const)("the team hears that a customer's mail did not arrive, and of no complaint: %s", async (as, told) => {
  const journeyId = randomUUID()
  await queryDirectly(
    url,
    `insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, created_at)
     values ($1::uuid, $2::uuid, true, 'ACTIVE', 1, gen_random_uuid(), $1::text, '', '{}', now())`,
    [journeyId, companyId]
  )
  const mail = { kind: "WELCOME", facts: { again: false } }
  const [id = ""] = await owe(url, { companyId, journeyId, causes: [randomUUID()], mail })
  const line = { actor: "operator", action: "mail.returned", details: {}, at: begun, ipAddress: null } as const
  expect(await Effect.runPromise(standings.returned(MailId.make(id), as, line))).toEqual({ companyId })
  // The server that could not deliver the mail says so once more.
  await Effect.runPromise(standings.returned(MailId.make(id), as, line))
  expect((await read()).reported).toBe(1)
  expect(await owed("MAIL_UNDELIVERED")).toBe(told)
})
