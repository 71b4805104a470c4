/**
 * Mail of a company to customers through a real SMTP server: how much may leave in a day, and that it stops when too much of it comes
 * back (M9). What is held waits and leaves later; the company's own people hear of it, and their own mail always leaves.
 */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { ConsoleLinks } from "../../src/actors/members/ConsoleLinks.ts"
import { askSettings, type TestCompany } from "../support/companies.ts"
import { isPromised } from "../http/documents/promised.ts"
import { eventually } from "../support/eventually.ts"
import { admin, journeyMailGround, subjects, textOf } from "./journeyMailGround.ts"

const { answers, arrived, begin, liveCompany, mailsTo, newAddress, service } = journeyMailGround()

const standingOf = async ({ id }: TestCompany) => {
  const answer = await askSettings(service(), `/companies/${id}/mail`)
  isPromised("getMailStanding", answer)
  return answer.data
}

const change = async ({ id }: TestCompany, body: unknown) => {
  const answer = await askSettings(service(), `/companies/${id}/mail`, { method: "PATCH", body })
  isPromised("changeMailStanding", answer)
  expect(answer.status).toBe(200)
  return answer.data
}

const waitingOf = (journeyId: string) =>
  service().query<{ readonly tries: number }>(
    "select tries from mails where journey_id = $1 and due_at > now() + interval '10 minutes'",
    [journeyId]
  )

const hears = (words: string, address = admin) =>
  eventually(
    () => Promise.resolve(subjects(mailsTo(address)).filter((subject) => subject.includes(words))),
    (found) => found.length > 0
  )

it("what a company may not send today waits, its owner is told once, and more may be allowed: none is lost", async () => {
  const company = await liveCompany("limited@dealer.example", "Limited Cars")
  expect(await standingOf(company)).toMatchObject({ perDay: 200, sent: 0, stoppedAt: null })
  expect(await change(company, { perDay: 2 })).toMatchObject({ perDay: 2 })
  const [first, second] = [newAddress(), newAddress()]
  await begin(company.liveKey, "CASH_SALE", first)
  await arrived(first, 2)
  await eventually(
    () => standingOf(company),
    ({ sent }) => sent === 2
  )
  const journey = await begin(company.liveKey, "CASH_SALE", second)
  // To wait is no try, and no try is counted against the address.
  const waiting = await eventually(
    () => waitingOf(journey),
    (mails) => mails.length === 2
  )
  expect(waiting.map(({ tries }) => tries)).toEqual([0, 0])
  expect(mailsTo(second)).toEqual([])
  expect(await hears("today's mails have left", "limited@dealer.example")).toHaveLength(1)
  const told = await service().query("select id from mails where company_id = $1 and kind = 'MAIL_LIMITED'", [
    company.id
  ])
  expect(told).toHaveLength(1)

  expect(await change(company, { perDay: null })).toMatchObject({ perDay: 200 })
  expect(await arrived(second, 2)).toHaveLength(2)
})

it("what was held leaves in its journey's order, also when a later mail may leave before the earlier one", async () => {
  const company = await liveCompany("ordered@dealer.example", "Ordered Cars")
  await change(company, { stopped: true })
  const email = newAddress()
  const journey = await begin(company.liveKey, "CASH_SALE", email)
  await eventually(
    () => waitingOf(journey),
    (mails) => mails.length === 2
  )
  // Both may leave now, but only the later one is due.
  await service().query("update mail_standings set stopped_at = null where company_id = $1", [company.id])
  await service().query(
    "update mails set due_at = date_trunc('second', now()) + case kind when 'WELCOME' then interval '1 hour' else interval '0' end where journey_id = $1",
    [journey]
  )
  // It waits until the same moment as the earlier one.
  await eventually(
    () => service().query("select distinct due_at from mails where journey_id = $1", [journey]),
    (moments) => moments.length === 1
  )
  expect(await waitingOf(journey)).toEqual([{ tries: 0 }, { tries: 0 }])
  expect(mailsTo(email)).toEqual([])
  await service().query("update mails set due_at = now() where journey_id = $1", [journey])
  expect(subjects(await arrived(email, 2))).toEqual([
    "Your purchase of AB12 CDE",
    "Please verify your identity for AB12 CDE"
  ])
})

