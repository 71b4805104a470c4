/** When a session of the console ends, as the script of every page asks for it, and what prolongs the session. */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ConsoleSessions } from "../../../src/actors/members/ConsoleSessions.ts"
import { addPasskey } from "../../support/members.ts"
import { tokenIn } from "../app/CustomerBrowser.ts"
import { ConsoleBrowser, signInMember, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround

beforeAll(async () => {
  ground = await startConsole()
})
afterAll(() => ground?.service.stop())

const path = "/console/session"

const member = () => signInMember(ground.service, ground.company.id, "TEAM", `${randomUUID()}@people.example`)

const setBack = (column: "seen_at" | "opened_at", { cookies }: ConsoleBrowser, by: string) =>
  ground.service.query(
    `update console_sessions set ${column} = now() - $2::interval where secret_hash = sha256(convert_to($1, 'UTF8'))`,
    [cookies.get("journeys-console"), by]
  )

const answerOf = ({ status, text }: { readonly status: number; readonly text: string }) => ({
  status,
  ...(JSON.parse(text) as { readonly code: string; readonly secondsLeft?: number; readonly isLast?: boolean })
})
const asked = async (browser: ConsoleBrowser) => answerOf(await browser.ask(path))

/** Prolongs the session as the script of a page does. */
const prolonged = async (browser: ConsoleBrowser, headers: Readonly<Record<string, string>>) =>
  answerOf(await browser.send(path, {}, headers))

const notAllowed = { status: 403, code: "NOT_ALLOWED" }
const another = { status: 200, code: "ANOTHER_SESSION" }

it("says how long the session lasts, and is no use of the session", async () => {
  const browser = await member()
  const { secondsLeft, ...fresh } = await asked(browser)
  expect(fresh).toEqual({ status: 200, code: "DONE", isLast: false })
  expect(secondsLeft).toBeGreaterThan(179 * 60)
  await setBack("seen_at", browser, "2 hours 58 minutes")
  for (const _ of [1, 2]) {
    const { secondsLeft } = await asked(browser)
    expect(secondsLeft).toBeGreaterThan(60)
    expect(secondsLeft).toBeLessThanOrEqual(120)
  }
  await setBack("seen_at", browser, "3 hours 1 minute")
  expect(await asked(browser)).toEqual(notAllowed)
})

it("is not used by what a page looks up by itself", async () => {
  const browser = await member()
  await setBack("seen_at", browser, "2 hours 58 minutes")
  const page = (headers: Readonly<Record<string, string>>) => browser.ask("/console/journeys", { headers })
  expect((await page({ "x-look": "1", "hx-request": "true" })).status).toBe(200)
  expect((await asked(browser)).secondsLeft).toBeLessThanOrEqual(120)
  expect((await page({})).status).toBe(200)
  expect((await asked(browser)).secondsLeft).toBeGreaterThan(179 * 60)
})

it("prolongs the session for a form of its own page, up to the end that no use prolongs", async () => {
  const browser = await member()
  const token = tokenIn(await browser.ask("/console"))
  await setBack("seen_at", browser, "2 hours 58 minutes")
  expect(await prolonged(browser, {})).toEqual(notAllowed)
  expect(await prolonged(browser, { "x-form-token": "x" })).toEqual(another)
  const foreign = { "x-form-token": token, origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }
  expect(await prolonged(browser, foreign)).toEqual(notAllowed)
  expect((await asked(browser)).secondsLeft).toBeLessThanOrEqual(120)
  expect((await prolonged(browser, { "x-form-token": token })).secondsLeft).toBeGreaterThan(179 * 60)

  await setBack("opened_at", browser, "11 hours 58 minutes")
  const { isLast, secondsLeft } = await prolonged(browser, { "x-form-token": token })
  expect(isLast).toBe(true)
  expect(secondsLeft).toBeLessThanOrEqual(120)
})

it("says of a session of a token of the operator that it ends with the token", async () => {
  const tokenId = randomUUID()
  await ground.service.query(
    `insert into operator_tokens (id, name, hash, last4, scopes, created_by, created_at, expires_at)
     values ($1::uuid, $1::text, sha256(convert_to($1::text, 'UTF8')), 'last', '{}', 'operator', now(), now() + interval '2 minutes')`,
    [tokenId]
  )
  const secret = await ground.service.run(
    Effect.flatMap(ConsoleSessions, ({ openForOperator }) => openForOperator(tokenId))
  )
  const { isLast, secondsLeft } = await asked(new ConsoleBrowser(ground.service, secret))
  expect(isLast).toBe(true)
  expect(secondsLeft).toBeLessThanOrEqual(120)
})

const sessionOf = ({ cookies }: ConsoleBrowser) => cookies.get("journeys-console") ?? expect.fail("nobody is signed in")

/** A member whose session waits for a passkey. */
const waiting = async () => {
  const browser = await member()
  const [row] = await ground.service.query<{ memberId: string }>(
    `select member_id as "memberId" from console_sessions where secret_hash = sha256(convert_to($1, 'UTF8'))`,
    [sessionOf(browser)]
  )
  await addPasskey(ground.service, row!.memberId)
  await ground.service.query("update console_sessions set is_waiting_for_passkey = true where member_id = $1", [
    row!.memberId
  ])
  return browser
}

it("says of no session, and to other pages of one that waits for a passkey, that nobody is signed in", async () => {
  expect(await asked(ground.nobody)).toEqual(notAllowed)
  expect(await prolonged(ground.nobody, { "x-form-token": "x" })).toEqual(notAllowed)
  const before = tokenIn(await (await member()).ask("/console"))
  const browser = await waiting()
  expect(await asked(browser)).toEqual(notAllowed)
  expect(answerOf(await browser.ask(path, { headers: { "x-form-token": before } }))).toEqual(notAllowed)
})

it("says to the page that asks for a passkey how long its session lasts; the page has the note and its script", async () => {
  const browser = await waiting()
  const page = await browser.ask("/console/sign-in/passkey")
  expect(page.text).toContain('id="session"')
  expect(page.text).toMatch(/<script type="module" src="[^"]*session/)
  const token = { "x-form-token": tokenIn(page) }
  expect(answerOf(await browser.ask(path, { headers: token }))).toMatchObject({ code: "DONE", isLast: false })
  await setBack("seen_at", browser, "2 hours 58 minutes")
  expect((await prolonged(browser, token)).secondsLeft).toBeGreaterThan(179 * 60)
})

it("says to a page that was made before a new sign-in that its session is another one, and does not prolong by it", async () => {
  const browser = await member()
  const token = { "x-form-token": tokenIn(await browser.ask("/console")) }
  browser.cookies.set("journeys-console", sessionOf(await member()))
  await setBack("seen_at", browser, "2 hours 58 minutes")
  expect(answerOf(await browser.ask(path, { headers: token }))).toEqual(another)
  expect(await prolonged(browser, token)).toEqual(another)
  expect((await asked(browser)).secondsLeft).toBeLessThanOrEqual(120)
})
