/** What is recorded of a mail, and which mails of one journey wait for each other, on a real database. */
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { unsharedPlaces } from "../../../../src/actors/mail/mailPlaces.ts"
import { MailStore, type TakenMail } from "../../../../src/actors/mail/MailStore.ts"
import { MailId } from "../../../../src/schema/ids.ts"
import { MailKind } from "../../../../src/schema/mail/mailKinds.ts"
import * as Database from "../../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../../src/runtime/postgres/migrations/all.ts"
import * as PostgresMailStore from "../../../../src/runtime/stores/mail/PostgresMailStore.ts"
import { directly, queryDirectly } from "../../../support/directly.ts"
import { owe, stateOf } from "../../../support/owedMail.ts"
import { freshDatabase } from "../../../support/service.ts"

const minute = 60_000

let url: string
let stop: () => Promise<void>
let store: MailStore["Service"]
let companyId: string
let journeyId: string

beforeAll(async () => {
  url = await freshDatabase()
  const runtime = ManagedRuntime.make(
    PostgresMailStore.layer.pipe(Layer.provideMerge(Database.layerOf(Redacted.make(url), migrations)))
  )
  store = Context.get(await runtime.context(), MailStore)
  stop = () => runtime.dispose()
})
afterAll(() => stop())

beforeEach(async () => {
  await queryDirectly(url, "delete from mails")
  companyId = randomUUID()
  journeyId = randomUUID()
  await queryDirectly(
    url,
    "insert into companies (id, name, kind, admin_email, sandbox, created_at) values ($1::uuid, 'Harbour Cars', 'DEALER', 'a@b.example', '{}', now())",
    [companyId]
  )
  await queryDirectly(
    url,
    `insert into journeys (id, company_id, livemode, status, version, customer_id, idempotency_key, fingerprint, state, created_at)
     values ($1::uuid, $2::uuid, true, 'ACTIVE', 1, gen_random_uuid(), $1::text, '', '{}', now())`,
    [journeyId, companyId]
  )
})

let causes = 0
const oweMail = async (kind: MailKind, memberId: string | null = null) => {
  const cause = `${journeyId}|${(causes += 1)}`
  const mail = { kind, facts: { again: false } }
  const [id = ""] = await owe(url, { companyId, journeyId, causes: [cause], mail })
  await queryDirectly(url, "update mails set member_id = $2::uuid, sealed_recipient = 'sealed' where id = $1::uuid", [
    id,
    memberId
  ])
  return { id: MailId.make(id), cause }
}

const take = (
  afterMinutes = 1,
  kinds: ReadonlyArray<MailKind> = MailKind.literals
): Promise<ReadonlyArray<TakenMail>> => {
  const now = Date.now() + afterMinutes * minute
  const room = unsharedPlaces.room(100)
  return Effect.runPromise(store.take({ now, until: now + minute, kinds, room }))
}

const idsOf = (mails: ReadonlyArray<{ readonly id: string }>) => mails.map(({ id }) => id).toSorted()

const sentOf = async (): Promise<number> => {
  const rows = await queryDirectly<{ readonly sent: number }>(
    url,
    "select sent from mail_hours where company_id = $1::uuid",
    [companyId]
  )
  return rows.reduce((all, { sent }) => all + sent, 0)
}

const hasAddress = async (id: string): Promise<boolean | undefined> => {
  const [row] = await queryDirectly<{ readonly kept: boolean }>(
    url,
    "select sealed_recipient is not null as kept from mails where id = $1::uuid",
    [id]
  )
  return row?.kept
}

describe("the mails of one journey", () => {
  it("wait for those of before to the same recipient, and for nobody else's", async () => {
    const [ann, tom] = [randomUUID(), randomUUID()]
    const welcome = await oweMail("WELCOME")
    const toAnn = await oweMail("REVIEW_NEEDED", ann)
    const toTom = await oweMail("REVIEW_NEEDED", tom)
    await oweMail("VERIFY_IDENTITY")
    await oweMail("CHECK_UNAVAILABLE", ann)
    expect(idsOf(await take())).toEqual(idsOf([welcome, toAnn, toTom]))
  })

  it("wait for none that is not due yet and was never tried", async () => {
    const later = await oweMail("WELCOME")
    await queryDirectly(url, "update mails set due_at = now() + interval '1 hour' where id = $1::uuid", [later.id])
    const due = await oweMail("VERIFY_IDENTITY")
    expect(idsOf(await take())).toEqual([due.id])
  })

  it("wait for none of a kind that only a newer version knows, and that version takes it", async () => {
    const ann = randomUUID()
    const newer = await oweMail("CHECK_UNAVAILABLE", ann)
    const known = await oweMail("REVIEW_NEEDED", ann)
    const kinds = MailKind.literals.filter((kind) => kind !== "CHECK_UNAVAILABLE")
    expect(idsOf(await take(1, kinds))).toEqual([known.id])
    expect(idsOf(await take())).toEqual([newer.id])
  })

  it("of one moment go in the order of the numbers in their causes, the tenth after the ninth", async () => {
    const mail = { kind: "VERIFY_IDENTITY", facts: { again: false } }
    await owe(url, { companyId, journeyId, causes: [`${journeyId}|10`, `${journeyId}|9`], mail })
    await queryDirectly(url, "update mails set created_at = now()")
    const ninth = await queryDirectly<{ readonly id: string }>(url, "select id from mails where cause like '%|9'")
    expect(idsOf(await take())).toEqual(idsOf(ninth))
  })
})

