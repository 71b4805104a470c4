import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { newNonce } from "../../../../src/actors/kernel/secrets.ts"
import { ConsoleSessions, type ConsoleSession } from "../../../../src/actors/members/ConsoleSessions.ts"
import { CompanyId } from "../../../../src/schema/ids.ts"
import { makeCompany } from "../../../support/companies.ts"
import { directly } from "../../../support/directly.ts"
import { addMember, addPasskey, openSession } from "../../../support/members.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let harbour: CompanyId
let bay: CompanyId
beforeAll(async () => {
  service = await startService()
  harbour = CompanyId.make((await makeCompany(service)).id)
  bay = CompanyId.make((await makeCompany(service, { name: "Bay Motors" })).id)
})
afterAll(() => service.stop())

const sessions = <A, E>(use: (sessions: ConsoleSessions["Service"]) => Effect.Effect<A, E>) =>
  service.run(Effect.flatMap(ConsoleSessions, use))
const find = (secret: string, isUse?: boolean) => sessions(({ find }) => find(secret, isUse))
const choose = (secret: string, companyId: CompanyId | null) => sessions(({ choose }) => choose(secret, companyId))

/** Moves a session's times into the past. */
const age = (secret: string, hours: { readonly opened?: number; readonly seen?: number }) =>
  service.query(
    `update console_sessions set opened_at = opened_at - make_interval(hours => $2),
       seen_at = seen_at - make_interval(hours => $3)
     where secret_hash = sha256(convert_to($1, 'UTF8'))`,
    [secret, hours.opened ?? 0, hours.seen ?? 0]
  )

it("finds a member with role, address and company by the session's secret, and nobody by another", async () => {
  const memberId = await addMember(service, harbour, { email: "Ann@HarbourCars.example", role: "TEAM" })
  const secret = await openSession(service, memberId)
  expect(await find(secret)).toMatchObject({
    who: {
      _tag: "Member",
      sessionId: expect.any(String),
      memberId,
      companyId: harbour,
      role: "TEAM",
      email: "Ann@HarbourCars.example"
    },
    company: harbour,
    waitsFor: null
  })
  expect(await find(newNonce())).toBe(null)
  expect(await find("no secret")).toBe(null)
})

it("knows the role of now, and no member who was removed", async () => {
  const memberId = await addMember(service, harbour, { email: "ben@harbourcars.example", role: "TEAM" })
  const secret = await openSession(service, memberId)
  await service.query("update members set role = 'OWNER' where id = $1", [memberId])
  expect((await find(secret))?.who).toMatchObject({ role: "OWNER" })
  await service.query("delete from members where id = $1", [memberId])
  expect(await find(secret)).toBe(null)
})

it("never takes the session of a member who is missing for the operator's", async () => {
  const memberId = await addMember(service, harbour, { email: "eve@harbourcars.example" })
  const secret = await openSession(service, memberId)
  // As if the database had lost the member alone: otherwise the session goes with the member.
  await directly(service.databaseUrl, async (query) => {
    await query("set session_replication_role = replica")
    await query("delete from members where id = $1", [memberId])
  })
  expect(await service.query("select from console_sessions where member_id = $1", [memberId])).toHaveLength(1)
  expect(await find(secret)).toBe(null)
})

it("ends a session that was not used for long, or was opened long ago, or is ended", async () => {
  const memberId = await addMember(service, harbour)
  const [idle, old, ended] = await Promise.all([1, 2, 3].map(() => openSession(service, memberId)))
  await age(idle!, { seen: 3 })
  await age(old!, { opened: 12 })
  await sessions(({ end }) => end(ended!))
  for (const secret of [idle!, old!, ended!]) expect(await find(secret)).toBe(null)
})

