/**
 * What a company and its keys lost stays lost in a restored backup: the address of an administrator that was changed, a company that was
 * turned off, a key that may do less. The database that knows of the change is told the same lines and keeps what it has.
 */
import { expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import type { Service } from "../../support/service.ts"
import { restoredAfter } from "./restoredGround.ts"

const left = "left@harbour.example"
const right = "right@harbour.example"

const set = async (service: Service, path: string, body: unknown) =>
  expect((await askSettings(service, `/companies/${path}`, { method: "PATCH", body })).status).toBe(200)

const statusOf = async (service: Service, key: string) => (await ask(service, key, "/api/v1/journeys?size=1")).status

const endedIn = async (service: Service) =>
  (
    await service.query<{ action: string }>(
      "select action from audit where actor = 'journal of erasures' order by action"
    )
  ).map(({ action }) => action)

/** Ways in which a key may do less, each of a company of its own. */
const narrowings: ReadonlyArray<unknown> = [
  { scopes: ["journeys:read"] },
  { addresses: ["203.0.113.7"] },
  { expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  { developer: false }
]

it("an API key that may do less reaches nothing in a restored backup until its company says anew what it may; one that was narrowed before it goes on", async () => {
  const { backup, changed, done, journal, made } = await restoredAfter(
    async (service) => {
      const narrowed = await Promise.all(narrowings.map(() => makeCompany(service)))
      const widened = await makeCompany(service)
      await set(service, `${widened.id}/api-keys/${widened.testKeyId}`, { scopes: ["journeys:read"] })
      return { narrowed, widened }
    },
    async (service, { narrowed, widened }) => {
      for (const [at, { id, testKeyId }] of narrowed.entries()) {
        await set(service, `${id}/api-keys/${testKeyId}`, narrowings[at])
      }
      await set(service, `${widened.id}/api-keys/${widened.testKeyId}`, { name: "Another name" })
    }
  )
  const live = await changed()
  expect(await Promise.all(made.narrowed.map(({ testKey }) => statusOf(live, testKey)))).toEqual([200, 403, 200, 401])
  expect(await endedIn(live)).toEqual([])
  await live.stop()

  const service = await backup()
  expect(await Promise.all(made.narrowed.map(({ testKey }) => statusOf(service, testKey)))).toEqual([
    401, 401, 401, 401
  ])
  expect(await statusOf(service, made.widened.testKey)).toBe(200)
  expect(await endedIn(service)).toEqual(narrowings.map(() => "api_key.changed"))
  const [one] = made.narrowed as [TestCompany, ...Array<TestCompany>]
  await set(service, `${one.id}/api-keys/${one.testKeyId}`, { developer: true, scopes: ["journeys:read"] })
  await service.stop()
  const again = await backup()
  expect(await statusOf(again, one.testKey)).toBe(200)
  await again.stop()
  // One more from before the backup, which knows it.
  expect(journal.map(({ what }) => what)).toEqual(["KEY_RIGHTS", ...narrowings.map(() => "KEY_RIGHTS")])
  expect(JSON.stringify(journal)).not.toMatch(/203\.0|journeys:/)
  await done()
})

it("a company that was turned off is off in a restored backup, and nothing is mailed to an administrator's address that was changed", async () => {
  const { backup, changed, done, journal, made } = await restoredAfter(
    async (service) => ({
      off: await makeCompany(service),
      on: await makeCompany(service),
      moved: await makeCompany(service, { adminEmail: left })
    }),
    async (service, { moved, off, on }) => {
      await set(service, off.id, { active: false })
      await set(service, on.id, { active: true })
      await set(service, moved.id, { adminEmail: right })
    }
  )
  const administrator = async (service: Service) =>
    (await askSettings(service, `/companies/${made.moved.id}`)).data.adminEmail as string
  const live = await changed()
  expect([await statusOf(live, made.off.testKey), await statusOf(live, made.on.testKey)]).toEqual([401, 200])
  expect(await administrator(live)).toBe(right)
  expect(await endedIn(live)).toEqual([])
  await live.stop()

  const service = await backup()
  expect([await statusOf(service, made.off.testKey), await statusOf(service, made.on.testKey)]).toEqual([401, 200])
  expect(await administrator(service)).toBe("address-ended@journeys.invalid")
  const mailsOf = async (journeyId: string) =>
    service.query<{ sent: boolean; due: boolean }>(
      "select sent_at is not null as sent, due_at is not null as due from mails where journey_id = $1",
      [journeyId]
    )
  // Mail of the sandbox goes to the administrator: nobody has it.
  const { data } = await start(service, made.moved.testKey, startBody("CASH_SALE"))
  await eventually(
    () => mailsOf(data.id),
    (mails) => mails.some(({ due }) => !due)
  )
  const { content } = (await askSettings(service, `/mail?journeyId=${data.id}`)).data
  expect(content).toEqual([])
  await set(service, made.moved.id, { adminEmail: right })
  await service.stop()
  const again = await backup()
  expect(await administrator(again)).toBe(right)
  expect(await endedIn(again)).toEqual(["company.changed", "company.changed"])
  await again.stop()
  expect(journal.map(({ what }) => what)).toEqual(["COMPANY", "ADMINISTRATOR"])
  expect(JSON.stringify(journal)).not.toContain("@")
  await done()
})

it("a company that was turned off and on again stays on in the database that knows it, and is off in a backup from before", async () => {
  const { backup, changed, done, journal, made } = await restoredAfter(makeCompany, async (service, { id }) => {
    await set(service, id, { active: false })
    await set(service, id, { active: true })
  })
  const live = await changed()
  expect([await statusOf(live, made.testKey), await endedIn(live)]).toEqual([200, []])
  await live.stop()
  const service = await backup()
  expect([await statusOf(service, made.testKey), await endedIn(service)]).toEqual([401, ["company.changed"]])
  await service.stop()
  expect(journal.map(({ what }) => what)).toEqual(["COMPANY"])
  await done()
})
