/**
 * Webhook endpoints in PostgreSQL, as the settings read and change them. Each statement of a change begins with the
 * parameters of its audit line ($1 to $5), and writes the line exactly when it changed a row. What an endpoint's actor
 * writes goes through `PostgresDeliveryStore.ts`.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ErasureJournal } from "../../../actors/erasure/ErasureJournal.ts"
import type { Scope } from "../../../actors/kernel/Scope.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { EndpointStore } from "../../../actors/webhook/actor/EndpointStore.ts"
import {
  secretPlace,
  stillSigning,
  type Endpoint,
  type PreviousSecret
} from "../../../actors/webhook/rules/Endpoint.ts"
import { secretHash } from "../../../actors/webhook/rules/secretHash.ts"
import type { AuditLine } from "../../../schema/company/AuditEntry.ts"
import { bytesOrNull, textArray } from "../../postgres/parameters.ts"
import { storeRead } from "../../postgres/storeCalls.ts"
import { EndpointRow } from "./endpointRow.ts"
import { audited, lineParameters } from "../kernel/auditedChange.ts"
import { makeKnownChange } from "../kernel/knownChange.ts"
import {
  noPreviousSecrets,
  previousSecretsAsRead,
  previousSecretValues,
  sealedValues,
  setPreviousSecrets
} from "./previousSecrets.ts"

/** An endpoint that is saved or removed starts without failures. */
const healthy = "failing_since = null, last_failed_at = null, warnings = 0"

const addEndpointStatement = audited(`
  insert into webhook_endpoints (company_id, livemode, url, events, enabled, off_reason, off_since, sealed_secret,
    created_at, id)
  values ($1, $6, $7, $8, $9::boolean, case when not $9::boolean then 'BY_HAND' end,
    case when not $9::boolean then $5::timestamptz end, $10, $5, $11)
  on conflict on constraint webhook_endpoints_of_mode do nothing`)

/** An endpoint that stays off keeps the time since when. One that comes back after a removal is off from now on. */
const saveEndpointStatement = audited(`
  update webhook_endpoints set
    url = $7::text,
    events = $8::text[],
    enabled = $9::boolean,
    off_reason = case when not $9::boolean then 'BY_HAND' end,
    off_since = case when not $9::boolean then
      coalesce(case when removed_at is null then off_since end, $5::timestamptz) end,
    sealed_secret = coalesce($10::bytea, sealed_secret),
    ${noPreviousSecrets("$10::bytea is not null")},
    removed_at = null,
    revision = revision + 1,
    ${healthy}
  where company_id = $1::uuid and livemode = $6::boolean and revision = $11::integer`)

/** The endpoint as it was read ($6 id, $7 revision), and not removed. */
const asRead = "where company_id = $1::uuid and id = $6::uuid and revision = $7::integer and removed_at is null"

/** A roll keeps the revision, because a run of failures goes on across it. The replaced secret ($9) tells two rolls apart. */
const rollSecretStatement = audited(`
  update webhook_endpoints set
    sealed_secret = $8::bytea,
    ${setPreviousSecrets(10)}
  ${asRead} and sealed_secret = $9::bytea and ${previousSecretsAsRead(16)}`)

/** Nothing is signed for a removed endpoint: its secrets go. */
const removeEndpointStatement = audited(`
  update webhook_endpoints set
    enabled = false,
    off_reason = 'BY_HAND',
    off_since = coalesce(off_since, $5::timestamptz),
    sealed_secret = '',
    ${noPreviousSecrets()},
    removed_at = $5::timestamptz,
    revision = revision + 1,
    ${healthy}
  ${asRead}`)

/** The row of a change. A first attempt that still runs has ended once it is held. */
const heldStatement =
  "select * from webhook_endpoints where company_id = $1::uuid and livemode = $2::boolean for no key update"

const asReadParameters = ({ id, revision }: Endpoint): ReadonlyArray<unknown> => [id, revision]

export const layer = Layer.effect(
  EndpointStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const journal = yield* ErasureJournal
    const known = yield* makeKnownChange

    /**
     * Secrets of an endpoint that end also stand in the journal, once the change is written: the present one with the end that it has
     * among `kept`, and at once each that is not among them. The end of a secret that was kept before stands there already.
     */
    const ending = (
      { id, previousSecrets, sealedSecret }: Endpoint,
      kept: ReadonlyArray<PreviousSecret>,
      now: number
    ) =>
      Effect.fnUntraced(function* (changed: Endpoint | null) {
        if (changed === null) return
        const until = kept.find(({ sealed }) => sealed === sealedSecret)?.until ?? now
        const ended = stillSigning(previousSecrets, now).filter((one) => !kept.includes(one))
        const lines = yield* Effect.forEach(
          [{ sealed: sealedSecret, until }, ...ended.map(({ sealed }) => ({ sealed, until: now }))],
          (one) =>
            Effect.match(vault.openSecret(secretPlace(id), one.sealed), {
              onFailure: () => [],
              onSuccess: (secret) => [
                { what: "WEBHOOK_SECRET" as const, endpointId: id, hash: secretHash(secret), until: one.until }
              ]
            })
        )
        yield* journal.append(lines.flat())
      })

    const change = (
      { companyId, livemode }: Scope,
      line: AuditLine,
      [statement, values]: readonly [statement: string, values: ReadonlyArray<unknown>],
      after: ReturnType<typeof ending> = () => Effect.void
    ) => {
      const held = EndpointRow.first(sql.unsafe(heldStatement, [companyId, livemode]))
      const write = EndpointRow.first(sql.unsafe(statement, [...lineParameters(companyId, line), ...values]))
      return known({ companyId, line, hold: held, write, written: held, after })
    }

    return EndpointStore.of({
      find: ({ companyId, livemode }) =>
        storeRead(
          EndpointRow.first(
            sql`select * from webhook_endpoints where company_id = ${companyId} and livemode = ${livemode}`
          )
        ),
      save: ({ enabled, events, id, scope, sealedSecret, url }, revision, line) =>
        change(scope, line, [
          revision === null ? addEndpointStatement : saveEndpointStatement,
          [scope.livemode, url, textArray(events), enabled, bytesOrNull(sealedSecret), revision ?? id]
        ]),
      roll: (endpoint, { previousSecrets, sealedSecret }, line) => {
        const values = [
          ...asReadParameters(endpoint),
          PgTypes.bytea(sealedSecret),
          PgTypes.bytea(endpoint.sealedSecret),
          ...previousSecretValues(previousSecrets),
          ...sealedValues(endpoint.previousSecrets)
        ]
        return change(endpoint, line, [rollSecretStatement, values], ending(endpoint, previousSecrets, line.at))
      },
      remove: (endpoint, line) =>
        change(endpoint, line, [removeEndpointStatement, asReadParameters(endpoint)], ending(endpoint, [], line.at))
    })
  })
)
