/**
 * Signs the statement of an erasure and checks the signature: JWS with Ed25519 of the platform. The installation's key is made
 * of a keyed hash of the vault. So the key needs no place of its own, and stays when the master key changes. The schema says
 * what a statement holds.
 */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto"
import { Option, Schema } from "effect"
import type { Vault } from "../kernel/Vault.ts"
import { ErasureStatement, type ErasureProofResource } from "../../schema/erasure/ErasureProof.ts"

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex")

const signingKey = (vault: Vault["Service"]): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([pkcs8Head, vault.index("proof", "Ed25519")]),
    format: "der",
    type: "pkcs8"
  })

const base64url = (text: string): string => Buffer.from(text).toString("base64url")

const header = base64url(JSON.stringify({ alg: "EdDSA" }))

export const signedProof = (vault: Vault["Service"], statement: ErasureStatement): ErasureProofResource => {
  const key = signingKey(vault)
  const signed = `${header}.${base64url(JSON.stringify(statement))}`
  const { x = "" } = createPublicKey(key).export({ format: "jwk" })
  return {
    statement,
    jws: `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`,
    publicKey: { kty: "OKP", crv: "Ed25519", x }
  }
}

const readStatement = Schema.decodeUnknownOption(Schema.fromJsonString(ErasureStatement))

/** The statement that was signed with the proof's own key; null when the signature or the statement is not right. */
export const provenStatement = ({
  jws,
  publicKey
}: Pick<ErasureProofResource, "jws" | "publicKey">): ErasureStatement | null => {
  const [head, payload, signature, ...more] = jws.split(".")
  if (head !== header || payload === undefined || signature === undefined || more.length > 0) return null
  try {
    const key = createPublicKey({ key: { ...publicKey }, format: "jwk" })
    const isRight = verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, "base64url"))
    return isRight ? Option.getOrNull(readStatement(Buffer.from(payload, "base64url").toString())) : null
  } catch {
    return null
  }
}
