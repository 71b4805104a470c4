/**
 * Companies and their API keys in PostgreSQL, each change with its line of the audit log. The models list the columns: a new setting of
 * a company needs no change here. What a request may change is decided by its endpoint.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import {
  CompanyStore,
  type ApiKeyChange,
  type CompanyChange,
  type NewApiKey,
  type NewCompany,
  type KeyTrace
} from "../../../actors/company/CompanyStore.ts"
import type { ProviderKind } from "../../../actors/company/providers.ts"
import type { EndedThing } from "../../../actors/erasure/EndedThing.ts"
import { ErasureJournal } from "../../../actors/erasure/ErasureJournal.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { currentTraceparent } from "../../../actors/kernel/Trace.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import type { CleanLogo } from "../../../actors/company/LogoCheck.ts"
import { ApiKey } from "../../../schema/company/ApiKey.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import { Company } from "../../../schema/company/Company.ts"
import { assignments, insertValues, modelColumns, type Columns } from "../../postgres/modelColumns.ts"
import { readPage, type ListStatement } from "../../postgres/pages.ts"
import { column, rowModel, rowsDecodedBy, type RowOf } from "../../postgres/rows.ts"
import { batchedWrite, storeRead, storeWrite } from "../../postgres/storeCalls.ts"
import { afterLine, audited, auditedAtFirst, lineParameters } from "../kernel/auditedChange.ts"
import { makeKnownChange } from "../kernel/knownChange.ts"
import { addressIndex, firstOwnerStatement, sealedAddress } from "../members/memberRows.ts"
import { MemberId, type ApiKeyId, type CompanyId } from "../../../schema/ids.ts"
import { uuid } from "../../../schema/uuid.ts"

const companyRows = modelColumns(Company.row)
const keyRows = modelColumns(ApiKey.row)

/**
 * Of the sandbox, of the brand and of the brand's hours in some languages, a change names some members. A switch of the sandbox, and hours in a
 * language, that become null are taken out.
 */
const assign = (name: string, parameter: string): string => {
  if (name === "sandbox") return `sandbox = json_strip_nulls((sandbox::jsonb || ${parameter}::jsonb)::json)`
  return name === "brand" ? `brand = ${brandWith(`${parameter}::jsonb`)}` : `${name} = ${parameter}`
}

const hoursIn = (brand: string): string => `coalesce(${brand} -> 'hoursIn', '{}')`

const brandWith = (change: string): string => {
  const merged = `jsonb_strip_nulls(${hoursIn("brand::jsonb")} || ${hoursIn(`(${change})`)})`
  return `(brand::jsonb || ${change} || jsonb_build_object('hoursIn', ${merged}))::json`
}

const changesOf = ({ brand, sandbox, ...change }: CompanyChange): Columns => ({
  ...companyRows.of(change),
  ...(sandbox === undefined ? {} : { sandbox: PgTypes.jsonb(sandbox) }),
  ...(brand === undefined ? {} : { brand: PgTypes.jsonb(brand) })
})

const dropLogo = "delete from company_logos where company_id = $1"
const keepLogo = `
insert into company_logos (company_id, digest, type, bytes) values ($1, $2, $3, $4)
on conflict (company_id) do update set digest = excluded.digest, type = excluded.type, bytes = excluded.bytes`

const showLogo = (sql: SqlClient.SqlClient, companyId: CompanyId, logo: CleanLogo | null) =>
  logo === null
    ? sql.unsafe(dropLogo, [companyId])
    : sql.unsafe(keepLogo, [companyId, logo.digest, logo.type, PgTypes.bytea(logo.bytes)])

const newest = "created_at desc, id desc"

/** The list of companies, or those that a search finds. What LIKE reads as more than itself is escaped. */
export const companiesFound = (search: string | undefined): Pick<ListStatement, "from" | "values"> => {
  if (search === undefined) return { from: "from companies", values: [] }
  if (uuid.test(search.toLowerCase())) return { from: "from companies where id = $1::uuid", values: [search] }
  return {
    from: "from companies where lower(name) like lower($1)",
    values: [`${search.replaceAll(/[\\%_]/g, "\\$&")}%`]
  }
}

/** Since when a company has what it has. Null: as long as the company is here. */
const SinceRow = rowModel({
  adminEmailSince: column.orNull(column.millis),
  activeSince: column.orNull(column.millis),
  identityProviderSince: column.orNull(column.millis),
  financePanelSince: column.orNull(column.millis)
})

const ChangedRow = rowsDecodedBy((row) => ({
  company: companyRows.decodeRow(row),
  since: SinceRow.decodeRow(row)
}))
type Changed = RowOf<typeof ChangedRow>

