/**
 * Two runners of a cluster with journeys on both. One of them reaches PostgreSQL and Redis through a proxy each, which the test
 * breaks and heals; nobody tells the runner. It has a role of its own, so that the database can refuse its writes alone.
 */
import { randomUUID } from "node:crypto"
import { ask, makeCompany, start, startBody } from "../../support/companies.ts"
import { queryDirectly } from "../../support/directly.ts"
import { eventually } from "../../support/eventually.ts"
import { clusterEnvironment, runnerEnvironment, startRunner } from "../../support/nodes.ts"
import { startProxy, type Proxy } from "../../support/proxy.ts"
import { startRedis } from "../../support/redisServer.ts"
import { startService } from "../../support/service.ts"

const journeys = 16
const shards = 300
/** The promise is 10 s; a busy machine gets some more. */
const takenOverWithinMillis = 30_000

interface Registration {
  readonly unfit?: boolean
  readonly endsAt: number
}

type Checks = Readonly<Record<string, { readonly status: string; readonly message: string } | undefined>>

export interface TwoRunners {
  readonly database: Proxy
  readonly redis: Proxy
  /** From now on the database takes no writes of the runner behind the proxies. */
  readonly readOnly: () => Promise<void>
  readonly heal: () => Promise<void>
  /** Starts journeys that either runner may get. Their ids. */
  readonly start: () => Promise<ReadonlyArray<string>>
  /** Sends each journey an event through the runner that is well, or the one behind the proxies. The statuses of the answers, each once. */
  readonly simulate: (
    journeys: ReadonlyArray<string>,
    event: string,
    through?: "WELL" | "BEHIND"
  ) => Promise<ReadonlyArray<number | null>>
  /** Until each runner holds a share of the journeys. */
  readonly spread: () => Promise<unknown>
  /** Until the other runner holds all of them. */
  readonly handedOver: () => Promise<unknown>
  /** Until the runner behind the proxies has renewed its registration so often. It asks for shards more often than that. */
  readonly renewed: (times: number) => Promise<void>
  /** How many shards the runner behind the proxies holds. */
  readonly held: () => Promise<number>
  /** Until the readiness of the runner behind the proxies is so. */
  readonly isReady: (isSo: (code: number, checks: Checks) => boolean) => Promise<unknown>
  readonly stop: () => Promise<void>
}

export const startTwoRunners = async (): Promise<TwoRunners> => {
  const server = await startRedis()
  const environment: Readonly<Record<string, string>> = {
    ...(await clusterEnvironment(server)),
    SANDBOX_STEP: "1 hour",
    SANDBOX_CALLER_STEP: "1 hour",
    LOG_LEVEL: "none"
  }
  const databaseUrl = environment["DATABASE_URL"] ?? ""
  const database = await startProxy(databaseUrl)
  const redis = await startProxy(server.url)
  const other = await startRunner(environment)
  const its = await runnerEnvironment()
  const role = `behind_${randomUUID().replaceAll("-", "")}`
  await queryDirectly(databaseUrl, `create role ${role} superuser login password '${role}'`)
  const itsDatabase = Object.assign(new URL(database.url), { username: role, password: role }).href
  const behind = await startService({ ...environment, ...its, DATABASE_URL: itsDatabase, REDIS_URL: redis.url })
  /** What holds for new connections holds for all: those from before are ended. */
  const alterRole = async (change: string) => {
    await queryDirectly(databaseUrl, `alter role ${role} ${change}`)
    await queryDirectly(databaseUrl, "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [
      role
    ])
  }
  const address = its["RUNNER_ADDRESS"] ?? ""

  const owners = async (): Promise<ReadonlyMap<string, number>> => {
    const leases = (await server.command("hvals", "{journeys}:cluster:leases")) as ReadonlyArray<string>
    const living = leases.map((lease) => JSON.parse(lease) as { readonly owner: string; readonly endsAt: number })
    const byOwner = Map.groupBy(
      living.filter(({ endsAt }) => endsAt > Date.now()),
      ({ owner }) => owner.split(" ")[0] ?? ""
    )
    return new Map([...byOwner].map(([owner, its]) => [owner, its.length]))
  }
  const held = async () => (await owners()).get(address) ?? 0
  const heldIs = (isSo: (held: number, all: number) => boolean) =>
    eventually(
      owners,
      (all) =>
        isSo(
          all.get(address) ?? 0,
          [...all.values()].reduce((sum, one) => sum + one, 0)
        ),
      takenOverWithinMillis
    )
  const spread = () => heldIs((here, all) => all === shards && here > 0 && here < shards)
  const registration = async (): Promise<Registration> =>
    JSON.parse(String(await server.command("hget", "{journeys}:cluster:runners", address))) as Registration

  const company = await makeCompany(other, { settings: { sandbox: { pace: "manual" } } })
  await spread()

  let isReadOnly = false
  const heal = async () => {
    database.heal()
    redis.heal()
    if (!isReadOnly) return
    isReadOnly = false
    await alterRole("reset default_transaction_read_only")
  }

  return {
    database,
    redis,
    readOnly: () => {
      isReadOnly = true
      return alterRole("set default_transaction_read_only = on")
    },
    heal,
    spread,
    held,
    start: () =>
      Promise.all(
        Array.from(
          { length: journeys },
          async () => (await start(other, company.testKey, startBody("IDENTITY_DELIVERY"))).data.id
        )
      ),
    simulate: async (started, event, through = "WELL") => {
      const asked = through === "WELL" ? other : behind
      const statuses = await Promise.all(
        started.map((id) =>
          ask(asked, company.testKey, `/api/v1/journeys/${id}/simulate`, { body: { event } }).then(
            ({ status }) => status,
            () => null
          )
        )
      )
      return [...new Set(statuses)]
    },
    handedOver: () => heldIs((here, all) => here === 0 && all === shards),
    renewed: async (times) => {
      for (let time = 0; time < times; time++) {
        const before = await registration()
        await eventually(registration, ({ endsAt }) => endsAt > before.endsAt, takenOverWithinMillis)
      }
    },
    isReady: (isSo) =>
      eventually(
        async () => {
          const response = await fetch(`${behind.baseUrl}/health/ready`)
          const { checks } = (await response.json()) as { readonly checks: Checks }
          return { code: response.status, checks }
        },
        ({ checks, code }) => isSo(code, checks),
        takenOverWithinMillis
      ),
    stop: async () => {
      await heal()
      await Promise.all([behind.stop(), other.stop()])
      await Promise.all([database.close(), redis.close()])
      await server.stop()
    }
  }
}
