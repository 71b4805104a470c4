/** A journey that waits for a customer whose mail did not arrive: its page says so where it says what it waits for. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, askSettings, start, startBody } from "../../support/companies.ts"
import { wordsOf } from "../app/CustomerBrowser.ts"
import { startConsole, type ConsoleGround } from "./consoleGround.ts"
import { changesIn, openStream } from "./journeyGround.ts"

let ground: ConsoleGround
beforeAll(async () => {
  ground = await startConsole({ credits: 20, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => ground.service.stop())

const newJourney = async () => {
  const { data } = await start(ground.service, ground.company.liveKey, startBody("IDENTITY_DELIVERY"))
  return data.id as string
}

const pageOf = async (id: string) => wordsOf(await ground.team.ask(`/console/journeys/${id}`))

/** The mails of the journey to the customer, as the postman leaves them. */
const mails = (id: string, change: string) =>
  ground.service.query(
    `update mails set ${change} where journey_id = $1 and kind in ('WELCOME', 'VERIFY_IDENTITY') returning id`,
    [id]
  )

const sent = "due_at = null, sent_at = now(), given_up_at = null"

it("is told of a bounce, with the way to correct the address, until a later mail has left", async () => {
  const id = await newJourney()
  const arrived = await mails(id, sent)
  expect(arrived.length).toBeGreaterThan(0)
  expect(await pageOf(id)).not.toContain("did not arrive")
  await mails(id, "returned_as = 'BOUNCE'")
  const bounced = await pageOf(id)
  expect(bounced).toContain("Waiting for The customer's mail did not arrive (verify identity): it came back")
  expect(bounced).toContain("it came back from the mail server of the customer")
  expect(bounced).toContain("Mail verify identity: sent, and came back")
  expect((await ground.team.ask(`/console/journeys/${id}`)).text).toContain(`/console/journeys/${id}/correct`)
  const actions = `/companies/${ground.company.id}/journeys/${id}/actions`
  expect((await askSettings(ground.service, actions)).data.undeliveredMail).toMatchObject({
    mail: "VERIFY_IDENTITY",
    state: "BOUNCED"
  })
  const resent = await askSettings(ground.service, `/companies/${ground.company.id}/journeys/${id}/resend-link`, {
    method: "POST"
  })
  expect(resent.status).toBe(200)
  await ground.service.query(
    `update mails set ${sent} where id = (select id from mails where journey_id = $1 order by created_at desc limit 1)`,
    [id]
  )
  expect((await askSettings(ground.service, actions)).data.undeliveredMail).toBe(null)
})

it("is told that a mail was reported as spam, until a later mail has left", async () => {
  const id = await newJourney()
  await mails(id, `${sent}, returned_as = 'COMPLAINT'`)
  const page = await pageOf(id)
  expect(page).toContain("Waiting for The customer's mail was reported as spam (verify identity): its recipient")
  expect(page).toContain("Further mail may not be seen. Ask the customer for another address")
  expect(page).toContain("Mail verify identity: sent, and reported as spam")
  const { data } = await askSettings(ground.service, `/companies/${ground.company.id}/journeys/${id}/actions`)
  expect(data.undeliveredMail).toMatchObject({ mail: "VERIFY_IDENTITY", state: "COMPLAINED_OF" })
})

it("is told of a mail that no server took, and of one that is tried again", async () => {
  const id = await newJourney()
  await mails(id, "due_at = null, given_up_at = now()")
  expect(await pageOf(id)).toContain("no mail server took it. The service gave it up")
  const again = await newJourney()
  await mails(again, "due_at = now() + interval '1 hour', tries = 2")
  expect(await pageOf(again)).toContain("The service goes on trying.")
})

it("is told no more of a mail that did not arrive once the journey has ended: nobody waits for its customer", async () => {
  const id = await newJourney()
  await mails(id, `${sent}, returned_as = 'BOUNCE'`)
  expect(await pageOf(id)).toContain("did not arrive")
  const body = { reason: "The customer changed their mind" }
  const path = `/api/v1/journeys/${id}/cancel`
  expect((await ask(ground.service, ground.company.liveKey, path, { body })).status).toBe(200)
  expect(await pageOf(id)).not.toContain("did not arrive")
  const { data } = await askSettings(ground.service, `/companies/${ground.company.id}/journeys/${id}/actions`)
  expect([data.waitingOn, data.undeliveredMail]).toEqual([[], null])
})

it("hears of a bounce while the page is open", async () => {
  const id = await newJourney()
  await mails(id, sent)
  const stream = await openStream(ground.service.baseUrl, ground.team, id)
  const changed = "event: journey-changed\ndata: \n\n"
  await stream.until(changed)
  await mails(id, "returned_as = 'BOUNCE'")
  expect(changesIn((await stream.until(changed, 2)) ?? "")).toHaveLength(2)
  stream.close()
})
