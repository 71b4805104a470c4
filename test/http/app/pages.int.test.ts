/** The pages of a signed-in customer over HTTP: sessions, what every page has in common, and test journeys. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings, makeCompany, start, startBody } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { raw } from "../../support/requests.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink, tokenIn, wordsOf } from "./CustomerBrowser.ts"
import { signedIn, startCashSale, startFinanceSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround
let service: Service

beforeAll(async () => {
  ground = await startPages()
  service = ground.service
})
afterAll(() => service?.stop())

describe("a customer's session", () => {
  it("ends half an hour after the last request, and twelve hours after it began", async () => {
    const journeyId = await startCashSale(ground)
    const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
    const age = (seen: string, opened: string) =>
      service.query(
        "update customer_sessions set seen_at = now() - $2::interval, opened_at = now() - $3::interval where journey_id = $1",
        [journeyId, seen, opened]
      )
    await age("29 minutes", "11 hours")
    expect((await customer.ask("/app/journey")).status).toBe(200)
    // That request counts.
    const [row] = await service.query<{ idle: boolean }>(
      "select seen_at < now() - interval '1 minute' as idle from customer_sessions where journey_id = $1",
      [journeyId]
    )
    expect(row?.idle).toBe(false)
    await age("31 minutes", "11 hours")
    expect((await customer.ask("/app/journey")).status).toBe(401)
    await age("1 minute", "12 hours 1 minute")
    expect((await customer.ask("/app/journey")).status).toBe(401)
  })

  it("is dead once signed out, and once another link was used in the same browser", async () => {
    const journeyId = await startCashSale(ground)
    const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
    const stolen = new Map(customer.cookies)
    const first = customer.cookies.get("journeys")
    await customer.signIn(await newLink(service, journeyId, "VERIFY_IDENTITY"))
    expect(customer.cookies.get("journeys")).not.toBe(first)
    const thief = new CustomerBrowser(service)
    for (const [name, value] of stolen) thief.cookies.set(name, value)
    expect((await thief.ask("/app/journey")).status).toBe(401)
    const token = tokenIn(await customer.ask("/app/journey"))
    const again = new Map(customer.cookies)
    expect((await customer.send("/app/sign-out", { token })).status).toBe(200)
    for (const [name, value] of again) customer.cookies.set(name, value)
    expect((await customer.ask("/app/journey")).status).toBe(401)
  })

  it("is not what a client says it is", async () => {
    const stranger = new CustomerBrowser(service)
    stranger.cookies.set("journeys", "A".repeat(43))
    expect((await stranger.ask("/app/journey")).status).toBe(401)
    stranger.cookies.set("journeys", "' or 1=1 --")
    expect((await stranger.ask("/app/journey")).status).toBe(401)
  })

  it("has a cookie that scripts, other sites and, over https, other hosts cannot reach", async () => {
    const secure = await startService({ BASE_URL: "https://journeys.example" })
    try {
      const settings = { identityProvider: { kind: "BUILT_IN" } }
      const { liveKey } = await makeCompany(secure, { credits: 1, settings })
      const { data } = await start(secure, liveKey, startBody("CASH_SALE"))
      const mails = await eventually(
        () => askSettings(secure, `/mail?journeyId=${data.id}`),
        (answer) => /\/app\/l\//.test(JSON.stringify(answer.data))
      )
      const [, link = ""] = /https:\/\/journeys\.example(\/app\/l\/[\w-]{43})/.exec(JSON.stringify(mails.data)) ?? []
      const customer = new CustomerBrowser(secure)
      const page = await customer.ask(link)
      const origin = { origin: "https://journeys.example" }
      const answer = await customer.send(link, { token: tokenIn(page) }, origin)
      expect(answer.status).toBe(303)
      for (const line of [...page.headers.getSetCookie(), ...answer.headers.getSetCookie()]) {
        expect(line).toMatch(/^__Host-journeys(-link)?=[\w-]{43}; /)
        for (const part of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) expect(line).toContain(part)
        expect(line).not.toContain("Domain")
      }
      const chosen = await customer.send("/app/language", { language: "cy", back: link, token: tokenIn(page) }, origin)
      expect(chosen.headers.getSetCookie().join()).toMatch(/^__Host-journeys-language=cy; .*; Secure/)
      expect((await customer.ask("/app/journey")).text).toContain('<html lang="cy-GB"')
      for (const path of ["/api/v1/journeys", "/settings/v1/companies", "/docs", "/", "/health/live", "/nowhere"]) {
        const { headers } = await fetch(`${secure.baseUrl}${path}`)
        expect([path, headers.get("strict-transport-security")]).toEqual([path, "max-age=31536000"])
      }
      // No route sees what is no HTTP, and the answer says it all the same.
      const [malformed] = (await raw(secure, "GET / HTTP/1.1\r\nno colon\r\n\r\n")).replies
      expect([malformed?.status, malformed?.header("strict-transport-security")]).toEqual([400, "max-age=31536000"])
      expect(answer.headers.get("strict-transport-security")).toMatch(/max-age=\d{8}/)
      const form = { token: tokenIn(await customer.ask("/app/journey")) }
      const { host } = new URL(secure.baseUrl)
      const likeOurs = ["http://journeys.example", "https://journeys.example.evil.example", `https://${host}`]
      for (const foreign of [...likeOurs, `http://${host}.evil.example`]) {
        expect((await customer.send("/app/sign-out", form, { origin: foreign })).status, foreign).toBe(403)
      }
      const byNoPage = { ...origin, "sec-fetch-site": "none" }
      expect((await customer.send("/app/sign-out", form, byNoPage)).status).toBe(403)
      expect((await customer.ask("/app/journey")).status).toBe(200)
      expect((await customer.send("/app/sign-out", form, origin)).status).toBe(200)
      expect((await customer.ask("/app/journey")).status).toBe(401)
    } finally {
      await secure.stop()
    }
  })
})

describe("every page", () => {
  it("cannot be framed, sniffed, kept or made to load anything from elsewhere", async () => {
    const journeyId = await startCashSale(ground)
    const link = await newLink(service, journeyId, "VERIFY_IDENTITY")
    const customer = new CustomerBrowser(service)
    const pages = [await customer.ask(link), await customer.signIn(link)]
    for (const path of ["/app", "/app/journey", "/app/identity", "/app/video", "/app/none", "/app/l/x"]) {
      pages.push(await customer.ask(path))
    }
    pages.push(await customer.ask("/app/journey", { method: "DELETE" }))
    pages.push(await customer.send("/app/address", { token: "x" }))
    for (const { headers } of pages) {
      const policy = headers.get("content-security-policy") ?? ""
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'"
      ]) {
        expect(policy.split("; ")).toContain(part)
      }
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("cache-control")).toBe("no-store")
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin")
      expect(headers.get("access-control-allow-origin")).toBeNull()
    }
  })

  it("is a page, not an envelope, when there is none, when the method is wrong and when too much was sent", async () => {
    const customer = await signedIn(ground, await startFinanceSale(ground, "HOME_DELIVERY"), "CONFIRM_ADDRESS")
    const missing = await customer.ask("/app/nothing")
    expect([missing.status, missing.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
    expect(missing.text).toMatch(/^<!doctype html>\s*<html lang="en-GB" dir="ltr">/)
    const wrong = await customer.ask("/app/journey", { method: "DELETE" })
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    const large = await customer.send("/app/address", { token: "x", street: "x".repeat(40_000) })
    expect(large.status).toBe(413)
    expect(wordsOf(large)).toContain("That was too large")
    const typed = await customer.ask("/app/address", {
      method: "POST",
      headers: { origin: service.baseUrl, "content-type": "application/json" },
      body: "{}"
    })
    expect(typed.status).toBe(415)
    expect(typed.text).toContain("<h1>")
    expect((await fetch(`${service.baseUrl}/apple`)).headers.get("content-type")).toBe("application/json")
  })

  it("shows as text whatever a caller or a company wrote", async () => {
    const journeyId = await startCashSale(ground, (body) => {
      body.customer.firstName = `<script>alert("x")</script>`
      body.vehicle.registration = `"><img src=x>`
      body.externalCompanyName = "A & B <i>"
    })
    const { text } = await (await signedIn(ground, journeyId, "VERIFY_IDENTITY")).ask("/app/journey")
    expect(text).toContain("Hello &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;")
    expect(text).toContain("&quot;&gt;&lt;img src=x&gt;")
    expect(text).toContain("A &amp; B &lt;i&gt;")
    expect(text).toContain("Harbour &lt;b&gt;Cars&lt;/b&gt; &amp; &quot;Sons&quot;")
    expect(text).not.toMatch(/<script>|<img|<i>|<b>/)
  })

  it("never shows the notes for the team", async () => {
    const journeyId = await startCashSale(ground, (body) => (body.delivery.notes = "CANARY-NOTES"))
    const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
    for (const path of ["/app/journey", "/app/identity"]) {
      expect((await customer.ask(path)).text).not.toContain("CANARY-NOTES")
    }
  })
})
