/**
 * Mail about live journeys through a real SMTP server: to whom and in whose name it goes, in which order, once, and not
 * when the journey has moved on.
 */
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { CustomerLanguage } from "../../src/actors/customer/CustomerLanguage.ts"
import { JourneyId } from "../../src/schema/ids.ts"
import { ask, askSettings, startBody, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { dueNow, isTriedAgainLater, stateOf } from "../support/owedMail.ts"
import { startService } from "../support/service.ts"
import { admin, baseUrl, subjects, textOf, journeyMailGround } from "./journeyMailGround.ts"

const { answers, liveCompany, newAddress, begin, sendMessage, mailsTo, arrived, causesOf, causeOf, service, server } =
  journeyMailGround()

let company: TestCompany
beforeAll(async () => {
  company = await liveCompany()
})

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
    const links = await service().query(
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

  it("is in the customer's language, else in the company's, and shows the company's telephone and colour", async () => {
    const ofCompany = await liveCompany("admin@szczecin.example", "Harbour Cars")
    const settings = { language: "pl", brand: { telephone: "+48 91 000 00 00", colour: "#c8102e" } }
    const path = `/companies/${ofCompany.id}`
    expect((await askSettings(service(), path, { method: "PATCH", body: settings })).status).toBe(200)
    const email = newAddress()
    const id = await begin(ofCompany.liveKey, "CASH_SALE", email)
    const [welcome, asking] = await arrived(email, 2)
    for (const mail of [welcome, asking]) {
      const text = Buffer.from(mail === undefined ? "" : textOf(mail), "latin1").toString()
      expect(text).toContain("Dzień dobry,")
      expect(text).toContain("zadzwonić pod numer +48 91 000 00 00.")
      expect(mail?.raw.replaceAll("=\r\n", "")).toContain("#c8102e")
    }
    const remember = Effect.flatMap(CustomerLanguage, (file) => file.remember(JourneyId.make(id), "cy", true))
    await service().run(remember)
    await sendMessage(id, { _tag: "IdentityFailed", check: 1 })
    const [, , again] = await arrived(email, 3)
    expect(Buffer.from(again === undefined ? "" : textOf(again), "latin1").toString()).toContain("Helo ")
  })

  it("follows the journey step by step: address, video, and the video again", async () => {
    const email = newAddress()
    const body = startBody("IDENTITY_DELIVERY")
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", email, {
      delivery: { ...body.delivery, type: "HOME_DELIVERY" }
    })
    await arrived(email, 2)
    await sendMessage(id, { _tag: "IdentityFailed" })
    await arrived(email, 3)
    await sendMessage(id, { _tag: "IdentityVerified" })
    await arrived(email, 4)
    await sendMessage(id, { _tag: "LocationConfirmed" })
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
    await eventually(() => stateOf(service().databaseUrl, welcome), isTriedAgainLater)
    expect(await stateOf(service().databaseUrl, verify)).toMatchObject({ tries: 0, due: true })
    await sendMessage(id, { _tag: "IdentityVerified" })
    const record = await causeOf(id, "RECORD_VIDEO")
    answers.delete(email)
    await dueNow(service().databaseUrl, welcome)
    const mails = await arrived(email, 2)
    expect(subjects(mails)).toEqual(["Your purchase of AB12 CDE", "Please record the handover video of AB12 CDE"])
    expect(await stateOf(service().databaseUrl, verify)).toMatchObject({ struckOff: true, due: false, sent: false })
    await eventually(
      () => stateOf(service().databaseUrl, record),
      (state) => state?.sent === true
    )
  })

  it("waits after a try that failed before the customer's eyes, holds nothing back, and is struck off when they go on", async () => {
    const email = newAddress("stays")
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", email)
    await arrived(email, 2)
    await sendMessage(id, { _tag: "IdentityFailed", atPage: true })
    const [, waiting] = await eventually(
      () => causesOf(id, "VERIFY_IDENTITY"),
      (found) => found.length === 2
    )
    await sendMessage(id, { _tag: "IdentityVerified" })
    expect(subjects(await arrived(email, 3))[2]).toBe("Please record the handover video of AB12 CDE")
    expect(await stateOf(service().databaseUrl, waiting?.cause ?? "")).toMatchObject({
      tries: 0,
      due: true,
      sent: false
    })
    await dueNow(service().databaseUrl, waiting?.cause ?? "")
    await eventually(
      () => stateOf(service().databaseUrl, waiting?.cause ?? ""),
      (state) => state?.struckOff === true
    )
    expect(await arrived(email, 3)).toHaveLength(3)
  })

  it("asks for a step once when it was owed twice before either could be sent", async () => {
    const email = newAddress("twice")
    answers.set(email, 451)
    const id = await begin(company.liveKey, "IDENTITY_DELIVERY", email)
    await sendMessage(id, { _tag: "IdentityFailed" })
    await eventually(
      () => causesOf(id, "VERIFY_IDENTITY"),
      (found) => found.length === 2
    )
    answers.delete(email)
    await service().query("update mails set due_at = now() where journey_id = $1 and due_at is not null", [id])
    const mails = await arrived(email, 2)
    expect(subjects(mails)[1]).toBe("Please try again to verify your identity for AB12 CDE")
    const [first] = await causesOf(id, "VERIFY_IDENTITY")
    expect(await stateOf(service().databaseUrl, first?.cause ?? "")).toMatchObject({ struckOff: true })
  })

  it("that nobody takes is given up, and the team is told once; the journey stays", async () => {
    const owner = newAddress("owner")
    const ofBounces = await liveCompany(owner)
    const email = newAddress("bounce")
    answers.set(email, 550)
    const id = await begin(ofBounces.liveKey, "IDENTITY_DELIVERY", email)
    const mails = await arrived(owner, 2)
    expect(subjects(mails)).toEqual(["A mail did not reach a customer", "A mail did not reach a customer"])
    expect(mails.map((mail) => /It was the mail that [^(]+ \((\w+)\)/.exec(textOf(mail))?.[1])).toEqual([
      "WELCOME",
      "VERIFY_IDENTITY"
    ])
    for (const { header, raw } of mails) {
      expect(raw).toContain(id)
      expect(raw).not.toContain(email)
      expect([header("From"), header("Reply-To")]).toEqual(["Journeys <journeys@example.com>", undefined])
    }
    expect((await ask(service(), ofBounces.liveKey, `/api/v1/journeys/${id}`)).data.status).toBe("ACTIVE")
  })

  it("comes in its order and once to each of many customers at once, from two services that share the work", async () => {
    const other = await startService({
      SMTP_URL: `smtp://127.0.0.1:${server().port}`,
      MAIL_FROM: "Journeys <journeys@example.com>",
      BASE_URL: baseUrl,
      DATABASE_URL: service().databaseUrl
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
    await eventually(() => stateOf(service().databaseUrl, welcome), isTriedAgainLater)
    await service().query(
      "update customers set wrapped_key = null where id = (select customer_id from journeys where id = $1)",
      [id]
    )
    answers.delete(email)
    await service().query("update mails set due_at = now() where journey_id = $1 and due_at is not null", [id])
    for (const kind of ["WELCOME", "VERIFY_IDENTITY"]) {
      const cause = await causeOf(id, kind)
      await eventually(
        () => stateOf(service().databaseUrl, cause),
        (state) => state?.struckOff === true
      )
    }
    expect(mailsTo(email)).toEqual([])
  })
})
