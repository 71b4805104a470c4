/**
 * What a start and a cancellation say about a person is in the sealed columns and nowhere else: in no other column, and
 * in nothing that the process writes (INV-13). Every such text carries a mark, and the test looks for the marks
 * everywhere.
 */
import { Effect, Result } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { make as makeVault } from "../../src/runtime/keys/AesVault.ts"
import type { Shape } from "../../src/schema/journey/statuses.ts"
import { ask, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { queryDirectly } from "../support/directly.ts"
import { eventually } from "../support/eventually.ts"
import { facePhoto, withEveryMetadata } from "../support/photos.ts"
import { freshDatabase } from "../support/service.ts"
import { startProcess, type ServiceProcess } from "./ServiceProcess.ts"
import { freePort } from "../support/freePort.ts"

const shapes = [
  "FINANCE_ALREADY_SUBMITTED",
  "FINANCE_SUBMIT_VIA_MIRA",
  "IDENTITY_DELIVERY",
  "CASH_SALE",
  "FINANCE_SALE"
] as const satisfies ReadonlyArray<Shape>

/** Texts that the service keeps in the open on purpose: ids and names of the deal, and codes. */
const open = new Set([
  "type",
  "externalReference",
  "inventoryVehicleId",
  "panelSubmission",
  "panelName",
  "panelReference",
  "lender",
  "saleType",
  "source",
  "method",
  "capturedAt",
  "given",
  "title",
  "maritalStatus",
  "drivingLicenceType",
  "employmentType",
  "employmentStatus",
  "addressType",
  "residentialStatus"
])

let marks = 0
const marked: Array<string> = []
const mark = (text: string): string => {
  marked.push(text)
  return text
}
const serial = () => (marks += 1).toString().padStart(3, "0")

/** A body in which every personal text and amount occurs nowhere else. */
const withMarks = (value: unknown, name = ""): unknown => {
  if (Array.isArray(value)) return value.map((one) => withMarks(one, name))
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withMarks(one, key)]))
  }
  if (open.has(name)) return value
  if (typeof value === "string") {
    if (name === "email") return mark(`canary${serial()}@canary.example.com`)
    if (name === "mobile") return mark(`+44 7700 9${serial()}77`)
    if (name === "dateOfBirth") return mark("1971-03-19")
    if (name === "postcode") return mark("ZE1 0ZZ")
    return mark(`Canary${serial()}`)
  }
  if (typeof value === "number" && ["vehiclePrice", "depositAmount", "monthlyBudget", "monthlyIncome"].includes(name)) {
    const amount = 2000 + marks++ + 0.37
    mark(String(amount))
    return amount
  }
  return value
}

/** A face with the mark in every metadata of a JPEG. */
const photo = new Blob([withEveryMetadata(facePhoto(), mark("CanaryFaceBytes"))], { type: "image/jpeg" })

let databaseUrl: string
let service: ServiceProcess
let company: TestCompany
const started: Array<{ readonly id: string; readonly body: unknown }> = []
const reason = mark("CanaryReason: moved to Canary Street")

const startMultipart = async (body: unknown, key: string) => {
  const form = new FormData()
  form.append("journey", new Blob([JSON.stringify(body)], { type: "application/json" }))
  form.append("customerFace", photo, "CanaryFile.jpg")
  const response = await fetch(`${service.baseUrl}/api/v1/journeys`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "idempotency-key": "canary-finance-sale" },
    body: form
  })
  return { status: response.status, data: ((await response.json()) as { readonly data: { readonly id: string } }).data }
}

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  service = await startProcess(databaseUrl, await freePort(), {
    SANDBOX_STEP: "50 millis",
    SANDBOX_CALLER_STEP: "50 millis",
    LOG_LEVEL: "trace"
  })
  company = await makeCompany(service)
  for (const shape of shapes) {
    const body = withMarks(startBody(shape))
    const answer =
      shape === "FINANCE_SALE"
        ? await startMultipart(body, company.testKey)
        : await start(service, company.testKey, body, `canary-${shape}`)
    expect({ shape, status: answer.status }).toEqual({ shape, status: 202 })
    started.push({ id: answer.data.id, body })
  }
  const cancelled = withMarks({ ...startBody("IDENTITY_DELIVERY") }) as { customer: { email: string } }
  marked.splice(marked.indexOf(cancelled.customer.email), 1)
  cancelled.customer.email = mark("canary+never@canary.example.com")
  const { data } = await start(service, company.testKey, cancelled, "canary-cancelled")
  started.push({ id: data.id, body: cancelled })
  expect((await ask(service, company.testKey, `/api/v1/journeys/${data.id}/cancel`, { body: { reason } })).status).toBe(
    200
  )
  // Personal data leaks most easily where something fails: refused bodies, and a row that cannot be read.
  await start(service, company.testKey, { ...(started[1]?.body as object), surplus: "CanaryRefused" }, "canary-refused")
  await start(service, company.testKey, started[0]?.body, "canary-CASH_SALE")
  await start(service, company.testKey, `{"customer": "CanaryBrokenJson`, "canary-broken")
  marked.push("CanaryRefused", "CanaryBrokenJson")
  await eventually(
    () => queryDirectly(databaseUrl, "select 1 from journeys where status = 'ACTIVE'"),
    (rows) => rows.length === 0,
    20_000
  )
  await queryDirectly(databaseUrl, "update journeys set state = '{}' where id = $1", [data.id])
  expect((await ask(service, company.testKey, `/api/v1/journeys/${data.id}`)).status).toBe(500)
})
afterAll(() => service.end("SIGKILL"))

