/**
 * What the journey store promises, on a real database: neighbours in one statement do not pay for each other, twins are
 * told apart, credits are not promised twice, and an ended journey stays ended.
 */
import { Effect, Exit } from "effect"
import {
  ConnectionError,
  DeadlockError,
  SqlError,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError
} from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { isRefusal } from "../../../../src/runtime/postgres/sqlFailure.ts"
import type { Commit, JourneyStore } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { makeCompany, start, startBody, type Answer } from "../../../support/companies.ts"
import { inconsistencies } from "../../../support/consistency.ts"
import { freshDatabase, startService, type Service } from "../../../support/service.ts"
import { factsOf, startedAt } from "../../../actors/journey/rules/startedJourneys.ts"
import { CompanyId, JourneyId } from "../../../../src/schema/ids.ts"

const body = (email: string) => {
  const example = startBody("IDENTITY_DELIVERY")
  return { ...example, customer: { ...example.customer, email } }
}

const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status).toSorted((a, b) => a - b)

const facts = () => ({ ...factsOf("FINANCE_SALE"), id: JourneyId.make(nextId()), customerReference: nextId() })

const report = (code: string, severityUnlocalized = "ERROR") => ({ code, severityUnlocalized })

describe("what counts as refused, and may be sent again in pieces", () => {
  it.each([
    ["a unique violation", new UniqueViolation({ cause: report("23505"), constraint: "x" }), true],
    ["a mistake of ours", new SqlSyntaxError({ cause: report("42601") }), true],
    ["a deadlock that came again and again", new DeadlockError({ cause: report("40P01") }), true],
    ["no connection", new ConnectionError({ cause: new Error("ECONNREFUSED"), operation: "connect" }), false],
    ["a lost connection", new ConnectionError({ cause: new Error("ECONNRESET"), operation: "execute" }), false],
    ["an ended session", new ConnectionError({ cause: report("57P01", "FATAL"), operation: "execute" }), false],
    ["a statement that took too long", new StatementTimeoutError({ cause: report("57014") }), false],
    ["an answer nobody could read", new UnknownError({ cause: new Error("codec"), operation: "execute" }), false]
  ])("%s is known for what it is", (_, reason, expected) => {
    expect(isRefusal(new SqlError({ reason }))).toBe(expected)
  })
})