describe("a mail", () => {
  it("that another node is just taking is passed by, and not waited for", async () => {
    const [held, free] = [await oweMail("REVIEW_NEEDED", randomUUID()), await oweMail("REVIEW_NEEDED", randomUUID())]
    await directly(url, async (query) => {
      await query("begin")
      await query("select from mails where id = $1::uuid for update", [held.id])
      expect(idsOf(await take())).toEqual([free.id])
      await query("rollback")
    })
    expect(idsOf(await take())).toEqual([held.id])
  })

  it("that is postponed has not been tried", async () => {
    const { cause } = await oweMail("WELCOME")
    for (const afterMinutes of [1, 5]) {
      const [one] = await take(afterMinutes)
      expect(one?.tries).toBe(1)
      if (one !== undefined) await Effect.runPromise(store.postponed(one, Date.now()))
    }
    expect(await stateOf(url, cause)).toMatchObject({ tries: 0, due: true })
  })

  it("that is kept twice was sent when it was kept first", async () => {
    const { id } = await oweMail("WELCOME")
    const first = Date.UTC(2026, 0, 12)
    for (const at of [first, first + minute]) {
      await Effect.runPromise(store.kept({ id, at, toIndex: Buffer.of(1), sealed: Buffer.of(2) }))
    }
    expect(await queryDirectly(url, "select sent_at from mails where id = $1::uuid", [id])).toEqual([
      { sent_at: new Date(first) }
    ])
  })
})

const endings = {
  again: (one: TakenMail) => store.again(one, Date.now()),
  postponed: (one: TakenMail) => store.postponed(one, Date.now()),
  "given up": (one: TakenMail) => store.givenUp(one, Date.now(), { isRefused: true, note: null }),
  "struck off": (one: TakenMail) => store.struckOff(one, Date.now())
} as const
const everyEnding = Object.keys(endings) as ReadonlyArray<keyof typeof endings>

describe("a mail that is over", () => {
  const overs = {
    ...endings,
    sent: ({ id }: TakenMail) => store.sent(id, Date.now()),
    kept: ({ id }: TakenMail) => store.kept({ id, at: Date.now(), toIndex: Buffer.of(1), sealed: Buffer.of(2) })
  } as const
  it.each(["sent", "kept", "given up", "struck off"] as const)(
    "keeps the address no longer that was kept for it: %s",
    async (how) => {
      const { id } = await oweMail("WELCOME")
      const [one] = await take()
      expect(await hasAddress(id)).toBe(true)
      if (one !== undefined) await Effect.runPromise(overs[how](one))
      expect(await hasAddress(id)).toBe(false)
    }
  )
})

describe("a mail that was taken again since", () => {
  it.each(everyEnding)("hears nothing of how the taking of before ended: %s", async (ending) => {
    const { cause, id } = await oweMail("WELCOME")
    const [first] = await take()
    const [second] = await take(5)
    expect([first?.tries, second?.tries]).toEqual([1, 2])
    const before = await stateOf(url, cause)
    if (first !== undefined) await Effect.runPromise(endings[ending](first))
    expect(await stateOf(url, cause)).toEqual({ ...before, dueIn: expect.closeTo(before?.dueIn ?? 0, -1) })
    expect(await hasAddress(id)).toBe(true)
  })

  it.each(everyEnding)(
    "stays sent when the taking of before has sent it, whatever the later one says: %s",
    async (ending) => {
      const { cause, id } = await oweMail("WELCOME")
      await take()
      const [second] = await take(5)
      await Effect.runPromise(store.sent(id, Date.now()))
      const before = await stateOf(url, cause)
      if (second !== undefined) await Effect.runPromise(endings[ending](second))
      expect(await stateOf(url, cause)).toEqual(before)
      expect(await sentOf()).toBe(1)
    }
  )

  it("is sent when the taking of before has sent it, and counts once", async () => {
    const { cause, id } = await oweMail("WELCOME")
    await take()
    await take(5)
    for (const _ of [1, 2]) await Effect.runPromise(store.sent(id, Date.now()))
    expect(await stateOf(url, cause)).toMatchObject({ due: false, sent: true })
    expect(await sentOf()).toBe(1)
  })
})
