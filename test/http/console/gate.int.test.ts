/** Who gets through the gate of the settings API with a session of the console, and what the pages of the console show to whom. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { formTokenOf } from "../../../src/actors/kernel/secrets.ts"
import { makeCompany, type TestCompany } from "../../support/companies.ts"
import type { ConsoleBrowser, ConsoleGround } from "./consoleGround.ts"
import { signInMember, startConsole } from "./consoleGround.ts"

let ground: ConsoleGround
let other: TestCompany
beforeAll(async () => {
  ground = await startConsole()
  other = await makeCompany(ground.service)
})
afterAll(() => ground.service.stop())

const settings = (path: string) => `/settings/v1${path}`
const ofCompany = (path: string, company = ground.company) => settings(`/companies/${company.id}${path}`)

const codeOf = (text: string) =>
  (JSON.parse(text) as { errors: ReadonlyArray<{ code: string }> | null }).errors?.[0]?.code

/** A changing call as a page's script makes it. */
const change = (browser: ConsoleBrowser, method: string, path: string, body: unknown, headers: object = {}) =>
  browser.ask(path, {
    method,
    headers: {
      origin: ground.service.baseUrl,
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
      "x-form-token": formTokenOf(browser.cookies.get("journeys-console") ?? ""),
      ...headers
    },
    body: JSON.stringify(body)
  })

describe("the settings API, asked with a session", () => {
  it("answers a member about the own company", async () => {
    for (const browser of [ground.owner, ground.team]) {
      const answer = await browser.ask(ofCompany(""))
      expect([answer.status, JSON.parse(answer.text).data.id]).toEqual([200, ground.company.id])
    }
  })

  it("answers about another company as about one that does not exist", async () => {
    const foreign = await ground.owner.ask(ofCompany("/api-keys", other))
    const unknown = await ground.owner.ask(settings("/companies/01890000-0000-7000-8000-000000000000/api-keys"))
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    expect((await change(ground.owner, "PATCH", ofCompany("", other), { name: "Mine" })).status).toBe(404)
  })

  it("lets the team read, and only an owner change the company", async () => {
    const refused = await change(ground.team, "PATCH", ofCompany(""), { name: "Ours" })
    expect([refused.status, codeOf(refused.text)]).toEqual([403, "ROLE_NOT_PERMITTED"])
    expect((await change(ground.owner, "PATCH", ofCompany(""), { name: "Ours" })).status).toBe(200)
    const { text } = await ground.team.ask(ofCompany("/audit"))
    expect(JSON.parse(text).data.content[0]).toMatchObject({
      action: "company.changed",
      actor: expect.stringMatching(/^member:[0-9a-f-]{36}$/)
    })
  })

  it("lets no member do what is the operator's", async () => {
    for (const answer of [
      await ground.owner.ask(settings("/companies")),
      await change(ground.owner, "POST", settings("/companies"), {
        name: "A",
        kind: "DEALER",
        adminEmail: "a@b.example"
      }),
      await change(ground.owner, "POST", ofCompany("/wallets/IDENTITY/credits"), { amount: 5, note: "for me" }),
      await change(ground.owner, "PATCH", ofCompany(""), { active: false }),
      await ground.owner.ask(settings("/mail"))
    ]) {
      expect([answer.status, codeOf(answer.text)]).toEqual([403, "ROLE_NOT_PERMITTED"])
    }
  })

  it("lets an operator's session do what the token may do", async () => {
    expect((await ground.operator.ask(settings("/companies"))).status).toBe(200)
    expect((await ground.operator.ask(ofCompany("", other))).status).toBe(200)
  })

  it.each([
    ["without the token of the session", { "x-form-token": "" }],
    ["with the token of another session", { "x-form-token": formTokenOf("other") }],
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["with another origin", { origin: "https://elsewhere.example" }]
  ])("refuses a change %s", async (_, headers) => {
    const answer = await change(ground.owner, "PATCH", ofCompany(""), { name: "Theirs" }, headers)
    expect([answer.status, codeOf(answer.text)]).toEqual([403, "REQUEST_FORGED"])
  })

  it("asks for a session that lives", async () => {
    const answer = await ground.nobody.ask(ofCompany(""))
    expect([answer.status, codeOf(answer.text)]).toEqual([401, "INVALID_API_KEY"])
    ground.nobody.cookies.set("journeys-console", "A".repeat(43))
    expect((await ground.nobody.ask(ofCompany(""))).status).toBe(401)
    ground.nobody.cookies.clear()
  })

  it("judges a request with an Authorization header by that header alone", async () => {
    const answer = await ground.owner.ask(ofCompany(""), { headers: { authorization: "Bearer wrong" } })
    expect(answer.status).toBe(401)
  })
})

