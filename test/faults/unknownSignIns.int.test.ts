/**
 * The connection breaks after somebody has signed in and before the database could say so. Whoever signs in is in all the same, and the
 * journal of what has ended hears of the sessions that ended beside it.
 */
import { Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { Sessions } from "../../src/actors/customer/Sessions.ts"
import { SignInLinks } from "../../src/actors/customer/SignInLinks.ts"
import { Vault } from "../../src/actors/kernel/Vault.ts"
import { ConsoleLinks } from "../../src/actors/members/ConsoleLinks.ts"
import { ConsoleSessions } from "../../src/actors/members/ConsoleSessions.ts"
import { memberLimits } from "../../src/actors/members/limits.ts"
import { Passkeys } from "../../src/actors/members/Passkeys.ts"
import { Operator } from "../../src/http/server/callers/operator.ts"
import { rootMarkOf } from "../../src/runtime/stores/members/PostgresConsoleSessions.ts"
import { ConsoleSessionId, JourneyId, MailId, type MemberId } from "../../src/schema/ids.ts"
import { linesIn } from "../runtime/erasures/restoredGround.ts"
import { addCustomerSession } from "../support/addCustomerSession.ts"
import { makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { addMember, addPasskey, openSession } from "../support/members.ts"
import { startProxy, type Proxy } from "../support/proxy.ts"
import { freshDatabase, startService, type Service } from "../support/service.ts"

let folder: string
let proxy: Proxy
let service: Service
let company: TestCompany
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "journeys-sign-ins-"))
  proxy = await startProxy(await freshDatabase())
  service = await startService({ DATABASE_URL: proxy.url, ERASURE_JOURNAL: folder })
  company = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(async () => {
  await service?.stop()
  await proxy?.close()
  await rm(folder, { recursive: true, force: true })
})

const linesAfter = async (before: ReadonlyArray<unknown>) => (await linesIn(folder)).slice(before.length)

/** So many sessions of this member, or of this token of the operator, the oldest first. */
const fullOfSessions = async (count: number, whose: { readonly member: string } | { readonly token: string }) => {
  const rows = await service.query<{ readonly id: string }>(
    `insert into console_sessions (id, secret_hash, member_id, operator_token_id, opened_at, seen_at, is_marked)
     select gen_random_uuid(), decode(md5(gen_random_uuid()::text), 'hex'), $2::uuid, $3::uuid, now() - (100 - n) * interval '1 second', now(), true
     from generate_series(1, $1::int4) n returning id`,
    [count, "member" in whose ? whose.member : null, "token" in whose ? whose.token : null]
  )
  return rows.map(({ id }) => id)
}

const consoleSession = (secret = "") =>
  service.run(Effect.flatMap(ConsoleSessions, (sessions) => sessions.find(secret, false)))

/** A link for a new member, whose sessions are as many as there may be. */
const memberWithLink = async () => {
  const memberId = await addMember(service, company.id, { email: `${randomUUID()}@harbour.example` })
  const sessions = await fullOfSessions(memberLimits.mostSessions, { member: memberId })
  const mail = { mailId: MailId.make(randomUUID()), memberId, lifetime: Duration.minutes(5) }
  const link = await service.run(Effect.flatMap(ConsoleLinks, ({ issue }) => issue(mail)))
  return { oldest: sessions[0], token: link?.token ?? "" }
}

const signIn = (token: string, browser: string) =>
  service.run(Effect.flatMap(ConsoleLinks, (links) => links.signIn(token, browser, null)))

it("a member whose sign-in was not answered is signed in, and the oldest session, which it ended, stands in the journal", async () => {
  const { oldest, token } = await memberWithLink()
  const [swallowed, lines] = [proxy.swallowed(), await linesIn(folder)]
  proxy.swallowReplyTo("the lost browser", { ofTransaction: true })
  const opened = await signIn(token, "the lost browser")
  expect(proxy.swallowed()).toBe(swallowed + 1)
  expect(opened).toMatchObject({ isWaitingForPasskey: false, companies: 1 })
  expect((await consoleSession(opened?.secret))?.who).toMatchObject({ memberId: opened?.memberId })
  expect(await linesAfter(lines)).toMatchObject([{ what: "CONSOLE_SESSION", sessionId: oldest }])
})