it("mail stops when more than a tenth of it comes back; owners hear of it and still sign in; the operator starts it again", async () => {
  const company = await liveCompany("stopped@dealer.example", "Stopped Cars")
  const other = await liveCompany("calm@dealer.example", "Calm Cars")
  await service().query("insert into mail_hours (company_id, hour, sent) values ($1, date_trunc('hour', now()), 17)", [
    company.id
  ])
  answers.set("gone", 550)
  await begin(company.liveKey, "CASH_SALE", newAddress("gone"))
  await eventually(
    () => standingOf(company),
    ({ refused }) => refused === 2
  )
  expect(await standingOf(company)).toMatchObject({ stoppedAt: null, sent: 17 })
  await begin(company.liveKey, "CASH_SALE", newAddress("gone"))
  await hears("has been stopped", "stopped@dealer.example")
  expect(await standingOf(company)).toMatchObject({ stoppedBy: "RATE" })
  const overview = await askSettings(service(), `/companies/${company.id}/overview`)
  expect(overview.data.mailStoppedAt).not.toBeNull()

  const held = newAddress()
  const journey = await begin(company.liveKey, "CASH_SALE", held)
  await eventually(
    () => waitingOf(journey),
    (mails) => mails.length === 2
  )
  await service().run(Effect.flatMap(ConsoleLinks, (links) => links.mail("stopped@dealer.example")))
  await hears("link to sign in", "stopped@dealer.example")
  const free = newAddress()
  await begin(other.liveKey, "CASH_SALE", free)
  await arrived(free, 2)
  expect(mailsTo(held)).toEqual([])

  expect(await change(company, { stopped: false })).toMatchObject({ stoppedAt: null, refused: 0, sent: 0 })
  expect(await arrived(held, 2)).toHaveLength(2)
  const { content } = (await askSettings(service(), `/companies/${company.id}/audit`)).data
  expect(content.map(({ action }: { readonly action: string }) => action)).toEqual(
    expect.arrayContaining(["mail.stopped", "mail.changed"])
  )
})

it("a bounce that came to the sender's mailbox counts once, and the team hears of it; a complaint counts, too", async () => {
  const company = await liveCompany("bounced@dealer.example", "Bounced Cars")
  const email = newAddress()
  await begin(company.liveKey, "CASH_SALE", email)
  const [welcome, verify] = await arrived(email, 2)
  const returned = (mail: typeof welcome, as: string) =>
    askSettings(service(), `/mail/${/<([^@]+)@/.exec(mail?.header("Message-ID") ?? "")?.[1]}/returned`, {
      method: "POST",
      body: { as }
    })
  for (const _ of [1, 2]) expect((await returned(welcome, "BOUNCE")).data).toMatchObject({ reported: 1 })
  expect((await returned(verify, "COMPLAINT")).data).toMatchObject({ reported: 2, stoppedAt: null })
  await hears("did not reach a customer", "bounced@dealer.example")
  expect(mailsTo("bounced@dealer.example").map(textOf).join("\n")).toContain(
    "It was the mail that welcomes the customer (WELCOME)"
  )
  const unknown = await askSettings(service(), `/mail/${company.id}/returned`, {
    method: "POST",
    body: { as: "BOUNCE" }
  })
  isPromised("recordReturnedMail", unknown)
  expect(unknown.status).toBe(404)
})

it("the team hears once of a mail that was refused at once and of which a bounce comes as well", async () => {
  const company = await liveCompany("twice@dealer.example", "Twice Cars")
  answers.set("nobody", 550)
  const journey = await begin(company.liveKey, "CASH_SALE", newAddress("nobody"))
  const refused = await eventually(
    () =>
      service().query<{ readonly id: string }>(
        "select id from mails where journey_id = $1 and given_up_at is not null and kind = 'WELCOME'",
        [journey]
      ),
    (mails) => mails.length === 1
  )
  const cause = `${refused[0]?.id}|undelivered`
  const bounce = await askSettings(service(), `/mail/${refused[0]?.id}/returned`, {
    method: "POST",
    body: { as: "BOUNCE" }
  })
  expect(bounce.data).toMatchObject({ reported: 1 })
  const owed = await service().query(
    "select id from mails where kind = 'MAIL_UNDELIVERED' and starts_with(cause, $1)",
    [cause]
  )
  expect(owed).toHaveLength(1)
})
