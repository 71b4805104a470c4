/** In which order due mails of several companies are taken up, on a real database. */
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { SqlClient } from "effect/sql/SqlClient"
import { unsharedPlaces, type MailRoom } from "../../../../src/actors/mail/mailPlaces.ts"
import { MailStore, type TakenMail } from "../../../../src/actors/mail/MailStore.ts"
import { MailKind } from "../../../../src/schema/mail/mailKinds.ts"
import * as Database from "../../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../../src/runtime/postgres/migrations/all.ts"
import * as PostgresMailStore from "../../../../src/runtime/stores/mail/PostgresMailStore.ts"
import { beforeAllCompanies, takeMailStatement } from "../../../../src/runtime/stores/mail/takeMailStatement.ts"
import { CompanyId } from "../../../../src/schema/ids.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { owe } from "../../../support/owedMail.ts"
import { explained, type PlanOfRun } from "../../../support/plans.ts"
import { freshDatabase } from "../../../support/service.ts"

let url: string
let stop: () => Promise<void>
let companies: ReadonlyArray<string>
/** The mails that are taken, in order. */
let takenMails: (most: number, room?: Partial<MailRoom>) => Promise<ReadonlyArray<TakenMail>>
/** A try has failed: the mail is tried again in an hour. */
let failed: (mail: TakenMail | undefined) => Promise<void>
/** The names of the companies whose mails are taken, in order. */
let taken: (most: number, room?: Partial<MailRoom>) => Promise<ReadonlyArray<string>>
/** How one connection of the service takes sixteen: before and after `meanwhile`. */
let takenBeforeAndAfter: (meanwhile: () => Promise<unknown>) => Promise<readonly [PlanOfRun, PlanOfRun]>

beforeAll(async () => {
  url = await freshDatabase()
  const runtime = ManagedRuntime.make(
    PostgresMailStore.layer.pipe(Layer.provideMerge(Database.layerOf(Redacted.make(url), migrations)))
  )
  const context = await runtime.context()
  const { again, take } = Context.get(context, MailStore)
  const sql = Context.get(context, SqlClient)
  const kinds = `'{${MailKind.literals.join(",")}}'`
  const taking = `execute taking (now() + interval '1 minute', now() + interval '2 minutes', ${kinds}, ${kinds}, 3, 16, '${beforeAllCompanies}', 16, '{}', '{}', 0, false, '{}', 16)`
  takenBeforeAndAfter = (meanwhile) =>
    Effect.gen(function* () {
      yield* sql.unsafe(
        `prepare taking (timestamptz, timestamptz, text[], text[], int, int, uuid, int, uuid[], int[], int, bool, bool[], int) as ${takeMailStatement}`
      )
      const before = yield* explained({ sql }, taking)
      yield* Effect.promise(meanwhile)
      const after = yield* explained({ sql }, taking)
      yield* sql.unsafe("deallocate taking")
      return [before, after] as const
    }).pipe(sql.withTransaction, Effect.runPromise)
  takenMails = (most, wishes) => {
    const room = { ...unsharedPlaces.room(most), ...wishes }
    const ask = { now: Date.now() + 60_000, until: Date.now() + 120_000, kinds: MailKind.literals, room }
    return runtime.runPromise(Effect.orDie(take(ask)))
  }
  taken = async (most, wishes) => (await takenMails(most, wishes)).map(({ company }) => company.name)
  failed = async (mail) => {
    if (mail === undefined) throw new Error("no mail was taken")
    await runtime.runPromise(Effect.orDie(again(mail, Date.now() + 3_600_000)))
  }
  stop = () => runtime.dispose()
  companies = Array.from({ length: 4 }, () => randomUUID()).toSorted()
  for (const [at, id] of companies.entries()) {
    await queryDirectly(
      url,
      "insert into companies (id, name, kind, admin_email, sandbox, created_at) values ($1::uuid, $2::text, 'DEALER', 'a@b.example', '{}', now())",
      [id, `company ${at}`]
    )
  }
})
afterAll(() => stop())
beforeEach(() => queryDirectly(url, "delete from mails"))

const oweMails = (company: number, count: number, livemode = true) =>
  owe(url, {
    companyId: companies[company] ?? "",
    livemode,
    causes: Array.from({ length: count }, () => randomUUID())
  })

const oweSignIn = (company: number) =>
  owe(url, {
    companyId: companies[company] ?? "",
    causes: [`sign-in|${randomUUID()}`],
    mail: { kind: "SIGN_IN", facts: { memberId: randomUUID(), askedAt: "2026-01-12T10:31:07.218Z" } }
  })

