/** A session that a member opens in the moment of their first passkey came by a link alone, as every other: it waits for the passkey. */
import { Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ConsoleLinks } from "../../../../src/actors/members/ConsoleLinks.ts"
import { ConsoleSessions } from "../../../../src/actors/members/ConsoleSessions.ts"
import { Passkeys } from "../../../../src/actors/members/Passkeys.ts"
import { CompanyId, MailId, PasskeyId, type MemberId } from "../../../../src/schema/ids.ts"
import { holdRows } from "../../../faults/heldRows.ts"
import { makeCompany } from "../../../support/companies.ts"
import { addMember, openSession } from "../../../support/members.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let harbour: CompanyId
let bay: CompanyId
beforeAll(async () => {
  service = await startService()
  harbour = CompanyId.make((await makeCompany(service)).id)
  bay = CompanyId.make((await makeCompany(service, { name: "Bay Motors" })).id)
})
afterAll(() => service?.stop())

const session = async (secret: string) => {
  const found = await service.run(Effect.flatMap(ConsoleSessions, ({ find }) => find(secret)))
  if (found?.who._tag !== "Member") throw new Error("the session is not there")
  return { id: found.who.sessionId, waitsFor: found.waitsFor }
}

const issueLink = async (memberId: MemberId) => {
  const mail = { mailId: MailId.make(randomUUID()), memberId, lifetime: Duration.minutes(5) }
  const link = await service.run(Effect.flatMap(ConsoleLinks, ({ issue }) => issue(mail)))
  return link?.token ?? ""
}

/** The member adds a first passkey in a session that is open already. */
const addsPasskey = async (companyId: CompanyId, memberId: MemberId) => {
  const { id: sessionId } = await session(await openSession(service, memberId))
  const key = { credentialId: randomUUID(), publicKey: new Uint8Array([1]), signCount: 0, transports: [] }
  const passkey = { id: PasskeyId.make(randomUUID()), memberId, name: "Telephone", ...key }
  const line = { actor: "Ann", action: "passkey.added", details: {}, ipAddress: null, at: Date.now() } as const
  return () => service.run(Effect.flatMap(Passkeys, ({ add }) => add(companyId, passkey, sessionId, line)))
}

/** The next line of the company's audit log waits: it is written with the passkey. */
const holdAuditLog = "select pg_advisory_xact_lock(1635083369, hashtext($1::text))"

const orders = [
  ["before", (signIn: () => Promise<unknown>, add: () => Promise<unknown>) => [signIn, add]],
  ["after", (signIn: () => Promise<unknown>, add: () => Promise<unknown>) => [add, signIn]]
] as const

it.each(orders)(
  "lets a session wait for the first passkey whose link is pressed just %s it is added",
  async (_, order) => {
    const memberId = await addMember(service, harbour, { email: `${randomUUID()}@harbour.example` })
    const add = await addsPasskey(harbour, memberId)
    const token = await issueLink(memberId)
    let secret = ""
    const signIn = async () => {
      const opened = await service.run(Effect.flatMap(ConsoleLinks, ({ signIn }) => signIn(token, "Firefox", null)))
      secret = opened?.secret ?? ""
    }
    // Both have begun before either is written: a transaction of the test holds the link, and the audit log, until then.
    const rows = await holdRows(service.databaseUrl)
    await rows.take("select from console_links where token_hash = sha256(convert_to($1, 'UTF8')) for update", [token])
    await rows.take(holdAuditLog, [harbour])
    const [first, second] = order(signIn, add)
    const begun = [first!()]
    await rows.awaited("")
    begun.push(second!())
    await rows.awaited("", 2)
    await rows.take("commit")
    await rows.end()
    await Promise.all(begun)
    expect((await session(secret)).waitsFor).toBe("SHOW")
  }
)

it("lets a session wait for the first passkey whose person goes to the company in the moment in which it is added there", async () => {
  const email = `${randomUUID()}@harbour.example`
  const atBay = await addMember(service, bay, { email })
  const add = await addsPasskey(bay, atBay)
  const secret = await openSession(service, await addMember(service, harbour, { email }))
  const { id } = await session(secret)
  const rows = await holdRows(service.databaseUrl)
  await rows.take("select from console_sessions where id = $1 for update", [id])
  await rows.take(holdAuditLog, [bay])
  const choosing = service.run(Effect.flatMap(ConsoleSessions, ({ choose }) => choose(secret, bay)))
  await rows.awaited("")
  const adding = add()
  await rows.awaited("", 2)
  await rows.take("commit")
  await rows.end()
  expect(await Promise.all([choosing, adding])).toEqual([true, "ADDED"])
  expect((await session(secret)).waitsFor).toBe("SHOW")
})
