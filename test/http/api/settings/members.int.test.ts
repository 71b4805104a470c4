import { afterAll, beforeAll, expect, it } from "vitest"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { addMember, addPasskey, openSession } from "../../../support/members.ts"
import { formTokenOf } from "../../../../src/actors/kernel/secrets.ts"
import { startService, type Service } from "../../../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ BASE_URL: "http://journeys.example" })
})
afterAll(() => service.stop())

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer's data
  readonly data: any
  readonly code: string | undefined
  readonly message: string | undefined
}

/** Somebody who is signed in, and asks about the company as a page's script does. */
const signedIn = async (companyId: string, memberId: string) => {
  const secret = await openSession(service, memberId)
  return async (path: string, method = "GET", body?: unknown): Promise<Answer> => {
    const response = await fetch(`${service.baseUrl}/settings/v1/companies/${companyId}${path}`, {
      method,
      headers: {
        cookie: `journeys-console=${secret}`,
        origin: service.baseUrl,
        "x-form-token": formTokenOf(secret),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const { data, errors } = (await response.json()) as {
      readonly data: unknown
      readonly errors: ReadonlyArray<{ readonly code: string; readonly message: string }> | null
    }
    return { status: response.status, data, code: errors?.[0]?.code, message: errors?.[0]?.message }
  }
}

const people = async () => {
  const { id } = await makeCompany(service)
  const ownerId = await addMember(service, id, { email: "ann@harbour.example", role: "OWNER" })
  const teamId = await addMember(service, id, { email: "ben@harbour.example", role: "TEAM" })
  return { id, ownerId, teamId, owner: await signedIn(id, ownerId), team: await signedIn(id, teamId) }
}

const conflict = (message: string) => ({ status: 409, code: "CONFLICT", message })

it("invites a member, who is listed as not seen yet, and mails whoever was invited", async () => {
  const { id, owner, ownerId } = await people()
  const email = "Cleo@harbour.example"
  const invited = await owner("/members", "POST", { email, role: "TEAM" })
  expect(invited).toMatchObject({ status: 201, data: { email, role: "TEAM", seenAt: null, passkeys: 0 } })
  const { data } = await owner("/members")
  expect(data.content).toContainEqual(invited.data)
  const mails = await service.query("select facts from mails where company_id = $1 and kind = 'INVITATION'", [id])
  expect(mails).toEqual([{ facts: { memberId: invited.data.id, by: `member:${ownerId}` } }])
})

it("invites nobody twice who has signed in, whatever the case of the address", async () => {
  const { owner, teamId } = await people()
  await service.query("update members set seen_at = now() where id = $1", [teamId])
  expect(await owner("/members", "POST", { email: "BEN@harbour.example", role: "OWNER" })).toMatchObject(
    conflict("Somebody with this address is a member already: they ask for a link of their own where people sign in")
  )
})

it("invites somebody who has never signed in again, once an hour, in the role that they have", async () => {
  const { id, owner } = await people()
  const email = "dan@harbour.example"
  const first = await owner("/members", "POST", { email, role: "TEAM" })
  const early = "Somebody with this address was invited less than an hour ago: the invitation can be mailed again later"
  expect(await owner("/members", "POST", { email, role: "OWNER" })).toMatchObject(conflict(early))
  await service.query("update members set invited_at = invited_at - interval '61 minutes' where id = $1", [
    first.data.id
  ])
  const both = await Promise.all(
    [1, 2].map(() => owner("/members", "POST", { email: email.toUpperCase(), role: "OWNER" }))
  )
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]))
  const again = both.find(({ status }) => status === 201)!
  expect(again.data).toMatchObject({ id: first.data.id, email, role: "TEAM", seenAt: null })
  const mails = await service.query(
    "select from mails where company_id = $1 and kind = 'INVITATION' and facts ->> 'memberId' = $2",
    [id, first.data.id]
  )
  expect(mails).toHaveLength(2)
  const lines = (await owner("/audit")).data.content.filter(
    (line: { readonly action: string; readonly details: { readonly memberId?: string } }) =>
      line.action === "member.invited" && line.details.memberId === first.data.id
  )
  expect(lines.map(({ details }: { readonly details: object }) => details)).toMatchObject([
    { again: true },
    { role: "TEAM" }
  ])
})

it("keeps the last owner, and lets nobody change or remove themselves", async () => {
  const { id, owner, ownerId } = await people()
  expect(await owner(`/members/${ownerId}`, "DELETE")).toMatchObject(
    conflict("You cannot remove yourself: ask another owner to do it")
  )
  expect(await owner(`/members/${ownerId}`, "PATCH", { role: "TEAM" })).toMatchObject(
    conflict("You cannot change your own role: ask another owner to do it")
  )
  const [administrator] = (await owner("/members")).data.content
  expect((await owner(`/members/${administrator.id}`, "DELETE")).status).toBe(200)
  const last = await askSettings(service, `/companies/${id}/members/${ownerId}`, { method: "DELETE" })
  expect(last.errors).toMatchObject([
    { code: "CONFLICT", message: "A company needs an owner: make somebody else an owner first" }
  ])
})

it("ends what a removed member may do, and whose role has changed, on the next request", async () => {
  const { owner, team, teamId } = await people()
  expect((await team("/members", "POST", { email: "x@harbour.example", role: "TEAM" })).code).toBe("ROLE_NOT_PERMITTED")
  await owner(`/members/${teamId}`, "PATCH", { role: "OWNER" })
  expect((await team("/members", "POST", { email: "x@harbour.example", role: "TEAM" })).status).toBe(201)
  expect((await team("")).status).toBe(200)
  await owner(`/members/${teamId}`, "DELETE")
  expect((await team("")).status).toBe(401)
})

