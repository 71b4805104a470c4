/** Mail to somebody who was removed from the members of a company: the address goes with the mail, and is kept no longer than that. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { Effect } from "effect"
import { formTokenOf } from "../../src/actors/kernel/secrets.ts"
import { MailStore } from "../../src/actors/mail/MailStore.ts"
import { askSettings, makeCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { addMember, openSession } from "../support/members.ts"
import { startService, type Service } from "../support/service.ts"
import { MailId } from "../../src/schema/ids.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

interface Owed {
  readonly id: string
  readonly facts: unknown
  readonly isOver: boolean
  readonly hasAddress: boolean
}

const owedTo = (companyId: string) =>
  service.query<Owed>(
    `select id, facts, due_at is null as "isOver", sealed_recipient is not null as "hasAddress" from mails
     where company_id = $1 and kind = 'MEMBER_REMOVED' order by created_at`,
    [companyId]
  )

const signedIn = (memberId: string) => service.query("update members set seen_at = now() where id = $1", [memberId])

const remove = (companyId: string, memberId: string) =>
  askSettings(service, `/companies/${companyId}/members/${memberId}`, { method: "DELETE" })

it("an owner whom another owner removes is told, at the address that was theirs, by whom; then the address is gone", async () => {
  const { id } = await makeCompany(service, { adminEmail: "boss@harbour.example" })
  const owner = await addMember(service, id, { email: "ann@harbour.example", role: "OWNER" })
  const removed = await addMember(service, id, { email: "zoe@harbour.example", role: "OWNER" })
  await signedIn(removed)
  const secret = await openSession(service, owner)
  const removal = await fetch(`${service.baseUrl}/settings/v1/companies/${id}/members/${removed}`, {
    method: "DELETE",
    headers: {
      cookie: `journeys-console=${secret}`,
      origin: service.baseUrl,
      "x-form-token": formTokenOf(secret)
    }
  })
  expect(removal.status, await removal.text()).toBe(200)
  const [told] = await eventually(
    () => owedTo(id),
    ([row]) => row?.isOver === true
  )
  expect(told).toMatchObject({ facts: { by: `member:${owner}`, role: "OWNER" }, hasAddress: false })
  const { content } = (await askSettings(service, "/mail?to=zoe@harbour.example")).data
  const mail = content.find(({ kind }: { readonly kind: string }) => kind === "MEMBER_REMOVED")
  expect(mail).toMatchObject({ to: "zoe@harbour.example" })
  expect(mail.text).toContain("have been removed by ann@harbour.example.")
  expect(await owedTo(id)).toHaveLength(1)
})

it("an invitation that nobody took up is taken back in silence, and a removal that is refused tells nobody", async () => {
  const { id } = await makeCompany(service, { adminEmail: "boss@quay.example" })
  const invited = await addMember(service, id, { email: "new@quay.example", isSeen: false, role: "TEAM" })
  expect((await remove(id, invited)).status).toBe(200)
  const [last] = (await askSettings(service, `/companies/${id}/members`)).data.content
  await signedIn(last.id)
  expect((await remove(id, last.id)).status).toBe(409)
  expect(await owedTo(id)).toEqual([])
})

it.each(["givenUp", "struckOff"] as const)("the address is not kept for a mail that was %s", async (outcome) => {
  const { id } = await makeCompany(service, { adminEmail: "boss@pier.example" })
  const removed = await addMember(service, id, { email: "tom@pier.example", role: "TEAM" })
  await signedIn(removed)
  expect((await remove(id, removed)).status).toBe(200)
  const [owed] = await owedTo(id)
  // As if this mail were under way: whether the mailbox had it before does not matter to what is recorded then.
  await service.query(
    "update mails set due_at = now() + interval '1 hour', tries = 9, sealed_recipient = 'x'::bytea where id = $1",
    [owed?.id]
  )
  const taking = { id: MailId.make(owed?.id ?? ""), tries: 9 }
  await service.run(
    Effect.flatMap(MailStore, (store) =>
      outcome === "givenUp"
        ? store.givenUp(taking, Date.now(), { isRefused: false, note: null })
        : store.struckOff(taking, Date.now())
    )
  )
  expect(await owedTo(id)).toMatchObject([{ isOver: true, hasAddress: false }])
})
