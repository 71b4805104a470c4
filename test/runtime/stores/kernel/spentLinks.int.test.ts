/** Which links open a session: of a mail that was sent twice one of its two, also when both are pressed at once, and none of a journey that has ended. */
import { Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { SignInLinks } from "../../../../src/actors/customer/SignInLinks.ts"
import { ConsoleLinks } from "../../../../src/actors/members/ConsoleLinks.ts"
import { JourneyId, MailId } from "../../../../src/schema/ids.ts"
import { holdRows } from "../../../faults/heldRows.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "../../../support/companies.ts"
import { addMember } from "../../../support/members.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => service?.stop())

interface Kind {
  readonly table: "sign_in_links" | "console_links"
  /** For somebody new, whose links of one mail are issued by what it answers. */
  readonly issuing: (mailId: MailId) => Promise<() => Promise<string>>
  readonly signIn: (token: string) => Promise<unknown>
}

const customers: Kind = {
  table: "sign_in_links",
  issuing: async (mailId) => {
    const journeyId = JourneyId.make((await start(service, company.liveKey, startBody("CASH_SALE"))).data.id)
    const mail = { mailId, journeyId, step: "VERIFY_IDENTITY", clock: null, issuedAt: Date.now() } as const
    return () => service.run(Effect.flatMap(SignInLinks, ({ issue }) => issue(mail)))
  },
  signIn: (token) => service.run(Effect.flatMap(SignInLinks, ({ signIn }) => signIn(token, null)))
}

const members: Kind = {
  table: "console_links",
  issuing: async (mailId) => {
    const memberId = await addMember(service, company.id, { email: `${randomUUID()}@harbour.example` })
    const mail = { mailId, memberId, lifetime: Duration.minutes(5) }
    return async () => (await service.run(Effect.flatMap(ConsoleLinks, ({ issue }) => issue(mail))))?.token ?? ""
  },
  signIn: (token) => service.run(Effect.flatMap(ConsoleLinks, ({ signIn }) => signIn(token, "Firefox", null)))
}

const kinds = [
  ["a customer", customers],
  ["a member", members]
] as const

it.each(kinds)("opens one session of %s when both links of a mail are pressed at once", async (_, kind) => {
  const mailId = MailId.make(randomUUID())
  const issue = await kind.issuing(mailId)
  const tokens = [await issue(), await issue()]
  // Both presses have begun before either is written: a transaction of the test holds the links until then.
  const rows = await holdRows(service.databaseUrl)
  await rows.take(`select from ${kind.table} where of_mail = $1 for update`, [mailId])
  const presses = tokens.map(kind.signIn)
  await rows.awaited(kind.table, 2)
  await rows.take("commit")
  await rows.end()
  expect((await Promise.all(presses)).filter((session) => session !== null)).toHaveLength(1)
})

it.each(kinds)(
  "spends the first link of a mail of %s with one that the statement for the first does not see",
  async (_, kind) => {
    const mailId = MailId.make(randomUUID())
    const issue = await kind.issuing(mailId)
    const first = await issue()
    const rows = await holdRows(service.databaseUrl)
    await rows.take(`select from ${kind.table} where of_mail = $1 for update`, [mailId])
    // The statement for the first link has begun when the mail gets its second link.
    const pressed = kind.signIn(first)
    await rows.awaited(kind.table)
    const presses = [pressed, kind.signIn(await issue())]
    await rows.awaited(kind.table, 2)
    await rows.take("commit")
    await rows.end()
    expect((await Promise.all(presses)).filter((session) => session !== null)).toHaveLength(1)
  }
)

it.each(kinds)(
  "opens nothing with the other link of a mail of %s afterwards, nor with one that is issued then",
  async (_, kind) => {
    const issue = await kind.issuing(MailId.make(randomUUID()))
    const [first, second] = [await issue(), await issue()]
    expect(await kind.signIn(second)).not.toBeNull()
    expect([await kind.signIn(first), await kind.signIn(await issue())]).toEqual([null, null])
  }
)

it("opens no session with a link of a journey that has ended, also where its page was opened before", async () => {
  const { id } = (await start(service, company.liveKey, startBody("CASH_SALE"))).data
  const mail = { journeyId: id, mailId: MailId.make(randomUUID()), step: "VERIFY_IDENTITY", clock: null } as const
  const token = await service.run(Effect.flatMap(SignInLinks, ({ issue }) => issue({ ...mail, issuedAt: Date.now() })))
  const body = { reason: "The customer changed their mind" }
  expect((await ask(service, company.liveKey, `/api/v1/journeys/${id}/cancel`, { body })).status).toBe(200)
  expect(await customers.signIn(token)).toBeNull()
})