const found = (text: string) => {
  const lower = text.toLowerCase()
  return marked.filter((one) => lower.includes(one.toLowerCase()))
}

it("shows a personal text in no table, not even in the bytes of the sealed columns", async () => {
  const tables = await queryDirectly<{ readonly name: string }>(
    databaseUrl,
    "select table_name as name from information_schema.tables where table_schema = 'public'"
  )
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["journeys", "journal", "events", "personal_records", "customers"])
  )
  const dump: Array<string> = []
  // One after the other: each statement takes a connection of its own.
  for (const { name } of tables) {
    const rows = await queryDirectly<{ readonly line: string }>(databaseUrl, `select t::text as line from ${name} t`)
    dump.push(...rows.map(({ line }) => line))
  }
  expect(dump.length).toBeGreaterThan(50)
  const bytes = dump
    .flatMap((line) => line.match(/\\x[0-9a-f]+/g) ?? [])
    .map((hex) => Buffer.from(hex.slice(2), "hex").toString("latin1"))
  expect(bytes.length).toBeGreaterThan(started.length * 2)
  expect([...dump, ...bytes].flatMap(found)).toEqual([])
})

it("shows a personal text in nothing that the process writes", () => {
  expect(service.said()).toContain("cannot be read")
  expect(found(service.said())).toEqual([])
})

it("opens the sealed record, which holds everything, with the customer's key and with nothing else", async () => {
  const vault = makeVault(Buffer.alloc(32, 7))
  const opened = async ({ id }: { readonly id: string }) => {
    const [row] = await queryDirectly<{
      readonly sealed: Uint8Array
      readonly wrapped_key: Uint8Array | null
      readonly sealed_note: Uint8Array | null
    }>(
      databaseUrl,
      `select p.sealed, c.wrapped_key, (select sealed_note from journal l where l.journey_id = p.journey_id and sealed_note is not null) as sealed_note
      from personal_records p join customers c on c.id = p.customer_id where p.journey_id = $1`,
      [id]
    )
    if (row === undefined || row.wrapped_key === null) return null
    const key = await Effect.runPromise(vault.keyOf(row.wrapped_key))
    const record = await Effect.runPromise(key.open(`personal_records|${id}`, row.sealed))
    const note = row.sealed_note === null ? null : await Effect.runPromise(key.open(`journal|${id}`, row.sealed_note))
    const elsewhere = await Effect.runPromise(
      Effect.result(key.open(`personal_records|${started[0]?.id === id ? "x" : started[0]?.id}`, row.sealed))
    )
    expect(Result.isFailure(elsewhere)).toBe(true)
    return { record, note }
  }
  const all = await Promise.all(started.map(opened))
  const kept = found(all.map((one) => `${one?.record} ${one?.note}`).join("\n"))
  const unkept = new Set(["CanaryFaceBytes", "CanaryRefused", "CanaryBrokenJson"])
  expect(marked.filter((one) => !kept.includes(one) && !unkept.has(one))).toEqual([])
  expect(all.at(-1)?.note).toBe(reason)

  await queryDirectly(databaseUrl, "update customers set wrapped_key = null")
  expect(await Promise.all(started.map(opened))).toEqual(started.map(() => null))
})