it("writes every change into the audit log with the member, whom the list names while they are one", async () => {
  const { id, owner, ownerId, teamId } = await people()
  await owner(`/members/${teamId}`, "DELETE")
  const lines = async () => (await askSettings(service, `/companies/${id}/audit`)).data.content
  const removal = { action: "member.removed", actor: `member:${ownerId}`, details: { memberId: teamId, role: "TEAM" } }
  expect((await lines())[0]).toMatchObject({ ...removal, actorName: "ann@harbour.example" })
  await askSettings(service, `/companies/${id}/members/${ownerId}`, { method: "DELETE" })
  const after = await lines()
  expect(after[0]).toMatchObject({ action: "member.removed", actor: "operator", actorName: "operator" })
  expect(after[1]).toMatchObject({ ...removal, actorName: "a former member" })
  expect(JSON.stringify(after)).not.toContain("@")
})

it("writes nothing into the audit log when a choice about mail changes nothing", async () => {
  const { owner, team, teamId } = await people()
  const choice = (notices: boolean) => team(`/members/${teamId}/notices`, "PUT", { notices })
  expect(await choice(false)).toMatchObject({ status: 200, data: { notices: false } })
  expect(await choice(false)).toMatchObject({ status: 200, data: { notices: false } })
  const { data } = await owner("/audit?action=member.notices_changed")
  expect(data.content).toHaveLength(1)
})

it("adds a passkey for nobody but the member who asks", async () => {
  const { owner, ownerId, team, teamId } = await people()
  for (const answer of [
    await owner(`/members/${teamId}/passkeys/options`, "POST"),
    await team(`/members/${ownerId}/passkeys/options`, "POST")
  ]) {
    expect(answer).toMatchObject({ status: 403, code: "ROLE_NOT_PERMITTED" })
  }
})

it("shows the team their own sessions, an owner everybody's, and ends them for good", async () => {
  const { owner, ownerId, team, teamId } = await people()
  const seen = async (who: typeof owner) =>
    (await who("/sessions")).data.content.map(({ memberId }: { readonly memberId: string }) => memberId)
  expect(await seen(team)).toEqual([teamId])
  expect((await seen(owner)).toSorted()).toEqual([ownerId, teamId].toSorted())
  const all = (await owner("/sessions")).data.content
  const sessionOf = (memberId: string) => all.find((one: { memberId: string }) => one.memberId === memberId).id
  expect((await team(`/sessions/${sessionOf(ownerId)}`, "DELETE")).code).toBe("NOT_FOUND")
  expect((await owner(`/sessions/${sessionOf(teamId)}`, "DELETE")).data.memberId).toBe(teamId)
  expect((await team("")).status).toBe(401)
  expect((await owner(`/sessions/${sessionOf(teamId)}`, "DELETE")).code).toBe("NOT_FOUND")
})

it("ends all other sessions of whoever asks, and an owner all of somebody's", async () => {
  const { owner, ownerId, team, teamId } = await people()
  const [stolen, lost] = [await openSession(service, teamId), await openSession(service, teamId)]
  expect((await team(`/members/${ownerId}/sessions`, "DELETE")).code).toBe("ROLE_NOT_PERMITTED")
  const ended = (await team(`/members/${teamId}/sessions`, "DELETE")).data
  expect(ended.map((one: { readonly memberId: string }) => one.memberId)).toEqual([teamId, teamId])
  const isOpen = async (secret: string) =>
    (
      await fetch(`${service.baseUrl}/console/team`, {
        headers: { cookie: `journeys-console=${secret}` },
        redirect: "manual"
      })
    ).status === 200
  expect([await isOpen(stolen), await isOpen(lost), (await team("/sessions")).status]).toEqual([false, false, 200])
  expect((await team(`/members/${teamId}/sessions`, "DELETE")).data).toEqual([])
  expect((await owner(`/members/${teamId}/sessions`, "DELETE")).data).toHaveLength(1)
  expect((await team("/sessions")).status).toBe(401)
  expect((await owner("/sessions")).data.content).toHaveLength(1)
})

it("lets an owner remove a lost passkey, and the team only their own", async () => {
  const { owner, ownerId, team, teamId } = await people()
  const [own, other] = [await addPasskey(service, teamId), await addPasskey(service, ownerId)]
  expect((await team(`/members/${ownerId}/passkeys`)).code).toBe("ROLE_NOT_PERMITTED")
  expect((await team(`/members/${ownerId}/passkeys/${other}`, "DELETE")).code).toBe("ROLE_NOT_PERMITTED")
  expect((await team(`/members/${teamId}/passkeys`)).data).toMatchObject([{ id: own, name: "Telephone" }])
  expect((await owner(`/members/${teamId}/passkeys/${own}`, "DELETE")).data.id).toBe(own)
  expect((await owner(`/members/${teamId}/passkeys/${own}`, "DELETE")).code).toBe("NOT_FOUND")
})

it("knows nothing of another company's members, sessions and passkeys", async () => {
  const [harbour, bay] = [await people(), await people()]
  const sessions = (await bay.owner("/sessions")).data.content
  const passkey = await addPasskey(service, bay.teamId)
  for (const [path, method] of [
    [`/members/${bay.teamId}`, "DELETE"],
    [`/sessions/${sessions[0].id}`, "DELETE"],
    [`/members/${bay.teamId}/sessions`, "DELETE"],
    [`/members/${bay.teamId}/passkeys`, "GET"],
    [`/members/${bay.teamId}/passkeys/${passkey}`, "DELETE"]
  ] as const) {
    expect((await harbour.owner(path, method)).code).toBe("NOT_FOUND")
  }
})
