/** Which clocks of the sandbox a company has, how many, and who may move one, on a real database. */
import { Context, Duration, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { TestClocks } from "../../../../src/actors/journey/actor/TestClocks.ts"
import * as Database from "../../../../src/runtime/postgres/Database.ts"
import { migrations } from "../../../../src/runtime/postgres/migrations/all.ts"
import * as PostgresTestClocks from "../../../../src/runtime/stores/clock/PostgresTestClocks.ts"
import { ClockId, CompanyId } from "../../../../src/schema/ids.ts"
import { clockLimits } from "../../../../src/schema/requests/limits.ts"
import { queryDirectly } from "../../../support/directly.ts"
import { freshDatabase } from "../../../support/service.ts"

const begun = Date.UTC(2026, 0, 15, 10)
const hour = 3_600_000
const lives = Duration.toMillis(clockLimits.livesFor)

let url: string
let stop: () => Promise<void>
let clocks: TestClocks["Service"]
let companyId: CompanyId
let other: CompanyId

const newCompany = async (): Promise<CompanyId> => {
  const id = CompanyId.make(randomUUID())
  await queryDirectly(
    url,
    "insert into companies (id, name, kind, admin_email, sandbox, created_at) values ($1::uuid, 'Harbour Cars', 'DEALER', 'a@b.example', '{}', now())",
    [id]
  )
  return id
}

beforeAll(async () => {
  url = await freshDatabase()
  const runtime = ManagedRuntime.make(
    PostgresTestClocks.layer.pipe(Layer.provideMerge(Database.layerOf(Redacted.make(url), migrations)))
  )
  clocks = Context.get(await runtime.context(), TestClocks)
  stop = () => runtime.dispose()
})
afterAll(() => stop())
beforeEach(async () => {
  companyId = await newCompany()
  other = await newCompany()
})

/** The new clock, or null where the company has no room for it. */
const add = async (of = companyId, createdAt = begun): Promise<ClockId | null> => {
  const id = ClockId.make(randomUUID())
  const clock = { id, companyId: of, now: begun, createdAt, fingerprint: "fingerprint" }
  return (await Effect.runPromise(clocks.add(clock))) ? id : null
}
const added = async (of = companyId, createdAt = begun): Promise<ClockId> =>
  (await add(of, createdAt)) ?? expect.fail("there is no room for the clock")
const listed = async (now = begun) => (await Effect.runPromise(clocks.list(companyId, now))).map(({ id }) => id)

it("a company has the clocks that it made, until it ends them or they have lived for a week", async () => {
  const [old, ended, running] = [await added(companyId, begun - lives), await added(), await added()]
  await added(other)
  expect(await Effect.runPromise(clocks.end(other, ended, begun))).toBe(false)
  expect(await Effect.runPromise(clocks.end(companyId, ended, begun))).toBe(true)
  expect(await Effect.runPromise(clocks.end(companyId, ended, begun))).toBe(false)
  expect(await listed()).toEqual([running])
  expect((await listed(begun - 1)).toSorted()).toEqual([old, running].toSorted())
  expect(await Effect.runPromise(clocks.requestOf(companyId, running))).toBe("fingerprint")
  expect(await Effect.runPromise(clocks.requestOf(other, running))).toBeNull()
})

it("what has ended, what is too old and what others have takes no room of a company's clocks", async () => {
  const [first] = [await added(), await added(companyId, begun - lives), await added(other)]
  for (let count = 1; count < clockLimits.mostOfCompany; count++) await added()
  expect(await add()).toBeNull()
  await Effect.runPromise(clocks.end(companyId, first, begun))
  await added()
  expect(await add()).toBeNull()
})

it("a company that makes clocks at once makes no more than there is room for", async () => {
  for (let count = 2; count < clockLimits.mostOfCompany; count++) await added()
  const made = await Promise.all(Array.from({ length: 8 }, () => add()))
  expect(made.filter((id) => id !== null)).toHaveLength(2)
})

it("a clock is moved by who holds it, until it ends, and never back", async () => {
  const clockId = await added()
  const [holder, rival] = [randomUUID(), randomUUID()].map((token) => ({ clockId, token }))
  if (holder === undefined || rival === undefined) return expect.fail("no tokens")
  const take = (who: typeof holder, target: number, now = begun) =>
    Effect.runPromise(clocks.take(who, { keyed: null, target }, now))
  const moveTo = (who: typeof holder, to: number) => Effect.runPromise(clocks.moveTo(who, to, begun))
  const time = () => Effect.runPromise(clocks.timeOf(clockId))
  expect(await take(holder, begun - hour)).toBeNull()
  expect(await take(holder, begun + 3 * hour)).toBe(begun)
  expect(await take(holder, begun + 3 * hour)).toBe(begun)
  expect(await take(rival, begun + 3 * hour)).toBeNull()
  expect(await moveTo(rival, begun + hour)).toBe(false)
  expect(await moveTo(holder, begun + 2 * hour)).toBe(true)
  await moveTo(holder, begun + hour)
  expect(await time()).toBe(begun + 2 * hour)
  await Effect.runPromise(clocks.letGo(rival, true))
  expect(await take(rival, begun + 3 * hour)).toBeNull()
  await Effect.runPromise(clocks.letGo(holder, false))
  expect((await Effect.runPromise(clocks.find(companyId, clockId, begun)))?.target).toBe(begun + 3 * hour)
  expect(await take(rival, begun + 3 * hour)).toBe(begun + 2 * hour)
  await Effect.runPromise(clocks.letGo(rival, true))
  expect((await Effect.runPromise(clocks.find(companyId, clockId, begun)))?.target).toBeNull()
  await Effect.runPromise(clocks.end(companyId, clockId, begun))
  expect(await take(holder, begun + 3 * hour)).toBeNull()
  expect(await moveTo(holder, begun + 3 * hour)).toBe(false)
})
