/**
 * The vault over the keys of this node and of its database. The database lists every master key that it has had and that may still be
 * needed. A start refuses a database that needs a key which is not given, and says which: the service could read nothing under that
 * key, and would not recognise its customers. The first start leaves a sealed mark, and every later start must be able to open it.
 */
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { KeyWrapping } from "../../actors/kernel/KeyWrapping.ts"
import { Vault } from "../../actors/kernel/Vault.ts"
import { masterKeyId, masterKeysOf, type MasterKeys } from "./MasterKeys.ts"
import { indexKeys, indexKeysFrom, localWrapping, vaultOf, type IndexKeys } from "./AesVault.ts"
import { DatabaseError } from "../postgres/Database.ts"
import { duringStart } from "../postgres/duringStart.ts"
import { textArray } from "../postgres/parameters.ts"
import { column, rowModel, type RowOf } from "../postgres/rows.ts"
import { Settings } from "../settings/Settings.ts"
import { wrappingOver } from "./wrapping.ts"
import { anyUnder, indexKeyPlace, markPlace, sealedColumns, type SealedColumn } from "./sealedColumns.ts"

export class KeyRing extends Context.Service<
  KeyRing,
  {
    readonly keys: MasterKeys
    /** The key of values without an id; null when every value has one. */
    readonly namelessId: string | null
    readonly indexes: IndexKeys
  }
>()("journeys/runtime/KeyRing") {}

const mark = "journeys"

const KnownKeyRow = rowModel({ id: column.text, isNameless: column.bool })
const SealedRow = rowModel({ sealed: column.bytes })
const FoundRow = rowModel({ found: column.bool })
const IndexRow = rowModel({ purpose: column.text, sealed: column.bytes })

// Of two first starts at once one leaves its mark and its key, and both check that mark.
const firstMark = `
with made as (
  insert into encryption_marks (id, sealed) values (1, $1) on conflict do nothing returning id
)
insert into encryption_keys (id, sealing_since) select $2::text, now() from made`

const knownKeys = "select id, is_nameless from encryption_keys order by sealing_since"

const foreign = (problem: string) =>
  new DatabaseError({
    message: `${problem}: its personal data could not be read; start with the key that was used before, as ENCRYPTION_KEY or among ENCRYPTION_KEYS_RETIRED`
  })

const notTheKey = foreign("ENCRYPTION_KEY is not the key this database was made with")

const missing = (id: string) =>
  foreign(
    `the database has values under the encryption key ${id}, and it is neither ENCRYPTION_KEY nor among ENCRYPTION_KEYS_RETIRED`
  )

/** What the first start has left; null before it. */
export const markOf = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  SealedRow.first(sql`select sealed from encryption_marks where id = 1`)
)

/** The id of the given key that opens the mark; null when none does. */
export const openerOfMark = Effect.fnUntraced(function* (given: ReadonlyArray<Uint8Array>) {
  const row = yield* markOf
  for (const masterKey of given) {
    const opened =
      row === null ? null : yield* Effect.option(masterKeysOf(masterKey).open("service secrets", markPlace, row.sealed))
    if (opened?._tag === "Some") return masterKeyId(masterKey)
  }
  return null
})

/** A database from before there were ids: its one key is whichever opens its mark. */
const adopted = Effect.fnUntraced(function* (given: ReadonlyArray<Uint8Array>) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* openerOfMark(given)
  if (id === null) return yield* notTheKey
  yield* sql`insert into encryption_keys (id, is_nameless, sealing_since) values (${id}, true, now()) on conflict do nothing`
  return [{ id, isNameless: true }]
})

type KnownKey = RowOf<typeof KnownKeyRow>

/** The master keys that the database has had and may still need, the first one first. */
export const knownKeysOf = Effect.flatMap(SqlClient.SqlClient, (sql) => KnownKeyRow.all(sql.unsafe(knownKeys)))

