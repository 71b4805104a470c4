/** The dry run of a start, held against real starts: the same refusals, the journey that was planned, and nothing written. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Shape } from "../../../../src/schema/journey/statuses.ts"
import type { StartPlan } from "../../../../src/schema/plan/StartPlan.ts"
import { changed, type Changes } from "../../../schema/start/judge.ts"
import { ask, askSettings, makeCompany, startBody, type TestCompany } from "../../../support/companies.ts"
import { jsonPart, photoPart, sendForm } from "../../../support/multipart.ts"
import { call, start, type Reply } from "../../../support/requests.ts"
import { journeys, stillService } from "./oracle.ts"
import { sendShape, shapes } from "./verdicts.ts"
import type { Service } from "../../../support/service.ts"

const validatePath = `${journeys}/validate`

const financePanel = { name: "Panel", url: "http://127.0.0.1:1/panel", secret: "a-secret-of-the-panel-32-bytes-long" }

let service: Service
let dealer: TestCompany
let bare: TestCompany
let rich: TestCompany
beforeAll(async () => {
  service = await stillService({ WEBHOOK_ALLOW_INSECURE: "true" })
  dealer = await makeCompany(service)
  bare = await makeCompany(service)
  rich = await makeCompany(service, { credits: 5, settings: { identityProvider: { kind: "BUILT_IN" }, financePanel } })
})
afterAll(() => service.stop())

const validate = (shape: Shape, changes: Changes = {}, key = dealer.testKey): Promise<Reply> => {
  const body = changed(startBody(shape), changes)
  return shape === "FINANCE_SALE"
    ? sendForm(service, key, { path: validatePath, parts: [jsonPart(body), photoPart()] })
    : call(service, { key, path: validatePath, body })
}

const planOf = async (shape: Shape, changes: Changes = {}, key = dealer.testKey): Promise<StartPlan> => {
  const reply = await validate(shape, changes, key)
  expect([reply.status, reply.errors]).toEqual([200, []])
  return reply.data
}

/** Everything that every table holds, but the log of requests: each has its line there, a moment later. */
const contents = async () => {
  const tables = await service.query<{ readonly name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not like 'requests%'`
  )
  expect(tables.length).toBeGreaterThan(20)
  const [row] = await service.query<Readonly<Record<string, string>>>(
    `select ${tables.map(({ name }) => `(select md5(string_agg(t::text, '|' order by t::text)) from "${name}" t) as "${name}"`).join(", ")}`
  )
  return row
}

describe("a start that would be refused", () => {
  it.each<[Shape, Changes]>([
    ["CASH_SALE", { "customer.email": "nobody", "customer.firstName": "", unlisted: 1 }],
    ["CASH_SALE", { "delivery.saleType": undefined }],
    ["IDENTITY_DELIVERY", { "finance.vehiclePrice": 1 }],
    ["FINANCE_ALREADY_SUBMITTED", { "finance.panelReference": undefined, "customer.email": "x" }],
    ["FINANCE_SUBMIT_VIA_MIRA", { "finance.consents": undefined, "finance.loanTerm": undefined }],
    ["FINANCE_SALE", { "customerFace.biometricConsent.given": false }]
  ])("%s is refused with every problem that the start tells, in its order", async (shape, changes) => {
    const real = await sendShape({ service, dealer, broker: dealer }, shape, changes)
    const tried = await validate(shape, changes)
    expect(tried.status).toBeGreaterThanOrEqual(400)
    expect([tried.status, tried.errors]).toEqual([real.status, real.errors])
  })

  it("hears of a test clock what the start would hear", async () => {
    const headers = { "sandbox-clock": "none", "idempotency-key": "a-start-without-its-clock" }
    const body = startBody("CASH_SALE")
    const [tried, real] = await Promise.all(
      [validatePath, journeys].map((path) => call(service, { key: dealer.testKey, path, body, headers }))
    )
    expect(tried?.errors.map(({ field }) => field)).toEqual(["Sandbox-Clock"])
    expect(tried?.errors).toEqual(real?.errors)
  })

  it("hears all that the company lacks at once, and first what the start would say", async () => {
    const tried = await validate("FINANCE_SUBMIT_VIA_MIRA", {}, bare.liveKey)
    expect(tried.errors.map(({ code, field }) => [code, field])).toEqual([
      ["EKYC_NOT_CONFIGURED", "identity"],
      ["FINANCE_PANEL_NOT_CONFIGURED", "finance"],
      ["INSUFFICIENT_CREDITS", "wallets.APPLICATION"],
      ["INSUFFICIENT_CREDITS", "wallets.IDENTITY"]
    ])
    const real = await start(service, bare.liveKey, startBody("FINANCE_SUBMIT_VIA_MIRA"))
    expect([tried.status, tried.errors[0]]).toEqual([real.status, real.errors[0]])
  })

  it("hears what a test company's switches lack", async () => {
    const switched = await makeCompany(service, {
      settings: { sandbox: { identityConfigured: false, panelConfigured: true, credits: false } }
    })
    const tried = await validate("CASH_SALE", {}, switched.testKey)
    expect(tried.errors.map(({ code }) => code)).toEqual(["EKYC_NOT_CONFIGURED", "INSUFFICIENT_CREDITS"])
  })
})

// Before the other tests have started journeys, whose mails the postman tries meanwhile.
it("writes no row of any table, holds no credit, and remembers no Idempotency-Key", async () => {
  const before = await contents()
  const headers = { "idempotency-key": "a-key-of-a-dry-run" }
  const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
  const tries = [rich.liveKey, rich.testKey].map((key) => call(service, { key, path: validatePath, body, headers }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  const withPhoto = await validate("FINANCE_SALE", {}, rich.liveKey)
  expect([...statuses, withPhoto.status]).toEqual([200, 200, 200])
  expect(await contents()).toEqual(before)
  const real = await start(service, rich.testKey, startBody("IDENTITY_DELIVERY"), "a-key-of-a-dry-run")
  expect(real.status).toBe(202)
})

describe("the plan", () => {
  it.each(shapes.filter((shape) => shape !== "FINANCE_SALE"))(
    "of %s is what really happens: its events and mails, in order",
    async (shape) => {
      const changes = { "customer.email": `planned-${shape.toLowerCase().replaceAll("_", "-")}@example.com` }
      const { ends, livemode, steps } = await planOf(shape, changes)
      const { data: started } = await sendShape({ service, dealer, broker: dealer }, shape, changes)
      const { data: ended } = await ask(service, dealer.testKey, `${journeys}/${started.id}/simulate`, {
        body: { event: "delivery.completed" }
      })
      expect([livemode, ends]).toEqual([false, ended.status])
      const told = await service.query<{ readonly type: string }>(
        "select type from events where journey_id = $1 order by sequence",
        [started.id]
      )
      expect(steps.flatMap(({ events }) => events)).toEqual(told.map(({ type }) => type))
      const mailed = await service.query<{ readonly kind: string }>("select kind from mails where journey_id = $1", [
        started.id
      ])
      const planned = steps.flatMap(({ mails }) => mails.map(({ kind }) => kind))
      expect(planned.toSorted()).toEqual(mailed.map(({ kind }) => kind).toSorted())
      // The customer is known from now on.
      expect(planned).toContain("WELCOME")
      const again = await planOf(shape, changes)
      expect(again.steps[0]?.mails.map(({ kind }) => kind)).not.toContain("WELCOME")
    }
  )

  it("welcomes whom the company does not know in this mode, whoever else knows them, and nobody twice", async () => {
    const address = { "customer.email": "one.of.many@example.com" }
    const welcomes = async (key: string, changes: Changes = address) =>
      (await planOf("CASH_SALE", changes, key)).steps[0]?.mails.map(({ kind }) => kind).includes("WELCOME")
    const body = changed(startBody("CASH_SALE"), address)
    expect((await start(service, rich.testKey, body, "one-of-many")).status).toBe(202)
    expect(await welcomes(rich.testKey, { "customer.email": "One.Of.Many@Example.com" })).toBe(false)
    // Another company hears nothing of it, nor does the other mode.
    expect([await welcomes(dealer.testKey), await welcomes(rich.liveKey)]).toEqual([true, true])
  })

  it("of a test journey follows its scenario", async () => {
    const { ends, steps } = await planOf("CASH_SALE", { "customer.email": "ann+identity_failed@example.com" })
    expect(ends).toBe("COMPLETED")
    expect(steps.flatMap(({ events }) => events)).toContain("identity.failed")
  })

  it("says what is billed to which wallet, when, and what the wallet has free", async () => {
    const plan = await planOf("FINANCE_SUBMIT_VIA_MIRA", {}, rich.liveKey)
    expect(plan.billing).toEqual([
      { wallet: "APPLICATION", credits: 1, free: 5 },
      { wallet: "IDENTITY", credits: 1, free: 5 }
    ])
    const charged = plan.steps.flatMap(({ charges, on }) => charges.map((wallet) => [on, wallet]))
    expect(charged).toEqual([
      ["AWAITING_LENDER_DECISION", "APPLICATION"],
      ["AWAITING_LENDER_DECISION", "IDENTITY"]
    ])
    expect((await planOf("CASH_SALE")).billing).toEqual([])
  })

  it("counts credits that are held for another journey as taken", async () => {
    const settings = { identityProvider: { kind: "BUILT_IN" }, financePanel }
    const { liveKey } = await makeCompany(service, { credits: 2, settings })
    const free = async () => (await planOf("FINANCE_SUBMIT_VIA_MIRA", {}, liveKey)).billing.map((one) => one.free)
    // The panel does not answer: neither check is asked for, and nothing is charged.
    const started = async () => (await start(service, liveKey, startBody("FINANCE_SUBMIT_VIA_MIRA"))).status
    expect([await free(), await started()]).toEqual([[2, 2], 202])
    expect([await free(), await started()]).toEqual([[1, 1], 202])
    const refused = await validate("FINANCE_SUBMIT_VIA_MIRA", {}, liveKey)
    expect(refused.errors.map(({ field }) => field)).toEqual(["wallets.APPLICATION", "wallets.IDENTITY"])
  })

  it("of a start that is declined already ends at once and bills nothing", async () => {
    const plan = await planOf("FINANCE_ALREADY_SUBMITTED", { "finance.decision": "DECLINED" }, rich.liveKey)
    expect(plan).toMatchObject({ ends: "CANCELLED", billing: [], steps: [{ on: "START" }] })
  })
})

it("counts towards the key's limit, and asks for the right to start", async () => {
  const left = async () => {
    const reply = await validate("CASH_SALE")
    return Number(/r=(\d+)/.exec(reply.header("ratelimit") ?? "")?.[1])
  }
  const first = await left()
  expect(await left()).toBe(first - 1)
  const { data: reader } = await askSettings(service, `/companies/${dealer.id}/api-keys`, {
    body: { mode: "TEST", scopes: ["journeys:read"] }
  })
  expect((await validate("CASH_SALE", {}, reader.key)).code).toBe("API_KEY_NOT_PERMITTED")
})
