/**
 * Which addresses are on the public internet: those in no block that IANA reserves for a special purpose. An IPv6 address
 * must also be global unicast, and must not carry an IPv4 address inside. Addresses come as sockets and name servers write
 * them; names and other spellings are judged in `webhookUrl.ts`.
 */
import ipaddr from "ipaddr.js"

type Block = readonly [cidr: string, name: string, source: string]

/** The IANA IPv4 Special-Purpose Address Registry. The last rows are special in other registries. */
export const specialIPv4: ReadonlyArray<Block> = [
  ["0.0.0.0/8", "This network", "RFC 791"],
  ["10.0.0.0/8", "Private-Use", "RFC 1918"],
  ["100.64.0.0/10", "Shared Address Space", "RFC 6598"],
  ["127.0.0.0/8", "Loopback", "RFC 1122"],
  ["169.254.0.0/16", "Link Local", "RFC 3927"],
  ["172.16.0.0/12", "Private-Use", "RFC 1918"],
  ["192.0.0.0/24", "IETF Protocol Assignments", "RFC 6890"],
  ["192.0.2.0/24", "Documentation (TEST-NET-1)", "RFC 5737"],
  ["192.31.196.0/24", "AS112-v4", "RFC 7535"],
  ["192.52.193.0/24", "AMT", "RFC 7450"],
  ["192.88.99.0/24", "Deprecated (6to4 Relay Anycast)", "RFC 7526"],
  ["192.168.0.0/16", "Private-Use", "RFC 1918"],
  ["192.175.48.0/24", "Direct Delegation AS112 Service", "RFC 7534"],
  ["198.18.0.0/15", "Benchmarking", "RFC 2544"],
  ["198.51.100.0/24", "Documentation (TEST-NET-2)", "RFC 5737"],
  ["203.0.113.0/24", "Documentation (TEST-NET-3)", "RFC 5737"],
  ["240.0.0.0/4", "Reserved and Limited Broadcast", "RFC 1112, RFC 919"],
  ["224.0.0.0/4", "Multicast", "RFC 5771"],
  ["168.63.129.16/32", "Azure's platform, from inside it", "Microsoft"]
]

const globalUnicast = "2000::/3"

/** The IANA IPv6 Special-Purpose Address Registry within global unicast. */
export const specialIPv6: ReadonlyArray<Block> = [
  ["2001::/23", "IETF Protocol Assignments, among them Teredo, benchmarking and ORCHID", "RFC 2928"],
  ["2001:db8::/32", "Documentation", "RFC 3849"],
  ["2002::/16", "6to4: carries an IPv4 address", "RFC 3056"],
  ["2620:4f:8000::/48", "Direct Delegation AS112 Service", "RFC 7534"],
  ["3fff::/20", "Documentation", "RFC 9637"]
]

/** The rest of that registry and of IPv6, for the reader: these blocks are refused because they are not global unicast. */
export const otherIPv6: ReadonlyArray<Block> = [
  ["::1/128", "Loopback", "RFC 4291"],
  ["::/128", "Unspecified", "RFC 4291"],
  ["::/96", "IPv4-compatible: carries an IPv4 address", "RFC 4291"],
  ["::ffff:0:0/96", "IPv4-mapped: carries an IPv4 address", "RFC 4291"],
  ["64:ff9b::/96", "IPv4-IPv6 translation: carries an IPv4 address", "RFC 6052"],
  ["64:ff9b:1::/48", "IPv4-IPv6 translation: carries an IPv4 address", "RFC 8215"],
  ["100::/64", "Discard-Only", "RFC 6666"],
  ["100:0:0:1::/64", "Dummy prefix", "RFC 9780"],
  ["5f00::/16", "Segment Routing SIDs", "RFC 9602"],
  ["fc00::/7", "Unique-Local", "RFC 4193"],
  ["fe80::/10", "Link-Local Unicast", "RFC 4291"],
  ["fec0::/10", "Site-Local, deprecated", "RFC 3879"],
  ["ff00::/8", "Multicast", "RFC 4291"]
]

const blockedIPv4 = specialIPv4.map(([cidr]) => ipaddr.IPv4.parseCIDR(cidr))
const blockedIPv6 = specialIPv6.map(([cidr]) => ipaddr.IPv6.parseCIDR(cidr))
const unicast = ipaddr.IPv6.parseCIDR(globalUnicast)

/** ISATAP (RFC 5214): any prefix, and an interface id with 5efe before an IPv4 address. */
const isIsatap = (address: ipaddr.IPv6): boolean =>
  address.parts[5] === 0x5efe && (address.parts[4] === 0 || address.parts[4] === 0x200)

export const isPublicAddress = (text: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text)
    return !blockedIPv4.some((block) => address.match(block))
  }
  // An address with a zone belongs to a link of this machine.
  if (!ipaddr.IPv6.isValid(text) || text.includes("%")) return false
  const address = ipaddr.IPv6.parse(text)
  return address.match(unicast) && !isIsatap(address) && !blockedIPv6.some((block) => address.match(block))
}
