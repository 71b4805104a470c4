/** The home page and the mailbox, on somebody's own machine and on a service that others reach. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../support/eventually.ts"
import { listening, startMain, temporaryFolder, type MainProcess } from "../../support/processes.ts"
import { startService, type Service } from "../../support/service.ts"
import { chromium, openPage } from "../documents/browser.ts"
import { ConsoleBrowser } from "../console/consoleGround.ts"
import { once } from "node:events"
import { request } from "node:http"
import { text } from "node:stream/consumers"

interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: string
}

/** `fetch` would not let the test name another host. */
const asked = async (url: string, { form, headers = {} }: Asked = {}) => {
  const more = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }
  const sending = request(url, { method: form === undefined ? "GET" : "POST", headers: { ...more, ...headers } })
  const [answer] = await once(sending.end(form), "response")
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

describe("on somebody's own machine", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let main: MainProcess
  let baseUrl: string
  beforeAll(async () => {
    folder = await temporaryFolder()
    main = startMain(folder.path, { SANDBOX_STEP: "1 second" })
    await main.printed(/\nwhile curl .*\n/)
    baseUrl = listening.exec(main.stdout())?.[1] ?? ""
  })
  afterAll(async () => {
    await main.stop()
    await folder.remove()
  })

  const startsWith = (shape: string, headers: Readonly<Record<string, string>> = { origin: baseUrl }) =>
    asked(`${baseUrl}/start-test-journey`, { form: `shape=${shape}`, headers })

  it("the home page says that the service is well, names the demo companies, and leads to documents and mailbox", async () => {
    const { body, headers, status } = await asked(`${baseUrl}/`)
    expect(status).toBe(200)
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'")
    for (const part of ["The service is well.", "Demo Dealer", "Demo Broker", 'href="/docs"', 'href="/mailbox"']) {
      expect(body).toContain(part)
    }
    expect(body).toContain("<td>Dealer</td>")
    expect(body).not.toMatch(/svc_(?:test|live)_/)
  })

  it("a button starts a test journey of each shape, which the page lists, and whose mails the mailbox shows", async () => {
    const shapes = [
      "FINANCE_ALREADY_SUBMITTED",
      "FINANCE_SUBMIT_VIA_MIRA",
      "IDENTITY_DELIVERY",
      "CASH_SALE",
      "FINANCE_SALE"
    ]
    for (const shape of shapes)
      expect(await startsWith(shape)).toMatchObject({ status: 303, headers: { location: "/" } })
    const { body } = await asked(`${baseUrl}/`)
    const journeys = [...body.matchAll(/href="(\/mailbox\?journeyId=[^"]+)"/g)].map(([, path]) => path)
    expect(journeys).toHaveLength(5)
    const mailbox = await eventually(
      () => asked(`${baseUrl}${journeys[0]}`),
      (page) => page.body.includes("<iframe")
    )
    expect(mailbox.headers["content-security-policy"]).toContain("script-src 'self'")
    expect(mailbox.body).toMatch(/<iframe[^>]*sandbox="allow-top-navigation-by-user-activation allow-popups"/)
  })

  it.skipIf(chromium === undefined)(
    "the page shows how its journeys go on, without being loaded anew, and its tables are reached by keys",
    async () => {
      await startsWith("CASH_SALE")
      const page = await openPage(chromium ?? "", `${baseUrl}/`)
      await page.until(`document.querySelectorAll('.scrolls[tabindex="0"][role="region"][aria-label]').length === 2`)
      await page.evaluate(`window.sameDocument = document.getElementById("progress").innerText`)
      await page.evaluate(`document.querySelector("#progress a").focus()`)
      await page.evaluate("window.focused = document.activeElement.id")
      await page.until(`document.getElementById("progress").innerText !== window.sameDocument`)
      expect(await page.evaluate("typeof window.sameDocument")).toBe("string")
      expect(await page.evaluate("document.activeElement.id === window.focused")).toBe(true)
      expect(page.complaints).toEqual([])
      await page.close()
    }
  )

  it("whoever asks for a link to the console is led to the mailbox where the mail arrives", async () => {
    const browser = new ConsoleBrowser({ baseUrl }, null)
    const { text } = await browser.submit("/console/sign-in", { email: "nobody@demo.example" })
    expect(text).toContain('href="/mailbox"')
  })

  it("another site starts nothing, and a page that took the machine's address sees no demo", async () => {
    const foreign = [{ origin: "https://evil.example" }, { origin: baseUrl, "sec-fetch-site": "cross-site" }, {}]
    for (const headers of foreign) expect((await startsWith("CASH_SALE", headers)).status).toBe(404)
    const rebound = { headers: { host: "evil.example" } }
    expect((await asked(`${baseUrl}/`, rebound)).body).not.toContain("Demo Dealer")
    expect((await asked(`${baseUrl}/mailbox`, rebound)).status).toBe(404)
    expect((await startsWith("CASH_SALE", { host: "evil.example", origin: "http://evil.example" })).status).toBe(404)
  })

  it.each(["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"])(
    "who comes through a proxy or a tunnel that names this machine as the host sees no demo and no mailbox: %s",
    async (name) => {
      const headers = { host: "127.0.0.1", [name]: "203.0.113.7" }
      expect((await asked(`${baseUrl}/`, { headers })).body).not.toContain("Demo Dealer")
      expect((await asked(`${baseUrl}/mailbox`, { headers })).status).toBe(404)
      expect((await startsWith("CASH_SALE", { origin: baseUrl, [name]: "203.0.113.7" })).status).toBe(404)
    }
  )

  it("a shape that there is not, and a page of the mailbox that cannot be, are refused", async () => {
    expect((await startsWith("BARTER")).status).toBe(400)
    expect((await asked(`${baseUrl}/mailbox?page=-1`)).status).toBe(400)
    expect((await asked(`${baseUrl}/mailbox?page=7`)).body).toContain("There is no mail")
  })
})

describe("on a service with a database of its operator", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  it("a browser that mistypes an address reads a page, and a program the envelope", async () => {
    const browser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } }
    for (const path of ["/nowhere", "/docs/nowhere"]) {
      const page = await asked(`${service.baseUrl}${path}`, browser)
      expect([page.status, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"])
      expect(page.body).toContain("There is no such page")
    }
    for (const [path, as] of [
      ["/nowhere", {}],
      ["/api/v1/nowhere", browser],
      ["/settings/v1/nowhere", browser]
    ] as const) {
      const answer = await asked(`${service.baseUrl}${path}`, as)
      expect([answer.status, JSON.parse(answer.body).errors[0].code]).toEqual([404, "NOT_FOUND"])
    }
  })

  it("the console's sign-in page names no mailbox", async () => {
    const { text } = await new ConsoleBrowser(service, null).submit("/console/sign-in", { email: "a@harbour.example" })
    expect(text).toContain("Look at your mail")
    expect(text).not.toContain("mailbox of this service")
  })

  it("the home page shows no company, and there is no mailbox to look into", async () => {
    const { body, status } = await asked(`${service.baseUrl}/`)
    expect(status).toBe(200)
    expect(body).toContain('href="/docs"')
    expect(body).not.toMatch(/Demo|mailbox|Start a test journey/)
    expect((await asked(`${service.baseUrl}/mailbox`)).status).toBe(404)
    const form = { form: "shape=CASH_SALE", headers: { origin: service.baseUrl } }
    expect((await asked(`${service.baseUrl}/start-test-journey`, form)).status).toBe(404)
  })
})
