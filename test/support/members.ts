/** Members of companies and their sessions of the console, written as the stores write them. */
import { MemberId } from "../../src/schema/ids.ts"
import { randomUUID } from "node:crypto"
import { hashSecret, newMarkedSecret } from "../../src/actors/kernel/secrets.ts"
import { memberPlace } from "../../src/actors/members/memberPlace.ts"
import * as AesVault from "../../src/runtime/keys/AesVault.ts"
import type { Role } from "../../src/schema/members/Role.ts"
import type { Service } from "./service.ts"

/** The key of every service that a test starts. */
const vault = AesVault.make(Buffer.alloc(32, 7))

/** The secret of a link or a session, as the service makes them. */
export const newSecret = (): string => newMarkedSecret(vault)

interface Asked {
  readonly email?: string
  readonly role?: Role
  /** Whether the member has signed in before. */
  readonly isSeen?: boolean
}

/** A member of the company; answers with the member's id. An address that is a member already becomes what is asked. */
export const addMember = async (
  service: Pick<Service, "query">,
  companyId: string,
  { email = "ann@harbourcars.example", isSeen = true, role = "OWNER" }: Asked = {}
): Promise<MemberId> => {
  const id = MemberId.make(randomUUID())
  const [member] = await service.query<{ readonly id: MemberId }>(
    `insert into members (id, company_id, role, address_index, sealed_email, invited_at, seen_at)
     values ($1, $2, $3, decode($4, 'base64'), decode($5, 'base64'), now(), case when $6 then now() end)
     on conflict (company_id, address_index) do update set role = excluded.role, seen_at = excluded.seen_at returning id`,
    [
      id,
      companyId,
      role,
      Buffer.from(vault.index("member", email.toLowerCase())).toString("base64"),
      Buffer.from(vault.sealSecret(memberPlace(id), email)).toString("base64"),
      isSeen
    ]
  )
  return member?.id ?? id
}

/** A session of the member, as if the link of a mail had just opened it. The secret is the cookie's value. */
export const openSession = async (service: Pick<Service, "query">, memberId: string): Promise<string> => {
  const secret = newSecret()
  await service.query(
    `insert into console_sessions (id, secret_hash, member_id, opened_at, seen_at, is_marked)
     values ($1, decode($2, 'base64'), $3, now(), now(), true)`,
    [randomUUID(), Buffer.from(hashSecret(secret)).toString("base64"), memberId]
  )
  return secret
}

/** A passkey that nobody can show; answers with its id. */
export const addPasskey = async (service: Pick<Service, "query">, memberId: string): Promise<MemberId> => {
  const id = MemberId.make(randomUUID())
  await service.query(
    `insert into passkeys (id, member_id, credential_id, public_key, sign_count, transports, name, added_at)
     values ($1, $2, $3, '', 0, '{}', 'Telephone', now())`,
    [id, memberId, `credential of ${id}`]
  )
  return id
}
