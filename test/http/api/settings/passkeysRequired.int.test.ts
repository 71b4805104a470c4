/** Whether a company demands passkeys of its members: who may turn that on and off. What it does to a session: `passkeys.e2e.test.ts`. */
import { Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ConsoleSessions } from "../../../../src/actors/members/ConsoleSessions.ts"
import { Passkeys } from "../../../../src/actors/members/Passkeys.ts"
import { CompanyId, PasskeyId, type MemberId } from "../../../../src/schema/ids.ts"
import { memberLimits } from "../../../../src/actors/members/limits.ts"
import { askSettings, makeCompany } from "../../../support/companies.ts"
import { addMember, addPasskey, openSession } from "../../../support/members.ts"
import { startService } from "../../../support/service.ts"
import { tokenIn } from "../../app/CustomerBrowser.ts"
import { ConsoleBrowser, startConsole, type ConsoleGround } from "../../console/consoleGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({}, { BASE_URL: "http://localhost" })
})
afterAll(() => ground.service.stop())

/** An owner of a new company, in a browser, with what asks for a change of the company. */
const ownerOf = async (name: string) => {
  const { service } = ground
  const companyId = (await makeCompany(service, { name })).id
  const memberId = await addMember(service, companyId, { email: "owner@strict.example", role: "OWNER" })
  const browser = new ConsoleBrowser(service, await openSession(service, memberId))
  const token = tokenIn(await browser.ask("/console/team"))
  const change = async (body: unknown) => {
    const answer = await fetch(`${service.baseUrl}/settings/v1/companies/${companyId}`, {
      method: "PATCH",
      headers: {
        cookie: `journeys-console=${browser.cookies.get("journeys-console")}`,
        "content-type": "application/json",
        "x-form-token": token,
        origin: "http://localhost",
        "sec-fetch-site": "same-origin"
      },
      body: JSON.stringify(body)
    })
    const { errors } = (await answer.json()) as { readonly errors?: ReadonlyArray<{ readonly code: string }> }
    return [answer.status, errors?.[0]?.code]
  }
  const waitTooLong = () =>
    service.query(
      "update console_sessions set opened_at = opened_at - make_interval(secs => $2) where member_id = $1",
      [memberId, Duration.toSeconds(memberLimits.signInFreshFor)]
    )
  const demanded = async () => (await askSettings(service, `/companies/${companyId}`)).data.passkeysRequired
  return { browser, change, companyId, demanded, memberId, waitTooLong }
}

it("is turned on by an owner who has a passkey, and off again", async () => {
  const { change, demanded, memberId } = await ownerOf("Strict Cars")
  expect(await demanded()).toBe(false)
  expect(await change({ passkeysRequired: true })).toEqual([409, "CONFLICT"])
  expect(await demanded()).toBe(false)
  await addPasskey(ground.service, memberId)
  expect(await change({ passkeysRequired: true })).toEqual([200, undefined])
  expect(await demanded()).toBe(true)
  expect(await change({ passkeysRequired: false })).toEqual([200, undefined])
  expect(await demanded()).toBe(false)
})

it("is not changed by an owner who signed in a while ago, who may change everything else", async () => {
  const { change, demanded, memberId, waitTooLong } = await ownerOf("Late Cars")
  await addPasskey(ground.service, memberId)
  await waitTooLong()
  expect(await change({ passkeysRequired: true })).toEqual([403, "SIGN_IN_AGAIN"])
  expect(await change({ passkeysRequired: false, language: "pl" })).toEqual([200, undefined])
  expect(await demanded()).toBe(false)
})

it("is a tick on the page Company, which says what is missing beside it", async () => {
  const { browser, demanded, memberId } = await ownerOf("Page Cars")
  const page = "/console/company"
  const send = async () =>
    browser.send(page, { token: tokenIn(await browser.ask(page)), form: "sign-in", passkeysRequired: "on" })
  expect((await send()).text).toContain("Add a passkey of your own first")
  await addPasskey(ground.service, memberId)
  expect((await send()).status).toBe(303)
  expect(await demanded()).toBe(true)
})

