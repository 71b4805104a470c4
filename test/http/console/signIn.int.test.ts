/** How members sign in to the console: the page that asks for a link, the link itself, and the choice of a company. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { addMember, addPasskey, openSession } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { tokenIn, wordsOf } from "../app/CustomerBrowser.ts"
import { ConsoleBrowser } from "./consoleGround.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ BASE_URL: "http://localhost" })
})
afterAll(() => service.stop())

const signInPath = "/console/sign-in"
const browser = () => new ConsoleBrowser(service, null)

let count = 0
const newAddress = () => `person${(count += 1)}@harbour.example`

/** A company with a member of a new address. */
const newMember = async (email = newAddress(), name = "Harbour Cars") => {
  const { id } = await makeCompany(service, { name })
  return { email, companyId: id, memberId: await addMember(service, id, { email, role: "TEAM" }) }
}

const mailsTo = async (email: string): Promise<ReadonlyArray<{ readonly text: string; readonly kind: string }>> =>
  (await askSettings(service, `/mail?to=${email}`)).data.content

const linksIn = (mails: ReadonlyArray<{ readonly text: string }>) =>
  mails.map(({ text }) => /http:\/\/localhost(\/console\/sign-in\/\S+)/.exec(text)?.[1] ?? "")

/** Asks for a link, and gives the path of the newest once there are so many. */
const mailedLink = async (email: string, from = browser(), many = 1): Promise<string> => {
  await from.submit(signInPath, { email })
  const mails = await eventually(
    () => mailsTo(email),
    (found) => found.length === many
  )
  return linksIn(mails)[0]!
}

const pressed = (at: ConsoleBrowser, link: string) => at.submit(link, {})

describe("a member", () => {
  it("asks for a link, presses its button, and is signed in", async () => {
    const { email } = await newMember()
    const member = browser()
    const link = await mailedLink(email, member)
    const answer = await pressed(member, link)
    expect([answer.status, answer.location]).toEqual([303, "/console"])
    const page = await member.ask("/console/team")
    expect([page.status, page.text.includes(email)]).toEqual([200, true])
  })

  it("is led to the page that they wanted to open, with the filters that it had", async () => {
    const list = "/console/journeys?status=ACTIVE&waitingOn=SERVICE"
    for (const page of ["/console/vehicles", list]) {
      const { email } = await newMember()
      const member = browser()
      await member.ask((await member.ask(page)).location!)
      expect((await pressed(member, await mailedLink(email, member))).location).toBe(page)
    }
  })

  it("is led nowhere else, whatever the address of the sign-in says", async () => {
    for (const to of ["https://evil.example", "//evil.example", "/console/../app", "/console?x=//evil.example"]) {
      const { email } = await newMember()
      const member = browser()
      await member.ask(`${signInPath}?to=${encodeURIComponent(to)}`)
      expect((await pressed(member, await mailedLink(email, member))).location).toBe("/console")
    }
  })

  it("chooses the company after signing in to several, and only one of their own", async () => {
    const email = newAddress()
    const [harbour, bay, other] = [await newMember(email), await newMember(email, "Bay Motors"), await newMember()]
    const member = browser()
    expect((await pressed(member, await mailedLink(email, member))).location).toBe("/console/companies")
    const page = await member.ask("/console/companies")
    expect(page.text).toMatch(/Bay Motors.*Harbour Cars/s)
    const token = tokenIn(page)
    for (const { companyId } of [bay, harbour]) {
      await member.send("/console/companies", { token, company: companyId })
      const team = await member.ask(`/settings/v1/companies/${companyId}/members`)
      expect(team.status).toBe(200)
    }
    const refused = await member.send("/console/companies", { token, company: other.companyId })
    expect(refused.status).toBe(404)
    expect((await member.ask(`/settings/v1/companies/${harbour.companyId}/members`)).status).toBe(200)
  })
})

