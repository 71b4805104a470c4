/** The operator's named tokens in PostgreSQL, by the hash of their text. */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ErasureJournal } from "../../../actors/erasure/ErasureJournal.ts"
import { installationActorLimits } from "../../../actors/installation/limits.ts"
import { OperatorTokens } from "../../../actors/installation/OperatorTokens.ts"
import { installationLimits } from "../../../schema/installation/limits.ts"
import { OperatorScope, OperatorToken } from "../../../schema/installation/OperatorToken.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { readPage } from "../../postgres/pages.ts"
import { dateOrNull, textArray } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { knownWrite, repeatableWrite, storeRead, storeWrite } from "../../postgres/storeCalls.ts"

const tokenRows = modelColumns(OperatorToken.row)

/** The columns of the model. A token from before keys and members had scopes of their own may do more than was written. */
const shown = "id, name, granted_scopes as scopes, last4, expires_at, last_used_at, revoked_at, created_at"

const FoundRow = rowModel({ id: column.text, name: column.text, scopes: column.listOf(column.oneOf(OperatorScope)) })

const findStatement = `
with found as (
  select id, name, granted_scopes as scopes, last_used_at from operator_tokens
  where hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)
), used as (
  update operator_tokens t set last_used_at = $2 from found f
  where t.id = f.id and (f.last_used_at is null or f.last_used_at <= $3)
)
select id, name, scopes from found`

const AddedRow = rowModel({ outcome: column.oneOf({ literals: ["ADDED", "NAME_TAKEN", "TOO_MANY"] }) })

const addStatement = `
with room as (
  select (select count(*) from operator_tokens where revoked_at is null) < ${installationLimits.mostTokens} as is_there
), added as (
  insert into operator_tokens (id, name, hash, last4, scopes, created_by, created_at, expires_at, is_from_before_key_scopes)
  select $1::uuid, $2::text, $3::bytea, $4::text, $5::text[], $6::text, $7::timestamptz, $8::timestamptz, false from room where is_there
  on conflict (name) do nothing returning id
)
select case when exists (select from added) then 'ADDED' when is_there then 'NAME_TAKEN' else 'TOO_MANY' end as outcome from room`

/** The first time stands. */
const revokeStatement = `
with ended as (delete from console_sessions where operator_token_id = $1)
update operator_tokens set revoked_at = coalesce(revoked_at, $2), revoked_by = coalesce(revoked_by, $3)
where id = $1 returning ${shown}`

export const layer = Layer.effect(
  OperatorTokens,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const journal = yield* ErasureJournal
    return OperatorTokens.of({
      find: (hash) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          repeatableWrite(
            FoundRow.first(
              sql.unsafe(findStatement, [
                PgTypes.bytea(hash),
                new Date(now),
                new Date(now - Duration.toMillis(installationActorLimits.tokenSeenEvery))
              ])
            )
          )
        ),
      list: (page) =>
        storeRead(
          readPage(
            sql,
            tokenRows,
            { from: `from (select ${shown} from operator_tokens) t`, order: "created_at desc, id desc", values: [] },
            page
          )
        ),
      add: ({ createdAt, expiresAt, id, last4, name, scopes }, hash, by) => {
        const values = [
          id,
          name,
          PgTypes.bytea(hash),
          last4,
          textArray(scopes),
          by,
          new Date(createdAt),
          dateOrNull(expiresAt)
        ]
        return storeWrite(AddedRow.first(sql.unsafe(addStatement, values))).pipe(
          Effect.flatMap((row) =>
            row === null ? Effect.die(new Error("an added token has an outcome")) : Effect.succeed(row.outcome)
          )
        )
      },
      revoke: (id, at, by) => {
        const journaled = journal.append([{ what: "OPERATOR_TOKEN", tokenId: id }])
        return knownWrite(tokenRows.first(sql.unsafe(revokeStatement, [id, new Date(at), by]))).pipe(
          Effect.tap((token) => (token === null ? Effect.void : journaled)),
          // Whoever revokes a token wants it to open nothing: after a restored backup it does not, whatever became of this try.
          Effect.tapErrorTag("CommitUnknown", () => journaled)
        )
      }
    })
  })
)
