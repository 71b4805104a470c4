/**
 * Every column whose values stand under a master key, and how one value of it is read and written. What customers' keys seal is not
 * here: the customers' keys are. A test finds a column that the list lacks. When values move to another key is decided in
 * `Rewrapping.ts`.
 */
import { providerPlace, type ProviderKind } from "../../actors/company/providers.ts"
import { memberPlace, removedMemberPlace } from "../../actors/members/memberPlace.ts"
import { secretPlace } from "../../actors/webhook/rules/Endpoint.ts"
import { CompanyId, EndpointId, MailId, MemberId } from "../../schema/ids.ts"
import { customerMailKinds } from "../../schema/mail/mailKinds.ts"
import { wrapPlace } from "./AesVault.ts"
import type { KeyUse } from "./MasterKeys.ts"
import { keyIdInColumn, notByKeyService } from "./sealing.ts"
import { smallestId } from "../../schema/uuid.ts"

export interface SealedColumn {
  /** The table, a dot and the column. */
  readonly name: string
  /** What operators call its values. */
  readonly what: string
  readonly table: string
  readonly id: string
  readonly idType: "uuid" | "int4" | "text"
  /** SQL of the value in a row; null where the row has none under a master key. */
  readonly value: string
  /** SQL that writes the value `t.after`. */
  readonly write: string
  readonly use: KeyUse
  readonly placeOf: (id: string) => string
}

const plainColumn = (table: string, column: string, what: string) => ({
  name: `${table}.${column}`,
  what,
  table,
  id: "id",
  idType: "uuid" as const,
  value: column,
  write: `${column} = t.after`,
  use: "service secrets" as const
})

const providerColumn = (kind: ProviderKind): SealedColumn => ({
  ...plainColumn("companies", kind, "providers' secrets"),
  value: `decode(${kind} ->> 'sealedSecret', 'base64')`,
  // PostgreSQL breaks base64 into lines.
  write: `${kind} = jsonb_set(${kind}::jsonb, '{sealedSecret}', to_jsonb(translate(encode(t.after, 'base64'), E'\\n', '')))::json`,
  placeOf: (id) => providerPlace(kind, CompanyId.make(id))
})

const endpointColumn = (column: string): SealedColumn => ({
  ...plainColumn("webhook_endpoints", column, "webhook secrets"),
  // A removed endpoint has an empty one.
  value: `nullif(${column}, '')`,
  placeOf: (id) => secretPlace(EndpointId.make(id))
})

export const markPlace = "encryption_marks|1"
export const indexKeyPlace = (purpose: string): string => `encryption_indexes|${purpose}`

const customerKinds = customerMailKinds.map((kind) => `'${kind}'`).join(", ")

export const sealedColumns: ReadonlyArray<SealedColumn> = [
  {
    ...plainColumn("customers", "wrapped_key", "customers' keys"),
    // A key service changes its keys itself.
    value: notByKeyService("wrapped_key"),
    use: "wrap customer keys",
    placeOf: () => wrapPlace
  },
  endpointColumn("sealed_secret"),
  endpointColumn("sealed_previous_secret"),
  endpointColumn("sealed_previous_secret2"),
  endpointColumn("sealed_previous_secret3"),
  providerColumn("identity_provider"),
  providerColumn("finance_panel"),
  { ...plainColumn("members", "sealed_email", "members' addresses"), placeOf: (id) => memberPlace(MemberId.make(id)) },
  {
    ...plainColumn("mails", "sealed_recipient", "members' addresses"),
    placeOf: (id) => removedMemberPlace(MailId.make(id))
  },
  {
    ...plainColumn("mails", "sealed", "kept mails to companies"),
    value: `case when kind not in (${customerKinds}) then sealed end`,
    write: "sealed = t.after",
    placeOf: (id) => `mails|${id}`
  },
  {
    ...plainColumn("encryption_marks", "sealed", "the service's own keys"),
    idType: "int4",
    placeOf: () => markPlace
  },
  {
    ...plainColumn("encryption_indexes", "sealed", "the service's own keys"),
    id: "purpose",
    idType: "text",
    placeOf: indexKeyPlace
  }
]

/** Which of the columns ($1: their names) the database has. Of the others the migration has yet to run. */
export const columnsThere = `
select c.name from unnest($1::text[]) c (name)
join pg_attribute a on a.attrelid = to_regclass(split_part(c.name, '.', 1)) and a.attname = split_part(c.name, '.', 2)
where not a.attisdropped`

/** Whether any value of the column stands under a key ($1), or under a key without an id when $1 is null. */
export const anyUnder = ({ table, value }: SealedColumn): string => `
select exists (
  select from ${table} where ${value} is not null and ${keyIdInColumn(value)} is not distinct from $1::text
) as found`

/** How many values of the column stand under each key; null is the key of values without an id. */
export const countsOf = ({ table, value }: SealedColumn): string => `
select ${keyIdInColumn(value)} as key_id, count(*)::int8 as held from ${table} where ${value} is not null group by 1`

/** Rows after an id ($1), so that no statement looks at more than $2 of them. */
export const pageAfter = ({ id, idType, table, value }: SealedColumn): string => `
select p.${id}::text as id, ${value} as sealed
from (select * from ${table} where ${id} > $1::text::${idType} order by ${id} limit $2) p order by p.${id}`

/** Writes the values that nobody has changed meanwhile: ids ($1), what was read ($2), what to write ($3). */
export const replaceIn = ({ id, idType, table, value, write }: SealedColumn): string => `
update ${table} set ${write} from unnest($1::text[], $2::bytea[], $3::bytea[]) t (row_id, before, after)
where ${id} = t.row_id::${idType} and ${value} = t.before`

/** Before every id of its type. */
export const beforeAllIds: Readonly<Record<SealedColumn["idType"], string>> = {
  uuid: smallestId,
  int4: "0",
  text: ""
}
