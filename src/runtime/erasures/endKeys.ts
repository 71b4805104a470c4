/** Ends again what programs sign with: API keys that were revoked or rotated, and secrets of webhook endpoints. */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Vault } from "../../actors/kernel/Vault.ts"
import { newSigningSecret } from "../../actors/webhook/newSigningSecret.ts"
import { secretPlace } from "../../actors/webhook/rules/Endpoint.ts"
import { secretHash } from "../../actors/webhook/rules/secretHash.ts"
import { EndpointId } from "../../schema/ids.ts"
import { uuidArray } from "../postgres/parameters.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { withLine, byStatement, bytesOf, type Ending } from "./ending.ts"

export const endKeys = byStatement<"API_KEY">(
  withLine(
    `update api_keys set revoked_at = now() where hash = any($1::bytea[]) and revoked_at is null returning id, company_id`,
    "api_key.revoked",
    "json_build_object('keyId', id)"
  ),
  (lines) => [bytesOf(lines, ({ hash }) => hash)]
)

const SecretRow = rowModel({
  id: column.id(EndpointId),
  sealedSecret: column.bytes,
  sealedPreviousSecret: column.orNull(column.bytes),
  previousUntil: column.orNull(column.millis)
})

const endSecretStatement = withLine(
  `update webhook_endpoints set sealed_secret = coalesce($2::bytea, sealed_secret), sealed_previous_secret = $3::bytea,
     previous_until = $4::timestamptz
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
  const rows = yield* SecretRow.all(
    sql`select id, sealed_secret, sealed_previous_secret, previous_until from webhook_endpoints where id = any(${ids}) and removed_at is null`
  )
  const endOf = (id: EndpointId, sealed: Uint8Array | null) =>
    sealed === null
      ? Effect.succeed(null)
      : Effect.map(Effect.option(vault.openSecret(secretPlace(id), sealed)), (opened) =>
          opened._tag === "None" ? null : (untilOf.get(`${id} ${secretHash(opened.value)}`) ?? null)
        )
  let ended = 0
  for (const { id, previousUntil, sealedPreviousSecret, sealedSecret } of rows) {
    const now = yield* Clock.currentTimeMillis
    const presentEnd = yield* endOf(id, sealedSecret)
    const previousEnd = yield* endOf(id, sealedPreviousSecret)
    if (presentEnd === null && (previousEnd ?? Infinity) >= (previousUntil ?? -Infinity)) continue
    const [sealed, end] = presentEnd === null ? [sealedPreviousSecret, previousEnd] : [sealedSecret, presentEnd]
    const isKept = sealed !== null && end !== null && end > now
    yield* sql.unsafe(endSecretStatement, [
      id,
      presentEnd === null ? null : PgTypes.bytea(vault.sealSecret(secretPlace(id), newSigningSecret())),
      isKept ? PgTypes.bytea(sealed) : null,
      isKept ? new Date(end) : null
    ])
    ended += 1
  }
  return ended
})
