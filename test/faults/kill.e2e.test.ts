/**
 * kill -9 at random instants while journeys are being started (FAULT-1). A journey that was acknowledged stays, with
 * the same content; one that was not exists once or not at all; every key ends up with exactly one journey; and
 * journeys go on by themselves after each restart.
 */
import { expect, it } from "vitest"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { ask, makeCompany, start, startBody, type Answer } from "../support/companies.ts"
import { inconsistencies } from "../support/consistency.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase } from "../support/service.ts"
import { startProcess, type ServiceProcess } from "./ServiceProcess.ts"
import { freePort } from "../support/freePort.ts"

/** `npm run chaos` kills for as long as one wants. */
const rounds = 12
const clients = 8
/** The kill comes within this time after the first request of a round. */
const loadMillis = 300
const shapes = [
  "FINANCE_ALREADY_SUBMITTED",
  "FINANCE_SUBMIT_VIA_MIRA",
  "IDENTITY_DELIVERY",
  "CASH_SALE"
] as const satisfies ReadonlyArray<Shape>

/** One start, and what its caller was told. */
interface Deal {
  readonly key: string
  readonly apiKey: string
  readonly body: unknown
  /** The journey, or null. */
  acknowledged: Answer["data"]
}

/** The members of a journey that never change. */
const lasting = ({ createdAt, customerReference, externalReference, id, livemode, type }: Answer["data"]) => ({
  createdAt,
  customerReference,
  externalReference,
  id,
  livemode,
  type
})

it("kill -9 loses no acknowledged start and doubles none, and journeys go on afterwards", async () => {
  const databaseUrl = await freshDatabase()
  const port = await freePort()
  const launch = () => startProcess(databaseUrl, port, { SANDBOX_STEP: "20 millis", SANDBOX_CALLER_STEP: "20 millis" })
  let service: ServiceProcess = await launch()
  const company = await makeCompany(service, {
    credits: 1_000_000,
    settings: {
      identityProvider: { kind: "BUILT_IN" },
      financePanel: { name: "Panel", url: "https://panel.example/", secret: "a-secret-of-the-panel-000000" }
    }
  })
  const deals: Array<Deal> = []

  const newDeal = (): Deal => {
    const at = deals.length
    const shape = shapes[at % shapes.length] ?? "CASH_SALE"
    const body = { ...startBody(shape), externalReference: `deal-${at}` }
    // Every third customer returns, so that new and known customers race.
    body.customer = { ...body.customer, email: `customer-${at - (at % 3)}@example.com` }
    const deal = {
      key: `kill-key-${at}`,
      apiKey: at % 4 === 3 ? company.liveKey : company.testKey,
      body,
      acknowledged: null
    }
    deals.push(deal)
    return deal
  }
  const send = async (deal: Deal): Promise<void> => {
    const answer = await start(service, deal.apiKey, deal.body, deal.key)
    expect([deal.key, answer.status < 300 || answer.errors]).toEqual([deal.key, true])
    if (deal.acknowledged === null) deal.acknowledged = answer.data
    else expect([answer.status, lasting(answer.data)]).toEqual([200, lasting(deal.acknowledged)])
  }
  /** Starts one journey after another until the service dies. */
  const load = async () => {
    for (;;) {
      const deal = newDeal()
      try {
        await send(deal)
      } catch (error) {
        if (error instanceof TypeError) return
        throw error
      }
    }
  }
  const retryAll = async (some: ReadonlyArray<Deal>) => {
    const left = [...some]
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (let deal = left.pop(); deal !== undefined; deal = left.pop()) await send(deal)
      })
    )
  }

  try {
    for (let round = 0; round < rounds; round++) {
      const before = deals.length
      const running = Array.from({ length: clients }, load)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * loadMillis))
      await service.end("SIGKILL")
      await Promise.all(running)
      service = await launch()
      await retryAll(deals.slice(before))
    }

    await retryAll(deals)
    const keys = await queryDirectly<{ readonly idempotency_key: string }>(
      databaseUrl,
      "select idempotency_key from journeys"
    )
    expect(keys.map((row) => row.idempotency_key).toSorted()).toEqual(deals.map(({ key }) => key).toSorted())
    const left = await eventually(
      () =>
        queryDirectly<{ readonly state: unknown }>(
          databaseUrl,
          "select state from journeys where not livemode and status <> 'COMPLETED' limit 3"
        ),
      (rows) => rows.length === 0,
      30_000
    )
    expect(left).toEqual([])
    const wrongs = await inconsistencies((text, values) => queryDirectly(databaseUrl, text, values))
    expect(wrongs.slice(0, 10)).toEqual([])
    const one = deals[0]?.acknowledged
    expect((await ask(service, company.testKey, `/api/v1/journeys/${one.id}`)).data.status).toBe("COMPLETED")
  } finally {
    await service.end("SIGKILL")
  }
}, 240_000)
