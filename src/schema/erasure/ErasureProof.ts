/**
 * The proof of an erasure: a statement of ids and times, and the same signed (JWS, RFC 7515, EdDSA with Ed25519), so that a file of it can
 * be checked later by whoever has the installation's public key. It holds no personal data.
 */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"

const text = (description: string) => Schema.String.annotate({ description })

export const ErasureStatement = Schema.Struct({
  companyId: Schema.String,
  customerReference: Schema.String,
  journeys: Schema.Array(Schema.String).annotate({
    description: "The customer's journeys, up to 1000, which hold no personal data"
  }),
  keyId: Schema.NullOr(Schema.String).annotate({
    description: "The beginning of the hash of the key that was destroyed; null for erasures of earlier versions"
  }),
  requestedAt: text("When the erasure was asked for"),
  erasedAt: text("When the key and every sealed record were gone"),
  finishedAt: Schema.NullOr(Schema.String).annotate({
    description:
      "When what was still being written at that time had been removed as well; null: it will be, within minutes"
  }),
  issuedAt: text("When this statement was made")
}).annotate({ identifier: "ErasureStatement" })
export type ErasureStatement = typeof ErasureStatement.Type

export const ErasureProofResource = Schema.Struct({
  statement: ErasureStatement,
  jws: text("The statement, signed: a compact JWS with the algorithm EdDSA"),
  publicKey: Schema.Struct({
    kty: Schema.Literal("OKP"),
    crv: Schema.Literal("Ed25519"),
    x: Schema.String
  }).annotate({ description: "The installation's public key, as a JWK; it stays when ENCRYPTION_KEY changes" })
}).annotate({ identifier: "ErasureProof" })
export type ErasureProofResource = typeof ErasureProofResource.Type

const statement: ErasureStatement = {
  companyId: exampleId("company", 1),
  customerReference: exampleId("customer", 1),
  journeys: [exampleId("journey", 1)],
  keyId: "5d0c13ba9e27f486",
  requestedAt: "2026-01-15T10:31:07.218Z",
  erasedAt: "2026-01-15T10:31:09.044Z",
  finishedAt: "2026-01-15T10:36:14.870Z",
  issuedAt: "2026-01-20T08:00:00.000Z"
}

export const erasureProofExample: ErasureProofResource = {
  statement,
  jws: "eyJhbGciOiJFZERTQSJ9.eyJjb21wYW55SWQiOiIuLi4ifQ.c2lnbmF0dXJl",
  publicKey: { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }
}
