/** Health and metrics on a port of their own, and clients behind a trusted proxy, with a real service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { nodeLimits } from "../../../src/runtime/node/limits.ts"
import { freePort } from "../../support/freePort.ts"
import { call, RawConnection } from "../../support/requests.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

let service: Service
let ops: { readonly baseUrl: string }
beforeAll(async () => {
  const port = await freePort()
  ops = { baseUrl: `http://127.0.0.1:${port}` }
  service = await startService({ OPS_PORT: String(port), TRUSTED_PROXIES: "127.0.0.1" })
})
afterAll(() => service.stop())

const paths = ["/health/live", "/health/ready", "/metrics"]

describe("with OPS_PORT", () => {
  it("health and metrics are answered there, and nothing else is", async () => {
    for (const path of paths)
      expect([path, (await call(ops, { path, key: operatorToken })).status]).toEqual([path, 200])
    expect((await call(ops, { path: "/metrics" })).status).toBe(401)
    for (const path of ["/", "/docs", "/api/v1/journeys", "/console/sign-in"]) {
      expect([path, (await call(ops, { path, key: operatorToken })).status]).toEqual([path, 404])
    }
  })

  it("the public port answers neither", async () => {
    for (const path of paths) {
      expect([path, (await call(service, { path, key: operatorToken })).status]).toEqual([path, 404])
    }
  })

  it("a probe is answered while more hold connections to that port than it keeps", async () => {
    const held = Array.from({ length: nodeLimits.mostOpsConnections * 2 }, () => new RawConnection(ops))
    expect((await call(ops, { path: "/health/live" })).status).toBe(200)
    for (const one of held) one.close()
  })
})

const refused = async (forwardedFor: string) =>
  (await call(service, { headers: { "x-forwarded-for": forwardedFor } })).header("ratelimit")

describe("behind a trusted proxy", () => {
  it("requests without a key count against the client that the proxy names, whatever stands before it", async () => {
    expect(await refused("198.51.100.7")).toBe('"address";r=299;t=60')
    expect(await refused("203.0.113.5, 198.51.100.7")).toBe('"address";r=298;t=60')
    expect(await refused("198.51.100.8")).toBe('"address";r=299;t=60')
    expect(await refused("2001:db8::1")).toBe('"address";r=299;t=60')
    expect(await refused("2001:db8::2, 127.0.0.1")).toBe('"address";r=298;t=60')
  })
})