it("ends a session of the operator with the token that opened it, at the token's end", async () => {
  const tokenId = randomUUID()
  await service.query(
    `insert into operator_tokens (id, name, hash, last4, scopes, created_by, created_at, expires_at)
     values ($1::uuid, $1::text, sha256(convert_to($1::text, 'UTF8')), 'last', '{}', 'operator', now(), now() + interval '1 hour')`,
    [tokenId]
  )
  const secret = await sessions(({ openForOperator }) => openForOperator(tokenId))
  expect((await find(secret))?.who).toMatchObject({ _tag: "Operator", token: { id: tokenId } })
  await service.query("update operator_tokens set expires_at = now() - interval '1 second' where id = $1", [tokenId])
  expect(await find(secret)).toBe(null)
})

it("ends the sessions of the root token where OPERATOR_TOKEN is another one", async () => {
  const secret = await sessions(({ openForOperator }) => openForOperator(null))
  const { id, who } = (await find(secret)) ?? expect.fail("no session")
  expect(who).toMatchObject({ _tag: "Operator", token: null })
  const later = await startService({
    DATABASE_URL: service.databaseUrl,
    OPERATOR_TOKEN: "another-operator-token-0000000000000000000"
  })
  const found = await later.run(
    Effect.flatMap(ConsoleSessions, (store) => Effect.all([store.find(secret), store.companies([id])]))
  )
  await later.stop()
  expect(found).toEqual([null, new Map()])
  expect(await find(secret)).not.toBe(null)
})

it("keeps a session alive that is used, and not one that is only looked at", async () => {
  const memberId = await addMember(service, harbour, { email: "cat@harbourcars.example", isSeen: false })
  const secret = await openSession(service, memberId)
  await age(secret, { seen: 2 })
  const memberSeen = () =>
    service.query<{ seen: boolean }>("select seen_at is not null as seen from members where id = $1", [memberId])
  await find(secret, false)
  const before = (await find(secret, false))!.endsAt
  expect(await memberSeen()).toEqual([{ seen: false }])
  await find(secret)
  expect((await find(secret, false))!.endsAt).toBeGreaterThan(before)
  expect(await memberSeen()).toEqual([{ seen: true }])
})

it("lets the operator look at any company that exists, and at none", async () => {
  const secret = await sessions(({ openForOperator }) => openForOperator(null))
  expect(await find(secret)).toMatchObject({ who: { _tag: "Operator" }, company: null, waitsFor: null })
  expect(await choose(secret, bay)).toBe(true)
  expect((await find(secret))?.company).toBe(bay)
  expect(await choose(secret, CompanyId.make("0197a000-0000-7000-8000-000000000009"))).toBe(false)
  expect((await find(secret))?.company).toBe(bay)
  expect(await choose(secret, null)).toBe(true)
  expect(await find(secret)).toMatchObject({ who: { _tag: "Operator" }, company: null })
})

it("lets a member look at the other companies of the same address, and at no other company", async () => {
  const here = await addMember(service, harbour, { email: "dan@example.com" })
  const secret = await openSession(service, here)
  expect(await choose(secret, bay)).toBe(false)
  expect(await choose(secret, null)).toBe(false)
  const there = await addMember(service, bay, { email: "Dan@example.com", role: "TEAM" })
  expect(await choose(secret, bay)).toBe(true)
  expect(await find(secret)).toMatchObject({ who: { memberId: there, companyId: bay, role: "TEAM" }, company: bay })
  expect(await choose(newNonce(), bay)).toBe(false)
})

it("waits for the passkey of the company that is chosen, and not for one that was removed", async () => {
  const here = await addMember(service, harbour, { email: "eve@example.com" })
  const there = await addMember(service, bay, { email: "eve@example.com" })
  const secret = await openSession(service, here)
  await addPasskey(service, there)
  expect((await find(secret))?.waitsFor).toBe(null)
  await choose(secret, bay)
  expect((await find(secret))?.waitsFor).toBe("SHOW")
  await choose(secret, bay)
  expect((await find(secret))?.waitsFor).toBe("SHOW")
  await service.query("delete from passkeys where member_id = $1", [there])
  expect((await find(secret))?.waitsFor).toBe(null)
})