/** Adds a passkey in the session of a browser, as its ceremony does (`passkeys.e2e.test.ts`). */
const addIn = async (browser: ConsoleBrowser, companyId: string, memberId: MemberId) => {
  const secret = browser.cookies.get("journeys-console") ?? ""
  const id = PasskeyId.make(randomUUID())
  const key = {
    id,
    memberId,
    credentialId: id,
    publicKey: new Uint8Array(1),
    signCount: 0,
    transports: [],
    name: "Phone"
  }
  const line = {
    actor: `member:${memberId}`,
    action: "passkey.added",
    details: { memberId, passkeyId: id },
    at: Date.now()
  } as const
  const adding = Effect.gen(function* () {
    const session = yield* (yield* ConsoleSessions).find(secret)
    if (session === null) return "NO_SESSION"
    return yield* (yield* Passkeys).add(CompanyId.make(companyId), key, session.id, line)
  })
  expect(await ground.service.run(adding)).toBe("ADDED")
}

/** What a browser is shown that asks for a page: that page, or where it is led. */
const seen = async (browser: ConsoleBrowser): Promise<string> =>
  (await browser.ask("/console/team")).location ?? "the page"

/** What the settings API answers to a browser's script. */
const asked = async (browser: ConsoleBrowser, companyId: string): Promise<number> =>
  (
    await fetch(`${ground.service.baseUrl}/settings/v1/companies/${companyId}/members`, {
      headers: { cookie: `journeys-console=${browser.cookies.get("journeys-console")}` }
    })
  ).status

it("lets nobody in who came by a link alone, when the member adds the first passkey in another session", async () => {
  const { service } = ground
  const companyId = (await makeCompany(service, { name: "Two Browsers" })).id
  await service.query("update companies set passkeys_required = true where id = $1", [companyId])
  const memberId = await addMember(service, companyId, { email: "bob@strict.example", role: "OWNER" })
  const browsers = [await openSession(service, memberId), await openSession(service, memberId)].map(
    (secret) => new ConsoleBrowser(service, secret)
  )
  const [elsewhere, here] = browsers as [ConsoleBrowser, ConsoleBrowser]
  expect(await Promise.all(browsers.map(seen))).toEqual([
    expect.stringContaining("/console/sign-in/first-passkey"),
    expect.stringContaining("/console/sign-in/first-passkey")
  ])
  expect(await Promise.all(browsers.map((one) => asked(one, companyId)))).toEqual([401, 401])
  // The page of the first passkey leads on to what was asked for, also when it is loaded once more.
  await here.ask((await here.ask("/console/team")).location ?? "")
  expect(decodeURIComponent(here.cookies.get("journeys-console-to") ?? "")).toBe("/console/team")
  await addIn(here, companyId, memberId)
  expect(await seen(here)).toBe("the page")
  expect(await seen(elsewhere)).toContain("/console/sign-in/passkey")
  expect([await asked(here, companyId), await asked(elsewhere, companyId)]).toEqual([200, 401])
  // Of a second passkey nobody who has shown the first hears anything.
  const third = new ConsoleBrowser(service, await openSession(service, memberId))
  await addIn(here, companyId, memberId)
  expect(await seen(third)).toBe("the page")
})

it("is turned on by nobody where no browser would take a passkey", async () => {
  const service = await startService({ BASE_URL: "http://127.0.0.1" })
  try {
    const { id } = await makeCompany(service)
    const answer = await askSettings(service, `/companies/${id}`, { method: "PATCH", body: { passkeysRequired: true } })
    expect([answer.status, answer.errors?.[0]?.field, answer.errors?.[0]?.message]).toEqual([
      409,
      "passkeysRequired",
      "Passkeys need a service with a name and https, or http://localhost"
    ])
  } finally {
    await service.stop()
  }
})
