/**
 * API keys looked up in PostgreSQL by their hash. A node remembers a key for a second, and forgets all keys when a key changes, here
 * or on another node: a change on one node holds for the next request to any node (INV-21). How nodes hear of each other's
 * changes is the business of `cluster/coordination/KeyNews.ts`; while a node does not hear, each request looks.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Keyring, type KnownKey } from "../../../actors/company/Keyring.ts"
import { keyedHashOf, keyTrace } from "../../../actors/company/apiKey.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { keyringLimits } from "../../../actors/company/limits.ts"
import { KeyScope } from "../../../schema/company/ApiKey.ts"
import { Company, CompanyKind } from "../../../schema/company/Company.ts"
import { CheckMaker } from "../../../schema/journey/messages.ts"
import { batchLimits } from "../../postgres/limits.ts"
import { arrayParameter } from "../../postgres/parameters.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { makeSqlReader } from "../../postgres/sqlBatcher.ts"
import { batchedRead, storeRead } from "../../postgres/storeCalls.ts"
import { withStatementTimeout } from "../../postgres/timeouts.ts"
import { KeyNews } from "../../cluster/coordination/KeyNews.ts"
import { makeKeyUse } from "./keyUse.ts"
import { ApiKeyId, CompanyId } from "../../../schema/ids.ts"

const statement = `
select k.hash, k.id, k.livemode, k.scopes, k.developer, k.expires_at, k.addresses, k.revoked_at, k.company_id, c.kind, c.active,
  c.identity_provider ->> 'kind' as identity_by, c.finance_panel is not null as has_finance_panel,
  c.identity_window_days, c.handover_window_days, c.sandbox
from api_keys k join companies c on c.id = k.company_id
where k.hash = any($1::bytea[])`

/** A revoked key is refused with and without a look-up. */
const unmarkedStatement = `
select hash from api_keys where revoked_at is null and marked_hash is distinct from hash limit $1`

const UnmarkedRow = rowModel({ hash: column.bytes })

const KeyRow = rowModel({
  hash: column.bytes,
  id: column.id(ApiKeyId),
  livemode: column.bool,
  scopes: column.listOf(column.oneOf(KeyScope)),
  developer: column.bool,
  expiresAt: column.orNull(column.millis),
  addresses: column.listOf(column.text),
  revokedAt: column.orNull(column.millis),
  companyId: column.id(CompanyId),
  kind: column.oneOf(CompanyKind),
  active: column.bool,
  identityBy: column.orNull(column.oneOf(CheckMaker)),
  hasFinancePanel: column.bool,
  identityWindowDays: column.number,
  handoverWindowDays: column.number,
  sandbox: column.ofSchema(Company.row.fields.sandbox)
})

const knownKey = (row: ReturnType<typeof KeyRow.decodeRow>): KnownKey => ({
  keyId: row.id,
  livemode: row.livemode,
  scopes: row.scopes,
  developer: row.developer,
  expiresAt: row.expiresAt,
  addresses: row.addresses,
  isRevoked: row.revokedAt !== null,
  company: {
    id: row.companyId,
    kind: row.kind,
    active: row.active,
    identityBy: row.identityBy,
    hasFinancePanel: row.hasFinancePanel,
    identityWindowDays: row.identityWindowDays,
    handoverWindowDays: row.handoverWindowDays,
    sandbox: row.sandbox
  }
})

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString("base64")

export const layer = Layer.effect(
  Keyring,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const news = yield* KeyNews
    const keyed = keyedHashOf(yield* Vault)
    let remembered = new Map<string, { readonly key: KnownKey; readonly until: number }>()
    const forgetHere = () => {
      remembered = new Map()
    }
    yield* news.onChange(forgetHere)

    const lookUp = yield* makeSqlReader({
      ...batchLimits.apiKeyRead,
      name: "Keyring.find",
      run: (hashes: ReadonlyArray<Uint8Array>) =>
        Effect.map(
          withStatementTimeout(KeyRow.all(sql.unsafe(statement, [arrayParameter(hashes, "bytea")]))),
          (rows) => {
            const byHash = new Map(rows.map((row) => [nameOf(row.hash), knownKey(row)]))
            return hashes.map((hash) => byHash.get(nameOf(hash)) ?? null)
          }
        )
    })

    /** The keys of before keys were marked. Null: there are too many to be known. All who ask at once get one answer. */
    const unmarked = yield* Effect.cachedWithTTL(
      Effect.map(storeRead(UnmarkedRow.all(sql.unsafe(unmarkedStatement, [keyringLimits.mostUnmarked + 1]))), (rows) =>
        rows.length > keyringLimits.mostUnmarked ? null : new Set(rows.map(({ hash }) => nameOf(hash)))
      ),
      keyringLimits.unmarkedKnownFor
    )
    const mayBeUnmarked = (name: string) => Effect.map(unmarked, (known) => known === null || known.has(name))

    return Keyring.of({
      used: yield* makeKeyUse,
      find: Effect.fnUntraced(function* (text) {
        const { hash, isMarked } = keyTrace(text, keyed)
        const now = yield* Clock.currentTimeMillis
        const name = nameOf(hash)
        const hit = news.isHeard() ? remembered.get(name) : undefined
        if (hit !== undefined && now < hit.until) return hit.key
        if (!isMarked && !(yield* mayBeUnmarked(name))) return null
        // Keys that are forgotten while we look must stay forgotten: the answer goes into the memory of before.
        const memory = remembered
        const key = yield* batchedRead(lookUp(hash))
        if (key !== null && news.isHeard()) {
          if (memory.size >= keyringLimits.mostRemembered) memory.clear()
          memory.set(name, { key, until: now + Duration.toMillis(keyringLimits.rememberedFor) })
        }
        return key
      }),
      forget: Effect.andThen(Effect.sync(forgetHere), news.announce)
    })
  })
)
