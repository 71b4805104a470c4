import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  ask,
  askSettings,
  makeCompany,
  start,
  startBody,
  type Answer,
  type TestCompany
} from "../../../support/companies.ts"
import { provenStatement } from "../../../../src/actors/erasure/proofSignature.ts"
import { make } from "../../../../src/runtime/keys/AesVault.ts"
import { eventually } from "../../../support/eventually.ts"
import { startWithPhoto } from "../../../support/multipart.ts"
import { startService, type Service } from "../../../support/service.ts"
import { tablesWith } from "../../../support/everyTable.ts"
import { codesOf } from "./reviewGround.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService({ BASE_URL: "https://journeys.example" })
  company = await makeCompany(service, { credits: 50, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => service.stop())

const erase = (customer: string, of = company): Promise<Answer> =>
  askSettings(service, `/companies/${of.id}/customers/${customer}`, { method: "DELETE" })

/** What others would have sealed for the customer, and the marks in it: bytes that must be nowhere afterwards. */
const plant = async (journeyId: string, customerId: string, mark: string) => {
  const upload = randomUUID()
  const statements: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
    [
      `insert into identity_attempts (id, journey_id, customer_id, check_number, at, verdict, sealed_document, sealed_selfie)
       values (gen_random_uuid(), $1, $2, 1, now(), 'UNCLEAR', $3::text::bytea, $3::text::bytea)`,
      [journeyId, customerId, `${mark}-identity_attempts`]
    ],
    [
      "insert into identity_checks values (gen_random_uuid(), $1, $2, 1, $3::text::bytea, now())",
      [journeyId, customerId, `${mark}-identity_checks`]
    ],
    [
      `insert into provider_results
         (id, journey_id, customer_id, check_number, sealed_portrait, sealed_review_url, at)
       values (gen_random_uuid(), $1, $2, 1, $3::text::bytea, $3::text::bytea, now())`,
      [journeyId, customerId, `${mark}-provider_results`]
    ],
    [
      "insert into delivery_addresses values ($1, $2, $3::text::bytea, now())",
      [journeyId, customerId, `${mark}-delivery_addresses`]
    ],
    [
      "insert into sign_in_links values ($2::text::bytea, gen_random_uuid(), $1, 'RECORD_VIDEO', now(), now(), null)",
      [journeyId, `${mark}-sign_in_links`]
    ],
    [
      "insert into customer_sessions values ($2::text::bytea, $2::text::bytea, $1, now(), now())",
      [journeyId, `${mark}-customer_sessions`]
    ],
    [
      "insert into video_uploads (id, journey_id, customer_id, kind, begun_at) values ($3, $1, $2, 'MP4', now())",
      [journeyId, customerId, upload]
    ],
    ...Array.from(
      { length: 70 },
      (_, number) =>
        [
          "insert into video_chunks values ($1, $2, '', 1, $3::text::bytea)",
          [upload, number, `${mark}-video_chunks`]
        ] as const
    ),
    [
      `insert into video_frames (upload_id, number, at_millis, outcome, sealed)
       values ($1, 1, 0, 'SAME', $2::text::bytea)`,
      [upload, `${mark}-video_frames`]
    ],
    [
      `insert into mails (id, cause, kind, company_id, journey_id, facts, created_at, to_index, sealed)
       select gen_random_uuid(), $1::text || '|planted', 'WELCOME', company_id, id, '{"again": false}', now(), '', $2::text::bytea
       from journeys where id = $1::uuid`,
      [journeyId, `${mark}-mails`]
    ]
  ]
  for (const [text, values] of statements) await service.query(text, values)
}

