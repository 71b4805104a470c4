/**
 * Ids that are derived from what they are about, by a keyed hash. The id is the same on every try, and nobody can guess it
 * without the key. Code that must send the same id twice derives the id instead of storing it.
 */
import type { Vault } from "../../kernel/Vault.ts"

/** The id of what the parts name. A part may hold any text, so its length is written before it. */
export const derivedId = (vault: Pick<Vault["Service"], "index">, ...parts: ReadonlyArray<string | number>): string =>
  uuidFrom(vault.index("request", `id|${parts.map((part) => `${String(part).length}:${part}`).join("|")}`))

/** A UUID of version 8 (RFC 9562): its bits are ours to choose. */
export const uuidFrom = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString("hex")
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
