/**
 * The statement that writes handled messages, run by itself with the commits that a test chooses, so that it is certain which
 * of them share it. Commits are taken from journeys and handed over once more, as if they were the next ones.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commit } from "../../../../src/actors/journey/actor/JourneyStore.ts"
import { nextId } from "../../../../src/runtime/node/NodeIds.ts"
import { commitStatement } from "../../../../src/runtime/stores/journey/commitStatement.ts"
import type { JourneyMessage } from "../../../../src/schema/journey/messages.ts"
import { CompanyId, JourneyId } from "../../../../src/schema/ids.ts"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import { startActors, type Actors } from "../../../support/actors.ts"
import { freshDatabase } from "../../../support/service.ts"
import { factsOf, startedAt } from "../../../actors/journey/rules/startedJourneys.ts"

let actors: Actors
const commits: Array<Commit> = []
beforeAll(async () => {
  actors = await startActors(await freshDatabase(), (store) => ({
    ...store,
    commit: (commit) => Effect.suspend(() => (commits.push(commit), store.commit(commit)))
  }))
})
afterAll(() => actors.stop())

const begun = async (shape: Shape, companyId: CompanyId) => {
  const facts = factsOf(shape, { id: JourneyId.make(nextId()), companyId, customerReference: nextId() })
  await actors.begin(facts, startedAt)
  return facts.id
}

const lastCommitOf = (id: JourneyId): Commit => {
  const commit = commits.findLast(({ journey }) => journey.id === id)
  if (commit === undefined) throw new Error("nothing of the journey was committed")
  return commit
}

const commitOf = async (id: JourneyId, message: JourneyMessage): Promise<Commit> => {
  await actors.run(actors.ask(id, message, { at: startedAt + 1000 }))
  return lastCommitOf(id)
}

/** Its events stand already, under the same ids. */
const nextOf = (commit: Commit): Commit => ({
  ...commit,
  expectedVersion: commit.expectedVersion + 1,
  messageId: randomUUID(),
  events: []
})

const statement = commitStatement(false)

const writtenTogether = async (together: ReadonlyArray<Commit>) => {
  const rows = await actors.query<{ readonly outcome: string }>(...statement(together))
  expect(rows.filter(({ outcome }) => outcome === "COMMITTED")).toHaveLength(together.length)
}

describe("commits that share a statement", () => {
  it.each([1, 2, 3])("and charge one wallet take one credit each: %i of them", async (many) => {
    const companyId = CompanyId.make(nextId())
    const charging: Array<Commit> = []
    for (let made = 0; made < many; made++) {
      const id = await begun("FINANCE_SUBMIT_VIA_MIRA", companyId)
      charging.push(await commitOf(id, { _tag: "PanelAccepted", check: { possible: true } }))
    }
    expect(charging.map(({ charges }) => charges)).toEqual(charging.map(() => ["APPLICATION"]))
    const bystander = nextId()
    for (const [company, held] of [
      [companyId, many],
      [bystander, 3]
    ] as const) {
      await actors.query(
        `with c as (
           insert into companies (id, name, kind, admin_email, sandbox, created_at)
           values ($1, 'Harbour Cars', 'DEALER', 'owner@example.com', '{}', now()) returning id
         )
         insert into wallets (company_id, wallet, balance, held) select id, 'APPLICATION', 10, $2 from c`,
        [company, held]
      )
    }
    await actors.query(
      `insert into wallet_holds (journey_id, company_id, wallet, credits, at)
       select id, company_id, 'APPLICATION', 1, now() from journeys where company_id = $1`,
      [companyId]
    )
    await writtenTogether(charging.map(nextOf))
    const walletOf = (company: string) =>
      actors.query("select balance::int, held::int from wallets where company_id = $1", [company])
    expect(await walletOf(companyId)).toEqual([{ balance: 10 - many, held: 0 }])
    expect(await walletOf(bystander)).toEqual([{ balance: 10, held: 3 }])
    const [ledger] = await actors.query("select -sum(amount)::int as taken from wallet_ledger where company_id = $1", [
      companyId
    ])
    expect(ledger).toEqual({ taken: many })
  })
})

describe("a commit that names the dealer of its handover", () => {
  it("owes the dealer's mail once, though the handover is written once more", async () => {
    const id = await begun("IDENTITY_DELIVERY", CompanyId.make(nextId()))
    await actors.query("update journeys set dealer_company_id = $2 where id = $1", [id, nextId()])
    await commitOf(id, { _tag: "IdentityVerified" })
    // The handover is made by itself, a moment later.
    await actors.run(actors.wake(id, startedAt + 2000))
    const owed = () => actors.query("select cause from mails where journey_id = $1 and kind = 'DEALER_NAMED'", [id])
    const before = await owed()
    expect(before).toHaveLength(1)
    await writtenTogether([nextOf(lastCommitOf(id))])
    expect(await owed()).toEqual(before)
  })
})
