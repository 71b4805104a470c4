/** The pages of a signed-in customer over HTTP: sessions, the steps without a script, and what must not be possible. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startExamples } from "../../../src/schema/start/examples.ts"
import type { CustomerStep } from "../../../src/schema/journey/steps.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startWithPhoto } from "../../support/multipart.ts"
import { facePhoto } from "../../support/photos.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink, tokenIn, wordsOf } from "./CustomerBrowser.ts"

let service: Service
let company: TestCompany

beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, {
    name: `Harbour <b>Cars</b> & "Sons"`,
    credits: 100,
    settings: { identityProvider: { kind: "BUILT_IN" } }
  })
})
afterAll(() => service?.stop())

type Change = (body: ReturnType<typeof startBody>) => void

const startCashSale = async (change: Change = () => {}, key = company.liveKey): Promise<string> => {
  const body = startBody("CASH_SALE")
  change(body)
  const answer = await start(service, key, body)
  expect(answer.status).toBe(202)
  return answer.data.id
}

const startFinanceSale = async (type: "HOME_DELIVERY" | "IN_STORE"): Promise<string> => {
  const body = startBody("FINANCE_SALE")
  body.delivery.type = type
  const answer = await startWithPhoto(service, company.liveKey, body)
  expect(answer.status).toBe(202)
  return answer.data.id
}

const signedIn = async (journeyId: string, step: CustomerStep): Promise<CustomerBrowser> => {
  const customer = new CustomerBrowser(service)
  expect((await customer.signIn(await newLink(service, journeyId, step))).status).toBe(303)
  return customer
}

const journeyOf = async (id: string, key = company.liveKey) => (await ask(service, key, `/api/v1/journeys/${id}`)).data

describe("a customer's session", () => {
  it("ends half an hour after the last request, and twelve hours after it began", async () => {
    const journeyId = await startCashSale()
    const customer = await signedIn(journeyId, "VERIFY_IDENTITY")
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
    const journeyId = await startCashSale()
    const customer = await signedIn(journeyId, "VERIFY_IDENTITY")
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
      expect(answer.headers.get("strict-transport-security")).toMatch(/max-age=\d{8}/)
      const http = await customer.send("/app/sign-out", { token: "x" }, { origin: "http://journeys.example" })
      expect(http.status).toBe(403)
    } finally {
      await secure.stop()
    }
  })
})

describe("every page", () => {
  it("cannot be framed, sniffed, kept or made to load anything from elsewhere", async () => {
    const journeyId = await startCashSale()
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
    const customer = await signedIn(await startFinanceSale("HOME_DELIVERY"), "CONFIRM_ADDRESS")
    const missing = await customer.ask("/app/nothing")
    expect([missing.status, missing.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
    expect(missing.text).toMatch(/^<!doctype html>\s*<html lang="en-GB">/)
    const wrong = await customer.ask("/app/journey", { method: "DELETE" })
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET"])
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
    const journeyId = await startCashSale((body) => {
      body.customer.firstName = `<script>alert("x")</script>`
      body.vehicle.registration = `"><img src=x>`
      body.externalCompanyName = "A & B <i>"
    })
    const { text } = await (await signedIn(journeyId, "VERIFY_IDENTITY")).ask("/app/journey")
    expect(text).toContain("Hello &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;")
    expect(text).toContain("&quot;&gt;&lt;img src=x&gt;")
    expect(text).toContain("A &amp; B &lt;i&gt;")
    expect(text).toContain("Harbour &lt;b&gt;Cars&lt;/b&gt; &amp; &quot;Sons&quot;")
    expect(text).not.toMatch(/<script>|<img|<i>|<b>/)
  })

  it("never shows the notes for the team", async () => {
    const journeyId = await startCashSale((body) => (body.delivery.notes = "CANARY-NOTES"))
    const customer = await signedIn(journeyId, "VERIFY_IDENTITY")
    for (const path of ["/app/journey", "/app/identity"]) {
      expect((await customer.ask(path)).text).not.toContain("CANARY-NOTES")
    }
  })
})

describe("the delivery address", () => {
  it("is asked for where none is on file, refused with the start's own rules, and kept sealed", async () => {
    const journeyId = await startFinanceSale("HOME_DELIVERY")
    const customer = await signedIn(journeyId, "CONFIRM_ADDRESS")
    const page = await customer.ask("/app/address")
    expect(wordsOf(page)).toContain("We have no address on file")
    const token = tokenIn(page)
    const wrong = await customer.send("/app/address", { token, street: " ", city: "Leeds", postcode: "x".repeat(21) })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('aria-invalid="true" aria-describedby="street-error"')
    expect(wordsOf(wrong)).toContain("Error: Street is required")
    expect(wordsOf(wrong)).toContain("Error: Postcode must be at most 20 characters")
    expect(wrong.text).toContain('value="Leeds"')
    const given = { token, buildingNumber: "9", street: "CANARY Street", city: "Leeds", postcode: "LS1 1AA" }
    expect(await customer.send("/app/address", given)).toMatchObject({ status: 303, location: "/app/journey" })
    expect((await journeyOf(journeyId)).delivery.status).toBe("AWAITING_VIDEO")
    const stored = await service.query<{ row: string }>(
      "select row_to_json(a)::text as row from delivery_addresses a union all select state::text from journeys union all select message::text from journal"
    )
    expect(stored.map(({ row }) => row).join("\n")).not.toContain("CANARY")
    expect(await customer.send("/app/address", given)).toMatchObject({ status: 303 })
    expect(await service.query("select from delivery_addresses where journey_id = $1", [journeyId])).toHaveLength(1)
  })

  it("is refused without the page's token, whoever is signed in", async () => {
    const journeyId = await startFinanceSale("HOME_DELIVERY")
    const customer = await signedIn(journeyId, "CONFIRM_ADDRESS")
    const other = await signedIn(await startFinanceSale("HOME_DELIVERY"), "CONFIRM_ADDRESS")
    const foreign = tokenIn(await other.ask("/app/address"))
    const address = { street: "Mill Lane", city: "Leeds", postcode: "LS1 1AA" }
    expect((await customer.send("/app/address", address)).status).toBe(403)
    expect((await customer.send("/app/address", { ...address, token: foreign })).status).toBe(403)
    expect((await journeyOf(journeyId)).delivery.status).toBe("AWAITING_LOCATION")
  })
})

describe("the address of an application", () => {
  it("is shown to be confirmed, and confirmed with one button", async () => {
    const body = startBody("FINANCE_ALREADY_SUBMITTED")
    body.finance.decision = "APPROVED"
    body.finance.addressHistory = startExamples.FINANCE_SUBMIT_VIA_MIRA.finance.addressHistory
    const { data, status } = await start(service, company.liveKey, body)
    expect(status).toBe(202)
    const customer = await signedIn(data.id, "VERIFY_IDENTITY")
    const token = tokenIn(await customer.ask("/app/identity"))
    const form = new FormData()
    form.set("token", token)
    form.set("documentPhoto", new Blob([facePhoto()], { type: "image/jpeg" }), "document.jpg")
    form.set("selfie", new Blob([facePhoto()], { type: "image/jpeg" }), "selfie.jpg")
    const checked = await customer.send("/app/identity", form)
    expect(wordsOf(checked)).toContain("Thank you, that is you")
    await eventually(
      () => journeyOf(data.id),
      (journey) => journey.delivery?.status === "AWAITING_LOCATION"
    )
    const page = await customer.ask("/app/address")
    expect(wordsOf(page)).toContain("14 Station Approach Leeds West Yorkshire LS1 4DY")
    const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].slice(0, 6)
    const fields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]))
    expect((await customer.send("/app/address", fields)).status).toBe(303)
    expect((await journeyOf(data.id)).delivery.status).toBe("AWAITING_VIDEO")
  })
})

const photos = (token: string, document: Uint8Array | null, selfie: Uint8Array | null): FormData => {
  const form = new FormData()
  form.set("token", token)
  for (const [name, photo] of [
    ["documentPhoto", document],
    ["selfie", selfie]
  ] as const) {
    if (photo !== null) form.set(name, new Blob([Buffer.from(photo)], { type: "image/jpeg" }), `${name}.jpg`)
  }
  return form
}

describe("the identity check's form", () => {
  it("says by the field what is missing, too large or no photo", async () => {
    const journeyId = await startCashSale()
    const customer = await signedIn(journeyId, "VERIFY_IDENTITY")
    const token = tokenIn(await customer.ask("/app/identity"))
    const missing = await customer.send("/app/identity", photos(token, facePhoto(), null))
    expect(missing.status).toBe(422)
    expect(missing.text).toContain('id="selfie-error"')
    expect(missing.text).not.toContain('id="documentPhoto-error"')
    const large = await customer.send("/app/identity", photos(token, new Uint8Array(5 * 2 ** 20 + 1), facePhoto()))
    expect(wordsOf(large)).toContain("This photo has more than 5 MB")
    const noPhoto = await customer.send("/app/identity", photos(token, Buffer.from("no photo at all"), facePhoto()))
    expect(noPhoto.status).toBe(422)
    expect(noPhoto.text).toContain('id="documentPhoto-error"')
    expect((await journeyOf(journeyId)).delivery.status).toBe("AWAITING_IDENTITY")
  })

  it("is refused without its token, and answered when far too much is sent", async () => {
    const customer = await signedIn(await startCashSale(), "VERIFY_IDENTITY")
    expect((await customer.send("/app/identity", photos("x", facePhoto(), facePhoto()))).status).toBe(403)
    const token = tokenIn(await customer.ask("/app/identity"))
    const flood = await customer.send("/app/identity", photos(token, new Uint8Array(30 * 2 ** 20), facePhoto()))
    expect(flood.status).toBe(413)
    expect(flood.text).toContain("<h1>")
  })

  it("sends a customer elsewhere whose step it is not", async () => {
    const customer = await signedIn(await startFinanceSale("IN_STORE"), "RECORD_VIDEO")
    for (const path of ["/app/identity", "/app/address"]) {
      expect(await customer.ask(path)).toMatchObject({ status: 303, location: "/app/journey" })
    }
    expect((await customer.ask("/app/video")).status).toBe(200)
  })
})

describe("a test journey's link", () => {
  it("opens the simulated page, whose buttons tell what comes of the step", async () => {
    const journeyId = await startCashSale((body) => (body.customer.email = "b+never@example.com"), company.testKey)
    const customer = await signedIn(journeyId, "VERIFY_IDENTITY")
    const page = await customer.ask("/app/journey")
    expect(wordsOf(page)).toContain("TEST This is a simulated journey")
    const token = tokenIn(page)
    const statusAfter = async (event: string) => {
      expect((await customer.send("/app/test-outcomes", { token, event })).status).toBe(303)
      return (await journeyOf(journeyId, company.testKey)).delivery.status
    }
    expect(await statusAfter("identity.under_review")).toBe("IDENTITY_UNDER_REVIEW")
    expect(await statusAfter("finance_enquiry.approved")).toBe("IDENTITY_UNDER_REVIEW")
    expect(await statusAfter("delivery.completed")).toBe("COMPLETED")
    expect((await customer.ask("/app/journey")).status).toBe(410)
    expect((await customer.ask("/app/identity")).status).toBe(410)
  })

  it("does not exist for a live journey", async () => {
    const journeyId = await startCashSale()
    const customer = await signedIn(journeyId, "VERIFY_IDENTITY")
    const token = tokenIn(await customer.ask("/app/journey"))
    await customer.send("/app/test-outcomes", { token, event: "identity.verified" })
    expect((await journeyOf(journeyId)).delivery.status).toBe("AWAITING_IDENTITY")
  })
})
