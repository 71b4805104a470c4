/**
 * Looks up hosts with c-ares, which asks the name servers itself. `getaddrinfo` would use the four threads that the whole
 * process shares: one dead name server would stop every other look-up and every file access. Whether an address may be
 * connected to is not decided here.
 */
import { Duration, Effect, Layer } from "effect"
import { promises as dns } from "node:dns"
import { Resolver } from "../../actors/webhook/actor/Resolver.ts"
import { ResolveFailed } from "../../actors/webhook/rules/connectionErrors.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"

const nameServerMillis = Duration.toMillis(webhookLimits.nameServerTimeout)
const lookupMillis = Duration.toMillis(webhookLimits.lookupTimeout)
const otherKindMillis = Duration.toMillis(webhookLimits.otherAddressKindTimeout)

/** Every name server that works can answer for the root. */
const root = "."

/** Codes that are answers: the name does not exist, or it has no address of this kind. */
const notFound = new Set(["ENOTFOUND", "ENODATA"])

/** Codes that mean: no name server works. */
const notServing = new Set(["ETIMEOUT", "ETIMEDOUT", "ECONNREFUSED", "ESERVFAIL", "ECANCELLED", "EHOSTUNREACH"])

type Looked =
  | { readonly _tag: "Found"; readonly addresses: ReadonlyArray<string> }
  | { readonly _tag: "NotFound" }
  | { readonly _tag: "NoAnswer" }
  | { readonly _tag: "Unavailable" }

/** `servers` as `address:port`; the system's when left out. */
export const layerOf = (servers?: ReadonlyArray<string>): Layer.Layer<Resolver> =>
  Layer.sync(Resolver, () => {
    let resolver = opened(servers, webhookLimits.nameServerTries)
    const underWay = new Map<string, Promise<Looked>>()

    const lookUp = async (host: string): Promise<Looked> => {
      const asked = resolver
      const looked = await withinTime(
        bothKinds(settled(asked.resolve4(host)), settled(asked.resolve6(host))),
        lookupMillis
      )
      if (looked._tag !== "NoAnswer") return looked
      // The system's name servers may have changed since the resolver read them.
      resolver = opened(servers, webhookLimits.nameServerTries)
      return (await isServing(opened(servers, 1))) ? looked : { _tag: "Unavailable" }
    }

    /** Connections to the same host share one look-up. */
    const shared = (host: string): Promise<Looked> => {
      const running = underWay.get(host) ?? lookUp(host).finally(() => underWay.delete(host))
      underWay.set(host, running)
      return running
    }

    return Resolver.of({
      resolve: Effect.fn("DnsResolver.resolve")(function* (host) {
        const looked = yield* Effect.promise(() => shared(host))
        return looked._tag === "Found" ? looked.addresses : yield* new ResolveFailed({ reason: reasons[looked._tag] })
      })
    })
  })

export const layer: Layer.Layer<Resolver> = layerOf()

const opened = (servers: ReadonlyArray<string> | undefined, times: number): dns.Resolver => {
  const resolver = new dns.Resolver({ timeout: nameServerMillis, tries: times })
  if (servers !== undefined) resolver.setServers(servers)
  return resolver
}

const reasons = { NotFound: "NOT_FOUND", NoAnswer: "NO_ANSWER", Unavailable: "UNAVAILABLE" } as const

const settled = (asked: Promise<ReadonlyArray<string>>): Promise<Looked> =>
  asked.then(
    (addresses): Looked => (addresses.length === 0 ? { _tag: "NotFound" } : { _tag: "Found", addresses }),
    ({ code }: { readonly code?: string }): Looked => ({ _tag: notFound.has(code ?? "") ? "NotFound" : "NoAnswer" })
  )

/** False: the service's own name servers do not answer, so nothing is known about the host. */
const isServing = (resolver: dns.Resolver): Promise<boolean> =>
  resolver.resolveNs(root).then(
    () => true,
    ({ code }: { readonly code?: string }) => !notServing.has(code ?? "")
  )

/** IPv4 first. One kind of address is enough when the host has no other, or the other is not known in time. */
const bothKinds = async (asked4: Promise<Looked>, asked6: Promise<Looked>): Promise<Looked> => {
  const first = await Promise.race([asked4, asked6])
  const waited = first._tag === "Found" ? otherKindMillis : lookupMillis
  const both = await Promise.all([withinTime(asked4, waited), withinTime(asked6, waited)])
  const addresses = both.flatMap((looked) => (looked._tag === "Found" ? looked.addresses : []))
  if (addresses.length > 0) return { _tag: "Found", addresses }
  return both.find(({ _tag }) => _tag === "NoAnswer") ?? { _tag: "NotFound" }
}

const withinTime = async (looked: Promise<Looked>, millis: number): Promise<Looked> => {
  const noAnswer = Promise.withResolvers<Looked>()
  const timer = setTimeout(() => noAnswer.resolve({ _tag: "NoAnswer" }), millis)
  return Promise.race([looked, noAnswer.promise]).finally(() => clearTimeout(timer))
}