describe("the console", () => {
  it("shows the company to whoever is signed in to it, with the strict headers", async () => {
    for (const browser of [ground.owner, ground.team, ground.operator]) {
      const page = await browser.ask("/console")
      expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"])
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(page.headers.get("x-frame-options")).toBe("DENY")
      expect(page.text).toContain("</h1>")
    }
  })

  it("leads whoever is not signed in to the sign-in, and back to the page that was asked for", async () => {
    expect((await ground.nobody.ask("/console")).location).toBe("/console/sign-in")
    expect((await ground.nobody.ask("/console/reviews")).status).not.toBe(200)
  })

  it("answers HEAD as it answers GET, also to nobody", async () => {
    for (const path of ["/console", "/console/keys", "/console/operator"]) {
      const [got, head] = [await ground.nobody.ask(path), await ground.nobody.ask(path, { method: "HEAD" })]
      expect([head.status, head.location]).toEqual([got.status, got.location])
    }
  })

  it("answers a problem with a page, and a program with the envelope", async () => {
    const page = await ground.nobody.ask("/console/no-such-page")
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
    const json = await ground.nobody.ask("/console/no-such-page", { headers: { accept: "application/json" } })
    expect([json.status, codeOf(json.text)]).toEqual([404, "NOT_FOUND"])
  })

  describe("tells whoever was typing while the session ended", () => {
    const typed = {
      token: "of the session before",
      "brand.telephone": "+44 113 496 0000",
      "identityProvider.secret": "never to be repeated",
      reason: "<b>Two lines,\nand markup</b>"
    }
    const endedAfter = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const browser = await signInMember(ground.service, ground.company.id, "OWNER", "typist@people.example")
      await browser.submit("/console", {}, "/console/sign-out")
      return browser.send(path, typed, { referer: `${ground.service.baseUrl}/console/company`, ...headers })
    }

    it("that nothing was changed, how to come back, and what was typed but secrets", async () => {
      const answer = await endedAfter("/console/company")
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([401, "no-store"])
      for (const said of [
        "Your session has ended",
        "Nothing was changed.",
        'href="/console/sign-in?to=%2Fconsole%2Fcompany"',
        'value="+44 113 496 0000"',
        "&lt;b&gt;Two lines,\nand markup&lt;/b&gt;"
      ]) {
        expect(answer.text).toContain(said)
      }
      expect(answer.text).not.toContain("never to be repeated")
      expect(answer.text).not.toContain("of the session before")
    })

    it("nothing that another site has written", async () => {
      const answer = await endedAfter("/console/company", {
        origin: "https://evil.example",
        "sec-fetch-site": "cross-site"
      })
      expect([answer.status, answer.text.includes("496 0000")]).toEqual([401, false])
    })

    it("the same where somebody has signed in anew since", async () => {
      const answer = await ground.owner.send("/console/company", typed)
      expect([answer.status, answer.text.includes("496 0000")]).toEqual([403, true])
      expect(answer.text).not.toContain("never to be repeated")
    })
  })

  it("ends the session at the sign-out, which needs the token of a form", async () => {
    const secret = ground.owner.cookies.get("journeys-console") ?? ""
    expect((await ground.owner.send("/console/sign-out", { token: "wrong" })).status).toBe(403)
    expect((await ground.owner.ask("/console")).status).toBe(200)
    const answer = await ground.owner.submit("/console", {}, "/console/sign-out")
    expect(answer.location).toBe("/console/sign-in")
    ground.owner.cookies.set("journeys-console", secret)
    expect((await ground.owner.ask("/console")).location).toBe("/console/sign-in")
  })
})

describe("whoever is not signed in any more", () => {
  it("is led by a script to the page that the script is of, and not to a part of it", async () => {
    const page = "/console/journeys?status=ACTIVE"
    const headers = { "hx-request": "true", referer: `${ground.service.baseUrl}${page}` }
    const answer = await ground.nobody.ask("/console/journeys/x/part", { headers })
    expect([answer.status, answer.headers.get("hx-redirect")]).toEqual([
      401,
      `/console/sign-in?to=${encodeURIComponent(page)}`
    ])
  })

  it("is not asked to sign in first in order to be signed out", async () => {
    const leaving = await signInMember(ground.service, ground.company.id, "TEAM", "leaving@people.example")
    const token = formTokenOf(leaving.cookies.get("journeys-console") ?? "")
    for (const time of [1, 2]) {
      const answer = await leaving.send("/console/sign-out", { token })
      expect([time, answer.status, answer.location]).toEqual([time, 303, "/console/sign-in"])
    }
    expect((await leaving.ask("/console/sign-in")).text).toContain("You are signed out.")
  })
})
