/**
 * Mail to the owners of a company about changes of its API keys, members, webhook endpoints and passkeys (decision M10): one for each
 * owner and span of minutes, owed by the statement that makes the change.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Passkeys } from "../../src/actors/members/Passkeys.ts"
import { MailStore } from "../../src/actors/mail/MailStore.ts"
import { AccessChange } from "../../src/schema/company/accessChanges.ts"
import { CompanyId, ConsoleSessionId, PasskeyId } from "../../src/schema/ids.ts"
import { ask, askSettings, makeCompany, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { addMember, addPasskey } from "../support/members.ts"
import { startService, type Service } from "../support/service.ts"
import { MailId } from "../../src/schema/ids.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example", WEBHOOK_ALLOW_INSECURE: "true" })
})
afterAll(() => service.stop())

interface Owed {
  readonly id: string
  readonly facts: { readonly from: string; readonly until: string }
  readonly waits: number
  readonly covers: boolean
}

/** The mails of the company as they were owed. `waits` in seconds from the change on; `covers`: the change is in the span. */
const owedTo = (companyId: string) =>
  service.query<Owed>(
    `select id, facts, extract(epoch from due_at - created_at)::float8 as waits,
       created_at >= (facts ->> 'from')::timestamptz and created_at < (facts ->> 'until')::timestamptz as covers
     from mails where company_id = $1 and kind = 'ACCESS_CHANGED' and member_id is null order by created_at`,
    [companyId]
  )

interface Shown {
  readonly kind: string
  readonly to: string
  readonly companyId: string
  readonly text: string
}

/** Who got which words, once the mails of the company have left. */
const sentTo = async (companyId: string): Promise<ReadonlyMap<string, string>> => {
  await service.query("update mails set due_at = now() where company_id = $1 and due_at is not null", [companyId])
  await eventually(
    () =>
      service.query<{ readonly open: number }>(
        "select count(*)::int as open from mails where company_id = $1 and due_at is not null",
        [companyId]
      ),
    ([row]) => row?.open === 0
  )
  const { content } = (await askSettings(service, "/mail?size=100")).data
  const mails = content.filter((mail: Shown) => mail.companyId === companyId && mail.kind === "ACCESS_CHANGED")
  return new Map(mails.map(({ text, to }: Shown) => [to, text]))
}

const forget = (companyId: string) => service.query("delete from mails where company_id = $1", [companyId])

const quietCompany = async (): Promise<TestCompany> => {
  const company = await makeCompany(service, { adminEmail: "boss@harbour.example" })
  await forget(company.id)
  return company
}

const change = async (path: string, given: { readonly method?: string; readonly body?: unknown }) => {
  const answer = await askSettings(service, path, given)
  expect(answer.success, `${path}: ${answer.message}`).toBe(true)
  return answer.data
}

const panel = { name: "PanelTwo", url: "https://panel.example/steal", secret: "a-secret-of-the-panel" }

