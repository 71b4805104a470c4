/** The page about the people of a company: what it shows to whom, its forms, and what they refuse. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeCompany } from "../../support/companies.ts"
import { addMember, addPasskey, openSession } from "../../support/members.ts"
import { startService } from "../../support/service.ts"
import { tokenIn, wordsOf } from "../app/CustomerBrowser.ts"
import { ConsoleBrowser, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole()
})
afterAll(() => ground.service.stop())

const path = "/console/team"
const words = async (browser: ConsoleBrowser) => wordsOf(await browser.ask(path))

it("shows everybody the members with their roles, and only an owner the ways to change them", async () => {
  for (const browser of [ground.owner, ground.operator, ground.team]) {
    expect(await words(browser)).toMatch(/owner@people\.example.*Owner.*team@people\.example.*Team/s)
  }
  expect(await words(ground.owner)).toContain("Send the invitation")
  expect(await words(ground.operator)).toContain("Make owner")
  expect(await words(ground.team)).not.toMatch(/Send the invitation|Make owner|Remove/)
})

it("invites somebody, shows them as never seen, and says what is wrong beside the field", async () => {
  const invited = await ground.owner.submitAndFollow(path, { email: "new@people.example", role: "TEAM" })
  expect(wordsOf(invited)).toMatch(/The invitation is being mailed.*new@people\.example.*never/s)
  const again = await ground.owner.submit(path, { email: "NEW@people.example", role: "OWNER" })
  expect([again.status, wordsOf(again)]).toEqual([
    422,
    expect.stringContaining("Somebody with this address was invited less than an hour ago")
  ])
  await ground.service.query("update members set invited_at = invited_at - interval '2 hours' where seen_at is null")
  const [, token = ""] = /name="token" value="([^"]+)"/.exec(invited.text) ?? []
  const once = await ground.owner.send(path, { token, email: "new@people.example", role: "TEAM" })
  expect(once.status).toBe(303)
  expect(await words(ground.owner)).toContain("Invite again : new@people.example")
  const hasEnded = "never (the link of the invitation has ended)"
  expect(await words(ground.owner)).not.toContain(hasEnded)
  const invitedBefore = (span: string) =>
    ground.service.query("update members set invited_at = invited_at - $1::interval where seen_at is null", [span])
  await invitedBefore("72 hours")
  expect(await words(ground.owner)).toContain(hasEnded)
  await invitedBefore("-72 hours")
  const malformed = await ground.owner.submit(path, { email: "<b>", role: "TEAM" })
  expect(malformed.status).toBe(422)
  expect(malformed.text).toContain('aria-invalid="true"')
  expect(malformed.text).not.toContain("<b>")
})

it("changes a role, removes a member and lost passkeys, and says why the last owner stays", async () => {
  const { company, owner, service } = ground
  const memberId = await addMember(service, company.id, { email: "zoe@people.example", role: "TEAM" })
  await addPasskey(service, memberId)
  const act = (to: string, fields: object = {}) => owner.submitAndFollow(path, { memberId, ...fields }, `${path}/${to}`)
  expect(wordsOf(await act("role", { role: "OWNER" }))).toContain("role is owner now")
  expect(wordsOf(await act("remove-passkeys"))).toContain("The passkeys were removed")
  expect(wordsOf(await act("remove"))).toContain("The member was removed")
  expect(await words(owner)).not.toContain("zoe@people.example")
  const [self] = await service.query<{ id: string }>(
    "select member_id as id from console_sessions s join members m on m.id = s.member_id where m.role = 'OWNER' limit 1"
  )
  const refused = await owner.submit(path, { memberId: self!.id }, `${path}/remove`)
  expect(wordsOf(refused)).toContain("You cannot remove yourself: ask another owner to do it")
})

it("lets each choose for themselves whether mail to the team comes, and an owner for everybody", async () => {
  const { company, owner, service, team } = ground
  const members = async () =>
    service.query<{ readonly id: string; readonly role: string; readonly notices: boolean }>(
      "select id, role, notices from members where company_id = $1 order by invited_at",
      [company.id]
    )
  const idOf = async (role: string) => (await members()).find((member) => member.role === role)?.id ?? ""
  const wants = async (id: string) => (await members()).find((member) => member.id === id)?.notices
  const [clerk, boss] = [await idOf("TEAM"), await idOf("OWNER")]
  expect(wordsOf(await team.ask(path)).match(/Stop mail to the team/g)).toHaveLength(1)
  const stopped = await team.submitAndFollow(path, { memberId: clerk, notices: "no" }, `${path}/notices`)
  expect([wordsOf(stopped).includes("No more mail to the team"), await wants(clerk)]).toEqual([true, false])
  expect((await team.submit(path, { memberId: boss, notices: "no" }, `${path}/notices`)).status).toBe(403)
  expect(await wants(boss)).toBe(true)
  await owner.submitAndFollow(path, { memberId: clerk, notices: "yes" }, `${path}/notices`)
  expect(await wants(clerk)).toBe(true)
})

it("refuses the team what only an owner may do, also when the form is sent by hand", async () => {
  const token = tokenIn(await ground.team.ask(path))
  for (const [to, fields] of [
    ["", { email: "x@people.example", role: "OWNER" }],
    ["/role", { memberId: ground.company.id, role: "OWNER" }],
    ["/remove", { memberId: ground.company.id }]
  ] as const) {
    expect((await ground.team.send(`${path}${to}`, { token, ...fields })).status).toBe(403)
  }
  expect((await ground.owner.send(path, { token, email: "x@people.example", role: "TEAM" })).status).toBe(403)
})

it("lists where people are signed in, and ends a session that is not this browser's", async () => {
  const { company, owner, service } = ground
  const memberId = await addMember(service, company.id, { email: "yan@people.example", role: "TEAM" })
  const away = new ConsoleBrowser(service, await openSession(service, memberId))
  expect((await away.ask(path)).status).toBe(200)
  expect(await words(owner)).toMatch(/this browser.*yan@people\.example|yan@people\.example.*this browser/s)
  const [session] = await service.query<{ id: string }>("select id from console_sessions where member_id = $1", [
    memberId
  ])
  const ended = await owner.submitAndFollow(path, { sessionId: session!.id }, `${path}/sessions/end`)
  expect(wordsOf(ended)).toContain("The session was ended")
  expect((await away.ask(path)).location).toContain("/console/sign-in")
})

it("offers to end all other sessions of one's own, and nobody else's", async () => {
  const { company, owner, service } = ground
  const memberId = await addMember(service, company.id, { email: "zoe@people.example", role: "TEAM" })
  const here = new ConsoleBrowser(service, await openSession(service, memberId))
  expect(await words(here)).not.toContain("End all your other sessions")
  const away = new ConsoleBrowser(service, await openSession(service, memberId))
  expect(await words(here)).toContain("End all your other sessions")
  const ended = await here.submitAndFollow(path, {}, `${path}/sessions/end-others`)
  expect(wordsOf(ended)).toContain("Your other session was ended")
  expect((await away.ask(path)).location).toContain("/console/sign-in")
  expect([(await here.ask(path)).status, (await owner.ask(path)).status]).toEqual([200, 200])
})

it("shows the sessions of a whole office, and ends one's own however many were seen later", async () => {
  const { service } = ground
  const { id } = await makeCompany(service)
  const memberId = await addMember(service, id, { email: "first@people.example", role: "OWNER" })
  const here = new ConsoleBrowser(service, await openSession(service, memberId))
  await openSession(service, memberId)
  await service.query("update console_sessions set seen_at = seen_at - interval '30 minutes' where member_id = $1", [
    memberId
  ])
  const office = Array.from({ length: 25 }, (_, at) => `office${at}@people.example`)
  for (const email of office) await openSession(service, await addMember(service, id, { email, role: "TEAM" }))
  const page = await here.ask(path)
  for (const email of [...office, "first@people.example"]) {
    expect(page.text).toContain(`End<span class="unseen">: ${email}, unknown</span>`)
  }
  expect(wordsOf(page)).toContain("End all your other sessions")
})

it("signs a removed member out on every node, on the next request", async () => {
  const { company, owner, service } = ground
  const second = await startService({ DATABASE_URL: service.databaseUrl })
  const memberId = await addMember(service, company.id, { email: "wim@people.example", role: "TEAM" })
  const there = new ConsoleBrowser(second, await openSession(service, memberId))
  expect((await there.ask(path)).status).toBe(200)
  await owner.submit(path, { memberId }, `${path}/remove`)
  expect((await there.ask(path)).location).toContain("/console/sign-in")
  await second.stop()
})

it("shows an address with right-to-left marks and markup as text", async () => {
  const { company, service } = ground
  await addMember(service, company.id, { email: "<img src=x>\u202e@people.example", role: "TEAM" })
  const { text } = await ground.owner.ask(path)
  expect(text).not.toContain("<img src=x>")
  expect(text).toContain('<bdi class="address">&lt;img src=x&gt;\u202e@people.example</bdi>')
})

it("tells an owner where passkeys work when they do not work here", async () => {
  expect(await words(ground.owner)).toContain("Passkeys do not work here")
  expect(await words(ground.operator)).not.toContain("Your passkeys")
})