it("what a sign-in ended while the database went away stands in the journal once it is back", async () => {
  const { oldest, token } = await memberWithLink()
  const lines = await linesIn(folder)
  proxy.swallowReplyTo("the browser that waits", { andStayAway: true, ofTransaction: true })
  await expect(signIn(token, "the browser that waits")).rejects.toThrow()
  proxy.heal()
  const after = await eventually(
    () => linesAfter(lines),
    (more) => more.length > 0
  )
  expect(after).toMatchObject([{ what: "CONSOLE_SESSION", sessionId: oldest }])
})

it("an operator whose sign-in was not answered is signed in, and the oldest session, which it ended, stands in the journal", async () => {
  const token = await service.run(Effect.zipWith(Vault, Operator, rootMarkOf))
  const [oldest] = await fullOfSessions(memberLimits.mostOperatorSessions, { token })
  const [swallowed, lines] = [proxy.swallowed(), await linesIn(folder)]
  proxy.swallowReplyTo("insert into console_sessions (id, secret_hash, opened_at")
  const secret = await service.run(Effect.flatMap(ConsoleSessions, (sessions) => sessions.openForOperator(null)))
  expect(proxy.swallowed()).toBe(swallowed + 1)
  expect((await consoleSession(secret))?.who).toEqual({ _tag: "Operator", token: null })
  expect(await linesAfter(lines)).toMatchObject([{ what: "CONSOLE_SESSION", sessionId: oldest }])
})

it("a customer whose sign-in was not answered is signed in, and the session of an older link, which it ended, stands in the journal", async () => {
  const journeyId = JourneyId.make((await start(service, company.liveKey, startBody("CASH_SALE"))).data.id)
  const older = await addCustomerSession(service, journeyId)
  const mail = { mailId: MailId.make(randomUUID()), journeyId, step: "VERIFY_IDENTITY", clock: null } as const
  const links = Effect.flatMap(SignInLinks, ({ issue }) => issue({ ...mail, issuedAt: Date.now() }))
  const token = await service.run(links)
  const [swallowed, lines] = [proxy.swallowed(), await linesIn(folder)]
  proxy.swallowReplyTo("insert into customer_sessions")
  const opened = await service.run(Effect.flatMap(SignInLinks, (all) => all.signIn(token, null)))
  expect(proxy.swallowed()).toBe(swallowed + 1)
  const found = await service.run(Effect.flatMap(Sessions, (sessions) => sessions.find(opened?.secret ?? "")))
  expect(found).toMatchObject({ journeyId })
  expect(await linesAfter(lines)).toMatchObject([{ what: "CUSTOMER_SESSION", sessionId: older }])
})

/** A session that waits for the passkey of its member, which counts. */
const waiting = async (): Promise<{ readonly sessionId: ConsoleSessionId; readonly credentialId: string }> => {
  const memberId: MemberId = await addMember(service, company.id, { email: `${randomUUID()}@harbour.example` })
  const credentialId = `credential of ${await addPasskey(service, memberId)}`
  await openSession(service, memberId)
  const [row] = await service.query<{ readonly id: string }>(
    "update console_sessions set is_waiting_for_passkey = true where member_id = $1 returning id",
    [memberId]
  )
  return { sessionId: ConsoleSessionId.make(row?.id ?? ""), credentialId }
}

it("a member whose passkey was taken without an answer is in", async () => {
  const { credentialId, sessionId } = await waiting()
  const swallowed = proxy.swallowed()
  proxy.swallowReplyTo(credentialId)
  const secret = await service.run(
    Effect.flatMap(Passkeys, ({ passed }) => passed(sessionId, { credentialId, signCount: 1 }))
  )
  expect(proxy.swallowed()).toBe(swallowed + 1)
  expect(await consoleSession(secret ?? "")).toMatchObject({ id: sessionId, waitsFor: null })
})