describe("rows that share a statement", () => {
  let actors: Actors
  let kept: JourneyStore["Service"]
  const commits: Array<Commit> = []
  beforeAll(async () => {
    actors = await startActors(await freshDatabase(), (store) => {
      kept = store
      return { ...store, commit: (commit) => Effect.suspend(() => (commits.push(commit), store.commit(commit))) }
    })
  })
  afterAll(() => actors.stop())

  it("are written although one of the starts cannot be", async () => {
    const all = Array.from({ length: 40 }, (_, at) =>
      at === 17 ? { ...facts(), companyId: CompanyId.make("no company's id") } : facts()
    )
    const begun = await Promise.allSettled(all.map((one) => actors.begin(one, startedAt)))
    expect(begun.flatMap(({ status }, at) => (status === "rejected" ? [at] : []))).toEqual([17])
  })

  it("are those of starts without a photo: a photo takes longer, and has a statement of its own", async () => {
    const plain = Array.from({ length: 40 }, facts)
    const withPhoto = facts()
    const photo = new Uint8Array(100_000)
    await Promise.all([
      ...plain.map((one) => actors.begin(one, startedAt)),
      actors.begin(withPhoto, startedAt, photo),
      ...plain.map(() => actors.begin(facts(), startedAt))
    ])
    const [{ shared, statements } = { shared: -1, statements: -1 }] = await actors.query<{
      readonly shared: number
      readonly statements: number
    }>(
      `select count(distinct xmin::text)::int as statements,
        (count(*) filter (where xmin::text = (select xmin::text from journeys where id = $1)))::int as shared
       from journeys where id = any($2::uuid[])`,
      [withPhoto.id, plain.map(({ id }) => id)]
    )
    expect(shared).toBe(0)
    // Without journeys that share a statement the test would show nothing.
    expect(statements).toBeLessThan(plain.length)
  })

  it("are written although one of the messages cannot be", async () => {
    const all = Array.from({ length: 40 }, facts)
    await Promise.all(all.map((one) => actors.begin(one, startedAt)))
    const exits = await actors.run(
      Effect.forEach(
        all,
        ({ id }, at) =>
          Effect.exit(
            actors.ask(id, { _tag: "VideoUploaded" }, { messageId: at === 17 ? "no message's id" : randomUUID() })
          ),
        { concurrency: "unbounded" }
      )
    )
    expect(exits.flatMap((exit, at) => (Exit.isFailure(exit) ? [at] : []))).toEqual([17])
  })

  it("and charge one wallet take a credit for each charge, and no more", async () => {
    const companyId = CompanyId.make(nextId())
    const all = Array.from({ length: 20 }, () =>
      factsOf("FINANCE_SUBMIT_VIA_MIRA", { id: JourneyId.make(nextId()), companyId, customerReference: nextId() })
    )
    await actors.query(
      `insert into companies (id, name, kind, admin_email, sandbox, created_at)
       values ($1, 'Harbour Cars', 'DEALER', 'owner@example.com', '{}', now())`,
      [companyId]
    )
    await actors.query(
      "insert into wallets (company_id, wallet, balance, held) select $1, w, 100, 20 from unnest(array['APPLICATION', 'IDENTITY']) w",
      [companyId]
    )
    await Promise.all(all.map((one) => actors.begin(one, startedAt)))
    await actors.query(
      `insert into wallet_holds (journey_id, company_id, wallet, credits, at)
       select id, company_id, w, 1, now() from journeys, unnest(array['APPLICATION', 'IDENTITY']) w where company_id = $1`,
      [companyId]
    )
    await actors.run(
      Effect.forEach(all, ({ id }) => actors.ask(id, { _tag: "PanelAccepted", check: { possible: true } }), {
        concurrency: "unbounded"
      })
    )
    const [taken] = await actors.query<{ readonly charges: number; readonly statements: number }>(
      `select count(*)::int as charges, count(distinct xmin::text)::int as statements
       from wallet_ledger where company_id = $1 and wallet = 'APPLICATION'`,
      [companyId]
    )
    expect(taken?.charges).toBe(20)
    // Without journeys that share a statement the test would show nothing.
    expect(taken?.statements).toBeLessThan(20)
    expect(
      await actors.query(
        "select balance::int, held::int from wallets where company_id = $1 and wallet = 'APPLICATION'",
        [companyId]
      )
    ).toEqual([{ balance: 80, held: 0 }])
  })

  it("that owe the mail of one cause again owe it once, and the rest of the commit is written", async () => {
    const one = factsOf("IDENTITY_DELIVERY", { id: JourneyId.make(nextId()), customerReference: nextId() })
    await actors.begin(one, startedAt)
    await actors.run(actors.ask(one.id, { _tag: "IdentityUnderReview" }))
    const commit = commits.findLast(({ journey }) => journey.id === one.id)
    if (commit === undefined || commit.mails.length === 0) throw new Error("the message owes no mail")
    const owed = () =>
      actors.query<{ readonly cause: string }>("select cause from mails where journey_id = $1 order by cause", [one.id])
    const before = await owed()
    expect(before.length).toBeGreaterThanOrEqual(commit.mails.length)
    const again = { ...commit, expectedVersion: commit.expectedVersion + 1, messageId: randomUUID(), events: [] }
    expect(await actors.run(kept.commit({ ...again, charges: [] }))).toBe("Committed")
    expect(await owed()).toEqual(before)
  })

  it("that would reopen an ended journey are refused by the database itself", async () => {
    const { id } = facts()
    await actors.begin({ ...facts(), id: JourneyId.make(id) }, startedAt)
    await actors.run(actors.ask(id, { _tag: "Cancel" }))
    await expect(actors.query("update journeys set status = 'ACTIVE' where id = $1", [id])).rejects.toMatchObject({
      reason: { cause: { code: "23001" } }
    })
    await expect(actors.query("update journeys set status = 'COMPLETED' where id = $1", [id])).rejects.toThrow()
    expect(await actors.query("select status from journeys where id = $1", [id])).toEqual([{ status: "CANCELLED" }])
    // Work that is still owed goes on.
    await actors.query("update journeys set wake_at = now() where id = $1", [id])
  })
})

