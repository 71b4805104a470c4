/**
 * Rights that somebody had before stay gone in a restored backup: those of an owner who became less, and of providers that a company
 * left. The database that knows of the change keeps what was set after it, although it is told the same lines.
 */
import { expect, it } from "vitest"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { addMember } from "../../support/members.ts"
import type { Service } from "../../support/service.ts"
import { restoredAfter } from "./restoredGround.ts"

const auditOf = async (service: Service) =>
  (
    await service.query<{ action: string }>(
      "select action from audit where actor = 'journal of erasures' order by action"
    )
  ).map(({ action }) => action)

const roles = async (service: Service, companyId: string): Promise<Readonly<Record<string, string>>> => {
  const { content } = (await askSettings(service, `/companies/${companyId}/members`)).data
  return Object.fromEntries(
    content.map(({ email, role }: { readonly email: string; readonly role: string }) => [email.split("@")[0], role])
  )
}

it("an owner who became less is no owner in a restored backup, and one who became an owner again stays one in the database that knows it", async () => {
  const { backup, changed, done, journal, made } = await restoredAfter(
    async (service) => {
      const { id } = await makeCompany(service)
      const member = (name: string) => addMember(service, id, { email: `${name}@harbour.example`, role: "OWNER" })
      const [zoe, ben] = [await member("zoe"), await member("ben")]
      await member("ann")
      return { id, zoe, ben }
    },
    async (service, { ben, id, zoe }) => {
      const becomes = async (member: string, role: string) =>
        expect(
          (await askSettings(service, `/companies/${id}/members/${member}`, { method: "PATCH", body: { role } })).status
        ).toBe(200)
      await becomes(zoe, "TEAM")
      await becomes(ben, "TEAM")
      await becomes(ben, "OWNER")
    }
  )
  const live = await changed()
  expect(await roles(live, made.id)).toMatchObject({ ann: "OWNER", ben: "OWNER", zoe: "TEAM" })
  expect(await auditOf(live)).toEqual([])
  await live.stop()

  for (const start of ["the first", "another"]) {
    const service = await backup()
    // Whoever was an owner again after it is not told from who was not: the owners who are left say so anew.
    expect(await roles(service, made.id), start).toMatchObject({ ann: "OWNER", ben: "TEAM", zoe: "TEAM" })
    expect(await auditOf(service), start).toEqual(["member.changed", "member.changed"])
    await service.stop()
  }
  expect(journal.map(({ what }) => what)).toEqual(["OWNER", "OWNER"])
  expect(JSON.stringify(journal)).not.toContain("@")
  await done()
})

const set = async (service: Service, companyId: string, body: unknown) =>
  expect((await askSettings(service, `/companies/${companyId}`, { method: "PATCH", body })).status).toBe(200)

const providers = async (service: Service, companyId: string) => {
  const { financePanel, identityProvider } = (await askSettings(service, `/companies/${companyId}`)).data
  return { financePanel, identityProvider }
}

it("providers that a company changed or left, and their secrets, do not come back with a restored backup; what is set anew stays", async () => {
  const panel = { name: "PanelOne", url: "https://panel.example/applications", secret: "the-secret-of-before-1" }
  const identity = { kind: "HTTP", url: "https://identity.example/checks", secret: "the-secret-of-before-2" }
  const both = { financePanel: panel, identityProvider: identity }
  const { backup, changed, done, journal, made } = await restoredAfter(
    async (service) => ({
      left: (await makeCompany(service, { settings: both })).id,
      changed: (await makeCompany(service, { settings: both })).id,
      untouched: (await makeCompany(service, { settings: both })).id
    }),
    async (service, companies) => {
      await set(service, companies.left, { financePanel: null, identityProvider: { kind: "BUILT_IN" } })
      await set(service, companies.changed, { financePanel: { ...panel, secret: "the-secret-of-after-1" } })
      await set(service, companies.changed, { identityProvider: null })
      await set(service, companies.changed, { identityProvider: identity })
      await set(service, companies.untouched, { name: "Another name" })
    }
  )
  const shown = {
    financePanel: { name: panel.name, url: panel.url },
    identityProvider: { kind: "HTTP", url: identity.url }
  }
  const live = await changed()
  expect(await providers(live, made.changed)).toEqual(shown)
  expect(await providers(live, made.left)).toEqual({ financePanel: null, identityProvider: { kind: "BUILT_IN" } })
  expect(await auditOf(live)).toEqual([])
  await live.stop()

  const service = await backup()
  for (const id of [made.left, made.changed]) {
    expect(await providers(service, id)).toEqual({ financePanel: null, identityProvider: null })
  }
  expect(await providers(service, made.untouched)).toEqual(shown)
  expect(await auditOf(service)).toEqual(Array.from({ length: 4 }, () => "company.changed"))
  await set(service, made.changed, both)
  await service.stop()
  const again = await backup()
  expect(await providers(again, made.changed)).toEqual(shown)
  expect(await auditOf(again)).toHaveLength(4)
  await again.stop()
  expect(journal.map(({ what }) => what)).toEqual(Array.from({ length: 5 }, () => "PROVIDER"))
  expect(JSON.stringify(journal)).not.toMatch(/secret|example/)
  await done()
})
