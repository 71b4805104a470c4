/**
 * A name that leads to a public address when the URL is saved and to a private one when it is connected to (BAD-W17,
 * INV-16): no connection is opened, which is watched at every socket of the process and at a listener that any of
 * these addresses could reach on this machine.
 */
import { Effect } from "effect"
import * as net from "node:net"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { judgeReachable } from "../../src/actors/webhook/actor/reachable.ts"
import * as DnsResolver from "../../src/runtime/webhooks/DnsResolver.ts"
import { isPublicAddress } from "../../src/schema/webhook/publicAddress.ts"
import { spyOnConnections } from "./connectSpy.ts"
import { openChannel } from "./openChannel.ts"
import { startNameServer } from "./nameServer.ts"

const publicAddress = "93.184.216.34"

const privateV4 = [
  "0.0.0.0", "0.0.0.1", "10.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.64.0.1", "100.100.100.200",
  "100.127.255.255", "127.0.0.0", "127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.254", "127.255.255.255",
  "169.254.0.1", "169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.255.255", "172.16.0.0", "172.16.0.1",
  "172.17.0.1", "172.31.255.255", "192.0.0.0", "192.0.0.8", "192.0.0.170", "192.0.0.192", "192.0.2.1", "192.0.2.255",
  "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.1", "192.168.1.1", "192.168.255.255", "192.175.48.1",
  "198.18.0.0", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "224.0.0.251",
  "239.255.255.250", "240.0.0.1", "255.255.255.254", "255.255.255.255", "168.63.129.16"
] // prettier-ignore

const embedding = (v4: string): ReadonlyArray<string> => {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map(Number)
  const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  return [
    `::ffff:${groups}`, `::${groups}`, `64:ff9b::${groups}`, `64:ff9b:1::${groups}`, `2002:${groups}::1`,
    `2001:0:4136:e378:8000:63bf:${groups}`, `fe80::5efe:${groups}`, `2606:4700::5efe:${groups}`
  ] // prettier-ignore
}

const privateV6 = [
  "::", "::1", "::2", "fe80::1", "fe80::a9fe:a9fe", "febf::1", "fec0::1", "fc00::1", "fd00::1", "fd00:ec2::254",
  "fd12:3456:789a::1", "ff02::1", "ff05::2", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "3fff::1",
  "100::1", "100:0:0:1::1", "5f00::1", "64:ff9b:1:ffff::1", "4000::1", "1::1",
  ...["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.0.1", "172.16.0.1", "8.8.8.8"].flatMap(embedding)
] // prettier-ignore

/** In a URL, as somebody might have got them past the form. */
const literals = [
  "127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0x7f000001", "017700000001", "0", "0.0.0.0", "127.0.1",
  "10.1", "0xa.0.0.1", "167772161", "192.168.1", "0xc0a80101", "3232235777", "169.254.43518", "2852039166", "0xa9fea9fe",
  "172.16.1", "100.64.1", "255.255.255.255", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
  "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "[0:0:0:0:0:ffff:a9fe:a9fe]",
  "①②⑦.⓪.⓪.①", "%31%32%37.0.0.1", "127。0。0。1"
] // prettier-ignore

const cases = [
  ...privateV4.map((address) => ({ a: [address], aaaa: [] })),
  ...privateV6.map((address) => ({ a: [], aaaa: [address] })),
  ...privateV4.slice(0, 20).map((address) => ({ a: [publicAddress, address], aaaa: [] })),
  ...privateV6.slice(0, 20).map((address) => ({ a: [publicAddress], aaaa: [address] })),
  ...privateV6.slice(20, 40).map((address) => ({ a: [], aaaa: ["2606:4700::1", address] }))
]

/** Hosts whose names lead to where they will, since their URLs were judged. */
const turned = new Set<string>()
let nameServer: Awaited<ReturnType<typeof startNameServer>>
let listeners: ReadonlyArray<net.Server> = []
let port = 0
let taken = 0
const destinations: Array<string> = []

const listen = (host: string, at: number) =>
  new Promise<net.Server>((resolve, reject) => {
    const server = net.createServer((socket) => {
      taken += 1
      socket.destroy()
    })
    server.once("error", reject)
    server.listen(at, host, () => resolve(server))
  })

