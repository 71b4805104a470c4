/**
 * Mail about journeys through a real SMTP server: whom it goes to and in whose name, in which order, once, and not when
 * the journey has moved on meanwhile.
 */
import { Effect } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { JourneyMailbox } from "../../src/actors/journey/actor/JourneyMailbox.ts"
import type { JourneyMessage } from "../../src/schema/journey/messages.ts"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { smtpAnswer, startMailServer, type MailServer, type ReceivedMail } from "../support/mailServer.ts"
import { dueNow, stateOf } from "../support/owedMail.ts"
import { startService, type Service } from "../support/service.ts"

const baseUrl = "https://journeys.example"
const admin = "owner@harbourcars.example"

let server: MailServer
let service: Service
let company: TestCompany
/** What the server answers to a recipient, by the beginning of the address; null: yes. */
const answers = new Map<string, number>()

beforeAll(async () => {
  server = await startMailServer({
    onRcptTo: ({ address }, _session, done) => {
      const code = [...answers].find(([beginning]) => address.startsWith(beginning))?.[1]
      done(code === undefined ? null : smtpAnswer(code))
    }
  })
  service = await startService({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: "Journeys <journeys@example.com>",
    BASE_URL: baseUrl
  })
  company = await liveCompany()
})
afterAll(async () => {
  await service.stop()
  await server.stop()
})

const liveCompany = (adminEmail = admin, name = "Harbour Cars") =>
  makeCompany(service, {
    adminEmail,
    name,
    credits: 1000,
    settings: { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } }
  })

let customers = 0
const newAddress = (name = "ann") => `${name}.${(customers += 1)}@customer.example`

