/**
 * Several nodes of one cluster in this process, with a real Redis and a real PostgreSQL: every node gives a caller the same
 * answer.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  ask,
  askSettings,
  makeCompany,
  start,
  startBody,
  type Answer,
  type TestCompany
} from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { clusterEnvironment, startRunner } from "../../support/nodes.ts"
import { eventOf, startReceiver } from "../../support/receivers.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../support/redisServer.ts"
import { startService, type Service } from "../../support/service.ts"

const rounds = 100

/** Nothing moves by itself, and nobody is stopped for asking often. */
const still = {
  SANDBOX_STEP: "1 hour",
  SANDBOX_CALLER_STEP: "1 hour",
  RATE_LIMIT_PER_MINUTE: "1000000",
  WEBHOOK_ALLOW_INSECURE: "true"
}

const begin = async (node: Service, { testKey }: TestCompany): Promise<string> => {
  const answer = await start(node, testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
  expect(answer.status).toBe(202)
  return answer.data.id
}
const cancel = (node: Service, { testKey }: TestCompany, id: string) =>
  ask(node, testKey, `/api/v1/journeys/${id}/cancel`, { body: { reason: "Bought something else" } })
const simulate = (node: Service, { testKey }: TestCompany, id: string, event: string) =>
  ask(node, testKey, `/api/v1/journeys/${id}/simulate`, { body: { event } })
const list = (node: Service, key: string) => ask(node, key, "/api/v1/journeys")
const codeOf = (answer: Answer) => answer.errors?.[0]?.code

describeWithRedis("two runners", () => {
  let redis: RedisServer
  let here: Service
  let there: Service
  let company: TestCompany

  const ownersOfShards = async (): Promise<ReadonlyArray<string>> => {
    const leases = (await redis.command("hvals", "{journeys}:cluster:leases")) as ReadonlyArray<string>
    return leases.map((lease) => (JSON.parse(lease) as { readonly owner: string }).owner)
  }

  beforeAll(async () => {
    redis = await startRedis()
    const environment = { ...(await clusterEnvironment(redis)), ...still }
    here = await startRunner(environment)
    there = await startRunner(environment)
    company = await makeCompany(here, { settings: { sandbox: { pace: "manual" } } })
    await eventually(ownersOfShards, (owners) => owners.length === 300 && new Set(owners).size === 2)
  })
  afterAll(async () => {
    await Promise.all([here.stop(), there.stop()])
    await redis.stop()
  })

  it("take messages for any journey, whichever of them started it and whichever runs it", async () => {
    for (let round = 0; round < 20; round++) {
      const [one, other] = round % 2 === 0 ? [here, there] : [there, here]
      const id = await begin(one, company)
      const verified = await simulate(other, company, id, "identity.verified")
      expect([verified.status, verified.data?.identity.status]).toEqual([200, "VERIFIED"])
      const cancelled = await cancel(one, company, id)
      expect([cancelled.status, cancelled.data?.status]).toEqual([200, "CANCELLED"])
      const again = await cancel(other, company, id)
      expect([again.status, codeOf(again)]).toEqual([409, "JOURNEY_FINISHED"])
    }
  })

  it("handle one of two messages that reach both at once with one Idempotency-Key", async () => {
    for (let round = 0; round < 20; round++) {
      const id = await begin(here, company)
      const decide = (node: Service) =>
        ask(node, company.testKey, `/api/v1/journeys/${id}/finance-decision`, {
          body: { decision: "APPROVED" },
          headers: { "idempotency-key": `decision-at-once-${round}` }
        })
      const answers = await Promise.all([decide(here), decide(there)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const lines = await here.query("select 1 from journal where journey_id = $1 and message->>'_tag' = $2", [
        id,
        "FinanceDecision"
      ])
      expect(lines).toHaveLength(1)
    }
  })

  it(`of ${rounds} times the same start at both at once each makes one journey`, async () => {
    for (let round = 0; round < rounds; round++) {
      const key = `start-at-once-${round}`
      const answers = await Promise.all(
        [here, there, here, there].map((node) => start(node, company.testKey, startBody("CASH_SALE"), key))
      )
      expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 200, 200, 202])
      const replayed = answers.map(({ headers, status }) => [status, headers.get("idempotent-replayed")])
      for (const [status, header] of replayed) expect(header).toBe(status === 200 ? "true" : null)
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
      expect(await here.query("select 1 from journeys where idempotency_key = $1", [key])).toHaveLength(1)
    }
  })

  it("refuse an API key that was revoked or replaced through the other", async () => {
    for (const [one, other] of [
      [here, there],
      [there, here]
    ] as const) {
      const { id, liveKey, liveKeyId, testKey, testKeyId } = await makeCompany(one)
      const refuses = async (node: Service, key: string) =>
        expect(codeOf(await list(node, key))).toBe("INVALID_API_KEY")
      for (const key of [testKey, liveKey]) expect((await list(other, key)).status).toBe(200)
      const keyPath = (keyId: string) => `/companies/${id}/api-keys/${keyId}`
      expect((await askSettings(one, keyPath(testKeyId), { method: "DELETE" })).status).toBe(200)
      await refuses(other, testKey)
      const rotated = await askSettings(one, `${keyPath(liveKeyId)}/rotate`, { body: {} })
      await refuses(other, liveKey)
      expect((await list(other, rotated.data.key)).status).toBe(200)
    }
  })

  it("know of a webhook endpoint that was switched off, on, or given a new secret through the other", async () => {
    const receiver = await startReceiver()
    const { id: companyId, ...keys } = await makeCompany(here, { settings: { sandbox: { pace: "manual" } } })
    const endpoint = `/companies/${companyId}/webhook-endpoints/test`
    const journeysHeardOf = () => new Set(receiver.received.map((one) => eventOf(one).data["journeyId"]))
    const heardOf = (id: string) => eventually(journeysHeardOf, (heard) => heard.has(id))
    const save = async (node: Service, enabled: boolean) => {
      const saved = await askSettings(node, endpoint, { method: "PUT", body: { url: receiver.url, enabled } })
      expect(saved.status).toBe(200)
    }
    await save(here, true)
    const company = { id: companyId, ...keys }
    for (const [rolls, [one, other]] of [[here, there] as const, [there, here] as const].entries()) {
      await heardOf(await begin(other, company))
      await save(one, false)
      const silent = await begin(other, company)
      await save(one, true)
      await heardOf(await begin(other, company))
      expect(journeysHeardOf()).not.toContain(silent)
      expect((await askSettings(one, `${endpoint}/roll-secret`, { body: { overlapHours: 24 } })).status).toBe(200)
      await heardOf(await begin(other, company))
      // Signed by the new secret and by each one before, which holds for a while.
      const signature = String(receiver.received.at(-1)?.headers["service-signature"])
      expect(signature.match(/v1=/g)).toHaveLength(rolls + 2)
    }
    await receiver.stop()
  })
})

describeWithRedis("a node without RUNNER_ADDRESS", () => {
  let redis: RedisServer
  let client: Service
  let environment: Readonly<Record<string, string>>
  let company: TestCompany

  beforeAll(async () => {
    redis = await startRedis()
    environment = { ...(await clusterEnvironment(redis)), ...still }
    client = await startService(environment)
    company = await makeCompany(client, { settings: { sandbox: { pace: "manual" } } })
  })
  afterAll(async () => {
    await client.stop()
    await redis.stop()
  })

  it("starts and shows journeys while there is no runner, refuses messages to them in time, and passes them to one that comes", async () => {
    const id = await begin(client, company)
    const refused = await cancel(client, company, id)
    expect([refused.status, codeOf(refused), refused.headers.get("retry-after")]).toEqual([
      503,
      "TEMPORARILY_UNAVAILABLE",
      "1"
    ])
    expect((await ask(client, company.testKey, `/api/v1/journeys/${id}`)).data.status).toBe("ACTIVE")
    const runner = await startRunner(environment)
    const verified = await eventually(
      () => simulate(client, company, id, "identity.verified"),
      ({ status }) => status !== 503
    )
    expect([verified.status, verified.data.identity.status]).toEqual([200, "VERIFIED"])
    expect((await cancel(client, company, id)).data.status).toBe("CANCELLED")
    await runner.stop()
    const other = await begin(client, company)
    expect((await cancel(client, company, other)).status).toBe(503)
  })
})

interface Readiness {
  readonly checks: Readonly<Record<string, { readonly message: string } | undefined>>
}

describeWithRedis("a runner whose Redis is gone", () => {
  it("goes on with starting, showing and changing journeys, also where it holds the lease of none", async () => {
    const redis = await startRedis()
    const runner = await startRunner({ ...(await clusterEnvironment(redis)), ...still, LOG_LEVEL: "none" })
    const company = await makeCompany(runner, { settings: { sandbox: { pace: "manual" } } })
    const id = await begin(runner, company)
    await redis.kill("SIGKILL")
    await eventually(
      async () => (await fetch(`${runner.baseUrl}/health/ready`)).json() as Promise<Readiness>,
      ({ checks }) => checks["cluster"]?.message.includes("it wakes no journeys") === true,
      20_000
    )
    expect((await simulate(runner, company, id, "identity.under_review")).status).toBe(200)
    const other = await begin(runner, company)
    expect((await cancel(runner, company, other)).data.status).toBe("CANCELLED")
    expect((await ask(runner, company.testKey, `/api/v1/journeys/${other}`)).data.status).toBe("CANCELLED")
    await redis.restart()
    expect((await cancel(runner, company, id)).data.status).toBe("CANCELLED")
    await runner.stop()
    await redis.stop()
  })
})
