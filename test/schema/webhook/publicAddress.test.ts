/** Public addresses against every block of the registries: its first and last address, and the neighbours of both. */
import ipaddr from "ipaddr.js"
import { describe, expect, it } from "vitest"
import { isPublicAddress, otherIPv6, specialIPv4, specialIPv6 } from "../../../src/schema/webhook/publicAddress.ts"

/** The address `by` further on, or null beyond the end of the space. */
const moved = (address: ipaddr.IPv4 | ipaddr.IPv6, by: bigint): string | null => {
  const bytes = address.toByteArray()
  const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) + by
  if (value < 0n || value >= 1n << BigInt(8 * bytes.length)) return null
  const moved = bytes.map((_, at) => Number((value >> BigInt(8 * (bytes.length - 1 - at))) & 255n))
  return ipaddr.fromByteArray(moved).toString()
}

const edges = (cidr: string) => {
  const [network, bits] = ipaddr.parseCIDR(cidr)
  const size = 1n << BigInt(8 * network.toByteArray().length - bits)
  const outside = [moved(network, -1n), moved(network, size)].filter((each) => each !== null)
  return { inside: [network.toString(), moved(network, size - 1n) ?? "", moved(network, size / 2n) ?? ""], outside }
}

const isIn = (address: string, blocks: ReadonlyArray<readonly [string, string, string]>): boolean =>
  blocks.some(([cidr]) => {
    const block = ipaddr.parseCIDR(cidr)
    const parsed = ipaddr.parse(address)
    return parsed.kind() === block[0].kind() && parsed.match(block)
  })

describe("the registries", () => {
  it.each([...specialIPv4, ...specialIPv6, ...otherIPv6])("refuse %s, %s (%s), from first to last", (cidr) => {
    for (const address of edges(cidr).inside) expect([address, isPublicAddress(address)]).toEqual([address, false])
  })

  it.each(specialIPv4)("leave the neighbours of %s alone", (cidr) => {
    for (const address of edges(cidr).outside) {
      expect([address, isPublicAddress(address)]).toEqual([address, !isIn(address, specialIPv4)])
    }
  })

  it.each(specialIPv6)("leave the neighbours of %s alone", (cidr) => {
    for (const address of edges(cidr).outside) {
      const isUnicast = isIn(address, [["2000::/3", "", ""]])
      expect([address, isPublicAddress(address)]).toEqual([address, isUnicast && !isIn(address, specialIPv6)])
    }
  })

  it("keep their neighbours that are well known to be public", () => {
    const neighbours = [
      "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
      "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0",
      "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
      "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "168.63.129.15",
      "168.63.129.17", "2000::", "2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::", "2003::",
      "3fff:1000::", "3ffe:ffff::1"
    ] // prettier-ignore
    expect(neighbours.filter((address) => !isPublicAddress(address))).toEqual([])
  })
})

it("knows public addresses in the forms that sockets and name servers write", () => {
  const addresses = [
    "8.8.8.8",
    "93.184.216.34",
    "2606:4700:4700::1111",
    "2A00:1450:4001:081c:0:0:0:200e",
    "2620:4f:8001::1"
  ]
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([])
})

it("refuses an IPv6 address that carries an IPv4 address, even a public one", () => {
  const embeddings = ["8.8.8.8", "127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "0.0.0.0"].flatMap((v4) => {
    const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map(Number)
    const high = (a * 256 + b).toString(16)
    const low = (c * 256 + d).toString(16)
    const inverted = `${(0xffff - (a * 256 + b)).toString(16)}:${(0xffff - (c * 256 + d)).toString(16)}`
    return [
      `::ffff:${v4}`, `::ffff:${high}:${low}`, `0:0:0:0:0:ffff:${v4}`, `::${v4}`, `::${high}:${low}`, `::ffff:0:${v4}`,
      `64:ff9b::${v4}`, `64:ff9b::${high}:${low}`, `64:ff9b:1::${v4}`, `2002:${high}:${low}::`, `2002:${high}:${low}::1`,
      `2001:0:4136:e378:8000:63bf:${inverted}`, `2001::${high}:${low}`, `2606:4700::5efe:${v4}`,
      `2606:4700::200:5efe:${high}:${low}`, `fe80::5efe:${v4}`
    ] // prettier-ignore
  })
  expect(embeddings.filter((address) => isPublicAddress(address))).toEqual([])
})

it("refuses the addresses at which clouds keep their secrets", () => {
  const metadata = [
    "169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "168.63.129.16",
    "fd00:ec2::254", "fd00:ec2::23", "fe80::a9fe:a9fe", "fd20:ce::254"
  ] // prettier-ignore
  expect(metadata.filter((address) => isPublicAddress(address))).toEqual([])
})

it("takes nothing but an address in its usual form", () => {
  const others = [
    "", " ", "8.8.8.8 ", " 8.8.8.8", "8.8.8", "8.8", "134744072", "0x8.8.8.8", "010.8.8.8", "8.8.8.8.", "8.8.8.8/32",
    "8.8.8.256", "[2606:4700::1]", "2606:4700::1%eth0", "2606:4700::1%", "2606:4700::1/64", "2606:4700:::1", "example.com",
    "8.8.8.8\n", "8.8.8.8:443", "٨.٨.٨.٨", "::", "2606:4700::g"
  ] // prettier-ignore
  expect(others.filter((address) => isPublicAddress(address))).toEqual([])
})
