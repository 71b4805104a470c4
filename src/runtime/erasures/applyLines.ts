/**
 * Ends in the database what lines of the journal say has ended. What has ended already is left as it is. A customer who is here again
 * loses the key and every sealed row at once; the erasure's worker then cancels the running journeys and finishes the erasure.
 */
import { Clock, Effect } from "effect"
import { PgTypes } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import { Erasures } from "../../actors/erasure/Erasures.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { secretPlace } from "../../actors/webhook/rules/Endpoint.ts"
import { secretHash } from "../../actors/webhook/rules/secretHash.ts"
import { newSigningSecret } from "../../actors/webhook/newSigningSecret.ts"
import { CompanyId, EndpointId } from "../../schema/ids.ts"
import { arrayParameter, uuidArray } from "../postgres/parameters.ts"
import { column, rowModel } from "../postgres/rows.ts"
import { endAccess } from "./endAccess.ts"
import { journalActor, linesOf, type JournalLine, type LineOf } from "./journalLine.ts"

const CustomerRow = rowModel({ id: column.text, companyId: column.id(CompanyId) })

/** Customers who are here, or whose erasure the database does not know: their rows may be here without their keys. */
const notErased = `
select t.id::text, t.company_id from unnest($1::uuid[], $2::uuid[]) t (id, company_id)
where exists (select from customers c where c.id = t.id)
  or not exists (select from erasures e where e.company_id = t.company_id and e.customer_id = t.id)`

/** An erasure of which the database says that it is finished, although the customer is here, begins again. */
const againStatement = `
update erasures set erased_at = null, finished_at = null where company_id = $1::uuid and customer_id = $2::uuid`

const eraseCustomers = Effect.fnUntraced(function* (lines: ReadonlyArray<LineOf<"CUSTOMER">>) {
  const sql = yield* SqlClient.SqlClient
  const erasures = yield* Erasures
  const found = yield* CustomerRow.all(
    sql.unsafe(notErased, [
      uuidArray(lines.map(({ customerId }) => customerId)),
      uuidArray(lines.map(({ companyId }) => companyId))
    ])
  )
  let erased = 0
  for (const { companyId, id } of found) {
    const customer = { companyId, customerId: id }
    const at = yield* Clock.currentTimeMillis
    const line = { actor: journalActor, action: "customer.erased", details: { customerReference: id }, at }
    // Null: the database never had this customer.
    if ((yield* erasures.begin(customer, line)) === null) continue
    yield* erasures.shred(customer, at)
    yield* sql.unsafe(againStatement, [companyId, id])
    erased += 1
  }
  return erased
})

const revokeStatement = `
with changed as (
  update api_keys set revoked_at = now() where hash = any($1::bytea[]) and revoked_at is null returning id, company_id
), line as (
  insert into audit (company_id, actor, action, details, at)
  select company_id, '${journalActor}', 'api_key.revoked', json_build_object('keyId', id), now() from changed
)
select id from changed`

const revokeKeys = Effect.fnUntraced(function* (lines: ReadonlyArray<LineOf<"API_KEY">>) {
  const sql = yield* SqlClient.SqlClient
  const hashes = arrayParameter(
    lines.map(({ hash }) => Buffer.from(hash, "hex")),
    "bytea"
  )
  return (yield* sql.unsafe(revokeStatement, [hashes])).length
})

const SecretRow = rowModel({
  id: column.id(EndpointId),
  sealedSecret: column.bytes,
  sealedPreviousSecret: column.orNull(column.bytes),
  previousUntil: column.orNull(column.millis)
})

const endSecretStatement = `
with changed as (
  update webhook_endpoints set sealed_secret = coalesce($2::bytea, sealed_secret), sealed_previous_secret = $3::bytea,
    previous_until = $4::timestamptz
  where id = $1::uuid returning id, company_id
)
insert into audit (company_id, actor, action, details, at)
select company_id, '${journalActor}', 'webhook_endpoint.secret_rolled', json_build_object('endpointId', id), now() from changed`

/**
 * A secret that has ended signs nothing any more, unless its overlap still runs. The newer secret was lost with the database, so
 * the endpoint has one that nobody knows until its company rolls it.
 */
const endSecrets = Effect.fnUntraced(function* (lines: ReadonlyArray<LineOf<"WEBHOOK_SECRET">>) {
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

/** How many things were ended. */
export const applyLines = Effect.fnUntraced(function* (lines: ReadonlyArray<JournalLine>) {
  const erased = yield* eraseCustomers(linesOf(lines, "CUSTOMER"))
  const revoked = yield* revokeKeys(linesOf(lines, "API_KEY"))
  const secrets = yield* endSecrets(linesOf(lines, "WEBHOOK_SECRET"))
  return erased + revoked + secrets + (yield* endAccess(lines))
})