type EndedOfCompany =
  | { readonly what: "PROVIDER"; readonly provider: ProviderKind }
  | { readonly what: "ADMINISTRATOR" | "COMPANY" }

/** What a change takes away. The first provider of a kind ends none. */
const endedBy = (change: CompanyChange, { company, since }: Changed): ReadonlyArray<EndedThing> => {
  const { active, adminEmail, financePanel, identityProvider } = change
  const ended = (isChanged: boolean, from: number | null, thing: EndedOfCompany): ReadonlyArray<EndedThing> =>
    isChanged && from !== null ? [{ ...thing, companyId: company.id, since: from }] : []
  return [
    ...ended(identityProvider !== undefined, since.identityProviderSince, {
      what: "PROVIDER",
      provider: "identity_provider"
    }),
    ...ended(financePanel !== undefined, since.financePanelSince, { what: "PROVIDER", provider: "finance_panel" }),
    ...ended(adminEmail !== undefined, since.adminEmailSince, { what: "ADMINISTRATOR" }),
    ...ended(active === false, since.activeSince, { what: "COMPANY" })
  ]
}

/** A key, and since when it may do less. Null: it never could do more. */
const ChangedKeyRow = rowsDecodedBy((row) => ({ key: keyRows.decodeRow(row), ...NarrowedRow.decodeRow(row) }))
type ChangedKey = RowOf<typeof ChangedKeyRow>
const NarrowedRow = rowModel({ narrowedSince: column.orNull(column.millis) })

const rightsEnded = (
  { addresses, developer, expiresAt, scopes }: ApiKeyChange,
  { key, narrowedSince }: ChangedKey
): ReadonlyArray<EndedThing> => {
  const isAboutRights = [addresses, developer, expiresAt, scopes].some((right) => right !== undefined)
  return isAboutRights && narrowedSince !== null
    ? [{ what: "KEY_RIGHTS", companyId: key.companyId, keyId: key.id, since: narrowedSince }]
    : []
}

const heldCompany = "select * from companies where id = $1::uuid for no key update"
const heldKey = "select * from api_keys where company_id = $1::uuid and id = $2::uuid for no key update"
const heldHash = "select hash from api_keys where company_id = $1::uuid and id = $2::uuid for no key update"
const HashRow = rowModel({ hash: column.bytes })

const livingKey = `where company_id = $1::uuid and id = $${afterLine}::uuid and revoked_at is null`

/** A node of before keys were marked changes the hash alone: the other column then names another text. */
const textColumns = ({ hash, isMarked }: KeyTrace) => ({
  hash: PgTypes.bytea(hash),
  marked_hash: isMarked ? PgTypes.bytea(hash) : null
})

const insertion = (
  table: string,
  columns: Columns,
  companyId: CompanyId,
  line: AuditLine,
  how: typeof audited
): [statement: string, values: ReadonlyArray<unknown>] => [
  how(`insert into ${table} ${insertValues(columns, afterLine)}`),
  [...lineParameters(companyId, line), ...Object.values(columns)]
]

/** Changes of a key that is there. Null: there is no such key, or it is revoked. */
const makeKeyChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const journal = yield* ErasureJournal
  const change = yield* makeKnownChange

  const update = (companyId: CompanyId, keyId: ApiKeyId, columns: Columns, line: AuditLine) => {
    const statement = audited(`update api_keys set ${assignments(columns, afterLine + 1)} ${livingKey}`)
    const values = [...lineParameters(companyId, line), keyId, ...Object.values(columns)]
    return ChangedKeyRow.first(sql.unsafe(statement, values))
  }

  /** `ended`: what stands in the journal once the change is written. */
  const changing = (
    companyId: CompanyId,
    keyId: ApiKeyId,
    line: AuditLine,
    write: Effect.Effect<ChangedKey | null, SqlError>,
    ended: (changed: ChangedKey) => ReadonlyArray<EndedThing>
  ) => {
    const held = ChangedKeyRow.first(sql.unsafe(heldKey, [companyId, keyId]))
    const after = (row: ChangedKey | null) => journal.append(row === null ? [] : ended(row))
    return Effect.map(change({ companyId, line, hold: held, write, written: held, after }), (row) => row?.key ?? null)
  }

  return {
    changeKey: (companyId: CompanyId, keyId: ApiKeyId, asked: ApiKeyChange, line: AuditLine) =>
      changing(companyId, keyId, line, update(companyId, keyId, keyRows.of(asked), line), (row) =>
        rightsEnded(asked, row)
      ),
    /** The text of before ends with the change. It is read from the row that the change holds: of two changes at once each ends another. */
    endText: (companyId: CompanyId, keyId: ApiKeyId, columns: Columns, line: AuditLine) =>
      Effect.suspend(() => {
        let ended: ReadonlyArray<EndedThing> = []
        const write = Effect.gen(function* () {
          const found = yield* HashRow.first(sql.unsafe(heldHash, [companyId, keyId]))
          ended = found === null ? [] : [{ what: "API_KEY", companyId, hash: Buffer.from(found.hash).toString("hex") }]
          return yield* update(companyId, keyId, columns, line)
        }).pipe(sql.withTransaction)
        return changing(companyId, keyId, line, write, () => ended)
      })
  }
})

