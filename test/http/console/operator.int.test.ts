/** The operator's pages: the sign-in by the token, what each page shows and does, and that to members none of them is there. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { operatorToken, startService } from "../../support/service.ts"
import { pagesOfConsole } from "../../../src/http/console/consoleRoutes.ts"
import { tokenIn, wordsOf } from "../app/CustomerBrowser.ts"
import { ConsoleBrowser, formIn, signInOperator, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({ name: "Harbour Cars" }, { SANDBOX_STEP: "1 hour", SANDBOX_CALLER_STEP: "1 hour" })
})
afterAll(() => ground.service.stop())

const operatorPath = "/console/operator"
const signInPath = `${operatorPath}/sign-in`
const page = (path: string) => `${operatorPath}${path}`
const cookieOf = (browser: ConsoleBrowser) => browser.cookies.get("journeys-console")

describe("the sign-in of the operator", () => {
  it("asks for the token before any page of the installation, and leads back to the page", async () => {
    const browser = new ConsoleBrowser(ground.service, null)
    expect((await browser.ask(operatorPath)).location).toBe(signInPath)
    const away = await browser.ask(page("/set-aside"))
    expect(away.location).toBe(`${signInPath}?to=%2Fconsole%2Foperator%2Fset-aside`)
    const form = await browser.ask(away.location ?? "")
    expect([form.status, form.headers.get("cache-control")]).toEqual([200, "no-store"])
    const answer = await browser.send(signInPath, { operatorToken, to: page("/set-aside") })
    expect([answer.status, answer.location]).toEqual([303, page("/set-aside")])
    expect(answer.headers.getSetCookie().join()).toMatch(/^journeys-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/)
    expect(answer.headers.getSetCookie().join()).not.toContain(operatorToken)
    expect((await browser.ask(page("/set-aside"))).status).toBe(200)
    expect((await browser.ask(signInPath)).location).toBe(operatorPath)
  })

  it("gives a new session, and ends the one before", async () => {
    const browser = await signInOperator(ground.service)
    const before = cookieOf(browser) ?? ""
    await browser.send(signInPath, { operatorToken })
    expect(cookieOf(browser)).not.toBe(before)
    expect((await new ConsoleBrowser(ground.service, before).ask(operatorPath)).location).toBe(signInPath)
  })

  it("lets nobody in with anything else, and leads nowhere else", async () => {
    const browser = new ConsoleBrowser(ground.service, null)
    for (const wrong of ["", "x", `${operatorToken}x`, operatorToken.slice(1), operatorToken.toUpperCase()]) {
      const answer = await browser.send(signInPath, { operatorToken: wrong })
      expect([answer.status, cookieOf(browser)]).toEqual([401, undefined])
      expect(answer.headers.get("ratelimit-policy")).toMatch(/^"address"/)
      if (wrong.length > 3) expect(answer.text).not.toContain(wrong)
    }
    for (const to of ["https://elsewhere.example", "//elsewhere.example", "/app", "/console/../x"]) {
      expect((await browser.send(signInPath, { operatorToken, to })).location).toBe(operatorPath)
    }
  })

  it("takes the form from our own page only", async () => {
    const browser = new ConsoleBrowser(ground.service, null)
    const answer = await browser.send(
      signInPath,
      { operatorToken },
      { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }
    )
    expect([answer.status, cookieOf(browser)]).toEqual([403, undefined])
  })

  it("locks an address out that has sent too many wrong tokens, here or to the API, also with the right one", async () => {
    const service = await startService()
    const browser = new ConsoleBrowser(service, null)
    for (let at = 0; at < 10; at++) await ask(service, "wrong", "/settings/v1/companies")
    for (let at = 0; at < 10; at++) {
      expect((await browser.send(signInPath, { operatorToken: "wrong" })).status).toBe(401)
    }
    const locked = await browser.send(signInPath, { operatorToken })
    expect([locked.status, locked.text.includes("Too many wrong tokens")]).toEqual([429, true])
    expect((await askSettings(service, "/companies")).status).toBe(429)
    await service.stop()
  })

  it("takes a named token that may do everything, and none that may do less; the session ends with its token", async () => {
    const make = async (name: string, scope: string) =>
      (await askSettings(ground.service, "/operator-tokens", { body: { name, scopes: [scope] } })).data
    const browser = new ConsoleBrowser(ground.service, null)
    const narrow = await browser.send(signInPath, { operatorToken: (await make("narrow", "companies:read")).token })
    expect([narrow.status, narrow.text.includes("opens no pages")]).toEqual([403, true])
    const { id, token } = await make("night-shift", "*")
    expect((await browser.send(signInPath, { operatorToken: token })).location).toBe(operatorPath)
    const page = await browser.ask(`${operatorPath}/tokens`)
    expect([page.status, page.text.includes("night-shift"), page.text.includes(token)]).toEqual([200, true, false])
    await askSettings(ground.service, `/operator-tokens/${id}`, { method: "DELETE" })
    expect((await browser.ask(`${operatorPath}/tokens`)).location).toContain(signInPath)
  })
})

/** A path that fits the route. */
const asked = (path: string) => path.replaceAll(/:\w+/g, ground.company.id)

