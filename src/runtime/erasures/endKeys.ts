/** Ends again what programs sign with: API keys that were revoked or rotated, and secrets of webhook endpoints. */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Vault } from "../../actors/kernel/Vault.ts"
import { newSigningSecret } from "../../actors/webhook/newSigningSecret.ts"
import { secretPlace, stillSigning, type PreviousSecret } from "../../actors/webhook/rules/Endpoint.ts"
import { secretHash } from "../../actors/webhook/rules/secretHash.ts"
import { EndpointId } from "../../schema/ids.ts"
import { uuidArray } from "../postgres/parameters.ts"
import { column, rowModel, rowsDecodedBy } from "../postgres/rows.ts"
import {
  previousSecretColumns,
  previousSecretsIn,
  previousSecretValues,
  setPreviousSecrets
} from "../stores/webhook/previousSecrets.ts"
import { withLine, byStatement, bytesOf, type Ending } from "./ending.ts"

export const endKeys = byStatement<"API_KEY">(
  withLine(
    `update api_keys set revoked_at = now() where hash = any($1::bytea[]) and revoked_at is null returning id, company_id`,
    "api_key.revoked",
    "json_build_object('keyId', id)"
  ),
  (lines) => [bytesOf(lines, ({ hash }) => hash)]
)

const SecretRow = rowsDecodedBy((row) => ({ ...PresentRow.decodeRow(row), previousSecrets: previousSecretsIn(row) }))
const PresentRow = rowModel({ id: column.id(EndpointId), sealedSecret: column.bytes })

const endSecretStatement = withLine(
  `update webhook_endpoints set sealed_secret = coalesce($2::bytea, sealed_secret), ${setPreviousSecrets(3)}
   where id = $1::uuid returning id, company_id`,
  "webhook_endpoint.secret_rolled",
  "json_build_object('endpointId', id)"
)

/**
 * A secret that has ended signs nothing any more, unless its overlap still runs. The newer secret was lost with the database, so
 * the endpoint has one that nobody knows until its company rolls it.
 */
export const endSecrets: Ending<"WEBHOOK_SECRET"> = Effect.fnUntraced(function* (lines) {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const untilOf = new Map<string, number>()
  for (const { endpointId, hash, until } of lines) {
    const name = `${endpointId} ${hash}`
    untilOf.set(name, Math.min(until, untilOf.get(name) ?? until))
  }
  const ids = uuidArray([...new Set(lines.map(({ endpointId }) => endpointId))])
  const columns = `id, sealed_secret, ${previousSecretColumns}`
  const rows = yield* SecretRow.all(
    sql.unsafe(`select ${columns} from webhook_endpoints where id = any($1) and removed_at is null`, [ids])
  )
  /** The secret with the end that the lines say, where that is earlier. */
  const endedSooner = (id: EndpointId, { sealed, until }: PreviousSecret) =>
    Effect.map(Effect.option(vault.openSecret(secretPlace(id), sealed)), (opened) => {
      const end = opened._tag === "None" ? undefined : untilOf.get(`${id} ${secretHash(opened.value)}`)
      return { sealed, until: Math.min(until, end ?? until), isSooner: end !== undefined && end < until }
    })
  let ended = 0
  for (const { id, previousSecrets, sealedSecret } of rows) {
    const now = yield* Clock.currentTimeMillis
    const secrets = [{ sealed: sealedSecret, until: Infinity }, ...previousSecrets]
    const [present, ...previous] = yield* Effect.forEach(secrets, (secret) => endedSooner(id, secret))
    if (![present, ...previous].some((secret) => secret?.isSooner === true)) continue
    const isRolled = present?.isSooner === true
    const kept = stillSigning([...(isRolled ? [present] : []), ...previous], now)
    yield* sql.unsafe(endSecretStatement, [
      id,
      isRolled ? PgTypes.bytea(vault.sealSecret(secretPlace(id), newSigningSecret())) : null,
      ...previousSecretValues(kept)
    ])
    ended += 1
  }
  return ended
})
