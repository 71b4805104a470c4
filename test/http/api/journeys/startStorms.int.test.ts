import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, startBody } from "../../../support/companies.ts"
import { call, freshKey, start, type Reply } from "../../../support/requests.ts"
import { changed } from "../../../schema/start/judge.ts"
import { journeys, prepareGround, rowCounts, type Ground } from "./oracle.ts"

let ground: Ground
beforeAll(async () => {
  ground = await prepareGround()
})
afterAll(() => ground.service.stop())

let people = 0
const newcomer = () => `newcomer-${(people += 1)}@example.com`
const bodyFor = (email: string) => changed(startBody("IDENTITY_DELIVERY"), { "customer.email": email })

const atOnce = (count: number, send: (at: number) => Promise<Reply>): Promise<ReadonlyArray<Reply>> =>
  Promise.all(Array.from({ length: count }, (_, at) => send(at)))

const tally = (replies: ReadonlyArray<Reply>) => {
  const counted: Record<string, number> = {}
  for (const { code, header, status } of replies) {
    const name = `${status} ${code ?? (header("idempotent-replayed") === null ? "new" : "replayed")}`
    counted[name] = (counted[name] ?? 0) + 1
  }
  return counted
}

const grown = async (work: () => Promise<void>) => {
  const before = await rowCounts(ground.service)
  await work()
  const after = await rowCounts(ground.service)
  return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]))
}

describe("many starts at once", () => {
  it.each([20, 50])("with one key and one body are one journey: %i starts (BAD-K21)", async (count) => {
    for (const key of [ground.dealer.testKey, ground.dealer.liveKey]) {
      const body = bodyFor(newcomer())
      const idempotencyKey = freshKey()
      const more = await grown(async () => {
        const replies = await atOnce(count, () => start(ground.service, key, body, idempotencyKey))
        expect(tally(replies)).toEqual({ "202 new": 1, "200 replayed": count - 1 })
        expect(new Set(replies.map((reply) => reply.data.id)).size).toBe(1)
      })
      expect(more).toEqual({
        journeys: 1,
        events: 2,
        customers: 1,
        personal_records: 1,
        journal: 1,
        // The check is asked for by the start itself, so what it held is charged already (B1).
        holds: 0
      })
    }
  })

  it("with one key and two bodies are one journey, and the other body is refused", async () => {
    for (let round = 0; round < 5; round++) {
      const bodies = [bodyFor(newcomer()), bodyFor(newcomer())]
      const idempotencyKey = freshKey()
      const replies = await atOnce(50, (at) =>
        start(ground.service, ground.dealer.testKey, bodies[at % 2], idempotencyKey)
      )
      expect(tally(replies)).toEqual({ "202 new": 1, "200 replayed": 24, "409 IDEMPOTENCY_KEY_REUSED": 25 })
      const winner = replies.findIndex((reply) => reply.status === 202) % 2
      for (const [at, reply] of replies.entries()) expect(reply.status === 409).toBe(at % 2 !== winner)
    }
  })

  it("with one key and bodies of which one is wrong leave the right one alone", async () => {
    const right = bodyFor(newcomer())
    const wrong = changed(right, { "vehicle.year": 1 })
    const idempotencyKey = freshKey()
    const replies = await atOnce(40, (at) =>
      start(ground.service, ground.dealer.testKey, at % 2 === 0 ? right : wrong, idempotencyKey)
    )
    const { "400 VALIDATION_FAILED": malformed = 0, "409 IDEMPOTENCY_KEY_REUSED": reused = 0, ...rest } = tally(replies)
    expect(rest).toEqual({ "202 new": 1, "200 replayed": 19 })
    expect(malformed + reused).toBe(20)
  })

  it("of one new customer are as many journeys and one customer", async () => {
    for (const key of [ground.dealer.testKey, ground.broker.liveKey]) {
      const email = newcomer()
      const more = await grown(async () => {
        const replies = await atOnce(20, (at) =>
          start(ground.service, key, bodyFor(at % 2 === 0 ? email : email.toUpperCase()), freshKey())
        )
        expect(tally(replies)).toEqual({ "202 new": 20 })
        expect(new Set(replies.map((reply) => reply.data.id)).size).toBe(20)
        expect(new Set(replies.map((reply) => reply.data.customerReference)).size).toBe(1)
      })
      expect(more).toMatchObject({ journeys: 20, customers: 1, personal_records: 20, journal: 20 })
    }
  })

  it("of a customer who is known already keep the reference", async () => {
    const email = newcomer()
    const first = await start(ground.service, ground.dealer.testKey, bodyFor(email))
    const more = await grown(async () => {
      const replies = await atOnce(20, () => start(ground.service, ground.dealer.testKey, bodyFor(email), freshKey()))
      expect(tally(replies)).toEqual({ "202 new": 20 })
      for (const reply of replies) expect(reply.data.customerReference).toBe(first.data.customerReference)
    })
    expect(more).toMatchObject({ journeys: 20, customers: 0 })
  })

  it("never promise more credit than there is (BAD-X17)", async () => {
    const company = await makeCompany(ground.service, {
      settings: { identityProvider: { kind: "BUILT_IN" } },
      credits: 7
    })
    const replies = await atOnce(30, () => start(ground.service, company.liveKey, bodyFor(newcomer()), freshKey()))
    expect(tally(replies)).toEqual({ "202 new": 7, "422 INSUFFICIENT_CREDITS": 23 })
    const [wallet] = await ground.service.query(
      "select balance::int, held::int from wallets where company_id = $1 and wallet = 'IDENTITY'",
      [company.id]
    )
    expect(wallet).toEqual({ balance: 0, held: 0 })
  })
})

describe("a customer's reference", () => {
  it("is one for an email of a company in a mode, and another everywhere else", async () => {
    const email = newcomer()
    const referenceOf = async (key: string, address = email) =>
      (await start(ground.service, key, bodyFor(address), freshKey())).data.customerReference as string
    const own = await referenceOf(ground.dealer.testKey)
    expect(await referenceOf(ground.dealer.testKey)).toBe(own)
    expect(await referenceOf(ground.dealer.testKey, email.toUpperCase())).toBe(own)
    const others = [
      await referenceOf(ground.dealer.liveKey),
      await referenceOf(ground.broker.testKey),
      await referenceOf(ground.broker.liveKey),
      await referenceOf(ground.dealer.testKey, `x${email}`),
      await referenceOf(ground.dealer.testKey, email.replace("@", "+identity_failed@"))
    ]
    expect(new Set([own, ...others]).size).toBe(6)
    for (const reference of others) expect(reference).toMatch(/^[0-9a-f-]{14}4[0-9a-f-]{21}$/)
  })

  it("is the same on every read", async () => {
    const { data } = await start(ground.service, ground.dealer.testKey, bodyFor(newcomer()))
    const { data: read } = await call(ground.service, { key: ground.dealer.testKey, path: `${journeys}/${data.id}` })
    expect(read).toEqual(data)
  })
})