const kindsTaken = async (): Promise<ReadonlyArray<string>> => {
  const rows = await queryDirectly<{ readonly kind: string }>(
    url,
    "select kind from mails where tries = 1 order by kind"
  )
  return rows.map(({ kind }) => kind)
}

const modesTaken = async (): Promise<ReadonlyArray<boolean>> => {
  const rows = await queryDirectly<{ readonly livemode: boolean }>(
    url,
    "select livemode from mails where tries = 1 order by livemode"
  )
  return rows.map(({ livemode }) => livemode)
}

const one = async (times: number): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  for (let at = 0; at < times; at += 1) names.push(...(await taken(1)))
  return names
}

describe("due mail", () => {
  it("is taken up in turns of the companies, however much one of them owes and for how long", async () => {
    await oweMails(1, 50)
    await oweMails(0, 2)
    await oweMails(2, 2)
    const names = await one(6)
    expect(names.filter((name) => name === "company 1")).toHaveLength(2)
    expect(names.filter((name) => name === "company 0")).toHaveLength(2)
    expect(names.filter((name) => name === "company 2")).toHaveLength(2)
  })

  it("is shared by the companies within one look, too", async () => {
    await oweMails(1, 50)
    await oweMails(3, 1)
    expect(new Set(await taken(4))).toEqual(new Set(["company 1", "company 3"]))
  })

  it("goes out first if a person waits for it: to sign in, and to have a link again", async () => {
    await oweMails(1, 50)
    await oweMails(2, 50)
    await oweSignIn(1)
    expect(await one(1)).toEqual(["company 1"])
    expect(await kindsTaken()).toEqual(["SIGN_IN"])
    await owe(url, { companyId: companies[3] ?? "", causes: [`${randomUUID()}|asked|0`] })
    expect(await one(1)).toEqual(["company 3"])
  })

  it("that somebody asked for goes out before invitations, however many of them and however old", async () => {
    const facts = { memberId: randomUUID(), by: "operator" }
    const causes = Array.from({ length: 50 }, () => randomUUID())
    await owe(url, { companyId: companies[0] ?? "", causes, mail: { kind: "INVITATION", facts } })
    await oweSignIn(3)
    await oweSignIn(0)
    expect((await taken(2)).toSorted()).toEqual(["company 0", "company 3"])
    expect(await kindsTaken()).toEqual(["SIGN_IN", "SIGN_IN"])
  })

  it("is taken from no company beyond its room, and what was asked for beyond it as far as that goes", async () => {
    await oweMails(0, 50)
    await oweMails(1, 50)
    for (const company of [0, 0, 0, 1]) await oweSignIn(company)
    const leftOf = [{ companyId: CompanyId.make(companies[0] ?? ""), livemode: true, left: -1 }]
    const names = await taken(20, { mostOfOne: 4, leftOf, askedOnTop: 2 })
    expect(names.filter((name) => name === "company 0")).toHaveLength(1)
    expect(names.filter((name) => name === "company 1")).toHaveLength(4)
    expect(await kindsTaken()).toEqual([
      "ENDPOINT_FAILING",
      "ENDPOINT_FAILING",
      "ENDPOINT_FAILING",
      "SIGN_IN",
      "SIGN_IN"
    ])
  })

  it("is left where only mail fits that somebody asked for", async () => {
    await oweMails(1, 5)
    const facts = { memberId: randomUUID(), by: "operator" }
    await owe(url, { companyId: companies[1] ?? "", causes: [randomUUID()], mail: { kind: "INVITATION", facts } })
    await oweSignIn(2)
    expect(await taken(5, { isForAsked: true })).toEqual(["company 2"])
    expect(await taken(5, { isForAsked: true })).toEqual([])
  })

  it("about test journeys has a room of its own, and in each turn of the companies it comes after live mail", async () => {
    await oweMails(0, 50, false)
    await oweMails(1, 50, false)
    await oweMails(1, 50)
    await oweMails(2, 1)
    const first = await taken(2, { mostOfOne: 4, mostTestMailsOfOne: 1 })
    expect(first.toSorted()).toEqual(["company 1", "company 2"])
    expect(await modesTaken()).toEqual([true, true])
    const names = await taken(20, { mostOfOne: 4, mostTestMailsOfOne: 1 })
    expect(names.toSorted()).toEqual(["company 0", ...Array.from({ length: 5 }, () => "company 1")])
    expect(await modesTaken()).toEqual([false, false, ...Array.from({ length: 6 }, () => true)])
    const leftOf = [{ companyId: CompanyId.make(companies[1] ?? ""), livemode: false, left: 0 }]
    expect(await taken(20, { mostOfOne: 0, mostTestMailsOfOne: 2, leftOf })).toEqual(["company 0", "company 0"])
    expect(await taken(20, { mostOfOne: 1, mostTestMailsOfOne: 0, leftOf })).toEqual(["company 1"])
  })

  it("goes on with the next company after mail that somebody asked for", async () => {
    await oweMails(0, 4)
    await oweMails(1, 4)
    const names: Array<string> = []
    for (let at = 0; at < 4; at += 1) {
      names.push(...(await taken(1)))
      await oweSignIn(2)
      expect(await taken(1, { isForAsked: true, askedOnTop: 1 })).toEqual(["company 2"])
    }
    expect([names.slice(0, 2).toSorted(), names.slice(2)]).toEqual([["company 0", "company 1"], names.slice(0, 2)])
  })

  it("goes on with the company after the last one whose live mail was taken, whoever's test mail came behind", async () => {
    await oweMails(3, 1)
    expect(await taken(1)).toEqual(["company 3"])
    await oweMails(0, 1)
    await oweMails(1, 1)
    await oweMails(0, 1, false)
    expect(await taken(3)).toEqual(["company 0", "company 1", "company 0"])
    await oweMails(1, 1)
    await oweMails(2, 1)
    expect(await taken(1)).toEqual(["company 2"])
  })

  it("of a company alone is all taken", async () => {
    await oweMails(2, 3)
    expect(await taken(8)).toHaveLength(3)
    expect(await taken(8)).toEqual([])
  })

  it("costs the same to take from twenty thousand as from forty, if the connection made its plan for forty", async () => {
    await oweMails(1, 40)
    await queryDirectly(url, "analyze mails")
    const [few, many] = await takenBeforeAndAfter(() => oweMails(1, 20_000))
    expect(many.rows).toBeLessThan(5 * few.rows)
  })

  it("costs as little if PostgreSQL knows nothing yet of the twenty thousand", async () => {
    await oweMails(1, 40)
    await queryDirectly(url, "delete from mails")
    // It may have looked while the table had pages and no row: then it takes every page of the table for empty.
    await queryDirectly(url, "analyze mails")
    await oweMails(1, 20_000)
    await queryDirectly(url, "delete from pg_statistic where starelid = 'mails'::regclass")
    const [first] = await takenBeforeAndAfter(() => Promise.resolve())
    expect(first.rows).toBeLessThan(2_000)
  })
})

