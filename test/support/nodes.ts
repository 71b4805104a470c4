/** Nodes of one cluster inside this process. They share a database and a Redis, and nothing else. */
import { freePort } from "./freePort.ts"
import type { RedisServer } from "./redisServer.ts"
import { freshDatabase, startService, type Service } from "./service.ts"

type Environment = Readonly<Record<string, string>>

/** The environment of a node of a cluster. Runners also get `runnerEnvironment`. */
export const clusterEnvironment = async (redis: RedisServer): Promise<Environment> => ({
  DATABASE_URL: await freshDatabase(),
  REDIS_URL: redis.url
})

/** An address on loopback that nobody uses. */
export const runnerEnvironment = async (): Promise<Environment> => ({ RUNNER_ADDRESS: `127.0.0.1:${await freePort()}` })

export const startRunner = async (environment: Environment): Promise<Service> =>
  startService({ ...environment, ...(await runnerEnvironment()) })
