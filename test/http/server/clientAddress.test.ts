/** Which address a request counts against, whatever is written into X-Forwarded-For. */
import { describe, expect, it } from "vitest"
import { clientOf, countedAddress } from "../../../src/http/server/callers/clientAddress.ts"
import { readAddressBlocks } from "../../../src/schema/addressBlocks.ts"

const trusted = readAddressBlocks("10.0.0.0/8, 192.168.1.7, fd00::/8") ?? []

describe("the address that a request comes from", () => {
  it.each([
    ["is the peer's where nobody forwards", "203.0.113.9", undefined, "203.0.113.9"],
    ["is the peer's, whatever a peer writes who is not trusted", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["is what a trusted proxy names", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["is the last that no trusted proxy has", "10.0.0.1", "1.1.1.1, 198.51.100.1, 10.2.3.4", "198.51.100.1"],
    ["is not what stands before that", "10.0.0.1", "10.9.9.9, 198.51.100.1", "198.51.100.1"],
    ["is the farthest proxy's where all are trusted", "10.0.0.1", "10.2.2.2, 192.168.1.7", "10.2.2.2"],
    ["is the proxy's where it names nobody", "192.168.1.7", undefined, "192.168.1.7"],
    ["is the proxy's where it names what is no address", "10.0.0.1", "unknown", "10.0.0.1"],
    ["is not what stands before what is no address", "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
    ["is found beside a port", "10.0.0.1", "198.51.100.1:50123", "198.51.100.1"],
    ["is found beside a port of IPv6", "fd00::1", "[2001:db8::1]:443", "2001:db8::1"],
    ["is found through a proxy of IPv4 on an IPv6 socket", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"]
  ])("%s", (_what, peer, forwardedFor, client) => {
    expect(clientOf(trusted, peer, forwardedFor)).toBe(client)
  })

  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["unknown", "unknown"]
  ])("%s counts as %s", (address, counted) => {
    expect(countedAddress(address)).toBe(counted)
  })
})

it.each(["", "10.0.0.0/33", "10.0.0", "0x7f.1", "proxy.example", "10.0.0.1;10.0.0.2", "2001:db8::/129", "10.0.0.1,"])(
  "%j names no proxies",
  (text) => {
    expect(readAddressBlocks(text)).toBeUndefined()
  }
)
