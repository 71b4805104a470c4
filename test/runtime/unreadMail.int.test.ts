/** Mail to customers that goes straight into the built-in mailbox, and is written when somebody reads it. */
import { Duration } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { customerLimits } from "../../src/actors/customer/limits.ts"
import { askSettings, makeCompany, start, startBody } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { startService, type Service } from "../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
})
afterAll(() => service.stop())

interface Mail {
  readonly kind: string
  readonly text: string
}

const listed = async (query: string): Promise<ReadonlyArray<Mail>> =>
  (await askSettings(service, `/mail${query}`)).data.content
const mailsOf = (journeyId: string) => listed(`?journeyId=${journeyId}`)
const kindsOf = async (journeyId: string) => (await mailsOf(journeyId)).map(({ kind }) => kind)

/** A cash sale has a mail that welcomes, and one that asks for the identity check. */
const begin = async (email: string, mode: "liveKey" | "testKey" = "liveKey") => {
  const company = await makeCompany(service, {
    adminEmail: `owner.${email}`,
    credits: 10,
    settings: { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } }
  })
  const body = startBody("CASH_SALE")
  const { data } = await start(service, company[mode], { ...body, customer: { ...body.customer, email } })
  return { id: String(data.id), customerPath: `/companies/${company.id}/customers/${data.customerReference}` }
}

interface Row {
  readonly kind: string
  readonly sent: boolean
  readonly due: boolean
  readonly tries: number
  readonly unwritten: boolean
  readonly words: boolean
}

const rowsOf = (journeyId: string) =>
  service.query<Row>(
    `select kind, sent_at is not null as sent, due_at is not null as due, tries, is_unwritten as unwritten, sealed is not null as words
     from mails where journey_id = $1 order by created_at, length(cause), cause`,
    [journeyId]
  )

const asksForIdentity = async (journeyId: string): Promise<Mail> => {
  const found = (await mailsOf(journeyId)).find(({ kind }) => kind === "VERIFY_IDENTITY")
  if (found === undefined) throw new Error("no mail asks for the identity check")
  return found
}

/** What whoever opens the link of a mail is answered. */
const opened = async ({ text }: Mail): Promise<number> => {
  const [link] = /\/app\/l\/[\w-]{43}/.exec(text) ?? []
  return (await fetch(`${service.baseUrl}${link}`, { redirect: "manual" })).status
}

it("has left with the start that owes it, and is written by the first who reads it: the next reads the same", async () => {
  const { id } = await begin("ann@first.example")
  const left = { sent: true, due: false, tries: 1 }
  const bothAre = (state: Pick<Row, "unwritten" | "words">) => [
    { kind: "WELCOME", ...left, ...state },
    { kind: "VERIFY_IDENTITY", ...left, ...state }
  ]
  expect(await rowsOf(id)).toEqual(bothAre({ unwritten: true, words: false }))
  const first = await mailsOf(id)
  expect(await rowsOf(id)).toEqual(bothAre({ unwritten: false, words: true }))
  expect(await mailsOf(id)).toEqual(first)
  expect(await opened(await asksForIdentity(id))).toBe(200)
})

it("has links that all work when many read it first at once", async () => {
  const { id } = await begin("ann@second.example")
  for (const mail of await Promise.all(Array.from({ length: 5 }, () => asksForIdentity(id)))) {
    expect(await opened(mail)).toBe(200)
  }
})

it("is found by its address before anybody has read it", async () => {
  await begin("Ann@third.example")
  await begin("ann@fourth.example", "testKey")
  expect(await listed("?to=ann@THIRD.example")).toHaveLength(2)
  expect(await listed("?to=Owner.ann@fourth.example")).toHaveLength(2)
  expect(await listed("?to=ann@fourth.example")).toEqual([])
})

it("says what it said when it left, whatever the journey waits for by now", async () => {
  const { id } = await begin("ann@fifth.example")
  await service.query(
    `update journeys set state = jsonb_set(state::jsonb, '{status}', '"CANCELLED"')::json, status = 'CANCELLED' where id = $1`,
    [id]
  )
  expect(await kindsOf(id)).toEqual(["VERIFY_IDENTITY", "WELCOME"])
})

/** What whoever opens the link is answered, if the mail is read so late. */
const openedAfter = async (email: string, millis: number): Promise<number> => {
  const { id } = await begin(email)
  const text = "update mails set created_at = now() - $2::int * interval '1 millisecond' where journey_id = $1"
  await service.query(text, [id, millis])
  return opened(await asksForIdentity(id))
}

it("has a link that lives from when it left, not from when it was read", async () => {
  const lifetime = Duration.toMillis(customerLimits.linkLifetime)
  expect(await openedAfter("ann@sixth.example", lifetime - 60_000)).toBe(200)
  expect(await openedAfter("ann@seventh.example", lifetime + 1000)).toBe(404)
})

it("hides no other mail when it is damaged", async () => {
  const { id } = await begin("ann@eighth.example")
  await service.query("update mails set facts = '{}' where journey_id = $1 and kind = 'WELCOME'", [id])
  expect(await kindsOf(id)).toEqual(["VERIFY_IDENTITY"])
})

it("is not shown once its customer was erased, and is never written then", async () => {
  const { customerPath, id } = await begin("ann@ninth.example", "testKey")
  expect((await askSettings(service, customerPath, { method: "DELETE" })).success).toBe(true)
  await eventually(
    () => rowsOf(id),
    (rows) => rows.every(({ unwritten }) => !unwritten)
  )
  expect(await mailsOf(id)).toEqual([])
})