describe("two services on one database", () => {
  let services: readonly [Service, Service]
  beforeAll(async () => {
    const environment = {
      RATE_LIMIT_PER_MINUTE: "1000000",
      SANDBOX_STEP: "50 millis",
      SANDBOX_CALLER_STEP: "50 millis"
    }
    const first = await startService(environment)
    services = [first, await startService({ ...environment, DATABASE_URL: first.databaseUrl })]
  })
  afterAll(() => Promise.all(services.map((service) => service.stop())))

  const company = (credits = 0) =>
    makeCompany(services[0], { credits, settings: { identityProvider: { kind: "BUILT_IN" } } })
  const atOnce = (count: number, send: (service: Service, at: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, at) => send(services[at % 2] ?? services[0], at)))

  it("give one journey for one key, however many ask at once", async () => {
    const { testKey } = await company()
    for (let round = 0; round < 5; round++) {
      const answers = await atOnce(50, (service) =>
        start(service, testKey, body("twin@example.com"), `storm-${round}-key`)
      )
      expect(statuses(answers)).toEqual([...Array.from({ length: 49 }, () => 200), 202])
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
      expect(
        answers.filter(({ headers, status }) => (headers.get("idempotent-replayed") === "true") !== (status === 200))
      ).toEqual([])
    }
  })

  it("refuse a key that is used for two requests at once, and start one of them", async () => {
    const { testKey } = await company()
    const answers = await atOnce(40, (service, at) =>
      start(service, testKey, body(`differs-${at % 4}@example.com`), "differing-key")
    )
    expect(statuses(answers)).toEqual([
      ...Array.from({ length: 9 }, () => 200),
      202,
      ...Array.from({ length: 30 }, () => 409)
    ])
  })

  it("know a new customer as one, however many of their journeys start at once", async () => {
    const { id, testKey } = await company()
    const answers = await atOnce(40, (service, at) =>
      start(service, testKey, body("Same.Person@example.com"), `customer-key-${at}`)
    )
    expect(statuses(answers)).toEqual(answers.map(() => 202))
    expect(new Set(answers.map(({ data }) => data.customerReference)).size).toBe(1)
    expect(await services[0].query("select count(*)::int as n from customers where company_id = $1", [id])).toEqual([
      { n: 1 }
    ])
  })

  it("take one credit for each start that asks for its check at once, though many share a statement", async () => {
    const { id, liveKey } = await company(100)
    const answers = await atOnce(40, (service, at) =>
      start(service, liveKey, body(`charged-${at}@example.com`), `charged-key-${at}`)
    )
    expect(statuses(answers)).toEqual(answers.map(() => 202))
    const [wallet] = await services[0].query<{ readonly balance: number; readonly statements: number }>(
      `select balance::int, (select count(distinct xmin::text)::int from wallet_ledger l
         where l.company_id = w.company_id and l.journey_id is not null) as statements
       from wallets w where company_id = $1 and wallet = 'IDENTITY'`,
      [id]
    )
    expect(wallet?.balance).toBe(60)
    expect(wallet?.statements).toBeLessThan(40)
  })

  it("promise no credit twice, and start as many as there are credits", async () => {
    const { id, liveKey } = await company(10)
    const answers = await atOnce(40, (service, at) =>
      start(service, liveKey, body(`credit-${at}@example.com`), `credit-key-${at}`)
    )
    expect(statuses(answers)).toEqual([
      ...Array.from({ length: 10 }, () => 202),
      ...Array.from({ length: 30 }, () => 422)
    ])
    const wallet = await services[0].query(
      "select balance::int, held::int from wallets where company_id = $1 and wallet = 'IDENTITY'",
      [id]
    )
    expect(wallet).toEqual([{ balance: 0, held: 0 }])
  })

  it("find the last credit although replays of earlier starts, which need none, share its statement", async () => {
    const { liveKey } = await company(2)
    const first = () => start(services[0], liveKey, body("replayed@example.com"), "replayed-credit-key")
    expect((await first()).status).toBe(202)
    const replays = Array.from({ length: 20 }, first)
    const last = await start(services[0], liveKey, body("last@example.com"), "last-credit-key")
    expect(statuses(await Promise.all(replays))).toEqual(replays.map(() => 200))
    expect(last.status).toBe(202)
  })

  it("leave a database in which everything agrees, though both wake the same journeys", async () => {
    await expect
      .poll(() => services[0].query("select 1 from journeys where not livemode and status = 'ACTIVE'"), {
        timeout: 20_000
      })
      .toEqual([])
    expect(await inconsistencies(services[0].query)).toEqual([])
  })
})
