/** A passkey as the second step of a sign-in, with Chromium and an authenticator that Chromium simulates. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings, makeCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freePort } from "../../support/freePort.ts"
import { addMember } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { chromium, openBrowser, type Browser, type Page } from "../documents/browser.ts"

const email = "ann@harbour.example"

const secretIn = (cookies: ReadonlyArray<{ readonly name: string; readonly value: string }>) =>
  cookies.find(({ name }) => name === "journeys-console")?.value

/** Signs the challenge that the page is given, and goes on as `then` says. */
const signed = (then: string) => `(async () => {
  const form = document.querySelector("form[data-passkey=show]")
  const token = form.elements.token.value
  const post = (path, fields) => fetch(path, { method: "POST", body: new URLSearchParams({ token, ...fields }) })
  const optionsJSON = await (await post(form.dataset.options, {})).json()
  const answer = JSON.stringify(await SimpleWebAuthnBrowser.startAuthentication({ optionsJSON }))
  ${then}
})()`

describe.skipIf(chromium === undefined && process.env["CI"] === undefined)("a passkey", () => {
  let service: Service
  let baseUrl: string
  let browser: Browser
  let page: Page
  let companyId: string
  let memberId: string
  const mails = new Map<string, number>()
  beforeAll(async () => {
    const port = await freePort()
    baseUrl = `http://localhost:${port}`
    service = await startService({ PORT: String(port), BASE_URL: baseUrl })
    companyId = (await makeCompany(service)).id
    memberId = await addMember(service, companyId, { email, role: "TEAM" })
    browser = await openBrowser(chromium ?? "chromium")
    page = await browser.newPage(`${baseUrl}/console/sign-in`)
    await page.command("WebAuthn.enable")
    await page.command("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true
      }
    })
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  const open = async (path: string) => {
    await page.command("Page.navigate", { url: `${baseUrl}${path}` })
    await page.until(`location.pathname === ${JSON.stringify(path)} && document.readyState === "complete"`)
  }
  const heading = (words: string) => page.until(`document.querySelector("h1")?.innerText === ${JSON.stringify(words)}`)

  /** Asks for a link, opens it from the mail and presses its button. */
  const signIn = async (address = email) => {
    await open("/console/sign-in")
    await page.evaluate(`document.querySelector("#sign-in [name=email]").value = ${JSON.stringify(address)}`)
    await page.evaluate(`document.querySelector("#sign-in button").click()`)
    await heading("Look at your mail")
    const mailed = (mails.get(address) ?? 0) + 1
    mails.set(address, mailed)
    const found = await eventually(
      async () => (await askSettings(service, `/mail?to=${address}`)).data.content as ReadonlyArray<{ text: string }>,
      (some) => some.length === mailed
    )
    await open(/http:\/\/localhost:\d+(\/console\/sign-in\/\S+)/.exec(found[0]!.text)![1]!)
    await page.evaluate(`document.querySelector("main form button").click()`)
    await page.until(`!location.pathname.startsWith("/console/sign-in/") || location.pathname.endsWith("passkey")`)
  }

  const addPasskey = async () => {
    await open("/console/team")
    await page.evaluate(`document.querySelector("#passkey-name").value = "Ann's telephone"`)
    await page.evaluate(`document.querySelector("form[data-passkey=add] button").click()`)
    await page.until(`document.querySelector(".flash")?.innerText.startsWith("The passkey was added") === true`)
  }
  const pageText = () => page.evaluate("document.body.innerText")

  it("is added on the team page, and asked for after the next link, before anything else is shown", async () => {
    await signIn()
    await addPasskey()
    expect(await pageText()).toContain("Your sessions that came by the link alone ask for it, too")
    await signIn()
    await heading("Show your passkey")
    // The only owner has no other owner to ask.
    expect(await pageText()).toContain("the operator of this service can")
    await page.command("Page.navigate", { url: `${baseUrl}/console/team` })
    await heading("Show your passkey")
    const settings = `fetch("/settings/v1/companies/${companyId}").then(({ status }) => status)`
    expect(await page.evaluate(settings)).toBe(401)
    const before = (await page.command("Network.getCookies"))?.cookies
    await page.evaluate(`document.querySelector("form[data-passkey=show] button").click()`)
    await page.until(`!location.pathname.endsWith("/passkey")`)
    expect(await page.evaluate(settings)).toBe(200)
    expect(secretIn((await page.command("Network.getCookies"))?.cookies)).not.toBe(secretIn(before))
    await open("/console/team")
    expect(await page.evaluate("document.body.innerText")).toContain("Ann's telephone")
    expect(page.complaints).toEqual([])
  }, 120_000)

  it("is not removed by who signed in a while ago: they sign in again and come back to it", async () => {
    await service.query("update console_sessions set opened_at = opened_at - interval '10 minutes'")
    await open("/console/team")
    expect(await page.evaluate(`document.querySelector("form[data-passkey=add]")`)).toBe(null)
    await page.evaluate(`document.querySelector("form[action$='/passkeys/remove'] button").click()`)
    await page.until(`location.pathname === "/console/sign-in" && document.readyState === "complete"`)
    expect(await page.evaluate("location.search")).toBe(`?to=${encodeURIComponent("/console/team")}`)
    expect(await page.evaluate("document.body.innerText")).toContain("You signed in more than 10 minutes ago")
    await signIn()
    await heading("Show your passkey")
    await page.evaluate(`document.querySelector("form[data-passkey=show] button").click()`)
    await page.until(`location.pathname === "/console/team" && document.readyState === "complete"`)
    expect(await page.evaluate("document.body.innerText")).toContain("Ann's telephone")
  }, 120_000)

  it("is not accepted from an answer that was given before, or with another challenge", async () => {
    await signIn()
    await heading("Show your passkey")
    // A newer challenge of the session ends the one that was signed.
    const outdated = signed(`await post(form.dataset.options, {}); return (await post(form.action, { answer })).status`)
    expect(await page.evaluate(outdated)).toBe(422)
    const garbled = signed(
      `return (await post(form.action, { answer: answer.replace(/"signature":"...../, '"signature":"AAAAA') })).status`
    )
    expect(await page.evaluate(garbled)).toBe(422)
    const late = signed(`window.late = { answer }; return true`)
    expect(await page.evaluate(late)).toBe(true)
    await service.query("update passkey_challenges set expires_at = expires_at - interval '5 minutes'")
    const afterwards = `(async () => {
      const token = document.querySelector("form[data-passkey=show]").elements.token.value
      const body = new URLSearchParams({ token, ...window.late })
      return (await fetch("/console/sign-in/passkey", { method: "POST", body })).status
    })()`
    expect(await page.evaluate(afterwards)).toBe(422)
    expect(await page.evaluate(`fetch("/settings/v1/companies/${companyId}").then(({ status }) => status)`)).toBe(401)
  }, 120_000)

  it("that was lost is removed by an owner, and the link alone is enough again", async () => {
    const passkeys = (await askSettings(service, `/companies/${companyId}/members/${memberId}/passkeys`)).data
    expect(passkeys).toMatchObject([{ name: "Ann's telephone", usedAt: expect.any(String) }])
    const path = `/companies/${companyId}/members/${memberId}/passkeys/${passkeys[0].id}`
    await askSettings(service, path, { method: "DELETE" })
    await signIn()
    await open("/console/team")
    const actions = (await askSettings(service, `/companies/${companyId}/audit`)).data.content.map(
      ({ action }: { readonly action: string }) => action
    )
    expect(actions.slice(0, 2)).toEqual(["passkey.removed", "passkey.added"])
  }, 120_000)

  it("that the company demands is added before anything else is shown, also by who is signed in already", async () => {
    // An address is mailed five links a minute, and the first one had as many.
    const ben = "ben@harbour.example"
    await addMember(service, companyId, { email: ben, role: "TEAM" })
    await signIn(ben)
    const demand = { method: "PATCH", body: { passkeysRequired: true } }
    expect((await askSettings(service, `/companies/${companyId}`, demand)).status).toBe(200)
    await page.command("Page.navigate", { url: `${baseUrl}/console/team` })
    await heading("Add a passkey")
    const settings = `fetch("/settings/v1/companies/${companyId}").then(({ status }) => status)`
    expect(await page.evaluate(settings)).toBe(401)
    await service.query("update console_sessions set opened_at = opened_at - interval '10 minutes'")
    await open("/console/sign-in/first-passkey")
    expect(await page.evaluate(`document.querySelector("form[data-passkey=add]")`)).toBe(null)
    await page.evaluate(`[...document.links].find(({ innerText }) => innerText === "Sign in again").click()`)
    await page.until(`location.pathname === "/console/sign-in" && document.readyState === "complete"`)
    await signIn(ben)
    await heading("Add a passkey")
    await page.evaluate(`document.querySelector("#passkey-name").value = "Ben's telephone"`)
    await page.evaluate(`document.querySelector("form[data-passkey=add] button").click()`)
    await page.until(`document.querySelector(".flash")?.innerText.startsWith("The passkey was added") === true`)
    expect(await page.evaluate(settings)).toBe(200)
    await signIn(ben)
    await heading("Show your passkey")
    expect(page.complaints).toEqual([])
  }, 120_000)
})