/** Each change of the description, made through its operation. */
const changes: Readonly<Record<AccessChange, (company: TestCompany, path: string) => Promise<unknown>>> = {
  "api_key.created": (_, path) => change(`${path}/api-keys`, { body: { mode: "LIVE" } }),
  "api_key.changed": ({ liveKeyId }, path) =>
    change(`${path}/api-keys/${liveKeyId}`, { method: "PATCH", body: { addresses: ["192.0.2.0/24"] } }),
  "api_key.rotated": ({ liveKeyId }, path) => change(`${path}/api-keys/${liveKeyId}/rotate`, { method: "POST" }),
  "api_key.revoked": ({ liveKeyId }, path) => change(`${path}/api-keys/${liveKeyId}`, { method: "DELETE" }),
  "member.invited": (_, path) => change(`${path}/members`, { body: { email: "new@harbour.example", role: "TEAM" } }),
  "member.changed": async ({ id }, path) => {
    const member = await addMember(service, id, { email: "up@harbour.example", role: "TEAM" })
    await change(`${path}/members/${member}`, { method: "PATCH", body: { role: "OWNER" } })
  },
  "member.removed": async ({ id }, path) => {
    const member = await addMember(service, id, { email: "off@harbour.example", role: "OWNER" })
    await change(`${path}/members/${member}`, { method: "DELETE" })
  },
  "webhook_endpoint.saved": (_, path) =>
    change(`${path}/webhook-endpoints/live`, { method: "PUT", body: { url: "https://example.com/hooks" } }),
  "webhook_endpoint.secret_rolled": async (company, path) => {
    await changes["webhook_endpoint.saved"](company, path)
    await forget(company.id)
    await change(`${path}/webhook-endpoints/live/roll-secret`, { body: { overlapHours: 0 } })
  },
  "webhook_endpoint.removed": async (company, path) => {
    await changes["webhook_endpoint.saved"](company, path)
    await forget(company.id)
    await change(`${path}/webhook-endpoints/live`, { method: "DELETE" })
  },
  // Its ceremony needs an authenticator (`passkeys.e2e`): here the store alone is asked.
  "passkey.added": async ({ id: company }) => {
    const memberId = await addMember(service, company, { email: "keyed@harbour.example", role: "TEAM" })
    const [id, credentialId] = [PasskeyId.make(randomUUID()), randomUUID()]
    const key = {
      id,
      memberId,
      credentialId,
      publicKey: new Uint8Array(1),
      signCount: 0,
      transports: [],
      name: "Phone"
    }
    const line = {
      actor: "operator",
      action: "passkey.added",
      details: { memberId, passkeyId: id },
      at: Date.now()
    } as const
    const add = Effect.flatMap(Passkeys, (passkeys) =>
      passkeys.add(CompanyId.make(company), key, ConsoleSessionId.make(randomUUID()), line)
    )
    expect(await service.run(add)).toBe("ADDED")
  },
  "passkey.removed": async ({ id }, path) => {
    const member = await addMember(service, id, { email: "keyed@harbour.example", role: "TEAM" })
    const passkey = await addPasskey(service, member)
    await change(`${path}/members/${member}/passkeys/${passkey}`, { method: "DELETE" })
  },
  "passkeys.required": (_, path) => change(path, { method: "PATCH", body: { passkeysRequired: true } }),
  "passkeys.optional": async ({ id }, path) => {
    await service.query("update companies set passkeys_required = true where id = $1", [id])
    await change(path, { method: "PATCH", body: { passkeysRequired: false } })
  },
  "company.recipients_changed": (_, path) => change(path, { method: "PATCH", body: { financePanel: panel } }),
  "company.protection_lowered": (_, path) => change(path, { method: "PATCH", body: { mediaRetentionDays: 1 } })
}

