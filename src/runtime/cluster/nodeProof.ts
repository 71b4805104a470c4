/**
 * How nodes prove to each other that they belong to one installation: TLS with a key that both ends have (RFC 5489), derived
 * from CLUSTER_SECRET. Both ends prove it in the handshake, before a byte of a message is read, and every connection has keys
 * of its own that nobody can compute later (ECDHE). There is no certificate that an operator must make or that can expire.
 *
 * Node offers keys known beforehand with TLS 1.2 only. One suite is spoken, so there is nothing weaker to fall back to.
 *
 * A secret changes without a stop: a node that is given two takes both. It says which it takes, and speaks the first of its own
 * that the other end takes.
 */
import { hkdfSync } from "node:crypto"
import type * as Tls from "node:tls"
import { proofLimits } from "./limits.ts"

interface ProofKey {
  /** Names the key to the other end, and tells nothing of it. */
  readonly identity: string
  readonly psk: Buffer
}

/** The keys of one node, the one that it would rather speak first. */
export type NodeProof = readonly [ProofKey, ...ReadonlyArray<ProofKey>]

const derived = (secret: string | Uint8Array, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `journeys cluster ${purpose}`, bytes))

const keyOf = (secret: string | Uint8Array): ProofKey => ({
  identity: derived(secret, "identity", proofLimits.identityBytes).toString("hex"),
  psk: derived(secret, "key", proofLimits.keyBytes)
})

export const nodeProof = (first: string | Uint8Array, ...others: ReadonlyArray<string | Uint8Array>): NodeProof => [
  keyOf(first),
  ...others.map(keyOf)
]

const suite = {
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305"
} as const

export const serverOptions = (proof: NodeProof): Tls.TlsOptions => ({
  ...suite,
  pskIdentityHint: proof.map(({ identity }) => identity).join(" "),
  pskCallback: (_, identity) => proof.find((one) => one.identity === identity)?.psk ?? null
})

export const clientOptions = (proof: NodeProof) => ({
  ...suite,
  // The key names the other end: there is no certificate that could.
  checkServerIdentity: () => undefined,
  pskCallback: (hint: string | null): Tls.PSKCallbackNegotation => {
    const taken = hint?.split(" ") ?? []
    return proof.find(({ identity }) => taken.includes(identity)) ?? proof[0]
  }
})