/** Whether anything in these columns stands under this key. Within a transaction: the look takes as long as it takes. */
export const isAnythingUnder = Effect.fnUntraced(function* (
  { id, isNameless }: KnownKey,
  columns: ReadonlyArray<SealedColumn>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select set_config('statement_timeout', '0', true)`
  const written = isNameless ? [id, null] : [id]
  for (const sealed of columns) {
    for (const keyId of written) {
      const row = yield* FoundRow.first(sql.unsafe(anyUnder(sealed), [keyId]))
      if (row?.found !== false) return true
    }
  }
  return false
})

/** Forgets keys that are not given any more, unless something still stands under one of them. Nobody is answered before it is done. */
const dropUnused = Effect.fnUntraced(function* (notGiven: ReadonlyArray<KnownKey>) {
  const sql = yield* SqlClient.SqlClient
  for (const key of notGiven) {
    const { id } = key
    if (yield* isAnythingUnder(key, sealedColumns)) return yield* missing(id)
    yield* Effect.logInfo("Nothing stands under an encryption key any more: it is forgotten", { keyId: id })
    yield* sql`delete from encryption_keys where id = ${id}`
  }
})

/** Indexes keep their keys when the master key changes. One that the database lacks is derived from its first key. */
const storedIndexKeys = Effect.fnUntraced(function* (keys: MasterKeys, firstKey: Uint8Array) {
  const sql = yield* SqlClient.SqlClient
  const rows = "select purpose, sealed from encryption_indexes"
  const had = new Set((yield* IndexRow.all(sql.unsafe(rows))).map(({ purpose }) => purpose))
  const derived = indexKeysFrom(firstKey)
  for (const [purpose, key] of Object.entries(derived)) {
    if (had.has(purpose)) continue
    const sealed = PgTypes.bytea(keys.seal("service secrets", indexKeyPlace(purpose), key))
    yield* sql`insert into encryption_indexes (purpose, sealed) values (${purpose}, ${sealed}) on conflict do nothing`
  }
  const stored = yield* IndexRow.all(sql.unsafe(rows))
  const opened = new Map<string, Uint8Array>()
  for (const { purpose, sealed } of stored) {
    opened.set(purpose, yield* keys.open("service secrets", indexKeyPlace(purpose), sealed))
  }
  return indexKeys((purpose) => opened.get(purpose) ?? derived[purpose])
})

/** The key with which this node seals is the newest: values move to the newest key. */
const registered = `
insert into encryption_keys as k (id, sealing_since) values ($1, now()) on conflict (id) do update
set sealing_since = excluded.sealing_since where k.sealing_since < (select max(sealing_since) from encryption_keys)`

/**
 * Keys that are given and that no node has sealed with. A key that this node is not given begins anew: whoever gives it once more may
 * mean to change to it.
 */
const forgotten = `
delete from encryption_keys_to_come c
where not c.id = any($1::text[]) or exists (select from encryption_keys k where k.id = c.id)`
const toCome = `
insert into encryption_keys_to_come (id, given_since)
select g.id, clock_timestamp() from unnest($1::text[]) g (id) where not exists (select from encryption_keys k where k.id = g.id)
on conflict (id) do nothing`

const opened = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { encryptionKey, retiredEncryptionKeys } = yield* Settings
  const sealing = Redacted.value(encryptionKey)
  const others = Redacted.value(retiredEncryptionKeys)
  const given = [sealing, ...others]
  const plain = masterKeysOf(sealing, others)

  yield* sql.unsafe(firstMark, [
    PgTypes.bytea(plain.seal("service secrets", markPlace, Buffer.from(mark))),
    plain.sealingId
  ])
  const listed = yield* knownKeysOf
  const known = listed.length > 0 ? listed : yield* adopted(given)
  const namelessId = known.find(({ isNameless }) => isNameless)?.id ?? null
  const keys = masterKeysOf(sealing, others, namelessId)
  const notGiven = known.filter(({ id }) => !keys.ids.includes(id))
  if (notGiven.length > 0) yield* sql.withTransaction(dropUnused(notGiven))

  const row = yield* markOf
  const seen = row === null ? null : yield* Effect.option(keys.open("service secrets", markPlace, row.sealed))
  if (seen?._tag !== "Some" || Buffer.from(seen.value).toString() !== mark) return yield* notTheKey
  yield* sql.unsafe(registered, [keys.sealingId])
  const givenIds = textArray(keys.ids)
  yield* sql.unsafe(forgotten, [givenIds])
  yield* sql.unsafe(toCome, [givenIds])

  const firstKey = given.find((one) => masterKeyId(one) === known[0]?.id) ?? sealing
  const indexes = yield* Effect.catchTag(storedIndexKeys(keys, firstKey), "Unopenable", () => Effect.fail(notTheKey))
  return { keys, namelessId, indexes }
}).pipe(Effect.catchTag("SqlError", duringStart))

/** The keys are known to be the right ones before anything is sealed or opened with them. */
const ring = Layer.effect(KeyRing, opened)

const wrapping = Layer.effect(
  KeyWrapping,
  Effect.flatMap(KeyRing, ({ keys }) => wrappingOver(localWrapping(keys)))
)

const vault = Layer.effect(
  Vault,
  Effect.map(Effect.all([KeyRing, KeyWrapping]), ([{ indexes, keys }, wraps]) => vaultOf(keys, wraps, indexes))
)

export const layer = vault.pipe(Layer.provideMerge(wrapping), Layer.provideMerge(ring))
