/** Challenges and shown passkeys as the store keeps them: what is taken once, what is over, and what an authenticator's count says. */
import { Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ConsoleLinks } from "../../../../src/actors/members/ConsoleLinks.ts"
import { ConsoleSessions } from "../../../../src/actors/members/ConsoleSessions.ts"
import { memberLimits } from "../../../../src/actors/members/limits.ts"
import { Passkeys } from "../../../../src/actors/members/Passkeys.ts"
import { CompanyId, MailId, PasskeyId, type MemberId } from "../../../../src/schema/ids.ts"
import { makeCompany } from "../../../support/companies.ts"
import { addMember, addPasskey, openSession } from "../../../support/members.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let harbour: CompanyId
beforeAll(async () => {
  service = await startService()
  harbour = CompanyId.make((await makeCompany(service)).id)
})
afterAll(() => service.stop())

const passkeys = <A, E>(use: (passkeys: Passkeys["Service"]) => Effect.Effect<A, E>) =>
  service.run(Effect.flatMap(Passkeys, use))
const session = (secret: string) => service.run(Effect.flatMap(ConsoleSessions, ({ find }) => find(secret)))

const newMember = () => addMember(service, harbour, { email: `${randomUUID()}@harbourcars.example`, isSeen: false })

const openedBy = async (memberId: MemberId) => {
  const secret = await openSession(service, memberId)
  const found = await session(secret)
  if (found?.who._tag !== "Member") throw new Error("the session is not there")
  return { secret, id: found.who.sessionId }
}

it("a challenge is its session's, and nobody gets it a second time", async () => {
  const [one, other] = [await openedBy(await newMember()), await openedBy(await newMember())]
  await passkeys(({ keepChallenge }) => keepChallenge(one.id, "SHOW", "challenge of one"))
  expect(await passkeys(({ takeChallenge }) => takeChallenge(other.id, "SHOW"))).toBe(null)
  const taken = await Promise.all([1, 2, 3].map(() => passkeys(({ takeChallenge }) => takeChallenge(one.id, "SHOW"))))
  expect(taken.filter((challenge) => challenge !== null)).toEqual(["challenge of one"])
})

it("a challenge is for one purpose, and who asks for it for another has none any more", async () => {
  const { id } = await openedBy(await newMember())
  await passkeys(({ keepChallenge }) => keepChallenge(id, "ADD", "challenge to add"))
  expect(await passkeys(({ takeChallenge }) => takeChallenge(id, "SHOW"))).toBe(null)
  expect(await passkeys(({ takeChallenge }) => takeChallenge(id, "ADD"))).toBe(null)
})

it("a challenge is over after its lifetime, and ends the one before it", async () => {
  const { id } = await openedBy(await newMember())
  await passkeys(({ keepChallenge }) => keepChallenge(id, "SHOW", "old"))
  await passkeys(({ keepChallenge }) => keepChallenge(id, "SHOW", "new"))
  expect(await passkeys(({ takeChallenge }) => takeChallenge(id, "SHOW"))).toBe("new")
  await passkeys(({ keepChallenge }) => keepChallenge(id, "SHOW", "late"))
  await service.query(
    "update passkey_challenges set expires_at = expires_at - interval '5 minutes' where session_id = $1",
    [id]
  )
  expect(await passkeys(({ takeChallenge }) => takeChallenge(id, "SHOW"))).toBe(null)
})

/** A member whose passkey was shown with this count, and a session that waits for the passkey. */
const waiting = async (signCount: number) => {
  const memberId = await newMember()
  const passkeyId = await addPasskey(service, memberId)
  await service.query("update passkeys set sign_count = $2 where id = $1", [passkeyId, signCount])
  const opened = await openedBy(memberId)
  await service.query("update console_sessions set is_waiting_for_passkey = true where id = $1", [opened.id])
  return { ...opened, credentialId: `credential of ${passkeyId}` }
}

