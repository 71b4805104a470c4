/**
 * Passkeys and their challenges in PostgreSQL. A challenge is deleted by whoever takes it, and a passkey that was shown and its
 * session are written together. Whether a signature holds is judged elsewhere.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hashSecret, newMarkedSecret } from "../../../actors/kernel/secrets.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import { Passkeys } from "../../../actors/members/Passkeys.ts"
import { ErasureJournal } from "../../../actors/erasure/ErasureJournal.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { Passkey } from "../../../schema/members/Passkey.ts"
import { modelColumns } from "../../postgres/modelColumns.ts"
import { textArray } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { repeatableWrite, storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { makeKnownChange } from "../kernel/knownChange.ts"
import { afterLine, lineAndNotice, audited, lineParameters } from "../kernel/auditedChange.ts"
import { makeOpening } from "../kernel/openedSession.ts"
import { holdingMember } from "./heldMember.ts"

const passkeyRows = modelColumns(Passkey.row)

const CredentialRow = rowModel({
  credentialId: column.text,
  publicKey: column.bytes,
  signCount: column.wholeNumber,
  transports: column.listOf(column.text)
})

// The statement sees the passkeys that were there before it: none means that this one is the first. It holds its member (`heldMember.ts`).
const addStatement = `
with changed as (
  insert into passkeys (id, member_id, credential_id, public_key, sign_count, transports, name, added_at)
  select $6::uuid, m.id, $8::text, $9::bytea, $10::int8, $11::text[], $12::text, $5::timestamptz from members m
  where m.id = $7::uuid and m.company_id = $1::uuid
    and (select count(*) from passkeys p where p.member_id = m.id) < $13::int4
  on conflict (credential_id) do nothing returning *
), sessions as (
  update console_sessions s set is_waiting_for_passkey = s.id <> $14::uuid from changed
  where s.member_id = changed.member_id
    and (s.id = $14::uuid or not exists (select from passkeys p where p.member_id = changed.member_id))
), ${lineAndNotice}
select id from changed`

const isThere = "select from passkeys where credential_id = $1"

const removeStatement = audited(
  `delete from passkeys p using members m
   where p.id = $${afterLine}::uuid and p.member_id = $7::uuid and m.id = p.member_id and m.company_id = $1::uuid`
).replace("returning *", "returning p.*")

const heldPasskey = "select from passkeys where id = $1::uuid for update"

const keepStatement = `
insert into passkey_challenges (session_id, purpose, challenge, expires_at)
select s.id, $2, $3, $4 from console_sessions s where s.id = $1
on conflict (session_id) do update set purpose = excluded.purpose, challenge = excluded.challenge, expires_at = excluded.expires_at`

/** A challenge of another purpose is used up as well: whoever asked for it has gone on to something else. */
const takeStatement = `
with taken as (delete from passkey_challenges where session_id = $1 returning purpose, challenge, expires_at)
select challenge from taken where purpose = $2 and expires_at > $3`

const ChallengeRow = rowModel({ challenge: column.text })

// The member is written before the session (`heldMember.ts`).
const passedStatement = `
with shown as (
  update passkeys p set sign_count = $4::int8, used_at = $2 from console_sessions s
  where s.id = $1 and p.member_id = s.member_id and p.credential_id = $3::text
    and (p.sign_count < $4::int8 or (p.sign_count = 0 and $4::int8 = 0))
  returning p.member_id
), seen as (
  update members m set seen_at = $2 from shown where m.id = shown.member_id returning m.id
)
update console_sessions s set is_waiting_for_passkey = false, secret_hash = $5, is_marked = true, seen_at = $2
from seen where s.id = $1 and s.member_id = seen.id returning s.id`

const IdRow = rowModel({ id: column.text })
const openedStatement = "select s.id from console_sessions s where s.id = $1 and s.secret_hash = $2"

export const layer = Layer.effect(
  Passkeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const journal = yield* ErasureJournal
    const known = yield* makeKnownChange
    const opening = yield* makeOpening

    return Passkeys.of({
      list: (companyId, memberId) =>
        storeRead(
          passkeyRows.all(sql`
            select p.id, p.member_id, p.name, p.added_at, p.used_at from passkeys p join members m on m.id = p.member_id
            where p.member_id = ${memberId} and m.company_id = ${companyId} order by p.added_at, p.id`)
        ),
      credentials: (memberId) =>
        storeRead(
          CredentialRow.all(sql`
            select credential_id, public_key, sign_count, transports from passkeys where member_id = ${memberId}
            order by added_at`)
        ),
      add: Effect.fnUntraced(function* (
        companyId,
        { credentialId, id, memberId, name, publicKey, ...key },
        sessionId,
        line
      ) {
        const change = sql.unsafe(addStatement, [
          ...lineParameters(companyId, line),
          id,
          memberId,
          credentialId,
          PgTypes.bytea(publicKey),
          key.signCount,
          textArray(key.transports),
          name,
          memberLimits.mostPasskeys,
          sessionId
        ])
        const added = yield* storeWrite(holdingMember(sql, { of: "m.id = $1::uuid", values: [memberId], change }))
        if (added.length > 0) return "ADDED"
        return (yield* storeRead(sql.unsafe(isThere, [credentialId]))).length > 0 ? "THERE" : "FULL"
      }),
      remove: Effect.fnUntraced(function* (companyId, memberId, passkeyId, line) {
        // What a removal of unknown outcome answers: the row tells nothing any more.
        const found = yield* storeRead(
          passkeyRows.first(sql`
            select id, member_id, name, added_at, used_at from passkeys
            where id = ${passkeyId} and member_id = ${memberId}`)
        )
        const values = [...lineParameters(companyId, line), passkeyId, memberId]
        return yield* known({
          companyId,
          line,
          hold: sql.unsafe(heldPasskey, [passkeyId]),
          write: passkeyRows.first(sql.unsafe(removeStatement, values)),
          written: Effect.succeed(found),
          after: (removed) => journal.append(removed === null ? [] : [{ what: "PASSKEY", companyId, passkeyId }])
        })
      }),
      keepChallenge: Effect.fnUntraced(function* (sessionId, purpose, challenge) {
        const now = yield* Clock.currentTimeMillis
        const expiresAt = new Date(now + Duration.toMillis(memberLimits.challengeLifetime))
        yield* repeatableWrite(sql.unsafe(keepStatement, [sessionId, purpose, challenge, expiresAt]))
      }),
      takeChallenge: Effect.fnUntraced(function* (sessionId, purpose) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const row = yield* repeatableWrite(ChallengeRow.first(sql.unsafe(takeStatement, [sessionId, purpose, now])))
        return row?.challenge ?? null
      }),
      passed: Effect.fnUntraced(function* (sessionId, { credentialId, signCount }) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const secret = newMarkedSecret(vault)
        const hash = PgTypes.bytea(hashSecret(secret))
        const passed = yield* opening({
          open: IdRow.first(sql.unsafe(passedStatement, [sessionId, now, credentialId, signCount, hash])),
          opened: IdRow.first(sql.unsafe(openedStatement, [sessionId, hash])),
          ended: () => []
        })
        return passed === null ? null : secret
      })
    })
  })
)
