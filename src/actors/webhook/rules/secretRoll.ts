/**
 * Which secrets of an endpoint sign beside a new one: those whose overlap still runs, each until its own end. A roll without overlap
 * is for a secret that leaked, and ends all of them. How secrets are kept is the store's business.
 */
import { webhookLimits } from "../../../schema/webhook/limits.ts"
import { stillSigning, type Endpoint, type PreviousSecret } from "./Endpoint.ts"

export type SecretsAfterRoll =
  | { readonly _tag: "Rolled"; readonly previousSecrets: ReadonlyArray<PreviousSecret> }
  /** So many sign already; at `nextAt` the first of them ends. */
  | { readonly _tag: "Full"; readonly nextAt: number }

/** `until`: how long the secret of now goes on signing; null: not at all. */
export const secretsAfterRoll = (
  { previousSecrets, sealedSecret }: Pick<Endpoint, "previousSecrets" | "sealedSecret">,
  until: number | null,
  at: number
): SecretsAfterRoll => {
  if (until === null) return { _tag: "Rolled", previousSecrets: [] }
  const signing = stillSigning(previousSecrets, at)
  return signing.length < webhookLimits.mostPreviousSecrets
    ? { _tag: "Rolled", previousSecrets: [{ sealed: sealedSecret, until }, ...signing] }
    : { _tag: "Full", nextAt: Math.min(...signing.map((one) => one.until)) }
}
