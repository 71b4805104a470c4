/** How many sessions one person, one token of the operator and one customer may have at once, and which of them ends for a new one. */
import { Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { customerLimits } from "../../../src/actors/customer/limits.ts"
import { ConsoleLinks } from "../../../src/actors/members/ConsoleLinks.ts"
import { ConsoleSessions } from "../../../src/actors/members/ConsoleSessions.ts"
import { memberLimits } from "../../../src/actors/members/limits.ts"
import { MailId, type MemberId } from "../../../src/schema/ids.ts"
import { askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { addMember } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, newLink, telephoneLink } from "../app/CustomerBrowser.ts"
import { ConsoleBrowser } from "./consoleGround.ts"

let service: Service
let harbour: TestCompany
let bay: TestCompany
beforeAll(async () => {
  service = await startService()
  harbour = await makeCompany(service, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
  bay = await makeCompany(service, { name: "Bay Motors" })
})
afterAll(() => service.stop())

const issued = (memberId: MemberId) =>
  service.run(
    Effect.flatMap(ConsoleLinks, ({ issue }) =>
      issue({ memberId, mailId: MailId.make(randomUUID()), lifetime: Duration.minutes(5) })
    )
  )

const memberSignsIn = async (memberId: MemberId, browser = new ConsoleBrowser(service, null)) => {
  const link = await issued(memberId)
  expect((await browser.submit(`/console/sign-in/${link?.token}`, {})).status).toBe(303)
  return browser
}

const sessions = <A, E>(use: (sessions: ConsoleSessions["Service"]) => Effect.Effect<A, E>) =>
  service.run(Effect.flatMap(ConsoleSessions, use))

const isIn = async (browser: ConsoleBrowser): Promise<boolean> =>
  (await browser.ask("/console/companies")).status === 200

const whoIsIn = (browsers: ReadonlyArray<ConsoleBrowser>) => Promise.all(browsers.map(isIn))

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

it("ends a member's oldest session, of whichever company, when a newer one is over the bound", async () => {
  const email = "ann@many.example"
  const here = await addMember(service, harbour.id, { email })
  const there = await addMember(service, bay.id, { email })
  const other = await memberSignsIn(await addMember(service, harbour.id, { email: "ben@many.example" }))
  const browsers: Array<ConsoleBrowser> = []
  for (let count = 0; count < memberLimits.mostSessions; count++) {
    browsers.push(await memberSignsIn(count % 2 === 0 ? here : there))
  }
  expect(await whoIsIn(browsers)).toEqual(times(memberLimits.mostSessions, true))
  browsers.push(await memberSignsIn(there))
  expect(await whoIsIn(browsers)).toEqual([false, ...times(memberLimits.mostSessions, true)])
  expect(await isIn(other)).toBe(true)
})

it("counts neither a session that the browser leaves nor one that is over", async () => {
  const member = await addMember(service, harbour.id, { email: "cat@many.example" })
  const browsers: Array<ConsoleBrowser> = []
  for (let count = 0; count < memberLimits.mostSessions; count++) browsers.push(await memberSignsIn(member))
  await memberSignsIn(member, browsers.at(-1))
  expect(await whoIsIn(browsers)).toEqual(times(memberLimits.mostSessions, true))
  await service.query(
    `update console_sessions set seen_at = seen_at - make_interval(secs => $2)
     where id = (select id from console_sessions where member_id = $1 order by opened_at desc limit 1)`,
    [member, Duration.toSeconds(memberLimits.sessionIdleTime)]
  )
  browsers[browsers.length - 1] = await memberSignsIn(member)
  expect(await whoIsIn(browsers)).toEqual(times(memberLimits.mostSessions, true))
})

it("ends the oldest session of a token of the operator when a newer one is over the bound", async () => {
  const secrets: Array<string> = []
  for (let count = 0; count <= memberLimits.mostOperatorSessions; count++) {
    secrets.push(await sessions(({ openForOperator }) => openForOperator(null)))
  }
  const found = await Promise.all(secrets.map((secret) => sessions(({ find }) => find(secret))))
  expect(found.map((session) => session !== null)).toEqual([false, ...times(memberLimits.mostOperatorSessions, true)])

  const token = (
    await askSettings(service, "/operator-tokens", { method: "POST", body: { name: "of-its-own", scopes: ["*"] } })
  ).data
  const ofToken = await sessions(({ openForOperator }) => openForOperator(token.id))
  const isOpen = async (secret = "") => (await sessions(({ find }) => find(secret))) !== null
  expect([await isOpen(ofToken), await isOpen(secrets[1])]).toEqual([true, true])
  await sessions(({ openForOperator }) => openForOperator(null))
  expect([await isOpen(ofToken), await isOpen(secrets[1])]).toEqual([true, false])
})

it("ends the oldest session of a journey's customer when telephones open more than the bound", async () => {
  const { id } = (await start(service, harbour.liveKey, startBody("CASH_SALE"))).data
  const computer = new CustomerBrowser(service)
  expect((await computer.signIn(await newLink(service, id, "VERIFY_IDENTITY"))).status).toBe(303)
  const browsers = [computer]
  while (browsers.length <= customerLimits.mostSessions) {
    const telephone = new CustomerBrowser(service)
    expect((await telephone.signIn(await telephoneLink(service, id, "VERIFY_IDENTITY"))).status).toBe(303)
    browsers.push(telephone)
  }
  const areIn = async () =>
    (await Promise.all(browsers.map((one) => one.ask("/app/journey")))).map(({ status }) => status === 200)
  expect(await areIn()).toEqual([false, ...times(customerLimits.mostSessions, true)])
  // A browser that signs in again leaves its own session, and ends nobody else's.
  await browsers.at(-1)?.signIn(await telephoneLink(service, id, "VERIFY_IDENTITY"))
  expect(await areIn()).toEqual([false, ...times(customerLimits.mostSessions, true)])
  // One that has run out takes no place.
  await service.query(
    `update customer_sessions set seen_at = seen_at - make_interval(secs => $2)
     where id = (select id from customer_sessions where journey_id = $1 order by opened_at desc limit 1)`,
    [id, Duration.toSeconds(customerLimits.sessionIdleTime)]
  )
  browsers.push(new CustomerBrowser(service))
  expect((await browsers.at(-1)?.signIn(await telephoneLink(service, id, "VERIFY_IDENTITY")))?.status).toBe(303)
  expect(await areIn()).toEqual([false, ...times(customerLimits.mostSessions - 1, true), false, true])
})