export const layer = Layer.effect(
  CompanyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const ids = yield* Ids
    const journal = yield* ErasureJournal
    const known = yield* makeKnownChange
    const { changeKey, endText } = yield* makeKeyChanges

    const insert = (table: string, columns: Columns, companyId: CompanyId, line: AuditLine, how = audited) =>
      sql.unsafe(...insertion(table, columns, companyId, line, how))

    const addOwner = Effect.fnUntraced(function* ({
      company: { adminEmail, createdAt, id: companyId },
      invitedBy
    }: NewCompany) {
      const id = MemberId.make(ids.next())
      yield* sql.unsafe(firstOwnerStatement, [
        id,
        companyId,
        addressIndex(vault, adminEmail),
        sealedAddress(vault, id, adminEmail),
        new Date(createdAt),
        new Date(createdAt),
        invitedBy === null ? null : ids.next(),
        invitedBy,
        yield* currentTraceparent
      ])
    })

    const addCompany = (made: NewCompany) =>
      Effect.andThen(insert("companies", companyRows.of(made.company), made.company.id, made.line), addOwner(made))

    const addKey = ({ key, line, trace }: NewApiKey, how = audited) =>
      insert("api_keys", { ...keyRows.of(key), ...textColumns(trace) }, key.companyId, line, how)

    /** The row of the company is locked first: of two changes at once the later one has the company and its logo. */
    const changeWithLogo = Effect.fnUntraced(function* <E>(
      changing: Effect.Effect<Changed | null, E>,
      companyId: CompanyId,
      logo: CleanLogo | null
    ) {
      const changed = yield* changing
      if (changed !== null) yield* showLogo(sql, companyId, logo)
      return changed
    }, sql.withTransaction)

    return CompanyStore.of({
      add: (companies) =>
        Effect.forEach(
          companies,
          (one) =>
            Effect.andThen(
              addCompany(one),
              Effect.forEach(one.keys, (key) => addKey(key, auditedAtFirst), { discard: true })
            ),
          { discard: true }
        ).pipe(sql.withTransaction, batchedWrite),
      find: (companyId) => storeRead(companyRows.first(sql`select * from companies where id = ${companyId}`)),
      list: (page, search) => storeRead(readPage(sql, companyRows, { ...companiesFound(search), order: newest }, page)),
      change: (companyId, change, line, logo) => {
        const columns = changesOf(change)
        const changed = ChangedRow.first(
          sql.unsafe(audited(`update companies set ${assignments(columns, afterLine, assign)} where id = $1::uuid`), [
            ...lineParameters(companyId, line),
            ...Object.values(columns)
          ])
        )
        const held = ChangedRow.first(sql.unsafe(heldCompany, [companyId]))
        const write = logo === undefined ? changed : changeWithLogo(changed, companyId, logo)
        const after = (row: Changed | null) => journal.append(row === null ? [] : endedBy(change, row))
        return Effect.map(
          known({ companyId, line, hold: held, write, written: held, after }),
          (row) => row?.company ?? null
        )
      },
      addKey: (key) => Effect.asVoid(storeWrite(addKey(key))),
      findKey: (companyId, keyId) =>
        storeRead(keyRows.first(sql`select * from api_keys where company_id = ${companyId} and id = ${keyId}`)),
      keys: (companyId, page) =>
        storeRead(
          readPage(
            sql,
            keyRows,
            { from: "from api_keys where company_id = $1", order: newest, values: [companyId] },
            page
          )
        ),
      changeKey,
      rotateKey: (companyId, keyId, trace, line) =>
        endText(companyId, keyId, { ...textColumns(trace), last4: trace.last4 }, line),
      revokeKey: (companyId, keyId, line) => endText(companyId, keyId, keyRows.of({ revokedAt: line.at }), line)
    })
  })
)
