/**
 * A key service takes the place of the master keys for new customers' keys: nothing of such a customer opens without it, what was
 * wrapped before opens as ever, and while it is away callers are told to come again.
 */
import { Context, Effect } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { KeyService } from "../../../src/actors/kernel/KeyWrapping.ts"
import { StoreUnavailable, Unopenable } from "../../../src/actors/kernel/StoreError.ts"
import { masterKeyId } from "../../../src/runtime/keys/MasterKeys.ts"
import { startServiceOn } from "../../kit/runningService.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, startService, type Service } from "../../support/service.ts"

/** That of every service that a test starts, and another. */
const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]

/** A key service whose key never leaves it. */
const keyService = () => {
  const key = randomBytes(32)
  const state: { is: "WELL" | "AWAY" | "SILENT" | "GARBLED" | "CUT" | "BROKEN" | "OTHER" } = { is: "WELL" }
  const answering = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
    Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
      if (state.is === "SILENT") return Effect.never
      if (state.is === "BROKEN") throw new SyntaxError("the answer is no JSON")
      return state.is === "AWAY" ? Effect.fail(new StoreUnavailable({ cause: "away" })) : work
    })
  const service = KeyService.of({
    wrap: (plain) =>
      answering(
        Effect.sync(() => {
          const iv = randomBytes(12)
          const cipher = createCipheriv("aes-256-gcm", key, iv)
          const wrapped = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
          return state.is === "GARBLED" ? randomBytes(wrapped.length) : wrapped
        })
      ),
    unwrap: (wrapped) =>
      answering(
        Effect.try({
          try: () => {
            const decipher = createDecipheriv("aes-256-gcm", key, wrapped.subarray(0, 12))
            decipher.setAuthTag(wrapped.subarray(-16))
            const plain = Buffer.concat([decipher.update(wrapped.subarray(12, -16)), decipher.final()])
            if (state.is === "OTHER") return randomBytes(plain.length)
            return state.is === "CUT" ? plain.subarray(1) : plain
          },
          catch: () => new Unopenable({ place: "key service" })
        })
      )
  })
  return { state, given: Context.make(KeyService, service) }
}

const { given, state } = keyService()
let databaseUrl: string
let service: Service
let company: TestCompany
let oldJourney: string

beforeAll(async () => {
  databaseUrl = await freshDatabase()
  const local = await startService({ DATABASE_URL: databaseUrl })
  company = await makeCompany(local, { settings: { identityProvider: { kind: "BUILT_IN" } }, credits: 100 })
  oldJourney = (await start(local, company.liveKey, bodyOf("old@example.com"))).data.id
  await local.stop()
  service = await startServiceOn(databaseUrl, {}, given)
})
beforeEach(() => {
  state.is = "WELL"
})
afterAll(() => service.stop())

const bodyOf = (email: string) => {
  const body = startBody("IDENTITY_DELIVERY")
  return { ...body, customer: { ...body.customer, email } }
}

/** The case file shows the customer's name, for which their key is opened. */
const shownBy = (asked: Service, journeyId: string) =>
  askSettings(asked, `/companies/${company.id}/journeys/${journeyId}/case`)

/** Who has wrapped the key of the journey's customer: the id of a master key, or the key service. */
const wrappedBy = async (journeyId: string) => {
  const [row] = await service.query<{ readonly form: number; readonly keyId: string }>(
    `select get_byte(wrapped_key, 0) as form, encode(substring(wrapped_key from 2 for 8), 'hex') as "keyId"
     from customers c join journeys j on j.customer_id = c.id where j.id = $1`,
    [journeyId]
  )
  return row?.form === 4 ? "KEY_SERVICE" : row?.keyId
}

it("wraps the keys of new customers, and opens those of before with the master key", async () => {
  const started = await start(service, company.liveKey, bodyOf("new@example.com"))
  expect(started.status).toBe(202)
  expect([await wrappedBy(started.data.id), await wrappedBy(oldJourney)]).toEqual(["KEY_SERVICE", masterKeyId(oldKey)])
  for (const id of [started.data.id, oldJourney]) {
    const shown = await shownBy(service, id)
    expect([shown.status, JSON.stringify(shown.data)]).toEqual([200, expect.stringContaining("@example.com")])
  }
})