describe("a change of what gets into a company", () => {
  it.each(AccessChange.literals)(
    "owes the owners one mail, which tells its span of minutes once it is over: %s",
    async (action) => {
      const company = await quietCompany()
      await changes[action](company, `/companies/${company.id}`)
      const [owed, ...others] = await owedTo(company.id)
      expect(others).toEqual([])
      expect(owed).toMatchObject({ waits: 330, covers: true })
      const sent = await sentTo(company.id)
      expect(sent.get("boss@harbour.example")).toContain("the operator of this service")
    }
  )

  it("is told together with the others of the same minutes, to each owner once, and to the members whom it is about", async () => {
    const company = await quietCompany()
    const path = `/companies/${company.id}`
    await addMember(service, company.id, { email: "zoe@harbour.example", role: "OWNER" })
    const member = await addMember(service, company.id, { email: "tom@harbour.example", role: "TEAM" })
    await addMember(service, company.id, { email: "una@harbour.example", role: "TEAM" })
    for (let made = 0; made < 21; made += 1) await change(`${path}/api-keys`, { body: { mode: "TEST" } })
    await change(`${path}/members/${member}/passkeys/${await addPasskey(service, member)}`, { method: "DELETE" })
    // Minutes may have ended in between: the mails are as many as the spans.
    const spans = new Set((await owedTo(company.id)).map(({ facts }) => facts.from))
    expect((await owedTo(company.id)).length).toBe(spans.size)
    expect(spans.size).toBeLessThan(3)
    // All of it belongs to one span from here on, wherever the minutes ended.
    const [first, ...later] = await owedTo(company.id)
    await service.query("delete from mails where id = any($1::uuid[])", [later.map(({ id }) => id)])
    await service.query(
      `update mails set facts = json_build_object('from', now() - interval '1 hour', 'until', now() + interval '1 hour')
       where id = $1`,
      [first?.id]
    )
    const sent = await sentTo(company.id)
    expect([...sent.keys()].toSorted()).toEqual(["boss@harbour.example", "tom@harbour.example", "zoe@harbour.example"])
    const text = sent.get("zoe@harbour.example") ?? ""
    expect(text.match(/made the test API key that ends in/g)).toHaveLength(18)
    // It came last, and the keys do not push it off the list.
    expect(text).toContain("removed a passkey of tom@harbour.example")
    expect(text).toContain("And 4 other changes, which the audit log lists.")
    expect(text).toContain("Open the audit log: https://journeys.example/console/audit\n")
  })

  it("reaches the member whose passkey or role it is, who is nobody's owner", async () => {
    const company = await quietCompany()
    const member = await addMember(service, company.id, { email: "tom@harbour.example", role: "TEAM" })
    await addMember(service, company.id, { email: "una@harbour.example", role: "TEAM" })
    const passkey = await addPasskey(service, member)
    await change(`/companies/${company.id}/members/${member}/passkeys/${passkey}`, { method: "DELETE" })
    const sent = await sentTo(company.id)
    expect([...sent.keys()].toSorted()).toEqual(["boss@harbour.example", "tom@harbour.example"])
    expect(sent.get("tom@harbour.example")).toContain("removed a passkey of tom@harbour.example.")
  })

  it.each([
    ["a panel", { financePanel: panel }, "sent: applications to https://panel.example."],
    [
      "a provider",
      { identityProvider: { kind: "HTTP", url: "https://check.example/x", secret: "a-secret-of-the-provider" } },
      "sent: customers to be checked to https://check.example."
    ],
    ["another address", { adminEmail: "else@harbour.example" }, "mail of test journeys to another address."],
    [
      "a panel beside a demand for passkeys",
      { financePanel: panel, passkeysRequired: true },
      "of every member, and sent applications to https://panel.example."
    ]
  ])("says to whom what customers give goes from now on: %s", async (_, body, words) => {
    const company = await quietCompany()
    await change(`/companies/${company.id}`, { method: "PATCH", body })
    expect((await sentTo(company.id)).get("boss@harbour.example")).toContain(words)
  })

  it("that did not happen owes nothing, and neither does another setting", async () => {
    const company = await quietCompany()
    const path = `/companies/${company.id}`
    expect((await askSettings(service, `${path}/api-keys/${randomUUID()}`, { method: "DELETE" })).status).toBe(404)
    await change(path, { method: "PATCH", body: { mediaRetentionDays: 40, adminEmail: "boss@harbour.example" } })
    const [member] = (await askSettings(service, `${path}/members`)).data.content
    await change(`${path}/members/${member.id}/notices`, { method: "PUT", body: { notices: false } })
    expect(await owedTo(company.id)).toEqual([])
    await ask(service, company.testKey, "/api/v1/journeys?size=1")
    expect(await owedTo(company.id)).toEqual([])
  })

  it("is told once, whoever shares the mail out and however often", async () => {
    const company = await quietCompany()
    await addMember(service, company.id, { email: "zoe@harbour.example", role: "OWNER" })
    await change(`/companies/${company.id}/api-keys`, { body: { mode: "TEST" } })
    const [owed] = await owedTo(company.id)
    const share = Effect.flatMap(MailStore, (store) => store.share(MailId.make(owed?.id ?? ""), { ownersAnd: [] }))
    await Promise.all([service.run(share), service.run(share)])
    expect([...(await sentTo(company.id)).keys()]).toHaveLength(2)
    const rows = await service.query("select id from mails where company_id = $1", [company.id])
    expect(rows).toHaveLength(2)
  })
})