/** What two answers may share. */
const without = (headers: Headers) =>
  [...headers].filter(([name]) => name !== "request-id" && name !== "date").map((entry) => entry.join(": "))

describe("to a member", () => {
  it("every page and form of the operator is exactly the page for what is not there", async () => {
    const routes = pagesOfConsole.filter(({ path }) => path.startsWith(operatorPath))
    expect(routes.length).toBeGreaterThan(15)
    for (const browser of [ground.owner, ground.team]) {
      const secret = cookieOf(browser) ?? ""
      for (const { method, path } of routes) {
        const seen =
          method === "GET"
            ? await browser.ask(asked(path))
            : await browser.send(asked(path), { token: "any", operatorToken })
        const unknown = await browser.ask("/console/no-such-page")
        expect([seen.status, seen.text], `${method} ${path}`).toEqual([404, unknown.text])
        expect(without(seen.headers), `${method} ${path}`).toEqual(without(unknown.headers))
      }
      expect(cookieOf(browser)).toBe(secret)
    }
  })

  it("the navigation names none of them", async () => {
    expect((await ground.owner.ask("/console")).text).not.toContain(operatorPath)
    expect((await ground.operator.ask("/console")).text).toContain(page("/companies"))
  })
})

describe("the pages about companies", () => {
  it("list them, find them, and show a name as text whatever it is", async () => {
    const name = `<img src=x onerror=alert(1)> \u05D0\u05D1 "'&`
    await makeCompany(ground.service, { name })
    const all = await ground.operator.ask(page("/companies"))
    expect(all.text).toContain("Harbour Cars")
    expect(all.text).not.toContain("<img src=x")
    expect(all.text).toContain("<bdi>&lt;img src=x onerror=alert(1)&gt;")
    const found = await ground.operator.ask(page("/companies?search=hArB"))
    expect([found.text.includes("Harbour Cars"), found.text.includes("&lt;img")]).toEqual([true, false])
    expect((await ground.operator.ask(page("/companies?search=nobody"))).text).toContain("No company has this id")
    expect((await ground.operator.ask(page(`/companies?search=${ground.company.id}`))).text).toContain("Harbour Cars")
  })

  it("make a company, and show beside each field what is wrong with it", async () => {
    const wrong = await ground.operator.submit(page("/companies"), { name: "", kind: "DEALER", adminEmail: "none" })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/id="make-adminEmail-refused"/)
    const made = await ground.operator.submitAndFollow(page("/companies"), {
      name: "Quay Cars",
      kind: "BROKER",
      adminEmail: "owner@quay.example"
    })
    expect([made.status, made.text.includes("gets an invitation by mail")]).toEqual([200, true])
    const { data } = await askSettings(ground.service, "/companies?search=Quay")
    expect(data.content[0]).toMatchObject({ name: "Quay Cars", kind: "BROKER" })
    const { data: members } = await askSettings(ground.service, `/companies/${data.content[0].id}/members`)
    expect(members.content).toMatchObject([{ email: "owner@quay.example", role: "OWNER" }])
  })

  it("turn a company off and on, and add credits to its wallets", async () => {
    const path = page(`/companies/${ground.company.id}`)
    const { operator, service } = ground
    await operator.submit(path, { active: "no" }, `${path}/active`)
    expect((await ask(service, ground.company.testKey, "/api/v1/journeys")).status).toBe(401)
    await operator.submit(path, { active: "yes" }, `${path}/active`)
    expect((await ask(service, ground.company.testKey, "/api/v1/journeys")).status).toBe(200)
    const wrong = await operator.submit(path, { wallet: "IDENTITY", amount: "-5", note: "x" }, `${path}/credits`)
    expect([wrong.status, /id="credits-amount-refused"/.test(wrong.text)]).toEqual([422, true])
    const added = await operator.submitAndFollow(
      path,
      { wallet: "IDENTITY", amount: "7", note: "Invoice 2041" },
      `${path}/credits`
    )
    expect(added.text).toContain("The wallet now has 7 credits")
    expect((await operator.ask(page("/companies/00000000-0000-4000-8000-000000000000"))).status).toBe(404)
  })

  it("stop the mail of a company to customers, which its people then read, allow it more, and start it again", async () => {
    const { company, operator, owner } = ground
    const path = page(`/companies/${company.id}`)
    const change = async (fields: Readonly<Record<string, string>>) =>
      wordsOf(await operator.submitAndFollow(path, fields, `${path}/mail`))
    expect(await change({ stopped: "yes" })).toMatch(/Mail to customers is stopped.*Stopped since .*by the operator/s)
    expect(wordsOf(await owner.ask("/console"))).toContain("Mail to customers is stopped since")
    expect(wordsOf(await owner.ask("/console/company"))).toContain("the operator of this service starts the mail again")
    expect(await change({ stopped: "no" })).toMatch(
      /Mail to customers leaves.*May leave in 24 hours 200; what is over/s
    )
    expect(wordsOf(await owner.ask("/console"))).not.toContain("Mail to customers is stopped")
    expect(await change({ perDay: "5000" })).toContain("May leave in 24 hours 5000; what is over waits")
  })

  it("say beside the number of mails what is wrong with it, and keep what was entered", async () => {
    const { company, operator } = ground
    const path = page(`/companies/${company.id}`)
    const refused = await operator.submit(path, { perDay: "many" }, `${path}/mail`)
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/id="mail-per-day-perDay" name="perDay"[^>]*aria-invalid="true"/)
    expect(refused.text).toMatch(/type="number"\s+value="many"/)
    expect(refused.text).toContain('id="mail-per-day-perDay-refused"')
    expect(refused.text).not.toContain('id="credits-amount-refused"')
  })

  it("make a token once, however often the form is sent: the first answer shows it", async () => {
    const shown = await ground.operator.ask(page("/tokens"))
    const form = formIn(shown)
    const fields = { token: tokenIn(shown), form, name: "nightly", "scopes[mail:read]": "yes" }
    const made = await ground.operator.send(page("/tokens"), fields)
    expect([made.status, made.text.includes('id="once"')]).toEqual([200, true])
    const again = await ground.operator.send(page("/tokens"), fields)
    expect([again.status, wordsOf(again)]).toEqual([409, expect.stringContaining("nothing was done a second time")])
  })

  it("lead into the console of the company and out again, with a line in its audit log", async () => {
    const operator = await signInOperator(ground.service)
    const path = page(`/companies/${ground.company.id}`)
    expect((await operator.ask("/console")).location).toBe(page("/companies"))
    const opened = await operator.submitAndFollow(path, {}, `${path}/open`)
    expect(opened.text).toContain("Harbour Cars")
    expect(opened.text).toContain("Leave this company")
    expect((await operator.ask(page("/runners"))).text).toContain("Leave this company")
    const { data } = await askSettings(ground.service, `/companies/${ground.company.id}/audit`)
    expect(data.content[0]).toMatchObject({ actor: "operator", action: "console.opened" })
    const left = await operator.submitAndFollow("/console", {}, page("/leave-company"))
    expect([left.status, left.text.includes("Leave this company")]).toEqual([200, false])
    expect((await operator.ask("/console")).location).toBe(page("/companies"))
  })

  it("take no form without the token of the session", async () => {
    for (const path of ["/companies", `/companies/${ground.company.id}/active`, "/leave-company", "/mailbox"]) {
      expect((await ground.operator.send(page(path), { token: "wrong" })).status, path).toBe(403)
    }
  })
})

