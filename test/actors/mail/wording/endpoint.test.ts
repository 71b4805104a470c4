/** The words of mail about webhook endpoints. */
import { describe, expect, it } from "vitest"
import { contentOf } from "../../../../src/actors/mail/wording/emailContent.ts"
import { shownIn } from "../mailContexts.ts"
import { endpointEmail } from "../../../../src/actors/mail/wording/endpoint.ts"
import type { EndpointMail } from "../../../../src/schema/mail/mailKinds.ts"

const failingSince = "2026-01-12T10:31:07.218Z"
const endpoint = {
  endpointId: "019bc0a1-7c00-7005-8000-000000000001",
  mode: "LIVE",
  url: "https://hooks.example.com:8443",
  failingSince
} as const
const failing = (hours: number): EndpointMail => ({ kind: "ENDPOINT_FAILING", facts: { ...endpoint, hours } })
const off: EndpointMail = {
  kind: "ENDPOINT_OFF",
  facts: { ...endpoint, offSince: "2026-01-15T10:32:00.000Z", parked: 12 }
}
const company = { name: "Harbour Cars" }
const wordedContent = (...given: Parameters<typeof endpointEmail>) => contentOf(endpointEmail(...given))
const baseUrl = "https://journeys.example"

describe("a mail that warns of an endpoint", () => {
  it.each([
    [1, "1 hour"],
    [24, "24 hours"]
  ])("says after %i hours how long, which endpoint, and when it will be turned off", (hours, lasting) => {
    const { subject, text } = wordedContent(failing(hours), company, baseUrl)
    expect(subject).toBe(`Webhooks of Harbour Cars have been failing for ${lasting}`)
    expect(text).toContain(`For ${lasting}, since 12 Jan 2026, 10:31 UTC`)
    expect(text).toContain("the live webhook endpoint of Harbour Cars at https://hooks.example.com:8443")
    expect(text).toContain("by 15 Jan 2026, 10:31 UTC")
  })
})

it("a mail says London's time beside UTC while it is another one, as pages do", () => {
  const summer = { ...endpoint, failingSince: "2026-07-12T10:31:00.000Z" }
  const { text } = wordedContent({ kind: "ENDPOINT_FAILING", facts: { ...summer, hours: 24 } }, company, baseUrl)
  expect(text).toContain("since 12 Jul 2026, 10:31 UTC (11:31 in London), no event")
  expect(text).toContain("by 15 Jul 2026, 10:31 UTC (11:31 in London), the endpoint")
})

describe("a mail about an endpoint that was turned off", () => {
  it("says since when, and how to turn it on and resend what was missed", () => {
    const { subject, text } = wordedContent(off, company, baseUrl)
    expect(subject).toBe("Webhooks of Harbour Cars have been turned off")
    expect(text).toContain("since 12 Jan 2026, 10:31 UTC")
    expect(text).toContain("After 3 days without any success the endpoint was turned off, at 15 Jan 2026, 10:32 UTC")
    expect(text).toContain("12 deliveries had to stop")
    expect(text).toContain("save the endpoint's URL again")
    expect(text).toContain("resend it on the same page, from 10 Jan 2026, 13:55 UTC on")
    expect(text).not.toContain("/settings/")
    expect(text).toContain("90 days")
  })
})

describe("every mail", () => {
  it.each([failing(1), off])("marks what is about the sandbox: $kind", (mail) => {
    const test = { ...mail, facts: { ...mail.facts, mode: "TEST" } } as EndpointMail
    expect(wordedContent(test, company, null).subject).toMatch(/^\[TEST\] /)
    expect(wordedContent(test, company, null).text).toContain("the test webhook endpoint")
    expect(wordedContent(test, company, baseUrl).text).toContain("/console/webhooks/test\n")
  })

  it.each([failing(1), off])("shows the URL it links to, and links nowhere when it does not know it: $kind", (mail) => {
    const { html, text } = wordedContent(mail, company, baseUrl)
    expect(text).toContain("Documentation: https://journeys.example/docs\n")
    expect(html).toMatch(
      /<a class="link" href="https:\/\/journeys.example\/docs" [^>]*>https:\/\/journeys.example\/docs<\/a>/
    )
    expect(text).toContain("Open the endpoint: https://journeys.example/console/webhooks/live\n")
    expect(html).toMatch(/<a class="button" href="https:\/\/journeys.example\/console\/webhooks\/live" [^>]*>Open the/)
    expect(html.match(/<(a|img|script|link|meta property)\b/g)).toEqual(["<a", "<a", "<a"])
    const unlinked = wordedContent(mail, company, null)
    expect(unlinked.text).not.toContain("Documentation")
    expect(unlinked.html).not.toContain("<a")
  })

  it.each([
    ["Harbour\r\nBcc: everyone@example.com", "Harbour Bcc: everyone\u200c@example\u200c.com"],
    ["Harbour\u2028Cars\u0085and\u0000more", "Harbour Cars and more"],
    ["\nHarbour\n", "Harbour"]
  ])("has a subject of one line for a company called %j", (name, shown) => {
    for (const mail of [failing(1), off]) {
      const { subject, text } = wordedContent(mail, { ...company, name }, baseUrl)
      expect(subject).toContain(`Webhooks of ${shown} have been`)
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      expect(text).toContain(`endpoint of ${shown} at`)
    }
  })

  it.each([failing(1), off])("says the same in HTML, where a company's name is only text: $kind", (mail) => {
    const name = `<img src=x onerror="alert('1')"> & Söhne`
    const { html, text } = wordedContent(mail, { ...company, name }, null)
    expect(text).toContain(name)
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Söhne")
    expect(html).not.toContain("<img")
    expect(shownIn(html)).toBe(text.trimEnd())
  })
})