it.each([
  [0, 0, true],
  [0, 1, true],
  [7, 8, true],
  [7, 7, false],
  [7, 3, false],
  [7, 0, false]
])(
  "a passkey that has counted to %i and says %i now is let in: %s (else a copy may be about)",
  async (before, now, isIn) => {
    const { credentialId, id, secret } = await waiting(before)
    const next = await passkeys(({ passed }) => passed(id, { credentialId, signCount: now }))
    expect(next !== null).toBe(isIn)
    // The secret that came by a link alone is worth nothing any more.
    expect((await session(next ?? secret))?.waitsFor).toBe(isIn ? null : "SHOW")
    if (isIn) expect(await session(secret)).toBe(null)
  }
)

it("a member with a passkey is seen when the passkey is shown, and not by a link alone", async () => {
  const memberId = await newMember()
  const passkeyId = await addPasskey(service, memberId)
  const seen = () => service.query("select seen_at is not null as seen from members where id = $1", [memberId])
  const mail = { mailId: MailId.make(randomUUID()), memberId, lifetime: Duration.minutes(5) }
  const link = await service.run(Effect.flatMap(ConsoleLinks, ({ issue }) => issue(mail)))
  const opened = await service.run(
    Effect.flatMap(ConsoleLinks, ({ signIn }) => signIn(link?.token ?? "", "Firefox", null))
  )
  expect(opened?.isWaitingForPasskey).toBe(true)
  const found = await session(opened?.secret ?? "")
  if (found?.who._tag !== "Member") throw new Error("the session is not there")
  const { sessionId } = found.who
  expect(await seen()).toEqual([{ seen: false }])
  await passkeys(({ passed }) => passed(sessionId, { credentialId: `credential of ${passkeyId}`, signCount: 1 }))
  expect(await seen()).toEqual([{ seen: true }])
})

it("nobody is let in by the passkey of another member", async () => {
  const [one, other] = [await waiting(1), await waiting(1)]
  const shown = { credentialId: other.credentialId, signCount: 2 }
  expect(await passkeys(({ passed }) => passed(one.id, shown))).toBe(null)
  expect((await session(one.secret))?.waitsFor).toBe("SHOW")
})

it("a passkey is removed as its own member's, and as nobody else's", async () => {
  const [memberId, other] = [await newMember(), await newMember()]
  const passkeyId = PasskeyId.make(await addPasskey(service, memberId))
  const bay = CompanyId.make((await makeCompany(service, { name: "Bay Motors" })).id)
  const line = { actor: "Ann", action: "passkey.removed", details: {}, ipAddress: null, at: Date.now() } as const
  const removed = (companyId: CompanyId, from: MemberId) =>
    passkeys(({ remove }) => remove(companyId, from, passkeyId, line))
  expect(await removed(harbour, other)).toBe(null)
  expect(await removed(bay, memberId)).toBe(null)
  expect(await passkeys(({ list }) => list(bay, memberId))).toEqual([])
  expect(await passkeys(({ list }) => list(harbour, memberId))).toHaveLength(1)
  expect(await removed(harbour, memberId)).toMatchObject({ id: passkeyId })
})

it("a member has so many passkeys and no more", async () => {
  const memberId = await newMember()
  const { id: sessionId } = await openedBy(memberId)
  const added = () => {
    const id = PasskeyId.make(randomUUID())
    const credential = { credentialId: id, publicKey: new Uint8Array(), signCount: 0, transports: [] }
    const line = { actor: "Ann", action: "passkey.added", details: {}, ipAddress: null, at: Date.now() } as const
    const passkey = { ...credential, id, memberId, name: "Telephone" }
    return passkeys(({ add }) => add(harbour, passkey, sessionId, line))
  }
  for (let there = 0; there < memberLimits.mostPasskeys; there += 1) expect(await added()).toBe("ADDED")
  expect(await added()).toBe("FULL")
})
