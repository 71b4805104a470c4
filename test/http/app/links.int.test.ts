/** One-time links over HTTP (decisions X5 and X6, BAD-P5 to BAD-P11, INV-12). */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { holdRows } from "../../faults/heldRows.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink, telephoneLink, tokenIn, wordsOf, type Seen } from "./CustomerBrowser.ts"

let service: Service
let company: TestCompany

beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, {
    name: "Harbour Cars",
    credits: 100,
    settings: { identityProvider: { kind: "BUILT_IN" } }
  })
})
afterAll(() => service?.stop())

const startLive = async (): Promise<string> => (await start(service, company.liveKey, startBody("CASH_SALE"))).data.id

const sessionsOf = async (journeyId: string): Promise<number> =>
  (await service.query("select from customer_sessions where journey_id = $1", [journeyId])).length

const asFirstVisit = (link: string): Promise<Seen> => new CustomerBrowser(service).ask(link)

/** What does not depend on the token or the nonce. */
const look = ({ status, text }: Seen) => ({
  status,
  text: text.replaceAll(/\/app\/l\/[^/"]*/g, "/app/l/TOKEN").replaceAll(/value="[^"]*"/g, 'value="TOKEN"')
})

describe("a link in a customer's mail", () => {
  it("is looked at by GET and HEAD as often as anyone likes, and signs in once by POST", async () => {
    const journeyId = await startLive()
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    for (const method of ["HEAD", "GET", "GET", "HEAD"]) {
      expect((await new CustomerBrowser(service).ask(link, { method })).status).toBe(200)
    }
    expect(await sessionsOf(journeyId)).toBe(0)
    const customer = new CustomerBrowser(service)
    const page = await customer.ask(link)
    expect(wordsOf(page)).toContain("Harbour Cars")
    expect(await customer.signIn(link)).toMatchObject({ status: 303, location: "/app/journey" })
    expect(wordsOf(await customer.ask("/app/journey"))).toContain("Verify your identity")
    expect(await new CustomerBrowser(service).signIn(link)).toMatchObject({ status: 404 })
    expect(await sessionsOf(journeyId)).toBe(1)
  })

  it("opens one session when it is sent twice at once", async () => {
    const journeyId = await startLive()
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    const answers = await Promise.all(Array.from({ length: 8 }, () => new CustomerBrowser(service).signIn(link)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7)
    expect(await sessionsOf(journeyId)).toBe(1)
  })

  it("looks the same used, expired, voided, altered and made up", async () => {
    const journeyId = await startLive()
    const voided = await newLink(service, journeyId, "VERIFY_IDENTITY")
    const used = await newLink(service, journeyId, "VERIFY_IDENTITY")
    await new CustomerBrowser(service).signIn(used)
    const expired = await newLink(service, await startLive(), "VERIFY_IDENTITY")
    await service.query("update sign_in_links set expires_at = now() where used_at is null and journey_id <> $1", [
      journeyId
    ])
    const unknown = look(await asFirstVisit(`/app/l/${"A".repeat(43)}`))
    expect(unknown.status).toBe(404)
    const swapped = used.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    )
    const others = [
      used,
      voided,
      expired,
      `${used}A`,
      used.slice(0, -1),
      swapped.replace("/APP/L/", "/app/l/"),
      "/app/l/x"
    ]
    for (const link of others) expect(look(await asFirstVisit(link)), link).toEqual(unknown)
  })

  it("is a new one for a mail that is sent again; both open until one is used or their step has a newer mail", async () => {
    const journeyId = await startLive()
    const mailId = crypto.randomUUID()
    const first = await newLink(service, journeyId, "VERIFY_IDENTITY", mailId)
    const again = await newLink(service, journeyId, "VERIFY_IDENTITY", mailId)
    expect(again).not.toBe(first)
    await newLink(service, journeyId, "RECORD_VIDEO")
    for (const link of [first, again]) expect((await asFirstVisit(link)).status).toBe(200)
    await newLink(service, journeyId, "VERIFY_IDENTITY")
    for (const link of [first, again]) expect((await asFirstVisit(link)).status).toBe(404)

    const mail = crypto.randomUUID()
    const links = [await newLink(service, journeyId, "VERIFY_IDENTITY", mail)]
    links.push(await newLink(service, journeyId, "VERIFY_IDENTITY", mail))
    await new CustomerBrowser(service).signIn(links[0] ?? "")
    links.push(await newLink(service, journeyId, "VERIFY_IDENTITY", mail))
    for (const link of links) expect((await asFirstVisit(link)).status).toBe(404)
  })

  it("of a mail that an older version sent opens until its end", async () => {
    const journeyId = await startLive()
    const token = "older-version-of-the-service-made-this-tokeA"
    await service.query(
      `insert into sign_in_links (token_hash, mail_id, journey_id, step, issued_at, expires_at)
       values (sha256($1::text::bytea), gen_random_uuid(), $2, 'VERIFY_IDENTITY', now(), now() + interval '1 hour')`,
      [token.slice(-43), journeyId]
    )
    // Whether there are links without the installation's mark is known for a second.
    await eventually(
      () => asFirstVisit(`/app/l/${token.slice(-43)}`),
      ({ status }) => status === 200
    )
    await newLink(service, journeyId, "VERIFY_IDENTITY")
    expect((await asFirstVisit(`/app/l/${token.slice(-43)}`)).status).toBe(404)
  })

  it("shows that the journey is closed, how, and whom to ask, and nothing about the customer, once it has ended", async () => {
    const journeyId = await startLive()
    const used = await newLink(service, journeyId, "VERIFY_IDENTITY")
    const customer = new CustomerBrowser(service)
    await customer.signIn(used)
    const open = await newLink(service, journeyId, "VERIFY_IDENTITY")
    const cancelled = await fetch(`${service.baseUrl}/api/v1/journeys/${journeyId}/cancel`, {
      method: "POST",
      headers: { authorization: `Bearer ${company.liveKey}`, "content-type": "application/json" },
      body: JSON.stringify({ reason: "The customer changed their mind" })
    })
    expect(cancelled.status).toBe(200)
    for (const link of [used, open]) {
      const page = await asFirstVisit(link)
      expect(page.status).toBe(410)
      expect(wordsOf(page)).toContain("This journey is closed It ended before the handover was complete")
      expect(wordsOf(page)).not.toMatch(/Tomasz|Grace|Owen|AB12|Ford|changed their mind|link|button/)
      expect(page.text.slice(page.text.indexOf("<main"))).not.toContain("<form")
    }
    const signIn = await new CustomerBrowser(service).send(open, { token: "x" })
    expect(signIn.status).toBe(403)
    expect((await customer.ask("/app/journey")).status).toBe(410)
  })

  it("stores nothing that would open it", async () => {
    const journeyId = await startLive()
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    const customer = new CustomerBrowser(service)
    await customer.signIn(link)
    const rows = await service.query<{ row: string }>(
      "select l::text as row from sign_in_links l union all select s::text from customer_sessions s"
    )
    const stored = rows.map(({ row }) => row).join("\n")
    const secrets = [link.split("/").at(-1) ?? "", ...customer.cookies.values()]
    for (const secret of secrets) {
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(Buffer.from(secret, "base64url").toString("hex"))
    }
  })
})

const isSignedIn = async (customer: CustomerBrowser) => (await customer.ask("/app/journey")).status === 200

const signedIn = async (link: string): Promise<CustomerBrowser> => {
  const customer = new CustomerBrowser(service)
  expect((await customer.signIn(link)).status).toBe(303)
  return customer
}

describe("a customer's session", () => {
  it("ends when a link of a newer mail is used, and not when one of an older mail or another journey is", async () => {
    const journeyId = await startLive()
    const older = await newLink(service, journeyId, "RECORD_VIDEO")
    const first = await signedIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    const neighbour = await signedIn(await newLink(service, await startLive(), "VERIFY_IDENTITY"))
    const again = await signedIn(older)
    expect([await isSignedIn(first), await isSignedIn(again)]).toEqual([true, true])
    const newest = await signedIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    expect([await isSignedIn(first), await isSignedIn(again)]).toEqual([false, false])
    expect([await isSignedIn(newest), await isSignedIn(neighbour)]).toEqual([true, true])
  })

  it("goes on when its customer goes on by telephone, and both end with the next mail's link", async () => {
    const journeyId = await startLive()
    const desk = await signedIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    const telephone = await signedIn(await telephoneLink(service, journeyId, "VERIFY_IDENTITY"))
    expect([await isSignedIn(desk), await isSignedIn(telephone)]).toEqual([true, true])
    await signedIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    expect([await isSignedIn(desk), await isSignedIn(telephone)]).toEqual([false, false])
  })

  it("is seen and ended by the team, which reads nothing that would open it", async () => {
    const journeyId = await startLive()
    const desk = await signedIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    const telephone = await signedIn(await telephoneLink(service, journeyId, "VERIFY_IDENTITY"))
    const path = `/companies/${company.id}/journeys/${journeyId}/customer-sessions`
    const listed = (await askSettings(service, path)).data
    expect(listed.map(({ openedBy }: { openedBy: string }) => openedBy)).toEqual(["QR_CODE", "MAIL"])
    const [{ id }] = listed
    expect((await askSettings(service, `${path}/${id}`, { method: "DELETE" })).data).toEqual(listed[0])
    expect([await isSignedIn(desk), await isSignedIn(telephone)]).toEqual([true, false])
    expect((await askSettings(service, `${path}/${id}`, { method: "DELETE" })).status).toBe(404)
    const lines = await service.query("select details from audit where action = 'customer_session.ended'")
    expect(lines).toEqual([{ details: { journeyId, sessionId: id } }])
    for (const over of ["opened_at = now() - interval '13 hours'", "opened_at = now(), seen_at = opened_at"]) {
      await service.query(`update customer_sessions set ${over} where journey_id = $1`, [journeyId])
      expect((await askSettings(service, path)).data, over).toEqual([])
    }
  })
})

describe("the button of a link's page", () => {
  it.each([
    ["without the token", { token: "" }, {}],
    ["with a foreign origin", null, { origin: "https://evil.example" }],
    ["with no origin", null, { origin: "" }],
    ["from another site, says the browser", null, { "sec-fetch-site": "cross-site" }],
    ["from a neighbour host, says the browser", null, { "sec-fetch-site": "same-site" }],
    ["with a null origin from another site", null, { origin: "null", "sec-fetch-site": "cross-site" }]
  ])("is refused %s, and the link still works", async (_how, form, headers) => {
    const link = await newLink(service, await startLive(), "VERIFY_IDENTITY")
    const customer = new CustomerBrowser(service)
    const token = tokenIn(await customer.ask(link))
    const refused = await customer.send(link, form ?? { token }, headers)
    expect(refused.status).toBe(403)
    expect(customer.cookies.has("journeys")).toBe(false)
    expect((await customer.send(link, { token })).status).toBe(303)
  })

  it("is refused without the browser's nonce", async () => {
    const link = await newLink(service, await startLive(), "VERIFY_IDENTITY")
    const token = tokenIn(await new CustomerBrowser(service).ask(link))
    expect((await new CustomerBrowser(service).send(link, { token })).status).toBe(403)
  })

  it("is taken from browsers that hide their origin, as a page without a referrer has them", async () => {
    const link = await newLink(service, await startLive(), "VERIFY_IDENTITY")
    const customer = new CustomerBrowser(service)
    const token = tokenIn(await customer.ask(link))
    expect((await customer.send(link, { token }, { origin: "null" })).status).toBe(303)
  })
})

const askedMails = (journeyId: string) =>
  service.query<{ kind: string; facts: { again: boolean } }>(
    "select kind, facts from mails where journey_id = $1 and cause like '%|asked|%'",
    [journeyId]
  )

const askAnew = async (link: string): Promise<Seen> => {
  const customer = new CustomerBrowser(service)
  return customer.send(`${link}/new-link`, { token: tokenIn(await customer.ask(link)) })
}

describe("mail me a new link", () => {
  it("owes a mail of the present step, three an hour, and says the same whatever happens", async () => {
    const journeyId = await startLive()
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    await new CustomerBrowser(service).signIn(link)
    const first = await askAnew(link)
    expect(first.status).toBe(200)
    expect(await askedMails(journeyId)).toMatchObject([{ kind: "VERIFY_IDENTITY", facts: { again: false } }])
    for (let times = 0; times < 4; times++) expect(look(await askAnew(link))).toEqual(look(first))
    expect(await askedMails(journeyId)).toHaveLength(3)
    expect(look(await askAnew(`/app/l/${"B".repeat(42)}A`))).toEqual(look(first))
    await service.query("update mails set created_at = created_at - interval '1 hour' where journey_id = $1", [
      journeyId
    ])
    await askAnew(link)
    expect(await askedMails(journeyId)).toHaveLength(4)
  })

  it("owes one mail when the button is pressed twice at once", async () => {
    const journeyId = await startLive()
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    await new CustomerBrowser(service).signIn(link)
    // The first press is not written yet when the second one looks: a transaction of the test stands for it.
    const rows = await holdRows(service.databaseUrl)
    await rows.take(
      `insert into mails (id, cause, kind, company_id, journey_id, facts, created_at)
       select gen_random_uuid(), id || '|asked|0', 'VERIFY_IDENTITY', company_id, id, '{}', now() from journeys where id = $1`,
      [journeyId]
    )
    const second = askAnew(link)
    await rows.awaited("|asked|")
    await rows.take("commit")
    expect((await second).status).toBe(200)
    await rows.end()
    expect(await askedMails(journeyId)).toHaveLength(1)
  })

  it("owes nothing without the page's token", async () => {
    const journeyId = await startLive()
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    expect((await new CustomerBrowser(service).send(`${link}/new-link`, { token: "x" })).status).toBe(403)
    expect(await askedMails(journeyId)).toEqual([])
  })
})