describe("the link", () => {
  it("is not spent by whoever only looks at it, with GET or HEAD, however often", async () => {
    const { email } = await newMember()
    const link = await mailedLink(email)
    for (const method of ["GET", "HEAD", "GET"]) expect((await browser().ask(link, { method })).status).toBe(200)
    expect((await pressed(browser(), link)).location).toBe("/console")
  })

  it("signs in once, and looks afterwards like one that never was", async () => {
    const { email } = await newMember()
    const link = await mailedLink(email)
    const [first, second] = [browser(), browser()]
    await second.ask(link)
    await pressed(first, link)
    const replayed = await second.send(link, { token: tokenIn(await second.ask(signInPath)) })
    const unknown = await second.ask(`${signInPath}/${"A".repeat(43)}`)
    expect([replayed.status, second.cookies.has("journeys-console")]).toEqual([404, false])
    expect(replayed.text).toBe(unknown.text)
  })

  it("needs the nonce of the browser that opened it, its token and our own origin", async () => {
    const { email } = await newMember()
    const link = await mailedLink(email)
    const opened = browser()
    const token = tokenIn(await opened.ask(link))
    expect((await browser().send(link, { token })).status).toBe(403)
    expect((await opened.send(link, { token: "x" })).status).toBe(403)
    expect((await opened.send(link, { token }, { origin: "https://evil.example" })).status).toBe(403)
    expect((await opened.send(link, { token })).status).toBe(303)
  })

  it("ends after ten minutes, and when a newer one is mailed", async () => {
    const { email } = await newMember()
    const member = browser()
    const old = await mailedLink(email, member)
    const newer = await mailedLink(email, member, 2)
    expect((await member.ask(old)).status).toBe(404)
    expect((await member.ask(newer)).status).toBe(200)
    await service.query("update console_links set expires_at = expires_at - interval '10 minutes'")
    expect((await member.ask(newer)).status).toBe(404)
  })

  it("makes a new session, and ends the one that the browser had", async () => {
    const { email } = await newMember()
    const member = browser()
    await pressed(member, await mailedLink(email, member))
    const planted = member.cookies.get("journeys-console")!
    await pressed(member, await mailedLink(email, member, 2))
    expect(member.cookies.get("journeys-console")).not.toBe(planted)
    const attacker = new ConsoleBrowser(service, planted)
    expect((await attacker.ask("/console/team")).location).toContain(signInPath)
  })

  it("of an invitation signs in whoever was invited, with the company and the inviter in the mail", async () => {
    const { companyId } = await newMember()
    const email = newAddress()
    await askSettings(service, `/companies/${companyId}/members`, { body: { email, role: "OWNER" } })
    const [mail] = await eventually(
      () => mailsTo(email),
      (found) => found.length === 1
    )
    expect(mail!.text).toMatch(
      /^You are invited to work for Harbour Cars on Journeys, as an owner, by the operator of this service\./
    )
    expect((await pressed(browser(), linksIn([mail!])[0]!)).location).toBe("/console")
  })
})

describe("the page that asks for the address", () => {
  it("answers known and unknown addresses with the same bytes, and mails only the known", async () => {
    const { email } = await newMember()
    const answers = await Promise.all([email, newAddress()].map((one) => browser().submit(signInPath, { email: one })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]!.text).toBe(answers[1]!.text)
    const headers = answers.map((answer) => [...answer.headers.keys()].toSorted())
    expect(headers[0]).toEqual(headers[1])
    await eventually(
      () => mailsTo(email),
      (found) => found.length === 1
    )
    expect(
      await service.query("select count(*)::int as n from mails where kind = 'SIGN_IN' and company_id is null")
    ).toEqual([{ n: 0 }])
  })

  it("finds an address in any case, says when it is none, and keeps what was typed", async () => {
    const { email } = await newMember()
    await mailedLink(email.toUpperCase())
    const refused = await browser().submit(signInPath, { email: '"><b>' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("Enter the email address that you were invited with")
    expect(wordsOf(refused)).toContain("No link was mailed. Please look at the fields that are marked.")
    expect(refused.text).not.toContain('"><b>')
  })

  it("mails one address five links a minute at most, and tells nobody", async () => {
    const { email } = await newMember()
    const asked = []
    for (let time = 0; time < 8; time++) asked.push((await browser().submit(signInPath, { email })).text)
    expect(new Set(asked).size).toBe(1)
    const mails = await eventually(
      () => mailsTo(email),
      (found) => found.length === 5
    )
    expect(mails).toHaveLength(5)
  })

  it("mails one address ten links an hour at most", async () => {
    const { email, memberId } = await newMember()
    await service.query(
      `insert into console_links (token_hash, mail_id, address_index, issued_at, expires_at)
       select sha256(n::text::bytea || $1::text::bytea), gen_random_uuid(), m.address_index, now(), now()
       from generate_series(1, 10) n, members m where m.id = $1::uuid`,
      [memberId]
    )
    await browser().submit(signInPath, { email })
    // The next person's mail comes through the same queue, so the first would have come by now.
    await mailedLink((await newMember()).email)
    expect(await mailsTo(email)).toEqual([])
  })

  it("takes no form from another site", async () => {
    const page = await browser().ask(signInPath)
    const answer = await browser().send(signInPath, { token: tokenIn(page), email: newAddress() })
    expect(answer.status).toBe(403)
  })
})

it("refuses more than sixty asks a minute from one place, whatever the addresses", async () => {
  const own = await startService({ BASE_URL: "http://localhost" })
  const page = new ConsoleBrowser(own, null)
  const statuses = []
  for (let time = 0; time < 61; time++) statuses.push((await page.submit(signInPath, { email: newAddress() })).status)
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429])
  await own.stop()
})

