/**
 * Addresses of networks and blocks of them, as settings and API keys name them: IPv4 and IPv6, alone or with the number of bits that
 * count. Whose address a request has is the server's to say.
 */
import ipaddr from "ipaddr.js"

/** Each address with the number of bits that count. */
export type AddressBlocks = ReadonlyArray<readonly [ipaddr.IPv4 | ipaddr.IPv6, number]>

/** Null: the text is no full address. An IPv4 address that reaches an IPv6 socket is the IPv4 address. */
export const addressOf = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null => {
  const isFull = text.includes(":") ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)
  return isFull ? ipaddr.process(text) : null
}

const blockOf = (text: string): AddressBlocks[number] | undefined => {
  const [, address = "", bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const parsed = addressOf(address)
  if (parsed === null) return undefined
  const all = parsed.kind() === "ipv4" ? 32 : 128
  const count = bits === undefined ? all : Number(bits)
  return count <= all ? [parsed, count] : undefined
}

/** Addresses and blocks, separated by commas. Undefined: one of them is none. */
export const readAddressBlocks = (text: string): AddressBlocks | undefined => {
  const blocks = text.split(",").map((one) => blockOf(one.trim()))
  return blocks.every((block) => block !== undefined) ? blocks : undefined
}

export const isAmong = (blocks: AddressBlocks, address: string): boolean => {
  const parsed = blocks.length === 0 ? null : addressOf(address)
  return parsed !== null && blocks.some(([block, bits]) => block.kind() === parsed.kind() && parsed.match(block, bits))
}
