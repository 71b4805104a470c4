/** Too much customer mail to one address through a real SMTP server: what is over waits and then comes, in its order (M9). */
import { beforeAll, expect, it } from "vitest"
import { askSettings, type TestCompany } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { owe } from "../support/owedMail.ts"
import { journeyMailGround, subjects } from "./journeyMailGround.ts"

const { arrived, begin, liveCompany, mailsTo, newAddress, service } = journeyMailGround()

let companies: ReadonlyArray<TestCompany>
beforeAll(async () => {
  companies = [await liveCompany(), await liveCompany("other@dealer.example", "Other Cars")]
})

interface Waiting {
  readonly cause: string
  readonly journeyId: string
  readonly tries: number
  readonly waits: boolean
  readonly sent: boolean
}

const mailsOf = (journeys: ReadonlyArray<string>) =>
  service().query<Waiting>(
    `select cause, journey_id as "journeyId", tries, sent_at is not null as sent, due_at > now() + interval '10 minutes' as waits from mails
     where journey_id = any($1::uuid[]) and kind in ('WELCOME', 'VERIFY_IDENTITY') order by created_at, cause`,
    [`{${journeys.join(",")}}`]
  )

const isSettled = (mails: ReadonlyArray<Waiting>) => mails.every(({ sent, waits }) => sent || waits)

it("ten mails leave in an hour, over two companies and links asked for; the others wait, and none is lost", async () => {
  const email = newAddress("flooded")
  const journeys: Array<string> = []
  // The first journey of each company has a welcome, too: twelve mails.
  for (let number = 0; number < 10; number++)
    journeys.push(await begin(companies[number % 2]?.liveKey ?? "", "CASH_SALE", email))
  const settled = await eventually(
    () => mailsOf(journeys),
    (mails) => mails.length === 12 && isSettled(mails)
  )
  expect(settled.filter(({ sent }) => sent)).toHaveLength(10)
  expect(mailsTo(email)).toHaveLength(10)
  // To wait is no try.
  expect(settled.filter(({ sent }) => !sent).map(({ tries }) => tries)).toEqual([0, 0])

  // Which two wait is open: the first journeys' links come after their welcomes, and others may be faster.
  const waiting = new Set(settled.filter(({ sent }) => !sent).map(({ journeyId }) => journeyId))
  const at = journeys.findIndex((id) => !waiting.has(id))
  const path = `/companies/${companies[at % 2]?.id}/journeys/${journeys[at]}/resend-link`
  const asked = await askSettings(service(), path, { method: "POST" })
  expect(asked.status).toBe(200)
  const withLink = await eventually(
    () => mailsOf(journeys),
    (mails) => mails.length === 13 && isSettled(mails)
  )
  expect(withLink.filter(({ sent }) => sent)).toHaveLength(10)

  // The link of a mail that waits is not made yet: the link that the customer has still works.
  const links = await service().query("select from sign_in_links where journey_id = $1", [journeys[at]])
  expect(links).toHaveLength(1)

  await service().query(
    `update mail_allowances set mails = (select jsonb_object_agg(key, value::float8 - 3600000) from jsonb_each(mails))`
  )
  await service().query("update mails set due_at = now() where journey_id = any($1::uuid[]) and due_at is not null", [
    `{${journeys.join(",")}}`
  ])
  const all = await arrived(email, 13)
  expect(subjects(all).filter((subject) => subject.startsWith("Your purchase"))).toHaveLength(2)
  const rest = await eventually(
    () => mailsOf(journeys),
    (mails) => mails.every(({ sent }) => sent)
  )
  expect(rest).toHaveLength(13)
})

it("mail that is struck off takes no place of its address", async () => {
  const email = newAddress("struck")
  const [{ id: companyId, liveKey } = { id: "", liveKey: "" }] = companies
  const journeyId = await begin(liveKey, "CASH_SALE", email)
  await arrived(email, 2)
  // About a step that the journey is not at.
  const ids = await owe(service().databaseUrl, {
    companyId,
    journeyId,
    causes: Array.from({ length: 8 }, (_, at) => `${journeyId}|old|${at}`),
    mail: { kind: "RECORD_VIDEO", facts: { again: false, attempt: 90 } }
  })
  await eventually(
    () => service().query("select from mails where id = any($1::uuid[]) and struck_off_at is not null", [ids]),
    (rows) => rows.length === ids.length
  )
  await begin(liveKey, "CASH_SALE", email)
  expect(await arrived(email, 3)).toHaveLength(3)
})

it("another address is not held up, and the address is nowhere in clear", async () => {
  const email = newAddress("quiet")
  await begin(companies[0]?.liveKey ?? "", "CASH_SALE", email)
  await arrived(email, 2)
  const rows = await service().query<{ readonly line: string }>("select a::text as line from mail_allowances a")
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ line }) => line).join()).not.toContain("customer.example")
})
