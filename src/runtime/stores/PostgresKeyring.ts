/**
 * API keys looked up in PostgreSQL by their hash. A node that is alone remembers them for a second and forgets
 * everything when a key is changed, for it is changed there. Where there are others each request looks: whatever one
 * node changes, the next request to any node already meets (I21), which no message between nodes could promise.
 */
import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Keyring, type KnownKey } from "../../actors/company/Keyring.ts"
import { Settings } from "../Settings.ts"
import { makeBatcher } from "../postgres/Batcher.ts"
import { isRefusal } from "../postgres/sqlFailure.ts"
import { readFailure } from "../postgres/storeCalls.ts"
import { tooManyWaiting, withReadTimeout, withStatementTimeout } from "../postgres/timeouts.ts"

/** Decision A5, on a node that is alone. */
const rememberedMillis = 1000
/** Beyond this many the memory starts anew: a bound, not a policy. */
const mostRemembered = 10_000

interface KeyRow {
  readonly hash: Uint8Array
  readonly id: string
  readonly livemode: boolean
  readonly scopes: KnownKey["scopes"]
  readonly developer: boolean
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly company_id: string
  readonly kind: KnownKey["company"]["kind"]
  readonly active: boolean
  readonly has_identity_provider: boolean
  readonly has_finance_panel: boolean
  readonly identity_window_days: number
  readonly handover_window_days: number
  readonly sandbox: KnownKey["company"]["sandbox"]
}

const statement = `
select k.hash, k.id, k.livemode, k.scopes, k.developer, k.expires_at, k.revoked_at, k.company_id, c.kind, c.active,
  c.identity_provider is not null as has_identity_provider, c.finance_panel is not null as has_finance_panel,
  c.identity_window_days, c.handover_window_days, c.sandbox
from api_keys k join companies c on c.id = k.company_id
where k.hash = any($1::bytea[])`

const knownKey = (row: KeyRow): KnownKey => ({
  keyId: row.id,
  livemode: row.livemode,
  scopes: row.scopes,
  developer: row.developer,
  expiresAt: row.expires_at === null ? null : row.expires_at.getTime(),
  isRevoked: row.revoked_at !== null,
  company: {
    id: row.company_id,
    kind: row.kind,
    active: row.active,
    hasIdentityProvider: row.has_identity_provider,
    hasFinancePanel: row.has_finance_panel,
    identityWindowDays: row.identity_window_days,
    handoverWindowDays: row.handover_window_days,
    sandbox: row.sandbox
  }
})

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString("base64")

export const layer = Layer.effect(
  Keyring,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { redisUrl } = yield* Settings
    const isAlone = redisUrl === undefined
    let remembered = new Map<string, { readonly key: KnownKey; readonly until: number }>()

    const lookUp = yield* makeBatcher({
      name: "Keyring.find",
      fibers: 2,
      largestBatch: 64,
      isRefusal,
      full: tooManyWaiting,
      run: (hashes: ReadonlyArray<Uint8Array>) =>
        Effect.map(
          withStatementTimeout(
            sql.unsafe<KeyRow>(statement, [Result.getOrThrow(PgTypes.array(hashes, PgTypes.OID.bytea))])
          ),
          (rows) => {
            const byHash = new Map(rows.map((row) => [nameOf(row.hash), knownKey(row)]))
            return hashes.map((hash) => byHash.get(nameOf(hash)) ?? null)
          }
        )
    })

    return Keyring.of({
      find: (hash) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const name = nameOf(hash)
          const hit = remembered.get(name)
          if (hit !== undefined && now < hit.until) return Effect.succeed(hit.key)
          // What is forgotten while we look must stay forgotten: the answer goes into the memory it was asked for.
          const memory = remembered
          return withReadTimeout(lookUp(hash)).pipe(
            Effect.tap((key) =>
              Effect.sync(() => {
                if (key === null || !isAlone) return
                if (memory.size >= mostRemembered) memory.clear()
                memory.set(name, { key, until: now + rememberedMillis })
              })
            ),
            Effect.catchTag("SqlError", readFailure)
          )
        }),
      forget: Effect.sync(() => {
        remembered = new Map()
      })
    })
  })
)