it("leaves no personal byte and no key in any table, and what must stay stays", async () => {
  const email = "erased.canary@example.com"
  const sale = startBody("FINANCE_SALE")
  sale.customer.email = email
  const photo = await startWithPhoto(service, company.liveKey, sale)
  const second = startBody("IDENTITY_DELIVERY")
  second.customer.email = email
  const { data } = await start(service, company.liveKey, second, "erased-start-1")
  const customer = data.customerReference
  expect(photo.data.customerReference).toBe(customer)
  const stayer = (await start(service, company.liveKey, startBody("IDENTITY_DELIVERY"))).data
  await ask(service, company.liveKey, `/api/v1/journeys/${photo.data.id}/cancel`, {
    body: { reason: "Moved to Leeds" }
  })
  const mark = "planted-canary"
  await plant(data.id, customer, mark)
  await plant(stayer.id, stayer.customerReference, "stayer-canary")
  await service.query(
    `insert into mail_allowances (address_index, mails, last_at) select email_index, '{}', now() from customers where id = $1
     on conflict do nothing`,
    [customer]
  )
  const sent = "select struck_off_at from mails where journey_id = $1 and sent_at is not null"
  const sentMails = await service.query(sent, [data.id])
  expect(sentMails.length).toBeGreaterThan(0)
  const [key] = await service.query<{ readonly key: string; readonly at: string; readonly index: string }>(
    "select encode(wrapped_key, 'hex') as key, encode(email_index, 'hex') as index from customers where id = $1",
    [customer]
  )
  const keyId = (await Effect.runPromise(make(Buffer.alloc(32, 7)).keyOf(Buffer.from(key?.key ?? "", "hex")))).id()
  const [sealed] = await service.query<{ readonly records: ReadonlyArray<string> }>(
    `select array_agg(hex) as records from (
       select encode(sealed, 'hex') as hex from personal_records where customer_id = $1
       union all select encode(sealed, 'hex') from customer_photos where customer_id = $1
       union all select encode(sealed_note, 'hex') from journal where sealed_note is not null
     ) t`,
    [customer]
  )
  const marks = [mark, key?.key ?? "-", key?.index ?? "-", ...(sealed?.records ?? [])]
  const planted = await tablesWith(service, ...marks)
  // Members are no customers. Whoever adds a table that seals something for a customer plants a canary in it here, and lists it to be erased.
  const sealing = await service.query<{ readonly name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and (column_name like 'sealed%' or column_name like '%\\_hash')
       and not (select relispartition from pg_class where oid = table_name::regclass)
       and table_name not in ('api_keys', 'encryption_marks', 'encryption_indexes', 'webhook_endpoints', 'members', 'console_links', 'console_sessions')`
  )
  expect(planted).toEqual(expect.arrayContaining(sealing.map(({ name }) => name)))
  // A dump without the rows of this table holds no customer's key, and restores without them.
  expect(await tablesWith(service, key?.key ?? "-")).toEqual(["customers"])
  expect(await service.query("select 1 from pg_constraint where confrelid = 'customers'::regclass")).toEqual([])
  const events = await service.query("select id from events where journey_id = $1", [data.id])
  const ledger = await service.query("select id from wallet_ledger where company_id = $1", [company.id])

  const answer = await erase(customer)
  expect([answer.status, answer.data]).toEqual([
    200,
    { customerReference: customer, requestedAt: expect.any(String), erasedAt: expect.any(String), finishedAt: null }
  ])
  expect(await tablesWith(service, ...marks)).toEqual([])
  expect(await service.query("select 1 from customers where id = $1", [customer])).toEqual([])
  expect(await service.query("select 1 from mails where journey_id = $1 and due_at is not null", [data.id])).toEqual([])
  // What has left is not struck off.
  expect(await service.query(sent, [data.id])).toEqual(sentMails)
  // Its neighbour keeps everything.
  expect((await tablesWith(service, "stayer-canary")).length).toBeGreaterThan(6)

  const journey = (await ask(service, company.liveKey, `/api/v1/journeys/${data.id}`)).data
  expect([journey.status, journey.customerReference]).toEqual(["CANCELLED", customer])
  const after = await service.query("select id from events where journey_id = $1", [data.id])
  expect(after).toEqual(expect.arrayContaining(events as Array<unknown>))
  expect(after.length).toBeGreaterThan(events.length)
  expect((await service.query("select id from wallet_ledger where company_id = $1", [company.id])).length).toBe(
    ledger.length
  )
  const audit = (await askSettings(service, `/companies/${company.id}/audit?size=100`)).data.content
  const lines = audit.filter((one: { readonly action: string }) => one.action === "customer.erased")
  expect(lines).toMatchObject([{ actor: "operator", details: { customerReference: customer } }])

  const proof = (await askSettings(service, `/companies/${company.id}/customers/${customer}/erasure-proof`)).data
  expect(provenStatement(proof)).toEqual(proof.statement)
  expect(proof.statement).toMatchObject({ customerReference: customer, erasedAt: answer.data.erasedAt, keyId })
  expect(new Set(proof.statement.journeys)).toEqual(new Set([photo.data.id, data.id]))
  const [head, , signature] = proof.jws.split(".")
  const forged = Buffer.from(JSON.stringify({ ...proof.statement, keyId: "0" })).toString("base64url")
  expect(provenStatement({ ...proof, jws: `${head}.${forged}.${signature}` })).toBeNull()

  // A replay of an old start still answers; a new one makes a new customer.
  const replayed = await start(service, company.liveKey, second, "erased-start-1")
  expect([replayed.status, replayed.data.id]).toEqual([200, data.id])
  const again = await start(service, company.liveKey, second)
  expect(again.status).toBe(202)
  expect(again.data.customerReference).not.toBe(customer)
  const repeated = await erase(customer)
  expect([repeated.status, repeated.data]).toEqual([200, answer.data])
  expect((await ask(service, company.liveKey, `/api/v1/journeys/${again.data.id}`)).data.status).toBe("ACTIVE")
})

const runningOf = async (shape: "FINANCE_ALREADY_SUBMITTED" | "IDENTITY_DELIVERY" | "CASH_SALE") => {
  const body = startBody(shape)
  body.customer.email = "several@example.com"
  return (await start(service, company.testKey, body)).data
}

it("of a customer with running journeys in every shape cancels them all, and tells their events", async () => {
  const journeys = [
    await runningOf("FINANCE_ALREADY_SUBMITTED"),
    await runningOf("IDENTITY_DELIVERY"),
    await runningOf("CASH_SALE")
  ]
  await erase(journeys[0].customerReference)
  for (const { id } of journeys) {
    const { data } = await ask(service, company.testKey, `/api/v1/journeys/${id}`)
    expect(data.status).toBe("CANCELLED")
    const told = await service.query<{ readonly type: string }>(
      "select type from events where journey_id = $1 order by sequence desc limit 1",
      [id]
    )
    expect(told).toEqual([{ type: "journey.cancelled" }])
  }
})

it("goes on without a journey that cannot be read, whose records go all the same", async () => {
  const body = startBody("CASH_SALE")
  body.customer.email = "unreadable@example.com"
  const { data } = await start(service, company.testKey, body)
  await service.query(`update journeys set state = '{}' where id = $1`, [data.id])
  const answer = await erase(data.customerReference)
  expect([answer.status, answer.data.erasedAt]).toEqual([200, expect.any(String)])
  expect(await service.query("select 1 from personal_records where journey_id = $1", [data.id])).toEqual([])
})

it("begun and not carried out goes on by itself; what was written late is found and removed", async () => {
  const body = startBody("CASH_SALE")
  body.customer.email = "late@example.com"
  const { data } = await start(service, company.testKey, body)
  const customer = data.customerReference
  await service.query("insert into erasures (company_id, customer_id, requested_at) values ($1, $2, now())", [
    company.id,
    customer
  ])
  const stateOf = async () =>
    (
      await service.query<{ readonly erased: boolean; readonly finished: boolean }>(
        "select erased_at is not null as erased, finished_at is not null as finished from erasures where customer_id = $1",
        [customer]
      )
    )[0]
  await eventually(stateOf, (state) => state?.erased === true, 30_000)
  expect((await ask(service, company.testKey, `/api/v1/journeys/${data.id}`)).data.status).toBe("CANCELLED")
  expect(await service.query("select 1 from customers where id = $1", [customer])).toEqual([])
  // A start that had the key in hand: its journey runs, its record is there.
  const late = (await start(service, company.testKey, startBody("CASH_SALE"))).data.id
  await service.query("update journeys set customer_id = $2 where id = $1", [late, customer])
  await service.query("update erasures set erased_at = now() - interval '1 hour' where customer_id = $1", [customer])
  await eventually(stateOf, (state) => state?.finished === true, 30_000)
  expect(await service.query("select 1 from personal_records where journey_id = $1", [late])).toEqual([])
  expect((await ask(service, company.testKey, `/api/v1/journeys/${late}`)).data.status).toBe("CANCELLED")
})

it("erases for many who ask at once, once", async () => {
  const body = startBody("CASH_SALE")
  body.customer.email = "at.once@example.com"
  const { data } = await start(service, company.testKey, body)
  const answers = await Promise.all(Array.from({ length: 8 }, () => erase(data.customerReference)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const lines = await service.query("select 1 from audit where details ->> 'customerReference' = $1", [
    data.customerReference
  ])
  expect(lines.length).toBe(1)
})

it("knows no customer of another company, and none that is none", async () => {
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  const other = await makeCompany(service)
  expect(codesOf(await erase(data.customerReference, other))).toEqual([["customer", "NOT_FOUND"]])
  expect(codesOf(await erase(randomUUID()))).toEqual([["customer", "NOT_FOUND"]])
  expect(codesOf(await erase("nobody"))).toEqual([["customer", "NOT_FOUND"]])
  expect(await service.query("select 1 from customers where id = $1", [data.customerReference])).toHaveLength(1)
})

it("shows an erasure and its proof to no other company", async () => {
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  const proofFor = ({ id }: TestCompany) =>
    askSettings(service, `/companies/${id}/customers/${data.customerReference}/erasure-proof`)
  await erase(data.customerReference)
  await eventually(
    () => proofFor(company),
    ({ status }) => status === 200
  )
  const other = await makeCompany(service)
  expect(codesOf(await proofFor(other))).toEqual([["customer", "NOT_FOUND"]])
  expect(codesOf(await erase(data.customerReference, other))).toEqual([["customer", "NOT_FOUND"]])
})

it("gives no proof of an erasure that is under way", async () => {
  const { data } = await start(service, company.testKey, startBody("CASH_SALE"))
  await erase(data.customerReference)
  const proof = () => askSettings(service, `/companies/${company.id}/customers/${data.customerReference}/erasure-proof`)
  await eventually(proof, ({ status }) => status === 200)
  await service.query("update erasures set erased_at = null where customer_id = $1", [data.customerReference])
  expect(codesOf(await proof())).toEqual([["customer", "CONFLICT"]])
})
