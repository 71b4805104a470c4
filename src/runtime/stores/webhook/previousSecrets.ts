/**
 * The columns of an endpoint's secrets of before. The newest stands in the first pair, where nodes of before know one alone; the pairs
 * behind an empty pair count for nothing, because such a node empties the first one only.
 */
import type { Row } from "effect/sql/SqlConnection"
import type { PreviousSecret } from "../../../actors/webhook/rules/Endpoint.ts"
import { bytesOrNull, dateOrNull } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"

const Columns = rowModel({
  sealedPreviousSecret: column.orNull(column.bytes),
  previousUntil: column.orNull(column.millis),
  sealedPreviousSecret2: column.orNull(column.bytes),
  previousUntil2: column.orNull(column.millis),
  sealedPreviousSecret3: column.orNull(column.bytes),
  previousUntil3: column.orNull(column.millis)
})

/** A pair for each of `webhookLimits.mostPreviousSecrets`. */
const pairs = [
  ["sealed_previous_secret", "previous_until"],
  ["sealed_previous_secret2", "previous_until2"],
  ["sealed_previous_secret3", "previous_until3"]
] as const

export const previousSecretColumns = pairs.flat().join(", ")

/** The newest first. */
export const previousSecretsIn = (row: Row): ReadonlyArray<PreviousSecret> => {
  const found = Columns.decodeRow(row)
  const inOrder = [
    [found.sealedPreviousSecret, found.previousUntil],
    [found.sealedPreviousSecret2, found.previousUntil2],
    [found.sealedPreviousSecret3, found.previousUntil3]
  ] as const
  const secrets: Array<PreviousSecret> = []
  for (const [sealed, until] of inOrder) {
    if (sealed === null || until === null) break
    secrets.push({ sealed, until })
  }
  return secrets
}

/** Sets the columns to the parameters from this one on: `previousSecretValues`. */
export const setPreviousSecrets = (first: number): string =>
  pairs
    .map(
      ([sealed, until], at) => `${sealed} = $${first + 2 * at}::bytea, ${until} = $${first + 2 * at + 1}::timestamptz`
    )
    .join(", ")

export const sealedValues = (secrets: ReadonlyArray<PreviousSecret>): ReadonlyArray<unknown> =>
  pairs.map((_, at) => bytesOrNull(secrets[at]?.sealed ?? null))

/** What is over the number of the pairs is left out: the oldest. */
export const previousSecretValues = (secrets: ReadonlyArray<PreviousSecret>): ReadonlyArray<unknown> =>
  pairs.flatMap((_, at) => [bytesOrNull(secrets[at]?.sealed ?? null), dateOrNull(secrets[at]?.until ?? null)])

/** Holds where the secrets are as they were read: `sealedValues` are the parameters from this one on. A move to another key seals them anew. */
export const previousSecretsAsRead = (first: number): string =>
  pairs.map(([sealed], at) => `($${first + at}::bytea is null or ${sealed} = $${first + at}::bytea)`).join(" and ")

/** Empties the columns, or where `condition` does not hold leaves them as they are. */
export const noPreviousSecrets = (condition = "true"): string =>
  pairs
    .flat()
    .map((name) => `${name} = case when not (${condition}) then ${name} end`)
    .join(", ")
