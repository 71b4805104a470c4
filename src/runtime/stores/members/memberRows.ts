/**
 * How a member's address is kept: sealed for the member, and found by its keyed hash, in which upper and lower case are alike.
 * With it stands the statement that makes the administrator the first owner of a company. What members do is in `PostgresMembers.ts`.
 */
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Vault } from "../../../actors/kernel/Vault.ts"
import { memberPlace } from "../../../actors/members/memberPlace.ts"
import type { MemberId } from "../../../schema/ids.ts"

type AddressVault = Pick<Vault["Service"], "index" | "sealSecret" | "openSecret">

export const addressIndex = (vault: AddressVault, email: string) =>
  PgTypes.bytea(vault.index("member", email.toLowerCase()))

export const sealedAddress = (vault: AddressVault, memberId: MemberId, email: string) =>
  PgTypes.bytea(vault.sealSecret(memberPlace(memberId), email))

/** The service checks its key at the start, and the place belongs to this member: an address that does not open is damaged. */
export const openedAddress = (vault: AddressVault, memberId: MemberId, sealed: Uint8Array): Effect.Effect<string> =>
  Effect.orDie(vault.openSecret(memberPlace(memberId), sealed))

/**
 * The administrator becomes the first owner, unless the company has a member by now. With an id of a mail ($7) the owner is invited
 * by whoever is named in $8.
 */
export const firstOwnerStatement = `
with owner as (
  insert into members (id, company_id, role, address_index, sealed_email, invited_at)
  select $1::uuid, c.id, 'OWNER', $3::bytea, $4::bytea, $5::timestamptz from companies c
  where c.id = $2::uuid and not exists (select from members m where m.company_id = c.id)
  on conflict (company_id, address_index) do nothing returning *
), invitation as (
  insert into mails (id, cause, kind, company_id, facts, created_at, due_at, traceparent)
  select $7::uuid, 'invitation|' || o.id, 'INVITATION', o.company_id, json_build_object('memberId', o.id, 'by', $8::text),
    $5::timestamptz, $6::timestamptz, $9::text
  from owner o where $7::uuid is not null
)
select id from owner`
