/** What kind of Redis a node starts with: a server that says which version it is, and a port where there is none. */
import { createServer, type Server, type Socket } from "node:net"
import { afterEach, beforeEach, expect, it } from "vitest"
import { tooOldRedis } from "../../../../src/runtime/cluster/redis/redisCheck.ts"
import { freePort } from "../../../support/freePort.ts"
import { listening, startMain, temporaryFolder, type MainProcess } from "../../../support/processes.ts"
import { freshDatabase, operatorToken } from "../../../support/service.ts"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let main: MainProcess | null = null
let server: Server | null = null
let sockets: Array<Socket> = []
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  await main?.stop("SIGKILL")
  sockets.forEach((socket) => socket.destroy())
  server?.close()
  sockets = []
  await folder.remove()
})

/** Answers INFO with this version, and everything else with OK. */
const redisOfVersion = async (version: string): Promise<number> => {
  const port = await freePort()
  const info = `redis_version:${version}\r\nloading:0\r\n`
  server = createServer((socket) => {
    sockets.push(socket)
    socket
      .on("error", () => socket.destroy())
      .on("data", (chunk) => {
        // Each command is an array whose first element is its name.
        for (const [, name = ""] of chunk.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
          socket.write(name.toLowerCase() === "info" ? `$${info.length}\r\n${info}\r\n` : "+OK\r\n")
        }
      })
  })
  await new Promise<void>((listening) => server?.listen(port, "127.0.0.1", listening))
  return port
}

const startWithRedis = async (port: number): Promise<MainProcess> => {
  main = startMain(folder.path, {
    DATABASE_URL: await freshDatabase(),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    OPERATOR_TOKEN: operatorToken,
    REDIS_URL: `redis://:redis-canary@127.0.0.1:${port}`
  })
  return main
}

it.each(["5.0.14", "6.0.16"])("refuses Redis %s in one line", async (version) => {
  const started = await startWithRedis(await redisOfVersion(version))
  const { code, stderr, stdout } = await started.ended
  expect([code, stderr]).toEqual([1, `the Redis of REDIS_URL is ${version}; 6.2 is the oldest that will do\n`])
  expect(stdout).not.toContain("redis-canary")
})

it.each([
  ["6.2.0", true],
  ["6.10.1", true],
  ["7.0.15", true],
  ["10.0.0", true],
  ["6.1.9", false],
  ["5.9.0", false]
])("takes Redis %s: %s", (version, isTaken) => {
  expect(tooOldRedis(`redis_version:${version}\r\n`) === null).toBe(isTaken)
})

it("starts when there is no Redis at all, says so, and is ready by PostgreSQL alone", async () => {
  const started = await startWithRedis(await freePort())
  const [, baseUrl = ""] = await started.printed(listening)
  expect(started.stdout()).toContain("Redis cannot be reached")
  const response = await fetch(`${baseUrl}/health/ready`)
  const { checks } = (await response.json()) as { readonly checks: Record<string, { readonly status: string }> }
  expect([response.status, checks["redis"]?.status, checks["cluster"]?.status]).toEqual([200, "degraded", "degraded"])
  const { code, stderr, stdout } = await started.stop("SIGTERM")
  expect([code, stderr]).toEqual([0, ""])
  expect(stdout).not.toContain("redis-canary")
})