/** A journey of a customer of its own; answers with its id. */
const begin = async (key: string, shape: Shape, email: string, changes: Readonly<Record<string, unknown>> = {}) => {
  const body = startBody(shape)
  const answer = await start(service, key, { ...body, customer: { ...body.customer, email }, ...changes })
  if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.errors)}`)
  return String(answer.data.id)
}

const tell = (journeyId: string, message: JourneyMessage) =>
  service.run(
    Effect.flatMap(JourneyMailbox, (mailbox) =>
      mailbox.ask(journeyId, {
        messageId: randomUUID(),
        sender: "test",
        scope: null,
        message,
        sealedNote: null,
        sealedPhoto: null
      })
    )
  )

const mailsTo = (address: string) => server.received.filter(({ to }) => to.includes(address))
const arrived = (address: string, count: number): Promise<ReadonlyArray<ReceivedMail>> =>
  eventually(
    () => Promise.resolve(mailsTo(address)),
    (mails) => mails.length >= count
  )
const subjects = (mails: ReadonlyArray<ReceivedMail>) => mails.map(({ header }) => header("Subject") ?? "")

/** The text part as it was before its transport. */
const textOf = ({ raw }: ReceivedMail): string => {
  const [, part = ""] = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(raw) ?? []
  return part
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

const causesOf = (journeyId: string, kind: string) =>
  service.query<{ readonly cause: string }>(
    "select cause from mails where journey_id = $1 and kind = $2 order by created_at, cause",
    [journeyId, kind]
  )
const causeOf = async (journeyId: string, kind: string): Promise<string> => {
  const [row] = await eventually(
    () => causesOf(journeyId, kind),
    (found) => found.length > 0
  )
  return row?.cause ?? ""
}

describe("a live journey's mail", () => {
  it("welcomes a new customer first, then asks for the first step, in the company's name", async () => {
    const email = newAddress()
    await begin(company.liveKey, "CASH_SALE", email)
    const mails = await arrived(email, 2)
    expect(subjects(mails)).toEqual(["Your purchase of AB12 CDE", "Please verify your identity for AB12 CDE"])
    for (const { from, header, to } of mails) {
      expect([from, to]).toEqual(["journeys@example.com", [email]])
      expect(header("From")).toBe("Harbour Cars via Journeys <journeys@example.com>")
      expect(header("Reply-To")).toBe(admin)
      expect(header("To")).toBe(email)
    }
  })

  it("has a link of its own that is known to the service by its hash alone", async () => {
    const email = newAddress()
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", email)
    const [, mail] = await arrived(email, 2)
    const [, token = ""] =
      /https:\/\/journeys\.example\/app\/l\/(\S+)/.exec(mail === undefined ? "" : textOf(mail)) ?? []
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const links = await service.query(
      "select encode(token_hash, 'hex') as hash, step from sign_in_links where journey_id = $1",
      [id]
    )
    expect(links).toEqual([{ hash: createHash("sha256").update(token).digest("hex"), step: "VERIFY_IDENTITY" }])
  })

  it("welcomes nobody twice, however the address is written", async () => {
    const email = newAddress()
    await begin(company.liveKey, "CASH_SALE", email)
    await arrived(email, 2)
    const again = email.replace("ann", "ANN")
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", again)
    expect(subjects(await arrived(again, 1))).toEqual(["Please verify your identity for AB12 CDE"])
    expect(await causesOf(id, "WELCOME")).toEqual([])
  })

  it("tells who sells when the caller named another company, and nothing else of anybody", async () => {
    const email = newAddress()
    const broker = await liveCompany("admin@broker.example", "Bright Brokers")
    await begin(broker.liveKey, "IDENTITY_DELIVERY", email, { externalCompanyName: "Söhne & Co" })
    const mails = await arrived(email, 2)
    for (const mail of mails) {
      expect(mail.header("From")).toBe("Bright Brokers via Journeys <journeys@example.com>")
      const { customer, vehicle } = startBody("IDENTITY_DELIVERY")
      for (const detail of [customer.lastName, customer.mobile, vehicle.make, vehicle.model].filter(Boolean)) {
        expect(mail.raw).not.toContain(detail)
      }
      expect(Buffer.from(textOf(mail), "latin1").toString()).toContain("on behalf of the seller, Söhne & Co.")
    }
  })

  it("follows the journey step by step: address, video, and the video again", async () => {
    const email = newAddress()
    const body = startBody("IDENTITY_DELIVERY")
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", email, {
      delivery: { ...body.delivery, type: "HOME_DELIVERY" }
    })
    await arrived(email, 2)
    await tell(id, { _tag: "IdentityFailed" })
    await arrived(email, 3)
    await tell(id, { _tag: "IdentityVerified" })
    await arrived(email, 4)
    await tell(id, { _tag: "LocationConfirmed" })
    const mails = await arrived(email, 5)
    expect(subjects(mails).slice(2)).toEqual([
      "Please try again to verify your identity for AB12 CDE",
      "Please confirm where AB12 CDE is to be delivered",
      "Please record the handover video of AB12 CDE"
    ])
  })

  it("is struck off when the journey has moved on before it could be sent", async () => {
    const email = newAddress("later")
    answers.set(email, 451)
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", email)
    const welcome = await causeOf(id, "WELCOME")
    const verify = await causeOf(id, "VERIFY_IDENTITY")
    await eventually(
      () => stateOf(service.databaseUrl, welcome),
      (state) => state?.tries === 1
    )
    expect(await stateOf(service.databaseUrl, verify)).toMatchObject({ tries: 0, due: true })
    await tell(id, { _tag: "IdentityVerified" })
    const record = await causeOf(id, "RECORD_VIDEO")
    answers.delete(email)
    await dueNow(service.databaseUrl, welcome)
    const mails = await arrived(email, 2)
    expect(subjects(mails)).toEqual(["Your purchase of AB12 CDE", "Please record the handover video of AB12 CDE"])
    expect(await stateOf(service.databaseUrl, verify)).toMatchObject({ struckOff: true, due: false, sent: false })
    await eventually(
      () => stateOf(service.databaseUrl, record),
      (state) => state?.sent === true
    )
  })

  it("asks for a step once when it was owed twice before either could be sent", async () => {
    const email = newAddress("twice")
    answers.set(email, 451)
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", email)
    await tell(id, { _tag: "IdentityFailed" })
    await eventually(
      () => causesOf(id, "VERIFY_IDENTITY"),
      (found) => found.length === 2
    )
    answers.delete(email)
    await service.query("update mails set due_at = now() where journey_id = $1 and due_at is not null", [id])
    const mails = await arrived(email, 2)
    expect(subjects(mails)[1]).toBe("Please try again to verify your identity for AB12 CDE")
    const [first] = await causesOf(id, "VERIFY_IDENTITY")
    expect(await stateOf(service.databaseUrl, first?.cause ?? "")).toMatchObject({ struckOff: true })
  })

  it("that nobody takes is given up, and the team is told once; the journey stays", async () => {
    const owner = newAddress("owner")
    const ofBounces = await liveCompany(owner)
    const email = newAddress("bounce")
    answers.set(email, 550)
    const id = await begin(ofBounces.liveKey, "IDENTITY_DELIVERY", email)
    const mails = await arrived(owner, 2)
    expect(subjects(mails)).toEqual(["A mail did not reach a customer", "A mail did not reach a customer"])
    expect(mails.map((mail) => /Its kind: (\w+)/.exec(textOf(mail))?.[1])).toEqual(["WELCOME", "VERIFY_IDENTITY"])
    for (const { header, raw } of mails) {
      expect(raw).toContain(id)
      expect(raw).not.toContain(email)
      expect([header("From"), header("Reply-To")]).toEqual(["Journeys <journeys@example.com>", undefined])
    }
    expect((await ask(service, ofBounces.liveKey, `/api/v1/journeys/${id}`)).data.status).toBe("ACTIVE")
  })

  it("comes in its order and once to each of many customers at once, from two services that share the work", async () => {
    const other = await startService({
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: "Journeys <journeys@example.com>",
      BASE_URL: baseUrl,
      DATABASE_URL: service.databaseUrl
    })
    const emails = Array.from({ length: 30 }, () => newAddress("many"))
    await Promise.all(emails.map((email) => begin(company.liveKey, "CASH_SALE", email)))
    for (const email of emails) await arrived(email, 2)
    await other.stop()
    for (const email of emails) {
      expect(subjects(mailsTo(email))).toEqual([
        "Your purchase of AB12 CDE",
        "Please verify your identity for AB12 CDE"
      ])
    }
  })

  it("goes to a customer who was erased no more", async () => {
    const email = newAddress("erased")
    answers.set(email, 451)
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", email)
    const welcome = await causeOf(id, "WELCOME")
    await eventually(
      () => stateOf(service.databaseUrl, welcome),
      (state) => state?.tries === 1
    )
    await service.query(
      "update customers set wrapped_key = null where id = (select customer_id from journeys where id = $1)",
      [id]
    )
    answers.delete(email)
    await service.query("update mails set due_at = now() where journey_id = $1 and due_at is not null", [id])
    for (const kind of ["WELCOME", "VERIFY_IDENTITY"]) {
      const cause = await causeOf(id, kind)
      await eventually(
        () => stateOf(service.databaseUrl, cause),
        (state) => state?.struckOff === true
      )
    }
    expect(mailsTo(email)).toEqual([])
  })
})

describe("a test journey's mail", () => {
  it("goes to the administrator, marked, and names whom it would have gone to; the customer gets none", async () => {
    const owner = newAddress("owner")
    const ofTests = await liveCompany(owner)
    const email = newAddress()
    const id = await begin(ofTests.testKey, "FINANCE_ALREADY_SUBMITTED", email)
    const simulate = (event: string) =>
      ask(service, ofTests.testKey, `/api/v1/journeys/${id}/simulate`, { body: { event } })
    await arrived(owner, 2)
    await simulate("finance_enquiry.referred")
    await arrived(owner, 3)
    await simulate("identity.under_review")
    await arrived(owner, 4)
    await simulate("finance_enquiry.approved")
    await arrived(owner, 5)
    await simulate("delivery.completed")
    const mails = await eventually(
      () => Promise.resolve(mailsTo(owner)),
      (some) => some.some(({ header }) => header("Subject")?.includes("is complete") === true)
    )
    expect(subjects(mails).slice(0, 5)).toEqual([
      "[TEST] Your purchase of AB12 CDE",
      "[TEST] Please verify your identity for AB12 CDE",
      "[TEST] News about your finance application for AB12 CDE",
      "[TEST] An identity check needs your review",
      "[TEST] Your finance for AB12 CDE is approved"
    ])
    const [welcome, verify, , review] = mails
    expect(textOf(welcome as ReceivedMail)).toContain(`Of a live one it would have gone to ${email}.`)
    expect(textOf(verify as ReceivedMail)).toContain(`${baseUrl}/app/l/`)
    expect(textOf(review as ReceivedMail)).toContain("Of a live one it would have gone to the company's team.")
    for (const { header, to } of mails) {
      expect(header("Subject")).toMatch(/^\[TEST\] /)
      expect(to).toEqual([owner])
    }
    expect(mailsTo(email)).toEqual([])
  })

  it("that the administrator's server refuses makes no further mail", async () => {
    const owner = newAddress("refusing")
    answers.set(owner, 550)
    const ofTests = await liveCompany(owner)
    const id = await begin(ofTests.testKey, "CASH_SALE", newAddress())
    const verify = await causeOf(id, "VERIFY_IDENTITY")
    await eventually(
      () => stateOf(service.databaseUrl, verify),
      (state) => state?.givenUp === true
    )
    expect(await causesOf(id, "MAIL_UNDELIVERED")).toEqual([])
  })
})
