/** What a browser reads whose session has run out (X5), and the link that it can have mailed (X6). */
import { afterAll, beforeAll, expect, it } from "vitest"
import { wordsOf as catalogueOf } from "../../../src/schema/words/words.ts"
import { CustomerBrowser, tokenIn, wordsOf } from "./CustomerBrowser.ts"
import { signedIn, startCashSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround

beforeAll(async () => {
  ground = await startPages({}, "Harbour Cars")
})
afterAll(() => ground?.service.stop())

const heading = "You have been signed out"

/** A customer of a new cash sale whose session has run out. */
const runOut = async (column: "seen_at" | "opened_at", after: string) => {
  const journeyId = await startCashSale(ground)
  const customer = await signedIn(ground, journeyId, "VERIFY_IDENTITY")
  await ground.service.query(
    `update customer_sessions set ${column} = now() - interval '${after}' where journey_id = $1`,
    [journeyId]
  )
  return { customer, journeyId }
}

/** The mails that were asked for by a button. */
const mailsAsked = async (journeyId: string): Promise<ReadonlyArray<string>> =>
  (
    await ground.service.query<{ kind: string }>(
      "select kind from mails where journey_id = $1 and cause like $1 || '|asked|%'",
      [journeyId]
    )
  ).map(({ kind }) => kind)

it.each([
  ["seen_at", "31 minutes"],
  ["opened_at", "71 hours"]
] as const)("names the company and mails a new link where %s is %s ago", async (column, after) => {
  const { customer, journeyId } = await runOut(column, after)
  for (const path of ["/app/journey", "/app/identity", "/app/consent/identity"]) {
    const page = await customer.ask(path)
    expect(page.status, path).toBe(401)
    expect(wordsOf(page), path).toContain(heading)
    expect(wordsOf(page), path).toContain("Harbour Cars")
    // A computer may be shared: nothing of the customer is shown.
    expect(wordsOf(page), path).not.toMatch(/Tomasz|AB12|Ford|Sign out/)
  }
  const page = await customer.ask("/app/journey")
  const sent = await customer.send("/app/new-link", { token: tokenIn({ text: page.text.split("<main")[1] ?? "" }) })
  expect(sent.status).toBe(200)
  expect(wordsOf(sent)).toContain("Check your email")
  expect(wordsOf(sent)).toContain("Harbour Cars")
  expect(await mailsAsked(journeyId)).toEqual(["VERIFY_IDENTITY"])
  // What has run out stays so.
  expect((await customer.ask("/app/journey")).status).toBe(401)
})

it("mails three links an hour at most, as the page of an ended link does, and none to a form of another site", async () => {
  const { customer, journeyId } = await runOut("seen_at", "31 minutes")
  const page = await customer.ask("/app/journey")
  const token = tokenIn({ text: page.text.split("<main")[1] ?? "" })
  expect((await customer.send("/app/new-link", { token: "x" })).status).toBe(403)
  const foreign = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }
  expect((await customer.send("/app/new-link", { token }, foreign)).status).toBe(403)
  expect(await mailsAsked(journeyId)).toEqual([])
  for (const _ of [1, 2, 3, 4]) expect((await customer.send("/app/new-link", { token })).status).toBe(200)
  expect(await mailsAsked(journeyId)).toHaveLength(3)
})

it("says of a journey that has ended that it is closed, and mails nothing", async () => {
  const { customer, journeyId } = await runOut("seen_at", "31 minutes")
  const page = await customer.ask("/app/journey")
  const token = tokenIn({ text: page.text.split("<main")[1] ?? "" })
  const cancelled = await fetch(`${ground.service.baseUrl}/api/v1/journeys/${journeyId}/cancel`, {
    method: "POST",
    headers: { authorization: `Bearer ${ground.company.liveKey}`, "content-type": "application/json" },
    body: JSON.stringify({ reason: "The customer changed their mind" })
  })
  expect(cancelled.status).toBe(200)
  const closed = await customer.ask("/app/journey")
  expect(closed.status).toBe(410)
  expect(wordsOf(closed)).toContain("This journey is closed It ended before the handover was complete")
  expect(wordsOf(closed)).not.toMatch(/Tomasz|AB12|Ford|changed their mind/)
  expect((await customer.send("/app/new-link", { token })).status).toBe(303)
  expect(await mailsAsked(journeyId)).toEqual([])
})

it("knows nobody by another cookie, none, or that of a session that was ended", async () => {
  const { customer } = await runOut("seen_at", "31 minutes")
  const page = await customer.ask("/app/journey")
  const token = tokenIn({ text: page.text.split("<main")[1] ?? "" })
  await ground.service.query("delete from customer_sessions")
  const altered = new CustomerBrowser(ground.service)
  const [[name, secret] = ["", ""]] = customer.cookies
  altered.cookies.set(name, `${secret.startsWith("A") ? "B" : "A"}${secret.slice(1)}`)
  for (const browser of [customer, altered, new CustomerBrowser(ground.service)]) {
    const seen = await browser.ask("/app/journey")
    expect(seen.status).toBe(401)
    expect(wordsOf(seen)).toContain("Please open the link in your email")
    expect(wordsOf(seen)).not.toMatch(/Harbour Cars|Mail me/)
  }
  expect((await customer.send("/app/new-link", { token })).status).toBe(303)
})

it("speaks the language that the customer has chosen", async () => {
  const { customer, journeyId } = await runOut("seen_at", "31 minutes")
  await ground.service.query(
    "update customers set language = 'pl', language_chosen = true where id = (select customer_id from journeys where id = $1)",
    [journeyId]
  )
  expect(wordsOf(await customer.ask("/app/journey"))).toContain(catalogueOf("pl").notices.runOut.heading)
})
