/** What asks a member who signed in a while ago to sign in again first: adding and removing passkeys, ending sessions, erasing a customer. */
import { Duration } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { memberLimits } from "../../../src/actors/members/limits.ts"
import { addMember, addPasskey, openSession } from "../../support/members.ts"
import { eventually } from "../../support/eventually.ts"
import { askSettings, start, startBody } from "../../support/companies.ts"
import { tokenIn, wordsOf } from "../app/CustomerBrowser.ts"
import { ConsoleBrowser, startConsole, type ConsoleGround } from "./consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({}, { BASE_URL: "http://localhost" })
})
afterAll(() => ground.service.stop())

const team = "/console/team"
const email = "ann@fresh.example"

/** Moves every sign-in into the past: as long ago as is just too long. */
const waitTooLong = (memberId: string) =>
  ground.service.query(
    "update console_sessions set opened_at = opened_at - make_interval(secs => $2) where member_id = $1",
    [memberId, Duration.toSeconds(memberLimits.signInFreshFor)]
  )

const passkeysOf = async (memberId: string): Promise<number> =>
  (await ground.service.query("select from passkeys where member_id = $1", [memberId])).length

const isErased = async (customerId: string): Promise<boolean> =>
  (await ground.service.query("select from erasures where customer_id = $1", [customerId])).length > 0

/** An owner who signed in too long ago, with a passkey of somebody of the team and a session of theirs. */
const lateOwner = async () => {
  const { company, service } = ground
  const memberId = await addMember(service, company.id, { email, role: "OWNER" })
  const browser = new ConsoleBrowser(service, await openSession(service, memberId))
  const other = await addMember(service, company.id, { email: "ben@fresh.example", role: "TEAM" })
  await openSession(service, other)
  const passkeyId = await addPasskey(service, other)
  const [session] = await service.query<{ readonly id: string }>(
    "select id from console_sessions where member_id = $1",
    [other]
  )
  await waitTooLong(memberId)
  return { browser, memberId, other, passkeyId, sessionId: session?.id ?? "" }
}

it("refuses a member who signed in a while ago, at each operation that changes how somebody signs in or cannot be undone", async () => {
  const { browser, memberId, other, passkeyId, sessionId } = await lateOwner()
  const { customerReference } = (await start(ground.service, ground.company.testKey, startBody("CASH_SALE"))).data
  const token = tokenIn(await browser.ask(team))
  const ask = async (path: string, method: string) => {
    const answer = await fetch(`${ground.service.baseUrl}/settings/v1/companies/${ground.company.id}${path}`, {
      method,
      headers: {
        cookie: `journeys-console=${browser.cookies.get("journeys-console")}`,
        "x-form-token": token,
        origin: "http://localhost",
        "sec-fetch-site": "same-origin"
      }
    })
    const { errors } = (await answer.json()) as { readonly errors?: ReadonlyArray<{ readonly code: string }> }
    return [answer.status, errors?.[0]?.code]
  }
  const asked = [
    [`/members/${memberId}/passkeys/options`, "POST"],
    [`/members/${other}/passkeys/${passkeyId}`, "DELETE"],
    [`/sessions/${sessionId}`, "DELETE"],
    [`/members/${other}/sessions`, "DELETE"],
    [`/customers/${customerReference}`, "DELETE"]
  ] as const
  for (const [path, method] of asked) expect(await ask(path, method), path).toEqual([403, "SIGN_IN_AGAIN"])
  expect(await passkeysOf(other)).toBe(1)
  expect(await isErased(customerReference)).toBe(false)
  await ground.service.query("update console_sessions set opened_at = now() where member_id = $1", [memberId])
  for (const [path, method] of asked) expect((await ask(path, method))[0], path).toBe(200)
  expect(await isErased(customerReference)).toBe(true)
})

it("leads from the page Team to the sign-in and back, and the change is made then", async () => {
  const { browser, memberId, other } = await lateOwner()
  expect(wordsOf(await browser.ask(team))).toContain("To add a passkey, sign in again first")
  const token = tokenIn(await browser.ask(team))
  const form = { token, memberId: other }
  const led = await browser.send(`${team}/remove-passkeys`, form, { referer: `http://localhost${team}` })
  expect([led.status, led.location]).toEqual([303, `/console/sign-in?to=${encodeURIComponent(team)}`])
  expect(wordsOf(await browser.ask(led.location ?? ""))).toContain("You signed in more than 10 minutes ago")
  expect([await passkeysOf(other), (await browser.ask(team)).status]).toEqual([1, 200])
  await browser.submit("/console/sign-in", { email })
  const [mail] = await eventually(
    async () =>
      (await askSettings(ground.service, `/mail?to=${email}`)).data.content as ReadonlyArray<{ readonly text: string }>,
    (mails) => mails.length === 1
  )
  const [, link = ""] = /http:\/\/localhost(\/console\/sign-in\/\S+)/.exec(mail?.text ?? "") ?? []
  expect((await browser.submit(link, {})).location).toBe(team)
  expect(wordsOf(await browser.ask(team))).toContain("Add a passkey")
  await browser.submit(team, { memberId: other }, `${team}/remove-passkeys`)
  expect(await passkeysOf(other)).toBe(0)
  expect(await passkeysOf(memberId)).toBe(0)
})

it("does not ask the operator, whose sessions end with the token", async () => {
  const { other } = await lateOwner()
  await ground.service.query(
    "update console_sessions set opened_at = opened_at - interval '1 hour' where member_id is null"
  )
  await ground.operator.submit(team, { memberId: other }, `${team}/remove-passkeys`)
  expect(await passkeysOf(other)).toBe(0)
})