it("wraps one key for each customer, however many their journeys are", async () => {
  const first = await start(service, company.liveKey, bodyOf("again@example.com"))
  const second = await start(service, company.liveKey, bodyOf("again@example.com"))
  expect([second.status, second.data.customerReference]).toEqual([202, first.data.customerReference])
  expect((await shownBy(service, second.data.id)).status).toBe(200)
})

it.each(["AWAY", "SILENT"] as const)(
  "while it is %s starts create nothing and looks are refused: 503, and all of it works again after",
  async (is) => {
    const key = `key-service-${is}`
    const known = await start(service, company.liveKey, bodyOf(`known-${is}@example.com`))
    state.is = is
    const started = await start(service, company.liveKey, bodyOf(`${is}@example.com`), key)
    expect([started.status, started.errors?.[0]?.code]).toEqual([503, "TEMPORARILY_UNAVAILABLE"])
    expect(await service.query("select id from journeys where idempotency_key = $1", [key])).toEqual([])
    expect((await shownBy(service, known.data.id)).status).toBe(503)
    // What needs no key goes on, and so does a customer of before.
    expect((await ask(service, company.liveKey, `/api/v1/journeys/${known.data.id}`)).status).toBe(200)
    expect((await shownBy(service, oldJourney)).status).toBe(200)
    state.is = "WELL"
    expect((await start(service, company.liveKey, bodyOf(`${is}@example.com`), key)).status).toBe(202)
    expect((await shownBy(service, known.data.id)).status).toBe(200)
  }
)

it.each(["GARBLED", "CUT", "BROKEN", "OTHER"] as const)(
  "while its answers are %s starts create nothing: 503, so that nothing is sealed that nobody opens",
  async (is) => {
    const key = `key-service-${is}`
    const known = await start(service, company.liveKey, bodyOf(`known-${is}@example.com`))
    state.is = is
    expect((await start(service, company.liveKey, bodyOf(`${is}@example.com`), key)).status).toBe(503)
    expect(await service.query("select id from journeys where idempotency_key = $1", [key])).toEqual([])
    // What was wrapped before opens where the answer is whole.
    expect((await shownBy(service, known.data.id)).status).toBe(is === "GARBLED" ? 200 : 503)
    state.is = "WELL"
    const started = await start(service, company.liveKey, bodyOf(`${is}@example.com`), key)
    expect([started.status, (await shownBy(service, started.data.id)).status]).toEqual([202, 200])
  }
)

it("seals nothing with another key than the customer's: what is told is refused with 503, and taken once the answers are right", async () => {
  const { data } = await start(service, company.liveKey, bodyOf("told@example.com"))
  const cancel = () =>
    ask(service, company.liveKey, `/api/v1/journeys/${data.id}/cancel`, {
      method: "POST",
      body: { reason: "The customer has bought another car" }
    })
  state.is = "OTHER"
  expect((await cancel()).status).toBe(503)
  state.is = "WELL"
  expect(await cancel()).toMatchObject({ status: 200, data: { status: "CANCELLED" } })
})

it("opens a key that was wrapped before keys had marks", async () => {
  const started = await start(service, company.liveKey, bodyOf("unmarked@example.com"))
  await service.query(
    `update customers c set wrapped_key = '\\x03'::bytea || substring(wrapped_key from 10)
     from journeys j where j.customer_id = c.id and j.id = $1`,
    [started.data.id]
  )
  expect((await shownBy(service, started.data.id)).status).toBe(200)
})

it("nothing opens without it, and a change of the master key leaves its values alone", async () => {
  const started = await start(service, company.liveKey, bodyOf("sealed@example.com"))
  const without = await startService({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: newKey.toString("base64"),
    ENCRYPTION_KEYS_RETIRED: oldKey.toString("base64"),
    LOG_LEVEL: "none"
  })
  await eventually(
    () => wrappedBy(oldJourney),
    (by) => by === masterKeyId(newKey)
  )
  expect(await wrappedBy(started.data.id)).toBe("KEY_SERVICE")
  expect((await shownBy(without, started.data.id)).status).toBe(500)
  expect((await shownBy(without, oldJourney)).status).toBe(200)
  await without.stop()
})
