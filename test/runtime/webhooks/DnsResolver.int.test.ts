/** Look-ups against a name server that answers well, badly or not at all. */
import { Effect, type Layer, Result } from "effect"
import { afterEach, expect, it } from "vitest"
import { Resolver } from "../../../src/actors/webhook/actor/Resolver.ts"
import { judgeReachable } from "../../../src/actors/webhook/actor/reachable.ts"
import * as DnsResolver from "../../../src/runtime/webhooks/DnsResolver.ts"
import { type Reply, startNameServer } from "../nameServer.ts"

/** Milliseconds that a look-up may take with everything silent, and then some. */
const longest = 8000

const v4 = "93.184.216.34"
const v6 = "2606:2800:220:1::1"

const started: Array<{ readonly close: () => Promise<void> }> = []
afterEach(async () => {
  for (const server of started.splice(0)) await server.close()
})

const nameServer = async (a: Reply, aaaa: Reply, root: Reply = []) => {
  const server = await startNameServer(({ host, type }) => (host === "" ? root : type === "A" ? a : aaaa))
  started.push(server)
  return { ...server, layer: DnsResolver.layerOf([server.server]) }
}

const lookUp = (layer: Layer.Layer<Resolver>, host = "a.example") =>
  Effect.flatMap(Resolver, ({ resolve }) => resolve(host)).pipe(
    Effect.result,
    Effect.map((result) => (Result.isSuccess(result) ? result.success : result.failure.reason)),
    Effect.provide(layer),
    Effect.runPromise
  )

it.each<[Reply, Reply, ReadonlyArray<string> | string]>([
  [[v4], [v6], [v4, v6]],
  [[v4, "8.8.8.8"], [], [v4, "8.8.8.8"]],
  [[], [v6], [v6]],
  [[v4], "NXDOMAIN", [v4]],
  [[v4], "SERVFAIL", [v4]],
  ["SERVFAIL", [v6], [v6]],
  ["NXDOMAIN", "NXDOMAIN", "NOT_FOUND"],
  [[], [], "NOT_FOUND"],
  ["NXDOMAIN", "SERVFAIL", "NO_ANSWER"],
  ["SERVFAIL", "SERVFAIL", "NO_ANSWER"],
  ["REFUSED", "REFUSED", "NO_ANSWER"]
])("makes of A %j and AAAA %j: %j", async (a, aaaa, found) => {
  const { layer } = await nameServer(a, aaaa)
  const addresses = await lookUp(layer)
  expect(typeof addresses === "string" ? addresses : addresses.toSorted()).toEqual(
    typeof found === "string" ? found : found.toSorted()
  )
  if (typeof addresses !== "string" && found.length === 2 && found.includes(v6)) expect(addresses).toEqual([v4, v6])
})

it("does not wait for one kind of address for long when it has the other", async () => {
  const { layer } = await nameServer([v4], "SILENCE")
  const start = performance.now()
  expect(await lookUp(layer)).toEqual([v4])
  expect(performance.now() - start).toBeLessThan(2000)
})

it.each<[string, Reply, string]>([
  ["the host's own name servers", [], "NO_ANSWER"],
  ["every name server", "SILENCE", "UNAVAILABLE"],
  ["our name server's upstream", "SERVFAIL", "UNAVAILABLE"]
])("tells in time when %s cannot be reached", async (_, root, reason) => {
  const { layer } = await nameServer("SILENCE", "SILENCE", root)
  const start = performance.now()
  expect(await lookUp(layer)).toBe(reason)
  expect(performance.now() - start).toBeLessThan(longest)
})

it("tells when there is no name server at all", async () => {
  const { close, server } = await startNameServer(() => [])
  await close()
  expect(await lookUp(DnsResolver.layerOf([server]))).toBe("UNAVAILABLE")
})

it("asks once for many who ask at once, and again for those who ask later", async () => {
  const { layer, questions } = await nameServer([v4], [v6])
  await Effect.gen(function* () {
    const { resolve } = yield* Resolver
    const asked = Effect.all(
      Array.from({ length: 50 }, () => resolve("a.example")),
      { concurrency: "unbounded" }
    )
    expect(new Set((yield* asked).flat())).toEqual(new Set([v4, v6]))
    expect(questions.length).toBe(2)
    yield* resolve("a.example")
    expect(questions.length).toBe(4)
  }).pipe(Effect.provide(layer), Effect.runPromise)
})

it.each<[Reply, Reply, string, string | null]>([
  [[v4], [v6], "https://a.example/x", null],
  [[v4], [], "https://a.example:8443/", null],
  ["NXDOMAIN", [], `https://${v4}/`, null],
  [[], [], `https://[${v6}]/`, null],
  [[v4, "10.0.0.1"], [], "https://a.example/", "must not lead to an address that is not on the public internet"],
  [[v4], ["::1"], "https://a.example/", "must not lead to an address that is not on the public internet"],
  [[], [], "https://127.0.0.1/", "must not lead to an address that is not on the public internet"],
  [[], [], "https://[::ffff:8.8.8.8]/", "must not lead to an address that is not on the public internet"],
  ["NXDOMAIN", "NXDOMAIN", "https://a.example/", "must have a host that the domain name system has an address for"],
  ["SERVFAIL", "SERVFAIL", "https://a.example/", "must have a host whose name servers answer"]
])("with A %j and AAAA %j judges %s: %j", async (a, aaaa, url, rule) => {
  const { layer } = await nameServer(a, aaaa)
  expect(await judgeReachable(url).pipe(Effect.provide(layer), Effect.runPromise)).toBe(rule)
})

it("does not judge a URL while nothing can be looked up", async () => {
  const { layer } = await nameServer("SERVFAIL", "SERVFAIL", "SERVFAIL")
  const judged = await judgeReachable("https://a.example/").pipe(Effect.flip, Effect.provide(layer), Effect.runPromise)
  expect(judged).toMatchObject({ _tag: "ResolveFailed", reason: "UNAVAILABLE" })
})
