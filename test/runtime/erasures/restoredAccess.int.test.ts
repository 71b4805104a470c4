/**
 * Who lost their access stays outside: a backup of the database is restored, and the journal beside it tells the service which members
 * were removed, which passkeys and sessions of the console were ended, and which tokens of the operator were revoked since.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, askSettings, makeCompany } from "../../support/companies.ts"
import { backupOf } from "../../support/backups.ts"
import { addMember, addPasskey, openSession } from "../../support/members.ts"
import { freshDatabase, startService, type Service } from "../../support/service.ts"
import { ConsoleBrowser, signInOperator } from "../../http/console/consoleGround.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "journeys-access-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const asToken = async (service: Service, token: string) => (await ask(service, token, "/settings/v1/companies")).status
const asSession = async (service: Service, companyId: string, secret: string) =>
  (
    await fetch(`${service.baseUrl}/settings/v1/companies/${companyId}/members`, {
      headers: { cookie: `journeys-console=${secret}` }
    })
  ).status

const toldTo = async (service: Service) =>
  (
    await service.query<{ action: string }>(
      "select action from audit where actor = 'journal of erasures' order by action"
    )
  ).map(({ action }) => action)

const linesOf = async (journal: string) => {
  const [file = ""] = await readdir(journal)
  return (await readFile(join(journal, file), "utf8")).trim().split("\n")
}

it("a restored backup lets in no removed member, no ended session, no removed passkey and no revoked operator token", async () => {
  const DATABASE_URL = await freshDatabase()
  const ERASURE_JOURNAL = join(folder, "journal")
  const before = await startService({ DATABASE_URL, ERASURE_JOURNAL })
  const { id } = await makeCompany(before)
  const owner = await addMember(before, id, { email: "ann@harbour.example", role: "OWNER" })
  const removed = await addMember(before, id, { email: "zoe@harbour.example", role: "OWNER" })
  const [kept, signedOut, ended, ofRemoved] = await Promise.all([
    openSession(before, owner),
    openSession(before, owner),
    openSession(before, owner),
    openSession(before, removed)
  ])
  const operator = (await signInOperator(before)).cookies.get("journeys-console") ?? ""
  const [lost, lostFirst] = [await addPasskey(before, owner), await addPasskey(before, removed)]
  const token = async (name: string) =>
    (await askSettings(before, "/operator-tokens", { body: { name, scopes: ["companies:read"] } })).data
  const revoked = await token("revoked")
  const other = await token("other")
  for (const secret of [kept, signedOut, ended, ofRemoved]) expect(await asSession(before, id, secret)).toBe(200)
  const [endedSession] = await before.query<{ id: string }>(
    `select s.id from console_sessions s where s.secret_hash = sha256($1::text::bytea)`,
    [ended]
  )
  await before.stop()
  const restored = await backupOf(DATABASE_URL)

  const after = await startService({ DATABASE_URL, ERASURE_JOURNAL })
  const settings = async (path: string) => (await askSettings(after, path, { method: "DELETE" })).status
  await new ConsoleBrowser(after, signedOut).submit("/console/team", {}, "/console/sign-out")
  await new ConsoleBrowser(after, operator).submit("/console/operator/companies", {}, "/console/sign-out")
  expect(await settings(`/companies/${id}/sessions/${endedSession?.id}`)).toBe(200)
  expect(await settings(`/companies/${id}/members/${owner}/passkeys/${lost}`)).toBe(200)
  expect(await settings(`/companies/${id}/members/${removed}/passkeys/${lostFirst}`)).toBe(200)
  expect(await settings(`/companies/${id}/members/${removed}`)).toBe(200)
  expect(await settings(`/operator-tokens/${revoked.id}`)).toBe(200)
  for (const secret of [signedOut, ended, ofRemoved]) expect(await asSession(after, id, secret)).toBe(401)
  await after.stop()
  const lines = await linesOf(ERASURE_JOURNAL)
  expect(lines.map((line) => JSON.parse(line).what)).toEqual([
    "CONSOLE_SESSION",
    "CONSOLE_SESSION",
    "CONSOLE_SESSION",
    "PASSKEY",
    "PASSKEY",
    "MEMBER",
    "OPERATOR_TOKEN"
  ])
  expect(lines.join()).not.toMatch(/@|svc_/)

  const service = await startService({ DATABASE_URL: restored, ERASURE_JOURNAL })
  for (const secret of [signedOut, ended, ofRemoved]) expect(await asSession(service, id, secret)).toBe(401)
  expect((await new ConsoleBrowser(service, operator).ask("/console/operator")).location).toContain("/sign-in")
  expect(await asSession(service, id, kept)).toBe(200)
  expect(await asToken(service, revoked.token)).toBe(401)
  expect(await asToken(service, other.token)).toBe(200)
  const emails = (await askSettings(service, `/companies/${id}/members`)).data.content.map(
    ({ email }: { readonly email: string }) => email
  )
  expect(emails).not.toContain("zoe@harbour.example")
  expect(await service.query("select 1 from passkeys where id = $1", [lost])).toEqual([])
  // Passkeys are ended before members: the passkey of a member who has gone was a member's.
  expect(await toldTo(service)).toEqual([
    "member.removed",
    "passkey.removed",
    "passkey.removed",
    "session.ended",
    "session.ended"
  ])
  await service.stop()

  // The database that knows is told the same lines, and what has ended there stays as it ended.
  const live = await startService({ DATABASE_URL, ERASURE_JOURNAL })
  expect(await toldTo(live)).toEqual([])
  expect(await live.query("select revoked_by from operator_tokens where revoked_at is not null")).toEqual([
    { revoked_by: "operator" }
  ])
  await live.stop()
})

it("a removed owner does not come back as the company's administrator when a restored backup knows no other owner", async () => {
  const DATABASE_URL = await freshDatabase()
  const ERASURE_JOURNAL = join(folder, "administrator")
  const before = await startService({ DATABASE_URL, ERASURE_JOURNAL })
  const { id } = await makeCompany(before, { adminEmail: "zoe@harbour.example", invite: true })
  const [zoe] = (await askSettings(before, `/companies/${id}/members`)).data.content
  await before.stop()
  const restored = await backupOf(DATABASE_URL)

  const after = await startService({ DATABASE_URL, ERASURE_JOURNAL })
  await addMember(after, id, { email: "ann@harbour.example", role: "OWNER" })
  const removal = await askSettings(after, `/companies/${id}/members/${zoe.id}`, { method: "DELETE" })
  expect(removal.status).toBe(200)
  await after.stop()

  for (const start of ["the first", "another"]) {
    const service = await startService({ DATABASE_URL: restored, ERASURE_JOURNAL })
    expect((await askSettings(service, `/companies/${id}/members`)).data.content, start).toEqual([])
    await service.stop()
  }
})
