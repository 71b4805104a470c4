/**
 * From which address a request comes. Behind a proxy every connection comes from the proxy, which names the client in
 * `X-Forwarded-For`; anybody else can write into that header too. So the header is believed only as far as proxies that the
 * operator trusts have written it. Addresses of IPv6 count by their /64: one customer of a provider has a whole one.
 */
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"
import type { IncomingMessage } from "node:http"
import { incomingMessage } from "../incomingMessage.ts"
import { addressOf, isAmong, type AddressBlocks } from "../../../schema/addressBlocks.ts"

/** The proxies whose word about the client is taken. None, unless the operator names some. */
export const TrustedProxies = Context.Reference<AddressBlocks>("journeys/http/TrustedProxies", {
  defaultValue: () => []
})

/** The bits of an IPv6 address that name a customer's network. */
const networkBits = 64

/** An IPv6 address of a machine's own link has a zone behind it. */
const withoutZone = (address: string): string => address.split("%", 1)[0] ?? ""

/** What is counted as one address. */
export const countedAddress = (address: string): string => {
  const parsed = addressOf(address)
  if (parsed === null) return address
  if (parsed.kind() === "ipv4") return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${networkBits}`).toString()}/${networkBits}`
}

/** An address as proxies write it, some with a port. */
const hopAddress = (text: string): string => {
  const hop = text.trim()
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop
}

/** The last address that no trusted proxy has: the one before it could be anybody's invention. */
export const clientOf = (trusted: AddressBlocks, peer: string, forwardedFor: string | undefined): string => {
  const hops = forwardedFor === undefined || !isAmong(trusted, peer) ? [] : forwardedFor.split(",")
  let client = peer
  for (const hop of hops.toReversed()) {
    const address = hopAddress(hop)
    if (addressOf(address) === null) break
    client = address
    if (!isAmong(trusted, address)) break
  }
  return client
}

/** The address of the client, whole. */
export const clientAddress = (source: IncomingMessage): Effect.Effect<string> =>
  Effect.map(TrustedProxies, (trusted) => {
    const { headers, socket } = source
    // Node joins what comes in several headers with a comma.
    const forwardedFor = headers["x-forwarded-for"]
    return clientOf(trusted, socket.remoteAddress ?? "unknown", forwardedFor?.toString())
  })

/** The same for a request as handlers have it. */
const clientAddressOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> =>
  clientAddress(incomingMessage(request))

/** The address of who asks, as the audit log has it; null: nobody knows, because the connection has gone. */
export const askersAddress = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string | null> =>
  Effect.map(clientAddressOf(request), (address) => addressOf(withoutZone(address))?.toString() ?? null)

/** The address that a request counts against. */
export const addressCounted = (source: IncomingMessage): Effect.Effect<string> =>
  Effect.map(clientAddress(source), countedAddress)

/** The same for a request as handlers have it. */
export const addressCountedOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> =>
  Effect.map(clientAddressOf(request), countedAddress)