describe("the pages about journeys and endpoints", () => {
  it("say that there is nothing to do while that is so", async () => {
    expect((await ground.operator.ask(page("/set-aside"))).text).toContain("No journey is set aside")
    expect((await ground.operator.ask(page("/endpoints"))).text).toContain("Every endpoint answers")
    expect((await ground.operator.ask(page("/waiting"))).text).toContain("No journey waits like this")
  })

  it("list what waits, filtered by what it waits on and since when", async () => {
    const { data } = await start(ground.service, ground.company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
    expect((await ground.operator.ask(page("/waiting"))).text).toContain(data.id)
    expect((await ground.operator.ask(page("/waiting?waitingOn=SEND_FINANCE_DECISION"))).text).toContain(data.id)
    expect((await ground.operator.ask(page("/waiting?waitingOn=DEALER_TO_REVIEW"))).text).not.toContain(data.id)
    expect((await ground.operator.ask(page("/waiting?waitingOn=&olderThan=24"))).text).not.toContain(data.id)
    expect((await ground.operator.ask(page("/waiting?waitingOn=nothing"))).status).toBe(400)
  })

  it("lead from a journey that waits to its page, in the console of its company, and nowhere else", async () => {
    const { data } = await start(ground.service, ground.company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
    const open = page(`/companies/${ground.company.id}/open`)
    const opened = await ground.operator.submit(page("/waiting"), { journeyId: data.id }, open)
    expect(opened.location).toBe(`/console/journeys/${data.id}`)
    expect((await ground.operator.ask(`/console/journeys/${data.id}`)).text).toContain("Leave this company")
    const { data: lines } = await askSettings(ground.service, `/companies/${ground.company.id}/audit`)
    expect(lines.content.map(({ action }: { readonly action: string }) => action)).toContain("console.opened")
    await ground.operator.submitAndFollow("/console", {}, page("/leave-company"))
    for (const journeyId of ["../../docs", "//elsewhere.example", `${data.id}\r\nx: y`]) {
      expect((await ground.operator.submit(page("/waiting"), { journeyId }, open)).location).toBe("/console")
      await ground.operator.submitAndFollow("/console", {}, page("/leave-company"))
    }
  })

  it("list what was set aside, with why, and retry it", async () => {
    const { data } = await start(ground.service, ground.company.testKey, startBody("CASH_SALE"))
    await ground.service.query(
      "update journeys set set_aside_at = now(), set_aside_reason = 'UNREADABLE' where id = $1",
      [data.id]
    )
    const listed = await ground.operator.ask(page("/set-aside"))
    expect(listed.text).toContain("This version cannot read the stored journey: whoever asks for it gets an error")
    expect(listed.text.replaceAll(/\s+/g, " ")).toContain("customer, unless this version cannot read it")
    const retried = await ground.operator.submitAndFollow(page("/set-aside"), {}, page(`/set-aside/${data.id}/retry`))
    expect(retried.text).toContain("The journey is woken again")
    expect(retried.text).toContain("No journey is set aside")
    const again = await ground.operator
      .submit(page("/set-aside"), {}, page(`/set-aside/${data.id}/retry`))
      .catch(() => null)
    expect(again?.status ?? 409).toBe(409)
  })

  it("list endpoints that nothing reaches, without the path of their address", async () => {
    const endpoint = await writeEndpoint(ground.service.query, {
      companyId: ground.company.id,
      livemode: true,
      url: "https://hooks.example.com/canary-path"
    })
    await ground.service.query("update webhook_endpoints set failing_since = now() where id = $1", [endpoint])
    const { text } = await ground.operator.ask(page("/endpoints"))
    expect([text.includes("https://hooks.example.com"), text.includes("canary-path")]).toEqual([true, false])
  })

  it("count what is open, and say that one node is the whole service", async () => {
    const { text } = await ground.operator.ask(operatorPath)
    expect(text).toContain("The service is well")
    expect(text).toMatch(/Endpoints that nothing reaches<\/a>\s*<\/th>\s*<td[^>]*>1</)
    expect((await ground.operator.ask(page("/runners"))).text).toContain("One node is the whole service")
  })
})