beforeAll(async () => {
  nameServer = await startNameServer(({ host, type }) => {
    const at = /^h(\d+)\.example$/.exec(host)?.[1]
    if (at === undefined) return host === "" || type !== "A" ? [] : [publicAddress]
    if (!turned.has(host)) return type === "A" ? [publicAddress] : []
    return (type === "A" ? cases[Number(at)]?.a : cases[Number(at)]?.aaaa) ?? []
  })
  const first = await listen("0.0.0.0", 0)
  port = (first.address() as net.AddressInfo).port
  // A machine without IPv6 has nothing there to reach.
  listeners = [first, ...(await listen("::1", port).then((server) => [server], () => []))] // prettier-ignore
})

beforeEach(() => {
  spyOnConnections((address) => {
    destinations.push(address)
    // Nothing leaves this machine; what is aimed at it gets there.
    return isPublicAddress(address) ? Object.assign(new Error("refused"), { code: "ECONNREFUSED", address }) : address
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  destinations.length = 0
})

afterAll(async () => {
  await nameServer.close()
  for (const listener of listeners) await new Promise((resolve) => listener.close(resolve))
})

const open = (url: string) =>
  openChannel(url, { allowInsecure: false, connections: 2, resolver: DnsResolver.layerOf([nameServer.server]) })

const judgeNow = (url: string) =>
  judgeReachable(url).pipe(Effect.provide(DnsResolver.layerOf([nameServer.server])), Effect.runPromise)

const notPublic = { _tag: "Failed", error: "ADDRESS_NOT_PUBLIC", isOwn: false }

it("connects to where a name leads when that is public", async () => {
  const channel = await open(`https://public.example:${port}/`)
  expect(await channel.post()).toEqual({ _tag: "Failed", error: "CONNECTION_REFUSED", isOwn: false })
  expect(destinations).toEqual([publicAddress])
  await channel.close()
})

it(`opens no connection to a name that turned into one of ${cases.length} private addresses after it was judged`, async () => {
  expect(cases.length + literals.length).toBeGreaterThanOrEqual(200)
  const outcomeOf = async ({ a, aaaa }: (typeof cases)[number], at: number) => {
    const host = `h${at}.example`
    const url = `${at % 2 === 0 ? "https" : "http"}://${host}:${port}/hook`
    const judged = await judgeNow(url)
    turned.add(host)
    const channel = await open(url)
    const exchanges = [await channel.post(), await channel.post()]
    await channel.close()
    return { addresses: [...a, ...aaaa], judged, exchanges }
  }
  // All at once, the last of them waited longer for the name server than a judgement does, on a busy machine.
  const outcomes = await Effect.runPromise(
    Effect.forEach(cases, (one, at) => Effect.promise(() => outcomeOf(one, at)), { concurrency: 8 })
  )
  const expected = cases.map(({ a, aaaa }) => ({
    addresses: [...a, ...aaaa],
    judged: null,
    exchanges: [notPublic, notPublic]
  }))
  expect(outcomes).toEqual(expected)
  expect([destinations, taken]).toEqual([[], 0])
})

it.each(literals)("opens no connection to %s as it stands in a URL", async (literal) => {
  for (const scheme of ["https", "http"]) {
    const channel = await open(`${scheme}://${literal}:${port}/`)
    expect(await channel.post()).toEqual(notPublic)
    await channel.close()
  }
  expect([destinations, taken]).toEqual([[], 0])
})

it("closes a connection that reached somewhere else than it was meant to, with nothing sent", async () => {
  vi.restoreAllMocks()
  spyOnConnections(() => "127.0.0.1")
  let heard = ""
  const server = net.createServer((socket) => socket.on("error", () => {}).on("data", (chunk) => (heard += chunk)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  for (const scheme of ["https", "http"]) {
    const channel = await open(`${scheme}://public.example:${(server.address() as net.AddressInfo).port}/`)
    expect(await channel.post()).toEqual(notPublic)
    await channel.close()
  }
  await new Promise((resolve) => server.close(resolve))
  expect(heard).toBe("")
})
