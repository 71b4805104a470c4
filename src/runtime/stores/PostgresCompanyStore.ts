/**
 * Companies, API keys and the audit log in PostgreSQL. The statements that change them are in `companyStatements.ts`,
 * the rows in `companyRows.ts`.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CompanyStore, type AuditLine, type NewApiKey, type NewCompany } from "../../actors/company/CompanyStore.ts"
import { dateOrNull, jsonOrNull, textArray } from "../postgres/parameters.ts"
import { apiKeyOf, companyOf, pageOf, type AuditRow, type CompanyRow, type KeyRow } from "./companyRows.ts"
import {
  addCompanyStatement,
  addKeyStatement,
  changeCompanyStatement,
  changeKeyStatement,
  revokeKeyStatement,
  rotateKeyStatement
} from "./companyStatements.ts"
import { storeRead, storeWrite, writeFailure } from "../postgres/storeCalls.ts"

/** The five parameters every change begins with. */
export const lineColumns = (companyId: string, line: AuditLine): ReadonlyArray<unknown> => [
  companyId,
  line.actor,
  line.action,
  PgTypes.json(line.details),
  new Date(line.at)
]

const companyColumns = ({ company, line }: NewCompany): ReadonlyArray<unknown> => [
  ...lineColumns(company.id, line),
  company.name,
  company.kind,
  company.adminEmail,
  company.active,
  company.identityWindowDays,
  company.handoverWindowDays,
  company.mediaRetentionDays,
  PgTypes.json(company.sandbox),
  new Date(company.createdAt)
]

const keyColumns = ({ hash, key, line }: NewApiKey): ReadonlyArray<unknown> => [
  ...lineColumns(key.companyId, line),
  key.id,
  key.livemode,
  key.name,
  PgTypes.bytea(hash),
  key.last4,
  textArray(key.scopes),
  key.developer,
  dateOrNull(key.expiresAt),
  new Date(key.createdAt)
]

export const layer = Layer.effect(
  CompanyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changeOneKey = (statement: string, columns: ReadonlyArray<unknown>) =>
      sql.unsafe<KeyRow>(statement, columns).pipe(
        Effect.map(([row]) => (row === undefined ? null : apiKeyOf(row))),
        Effect.catch(writeFailure)
      )

    return CompanyStore.of({
      add: (companies) =>
        Effect.forEach(
          companies,
          (one) =>
            Effect.andThen(
              sql.unsafe(addCompanyStatement, companyColumns(one)),
              Effect.forEach(one.keys, (key) => sql.unsafe(addKeyStatement, keyColumns(key)), { discard: true })
            ),
          { discard: true }
        ).pipe(sql.withTransaction, Effect.catch(writeFailure)),
      find: (companyId) =>
        sql<CompanyRow>`select * from companies where id = ${companyId}`.pipe(
          Effect.map(([row]) => (row === undefined ? null : companyOf(row))),
          storeRead
        ),
      list: (page) =>
        pageOf(sql, { from: "from companies", order: "created_at desc, id desc", values: [] }, page, companyOf).pipe(
          storeRead
        ),
      change: (companyId, change, line) =>
        sql
          .unsafe<CompanyRow>(changeCompanyStatement, [
            ...lineColumns(companyId, line),
            change.name ?? null,
            change.adminEmail ?? null,
            change.active ?? null,
            change.identityWindowDays ?? null,
            change.handoverWindowDays ?? null,
            change.mediaRetentionDays ?? null,
            PgTypes.jsonb(change.sandbox ?? {}),
            change.identityProvider !== undefined,
            jsonOrNull(change.identityProvider ?? null),
            change.financePanel !== undefined,
            jsonOrNull(change.financePanel ?? null)
          ])
          .pipe(
            Effect.map(([row]) => (row === undefined ? null : companyOf(row))),
            Effect.catch(writeFailure)
          ),
      addKey: (key) => sql.unsafe(addKeyStatement, keyColumns(key)).pipe(storeWrite, Effect.asVoid),
      findKey: (companyId, keyId) =>
        sql<KeyRow>`select * from api_keys where company_id = ${companyId} and id = ${keyId}`.pipe(
          Effect.map(([row]) => (row === undefined ? null : apiKeyOf(row))),
          storeRead
        ),
      keys: (companyId, page) =>
        pageOf(
          sql,
          { from: "from api_keys where company_id = $1", order: "created_at desc, id desc", values: [companyId] },
          page,
          apiKeyOf
        ).pipe(storeRead),
      changeKey: (companyId, keyId, change, line) =>
        changeOneKey(changeKeyStatement, [
          ...lineColumns(companyId, line),
          keyId,
          change.name ?? null,
          change.scopes === undefined ? null : textArray(change.scopes),
          change.developer ?? null,
          change.expiresAt !== undefined,
          dateOrNull(change.expiresAt ?? null)
        ]),
      rotateKey: (companyId, keyId, { hash, last4 }, line) =>
        changeOneKey(rotateKeyStatement, [...lineColumns(companyId, line), keyId, PgTypes.bytea(hash), last4]),
      revokeKey: (companyId, keyId, line) => changeOneKey(revokeKeyStatement, [...lineColumns(companyId, line), keyId]),
      audit: (companyId, page) =>
        pageOf(
          sql,
          { from: "from audit where company_id = $1", order: "id desc", values: [companyId] },
          page,
          (row: AuditRow) => ({
            id: String(row.id),
            actor: row.actor,
            action: row.action,
            details: row.details,
            at: row.at.getTime()
          })
        ).pipe(storeRead)
    })
  })
)