it("waits for a first passkey where the company demands one, of every member and not of the operator", async () => {
  const strict = CompanyId.make((await makeCompany(service, { name: "Strict Cars" })).id)
  const memberId = await addMember(service, strict, { email: "fay@example.com" })
  const secret = await openSession(service, memberId)
  expect((await find(secret))?.waitsFor).toBe(null)
  await service.query("update companies set passkeys_required = true where id = $1", [strict])
  expect((await find(secret))?.waitsFor).toBe("ADD")
  const operator = await sessions(({ openForOperator }) => openForOperator(null))
  await choose(operator, strict)
  expect(await find(operator)).toMatchObject({ company: strict, waitsFor: null })
  const elsewhere = await addMember(service, bay, { email: "fay@example.com" })
  await choose(secret, bay)
  expect(await find(secret)).toMatchObject({ who: { memberId: elsewhere }, waitsFor: null })
  await choose(secret, strict)
  await addPasskey(service, memberId)
  // Who has added one in this session has shown it.
  expect((await find(secret))?.waitsFor).toBe(null)
})

it("tells of many sessions which company each looks at, and of none that permits nothing any more", async () => {
  const strict = CompanyId.make((await makeCompany(service, { name: "Strictest Cars" })).id)
  const member = async (companyId: CompanyId) =>
    openSession(service, await addMember(service, companyId, { email: `${randomUUID()}@example.com` }))
  const operator = async (companyId: CompanyId | null, tokenId: string | null = null) => {
    const secret = await sessions(({ openForOperator }) => openForOperator(tokenId))
    await choose(secret, companyId)
    return secret
  }
  const tokenId = randomUUID()
  await service.query(
    `insert into operator_tokens (id, name, hash, last4, scopes, created_by, created_at)
     values ($1::uuid, $1::text, sha256(convert_to($1::text, 'UTF8')), 'last', '{}', 'operator', now())`,
    [tokenId]
  )
  const all = {
    atHarbour: await member(harbour),
    atBay: await member(bay),
    idle: await member(harbour),
    old: await member(harbour),
    ended: await member(harbour),
    removed: await member(harbour),
    withoutPasskey: await member(strict),
    operatorAtBay: await operator(bay),
    operatorAtNone: await operator(null),
    ofToken: await operator(harbour, tokenId)
  }
  const found = new Map<string, ConsoleSession | null>()
  for (const [name, secret] of Object.entries(all)) found.set(name, await find(secret))
  const idOf = (name: string) => found.get(name)?.id ?? expect.fail(`${name} has no session`)

  await age(all.idle, { seen: 3 })
  await age(all.old, { opened: 12 })
  await sessions(({ end }) => end(all.ended))
  const removed = found.get("removed")?.who
  await service.query("delete from members where id = $1", [removed?._tag === "Member" ? removed.memberId : null])
  await service.query("update companies set passkeys_required = true where id = $1", [strict])
  await service.query("update operator_tokens set revoked_at = now() where id = $1", [tokenId])

  const companies = await sessions((store) => store.companies([...found.keys()].map(idOf)))
  const shown = [...found.keys()].map((name) => [name, companies.get(idOf(name))])
  expect(Object.fromEntries(shown)).toEqual({
    atHarbour: harbour,
    atBay: bay,
    operatorAtBay: bay,
    operatorAtNone: null
  })
})

it("keeps the secret's hash and no address in clear", async () => {
  const memberId = await addMember(service, harbour, { email: "hidden@harbourcars.example" })
  const secret = await openSession(service, memberId)
  await find(secret)
  for (const table of ["members", "console_sessions"]) {
    const rows = await service.query(`select t::text as row from ${table} t`)
    expect(JSON.stringify(rows)).not.toMatch(/hidden|harbourcars/)
    expect(JSON.stringify(rows)).not.toContain(secret)
  }
})
