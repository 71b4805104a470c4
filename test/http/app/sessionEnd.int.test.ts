/** When a customer's session ends (X5), as the script of every page asks for it, and what prolongs the session. */
import { afterAll, beforeAll, expect, it } from "vitest"
import type { CustomerBrowser } from "./CustomerBrowser.ts"
import { tokenIn } from "./CustomerBrowser.ts"
import { signedIn, startCashSale, startPages, type PagesGround } from "./pagesGround.ts"

let ground: PagesGround

beforeAll(async () => {
  ground = await startPages({}, "Harbour Cars")
})
afterAll(() => ground?.service.stop())

const path = "/app/session"

const customerOf = async () => {
  const journeyId = await startCashSale(ground)
  return { customer: await signedIn(ground, journeyId, "VERIFY_IDENTITY"), journeyId }
}

const setBack = (column: "seen_at" | "opened_at", journeyId: string, by: string) =>
  ground.service.query(`update customer_sessions set ${column} = now() - interval '${by}' where journey_id = $1`, [
    journeyId
  ])

const answerOf = ({ status, text }: { readonly status: number; readonly text: string }) => ({
  status,
  ...(JSON.parse(text) as { readonly code: string; readonly secondsLeft?: number; readonly isLast?: boolean })
})
const asked = async (customer: CustomerBrowser) => answerOf(await customer.ask(path))

/** Prolongs the session as the script of a page does. */
const prolonged = async (customer: CustomerBrowser, headers: Readonly<Record<string, string>>) =>
  answerOf(await customer.send(path, {}, headers))

it("says how long the session lasts, and is no use of the session", async () => {
  const { customer, journeyId } = await customerOf()
  expect(await asked(customer)).toMatchObject({ status: 200, code: "DONE", isLast: false })
  await setBack("seen_at", journeyId, "28 minutes")
  for (const _ of [1, 2]) {
    const { secondsLeft } = await asked(customer)
    expect(secondsLeft).toBeGreaterThan(60)
    expect(secondsLeft).toBeLessThanOrEqual(120)
  }
  await setBack("seen_at", journeyId, "31 minutes")
  expect(await asked(customer)).toEqual({ status: 403, code: "NOT_ALLOWED" })
})

it("prolongs the session for a form of its own page, up to the end that no use prolongs", async () => {
  const { customer, journeyId } = await customerOf()
  const token = tokenIn(await customer.ask("/app/journey"))
  await setBack("seen_at", journeyId, "28 minutes")
  expect(await prolonged(customer, {})).toEqual({ status: 403, code: "NOT_ALLOWED" })
  expect(await prolonged(customer, { "x-form-token": "x" })).toEqual({ status: 200, code: "ANOTHER_SESSION" })
  const foreign = { "x-form-token": token, origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }
  expect(await prolonged(customer, foreign)).toEqual({ status: 403, code: "NOT_ALLOWED" })
  expect((await asked(customer)).secondsLeft).toBeLessThanOrEqual(120)
  expect((await prolonged(customer, { "x-form-token": token })).secondsLeft).toBeGreaterThan(29 * 60)

  await setBack("opened_at", journeyId, "11 hours 58 minutes")
  const { isLast, secondsLeft } = await prolonged(customer, { "x-form-token": token })
  expect(isLast).toBe(true)
  expect(secondsLeft).toBeLessThanOrEqual(120)
})

it("says of a session that a newer link ended, and of no session, that nobody is signed in", async () => {
  const { customer, journeyId } = await customerOf()
  await signedIn(ground, journeyId, "VERIFY_IDENTITY")
  expect(await asked(customer)).toEqual({ status: 403, code: "NOT_ALLOWED" })
  expect((await fetch(`${ground.service.baseUrl}${path}`)).status).toBe(403)
})
