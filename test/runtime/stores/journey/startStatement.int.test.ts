/**
 * The statement that writes starts, run by itself with the starts that a test chooses, so that it is certain which of them share it.
 * Starts are taken from actors whose store writes none.
 */
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { StartCommit } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { startStatement } from "../../../../src/runtime/stores/journey/startStatement.ts"
import { CompanyId, JourneyId } from "../../../../src/schema/ids.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { freshDatabase } from "../../../support/service.ts"
import { factsOf, startedAt } from "../../../actors/journey/rules/startedJourneys.ts"

let actors: Actors
const starts: Array<StartCommit> = []
beforeAll(async () => {
  actors = await startActors(await freshDatabase(), (store) => ({
    ...store,
    start: (start) => Effect.sync(() => (starts.push(start), { _tag: "Created" }))
  }))
})
afterAll(() => actors.stop())

/** A company with so many credits in each wallet. */
const companyWith = async (credits: number): Promise<CompanyId> => {
  const id = CompanyId.make(nextId())
  await actors.query(
    `insert into companies (id, name, kind, admin_email, sandbox, created_at)
     values ($1, 'Harbour Cars', 'DEALER', 'owner@example.com', '{}', now())`,
    [id]
  )
  await actors.query(
    "insert into wallets (company_id, wallet, balance) select $1, w, $2 from unnest(array['APPLICATION', 'IDENTITY']) w",
    [id, credits]
  )
  return id
}

/** A start that holds a credit of each wallet. */
const startOf = async (companyId: CompanyId): Promise<StartCommit> => {
  const [id, customerReference] = [JourneyId.make(nextId()), nextId()]
  await actors.begin(factsOf("FINANCE_SUBMIT_VIA_MIRA", { id, companyId, customerReference }), startedAt)
  const start = starts.findLast(({ journey }) => journey.id === id)
  if (start === undefined) throw new Error("the journey was not started")
  return {
    ...start,
    holds: [
      { wallet: "APPLICATION", credits: 1 },
      { wallet: "IDENTITY", credits: 1 }
    ]
  }
}

const statement = startStatement(false)

/** What became of each start, in the order in which they were given. */
const outcomesOf = async (together: ReadonlyArray<StartCommit>) => {
  const rows = await actors.query<{ readonly id: string; readonly outcome: string }>(...statement(together))
  return together.map(({ journey }) => [
    ...new Set(rows.flatMap(({ id, outcome }) => (id === journey.id ? [outcome] : [])))
  ])
}

/** The balance and what is held of each wallet. */
const walletsOf = async (companyId: CompanyId): Promise<ReadonlyArray<readonly [number, number]>> => {
  const rows = await actors.query<{ readonly balance: number; readonly held: number }>(
    "select balance::int, held::int from wallets where company_id = $1 order by wallet",
    [companyId]
  )
  return rows.map(({ balance, held }) => [balance, held])
}

const wallets = (balance: number, held: number) => [
  [balance, held],
  [balance, held]
]

describe("starts that share a statement", () => {
  it("hold credits of their own companies, each wallet by itself", async () => {
    const [one, other, bystander] = [await companyWith(1), await companyWith(1), await companyWith(5)]
    expect(await outcomesOf([await startOf(one), await startOf(other)])).toEqual([["CREATED"], ["CREATED"]])
    expect(await walletsOf(one)).toEqual(wallets(1, 1))
    expect(await walletsOf(other)).toEqual(wallets(1, 1))
    expect(await walletsOf(bystander)).toEqual(wallets(5, 0))
  })

  it("hold nothing for the one that finds too few credits", async () => {
    const company = await companyWith(1)
    expect(await outcomesOf([await startOf(company), await startOf(company)])).toEqual([["CREATED"], ["SHORT"]])
    expect(await walletsOf(company)).toEqual(wallets(1, 1))
    expect(await outcomesOf([await startOf(company)])).toEqual([["SHORT"]])
    const held = await actors.query("select wallet from wallet_holds where company_id = $1", [company])
    expect(held).toHaveLength(2)
  })

  it("hold nothing for the one whose key is taken", async () => {
    const company = await companyWith(5)
    const first = await startOf(company)
    expect(await outcomesOf([first])).toEqual([["CREATED"]])
    const [again, next] = [
      { ...(await startOf(company)), idempotencyKey: first.idempotencyKey },
      await startOf(company)
    ]
    expect(await outcomesOf([again, next])).toEqual([[], ["CREATED"]])
    expect(await walletsOf(company)).toEqual(wallets(5, 2))
  })
})
