/** Rows of companies, keys and audit lines as their port names them, and one way to read a page of rows. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { ApiKey, Company } from "../../actors/company/CompanyStore.ts"
import type { PageOf, PageRequest } from "../../schema/page.ts"

export interface CompanyRow {
  readonly id: string
  readonly name: string
  readonly kind: Company["kind"]
  readonly admin_email: string
  readonly active: boolean
  readonly identity_provider: Company["identityProvider"]
  readonly finance_panel: Company["financePanel"]
  readonly identity_window_days: number
  readonly handover_window_days: number
  readonly media_retention_days: number
  readonly sandbox: Company["sandbox"]
  readonly created_at: Date
}

export const companyOf = (row: CompanyRow): Company => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  adminEmail: row.admin_email,
  active: row.active,
  identityProvider: row.identity_provider,
  financePanel: row.finance_panel,
  identityWindowDays: row.identity_window_days,
  handoverWindowDays: row.handover_window_days,
  mediaRetentionDays: row.media_retention_days,
  sandbox: row.sandbox,
  createdAt: row.created_at.getTime()
})

export interface KeyRow {
  readonly id: string
  readonly company_id: string
  readonly livemode: boolean
  readonly name: string
  readonly last4: string
  readonly scopes: ApiKey["scopes"]
  readonly developer: boolean
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly created_at: Date
}

const millisOf = (at: Date | null): number | null => (at === null ? null : at.getTime())

export const apiKeyOf = (row: KeyRow): ApiKey => ({
  id: row.id,
  companyId: row.company_id,
  livemode: row.livemode,
  name: row.name,
  last4: row.last4,
  scopes: row.scopes,
  developer: row.developer,
  expiresAt: millisOf(row.expires_at),
  revokedAt: millisOf(row.revoked_at),
  createdAt: row.created_at.getTime()
})

export interface AuditRow {
  readonly id: bigint
  readonly actor: string
  readonly action: string
  readonly details: Readonly<Record<string, unknown>>
  readonly at: Date
}

/** One page of a constant query that has its order, and the number of all its rows. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what a statement answers is its own, as in sql.unsafe
export const pageOf = <Row extends object, A>(
  sql: SqlClient.SqlClient,
  query: { readonly from: string; readonly order: string; readonly values: ReadonlyArray<unknown> },
  { page, size }: PageRequest,
  read: (row: Row) => A
): Effect.Effect<PageOf<A>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { from, order, values } = query
    const [count] = yield* sql.unsafe<{ readonly total: number }>(`select count(*)::int as total ${from}`, values)
    const last = values.length
    const rows = yield* sql.unsafe<Row>(`select * ${from} order by ${order} limit $${last + 1} offset $${last + 2}`, [
      ...values,
      size,
      page * size
    ])
    return { content: rows.map(read), totalElements: count?.total ?? 0 }
  })