const idsOf = (mails: ReadonlyArray<TakenMail>): ReadonlyArray<string> => mails.map(({ id }) => id)

/** A welcome that has failed so often, and a mail that waits behind it. Both are due. */
const oweTwo = async (failedTries: number) => {
  const journeyId = randomUUID()
  const oweMail = (kind: MailKind) =>
    owe(url, {
      companyId: companies[0] ?? "",
      journeyId,
      causes: [`${journeyId}|${kind}`],
      mail: { kind, facts: { again: false } }
    })
  const [first] = await oweMail("WELCOME")
  const [second] = await oweMail("VERIFY_IDENTITY")
  await queryDirectly(url, "update mails set tries = $2 where id = $1", [first, failedTries])
  return { first, second }
}

describe("the mails of one journey to one recipient", () => {
  it.each([1, 2, 3, 4])("come in order while try %i of the first is under way", async (attempt) => {
    const { first } = await oweTwo(attempt - 1)
    expect(idsOf(await takenMails(8))).toEqual([first])
    expect(await takenMails(8)).toEqual([])
  })

  it("come in order after three failed tries, and after four the first holds back no other", async () => {
    const { first, second } = await oweTwo(2)
    const [third] = await takenMails(8)
    await failed(third)
    expect(await takenMails(8)).toEqual([])
    await queryDirectly(url, "update mails set due_at = now() where id = $1", [first])
    const [fourth] = await takenMails(8)
    expect(fourth).toMatchObject({ id: first, tries: 4 })
    await failed(fourth)
    expect(idsOf(await takenMails(8))).toEqual([second])
  })

  it("do not wait for the fifth try of the first", async () => {
    const { first, second } = await oweTwo(4)
    expect(new Set(idsOf(await takenMails(8)))).toEqual(new Set([first, second]))
  })
})