it("keeps no token and no address where they can be read", async () => {
  const { email } = await newMember()
  const link = await mailedLink(email)
  const token = link.split("/").at(-1)!
  for (const table of ["mails", "members", "console_links", "console_sessions", "audit"]) {
    const rows = JSON.stringify(await service.query(`select t::text as row from ${table} t`))
    expect(rows).not.toContain(token)
    expect(rows).not.toContain(email)
  }
})

it("sends no link for which nobody waits any more, and none to somebody who was removed", async () => {
  const { companyId, email, memberId } = await newMember()
  const owed = async (member: string, age: string): Promise<string> => {
    const [mail] = await service.query<{ id: string }>(
      `insert into mails (id, cause, kind, company_id, facts, created_at, due_at)
       select i.id, i.id::text, 'SIGN_IN', $1::uuid, json_build_object('memberId', $2::text, 'askedAt',
         to_char(now() at time zone 'utc' - $3::interval, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), now(), now()
       from (select gen_random_uuid() as id) i returning id`,
      [companyId, member, age]
    )
    return mail!.id
  }
  const ids = [await owed(memberId, "61 minutes"), await owed(companyId, "0 minutes")]
  await eventually(
    () =>
      service.query("select from mails where id = any($1::text::uuid[]) and struck_off_at is not null", [
        `{${ids.join()}}`
      ]),
    (struck) => struck.length === 2
  )
  expect(await mailsTo(email)).toEqual([])
})

describe("signing out", () => {
  it("ends the session and says so, once", async () => {
    const { email } = await newMember()
    const member = browser()
    await pressed(member, await mailedLink(email, member))
    const team = await member.ask("/console/team")
    const answer = await member.send("/console/sign-out", { token: tokenIn(team) })
    expect([answer.status, answer.location]).toEqual([303, signInPath])
    expect((await member.ask(signInPath)).text).toContain("You are signed out.")
    expect((await member.ask(signInPath)).text).not.toContain("You are signed out.")
    expect((await member.ask("/console/team")).location).toContain(signInPath)
  })

  it("is possible before a company is chosen and before the passkey is shown, and needs the token of the page", async () => {
    const { memberId } = await newMember()
    await addPasskey(service, memberId)
    for (const [page, waits] of [
      ["/console/companies", false],
      [`${signInPath}/passkey`, true]
    ] as const) {
      const secret = await openSession(service, memberId)
      await service.query("update console_sessions set is_waiting_for_passkey = $2 where member_id = $1", [
        memberId,
        waits
      ])
      const member = new ConsoleBrowser(service, secret)
      expect((await member.ask(page)).text).toContain("Sign out")
      expect((await member.send("/console/sign-out", { token: "x" })).status).toBe(403)
      expect((await member.submit(page, {}, "/console/sign-out")).location).toBe(signInPath)
      expect((await new ConsoleBrowser(service, secret).ask(page)).location).toBe(signInPath)
    }
  })
})
