/** Redis behind TLS and a password (`rediss://`): whose certificate is trusted, and what a wrong password means. */
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { fileURLToPath } from "node:url"
import { readFileSync } from "node:fs"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as Redis from "../../../../src/runtime/cluster/redis/Redis.ts"
import { freePort } from "../../../support/freePort.ts"
import { describeWithRedis, startRedis, type RedisServer } from "../../../support/redisServer.ts"

const certificate = (name: string) => fileURLToPath(new URL(`../../certificates/${name}`, import.meta.url))

describeWithRedis("a Redis behind TLS and a password", () => {
  let redis: RedisServer
  let port: number
  const before = getCACertificates("default")

  beforeAll(async () => {
    port = await freePort()
    redis = await startRedis({
      settings:
        `--tls-port ${port} --tls-auth-clients no --tls-cert-file ${certificate("good.pem")} --tls-key-file ${certificate("good.key")} --tls-ca-cert-file ${certificate("authority.pem")}`.split(
          " "
        )
    })
    await redis.command("config", "set", "requirepass", "pass/word")
  })
  afterAll(async () => {
    setDefaultCACertificates(before)
    await redis.stop()
  })

  const ping = async (password: string): Promise<unknown> => {
    const scope = Scope.makeUnsafe()
    const url = Redacted.make(`rediss://:${encodeURIComponent(password)}@127.0.0.1:${port}`)
    const context = await Effect.runPromise(Layer.buildWithScope(Redis.layerOf(url), scope))
    const answer = await Context.get(context, Redis.Redis)
      .prompt.ping()
      .catch(() => "no answer")
    await Effect.runPromise(Scope.close(scope, Exit.void))
    return answer
  }

  it("is not spoken to while its certificate is nobody's, and is used when its authority is trusted and the password is right", async () => {
    expect(await ping("pass/word")).toBe("no answer")
    setDefaultCACertificates([...before, readFileSync(certificate("authority.pem"), "utf8")])
    expect(await ping("pass/word")).toBe("PONG")
    expect(await ping("another")).toBe("no answer")
  })
})
