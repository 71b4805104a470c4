import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { memberLimits } from "../../../../src/actors/members/limits.ts"
import { Members } from "../../../../src/actors/members/Members.ts"
import type { AuditLine } from "../../../../src/schema/company/AuditEntry.ts"
import type { Role } from "../../../../src/schema/members/Role.ts"
import { CompanyId, MemberId } from "../../../../src/schema/ids.ts"
import { holdRows } from "../../../faults/heldRows.ts"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { addMember, openSession } from "../../../support/members.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const members = <A, E>(use: (members: Members["Service"]) => Effect.Effect<A, E>) =>
  service.run(Effect.flatMap(Members, use))

const line: AuditLine = { actor: "operator", action: "member.changed", details: {}, at: 1_768_473_067_218 }
const all = { page: 0, size: 100 }

const company = async (adminEmail = "owner@example.com") =>
  CompanyId.make((await makeCompany(service, { adminEmail, invite: true })).id)

const invite = (companyId: CompanyId, email: string, role: Role) => {
  const id = MemberId.make(randomUUID())
  return members((store) => Effect.as(store.invite({ id, companyId, email, role }, line), id))
}

const sessionsOf = async (companyId: CompanyId, memberId: MemberId) =>
  (await members((store) => store.sessions(companyId, memberId, all))).content

const listed = async (companyId: CompanyId) => (await members((store) => store.list(companyId, all))).content

it("makes the administrator of a new company its first owner, and invites them", async () => {
  const companyId = await company("Boss@Harbour.example")
  expect(await listed(companyId)).toMatchObject([
    { email: "Boss@Harbour.example", role: "OWNER", seenAt: null, passkeys: 0 }
  ])
  const mails = await service.query<{ facts: { by: string } }>(
    "select facts from mails where company_id = $1 and kind = 'INVITATION'",
    [companyId]
  )
  expect(mails).toMatchObject([{ facts: { by: "operator" } }])
})

it("knows an address once, whatever its case, and keeps it sealed", async () => {
  const companyId = await company()
  const member = { id: MemberId.make(randomUUID()), companyId, email: "Ann@harbour.example", role: "TEAM" } as const
  expect(await members((store) => store.invite(member, line))).toBe("INVITED")
  const again = { ...member, id: MemberId.make(randomUUID()), email: "ann@HARBOUR.example" }
  expect(await members((store) => store.invite(again, line))).toBe("THERE")
  const rows = await service.query("select m::text as row from members m")
  expect(JSON.stringify(rows)).not.toMatch(/harbour|ann@/i)
})

it("keeps the last owner, whoever is removed or becomes less, also of two at once", async () => {
  const companyId = await company()
  const [first] = await listed(companyId)
  expect(await members((store) => store.remove(companyId, first!.id, line))).toBe("LAST_OWNER")
  expect(await members((store) => store.setRole(companyId, first!.id, "TEAM", line))).toBe("LAST_OWNER")
  const second = await invite(companyId, "second@example.com", "OWNER")
  // Both changes have begun before either is written: a transaction of the test holds the owners until then.
  const rows = await holdRows(service.databaseUrl)
  await rows.take("select from members where company_id = $1 for update", [companyId])
  const changes = members((store) =>
    Effect.all([store.remove(companyId, first!.id, line), store.setRole(companyId, second, "TEAM", line)], {
      concurrency: 2
    })
  )
  await rows.awaited("delete from members")
  await rows.awaited("update members set role")
  await rows.take("commit")
  await rows.end()
  const both = await changes
  expect(both.filter((one) => one === "LAST_OWNER")).toHaveLength(1)
  expect((await listed(companyId)).filter(({ role }) => role === "OWNER")).toHaveLength(1)
})

it("writes a line of the audit log for each change, and none for a change that was refused", async () => {
  const companyId = await company()
  const [first] = await listed(companyId)
  const actions = async () =>
    (await askSettings(service, `/companies/${companyId}/audit`)).data.content.filter(
      ({ action }: { readonly action: string }) => action === "member.changed"
    ).length
  const added = await invite(companyId, "ben@example.com", "TEAM")
  await members((store) => store.setRole(companyId, added, "OWNER", line))
  await members((store) => store.remove(companyId, added, line))
  expect(await actions()).toBe(3)
  await members((store) => store.remove(companyId, first!.id, line))
  await members((store) => store.remove(companyId, MemberId.make(randomUUID()), line))
  expect(await actions()).toBe(3)
})

it("finds nobody of another company", async () => {
  const [harbour, bay] = [await company(), await company()]
  const member = await addMember(service, harbour)
  expect(await members((store) => store.find(bay, member))).toBe(null)
  expect(await members((store) => store.remove(bay, member, line))).toBe(null)
  expect(await members((store) => store.setRole(bay, member, "TEAM", line))).toBe(null)
  expect(await members((store) => store.emailsOf(bay, [member]))).toEqual(new Map())
  await openSession(service, member)
  const [session] = await sessionsOf(harbour, member)
  expect(await sessionsOf(bay, member)).toEqual([])
  expect(await members((store) => store.endSession(bay, session!.id, line))).toBe(false)
  expect(await sessionsOf(harbour, member)).toHaveLength(1)
})

it("lists where a member is signed in until the session is over", async () => {
  const harbour = await company()
  const member = await addMember(service, harbour, { email: "ben@harbour.example" })
  await openSession(service, member)
  expect(await sessionsOf(harbour, member)).toHaveLength(1)
  for (const over of ["opened_at = now() - interval '13 hours'", "opened_at = now(), seen_at = opened_at"]) {
    await service.query(`update console_sessions set ${over} where member_id = $1`, [member])
    expect(await sessionsOf(harbour, member), over).toEqual([])
  }
})

const fill = () => members((store) => Effect.flatMap(Clock.currentTimeMillis, (now) => store.addFirstOwners(now)))

it("gives a company of an earlier version its first owner, once, and mails nobody", async () => {
  const companyId = await company("old@harbour.example")
  await service.query("delete from members where company_id = $1", [companyId])
  await service.query("delete from mails where company_id = $1", [companyId])
  expect(await fill()).toBe(1)
  expect(await fill()).toBe(0)
  expect(await listed(companyId)).toMatchObject([{ email: "old@harbour.example", role: "OWNER" }])
  expect(await service.query("select from mails where company_id = $1", [companyId])).toEqual([])
})

const somebodyInvited = (companyId: CompanyId) => {
  const id = MemberId.make(randomUUID())
  return members((store) => store.invite({ id, companyId, email: `${id}@example.com`, role: "TEAM" }, line))
}

it("takes so many members of a company and no more, whatever other companies have", async () => {
  const [harbour, bay] = [await company(), await company()]
  await service.query(
    `insert into members (id, company_id, role, address_index, sealed_email, invited_at)
     select gen_random_uuid(), $1::uuid, 'TEAM', sha256(convert_to(gen_random_uuid()::text, 'UTF8')), '', now()
     from generate_series(1, $2::int4)`,
    [harbour, memberLimits.mostMembers - 2]
  )
  expect(await somebodyInvited(harbour)).toBe("INVITED")
  expect(await somebodyInvited(harbour)).toBe("FULL")
  expect(await somebodyInvited(bay)).toBe("INVITED")
})
