/** What was ever stored can be read today, and what is stored today is kept to be read by every version to come. */
import { Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { customerSteps } from "../../../src/schema/journey/steps.ts"
import { decide } from "../../../src/actors/journey/rules/decide.ts"
import { decideStart } from "../../../src/actors/journey/rules/decideStart.ts"
import { record } from "../../../src/actors/journey/rules/recordedEvent.ts"
import { AttemptTrigger } from "../../../src/schema/webhook/WebhookDelivery.ts"
import { WebhookDeliveryStatus } from "../../../src/schema/WebhookDeliveryStatus.ts"
import { FailureClass } from "../../../src/schema/failureClass.ts"
import { customerMailKinds, JourneyMailKind } from "../../../src/schema/mail/mailKinds.ts"
import { Shape } from "../../../src/schema/journey/statuses.ts"
import { everyStart, reachableStates, statesUnder } from "../../actors/journey/rules/reachableStates.ts"
import {
  countingIds,
  everyMessage,
  scenarioNames,
  second,
  startedAt
} from "../../actors/journey/rules/startedJourneys.ts"
import { makeCompany, start, startBody } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { eventually } from "../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { startService, type Service } from "../../support/service.ts"
import { advice, corpus, corpusFiles, type Kind, read, unknownTo, type Values } from "./storedShapes.ts"

type Value = NonNullable<Values[Kind]>[number]

const asStored = (value: unknown): Value => JSON.parse(JSON.stringify(value)) as Value

const expectKnown = (values: Values): void => {
  const unknown = Object.entries(values)
    .map(([kind, some]) => [kind, unknownTo(corpus[kind as Kind], some)] as const)
    .filter(([, some]) => some.length > 0)
  if (unknown.length > 0) expect.fail(advice(Object.fromEntries(unknown)))
}

describe("the corpus", () => {
  it("is numbered without gaps", () => {
    expect(corpusFiles.toSorted().map((name) => Number(name.slice(0, 4)))).toEqual(corpusFiles.map((_, at) => at + 1))
  })

  it.each(Object.keys(corpus) as ReadonlyArray<Kind>)("can be read today: %s", (kind) => {
    expect(corpus[kind].length).toBeGreaterThan(0)
    for (const value of corpus[kind]) {
      const attempt = Result.try(() => read[kind](value))
      if (Result.isFailure(attempt)) expect.fail(`${JSON.stringify(value)}\n${String(attempt.failure)}`)
    }
  })

  it("notices a shape that is new: a member more, a member less, another type, another word", () => {
    const known = [{ a: { b: "WORD", c: 1 }, d: ["x 1"] }]
    const isKnown = (value: Value) => unknownTo(known, [value]).length === 0
    expect(isKnown({ a: { b: "WORD", c: 2 }, d: ["y 2"] })).toBe(true)
    expect(isKnown({ a: { b: "WORD", c: 2, e: 1 }, d: ["y 2"] })).toBe(false)
    expect(isKnown({ a: { b: "WORD" }, d: ["y 2"] })).toBe(false)
    expect(isKnown({ a: { b: "WORD", c: null }, d: ["y 2"] })).toBe(false)
    expect(isKnown({ a: { b: "OTHER", c: 2 }, d: ["y 2"] })).toBe(false)
    expect(isKnown({ a: { b: "WORD", c: 2 }, d: [3] })).toBe(false)
    expect(isKnown({ a: { b: "WORD", c: 2 } })).toBe(false)
  })
})

describe("what is stored today is in the corpus", () => {
  it("of journeys: every state that can be reached, every message, every event", () => {
    const reached = [...reachableStates, ...scenarioNames.flatMap(statesUnder)]
    const begun = everyStart.map((facts) => record(decideStart(facts, startedAt), startedAt, countingIds()))
    const moved = reached.flatMap(({ journey, now }) =>
      everyMessage.flatMap((message) => {
        const outcome = decide(journey, message, now + second)
        return outcome._tag === "Step" ? [record(outcome, now + second, countingIds())] : []
      })
    )
    expectKnown({
      journeys: [...reached, ...begun, ...moved].map(({ journey }) => asStored(journey)),
      journal: [...Shape.literals.map((shape) => ({ _tag: "Start", shape })), ...everyMessage.map(asStored)],
      events: [...begun, ...moved].flatMap(({ events }) => events.map(({ body }) => JSON.parse(body) as Value))
    })
  })

  it("of deliveries and attempts: every state, trigger and failure", () => {
    const triggers = AttemptTrigger.literals
    expectKnown({
      deliveries: WebhookDeliveryStatus.literals.flatMap((status) => triggers.map((trigger) => ({ status, trigger }))),
      attempts: [null, ...FailureClass.literals].flatMap((error) => triggers.map((trigger) => ({ trigger, error })))
    })
  })

  it("of mails to customers, the team and members: every kind, for the first time and again, and that one did not arrive", () => {
    expectKnown({
      mails: [
        ...JourneyMailKind.literals.map((kind) => ({ kind, facts: { again: false, attempt: 1 } })),
        ...customerSteps.map((kind) => ({ kind, facts: { again: true, attempt: 2 } })),
        ...["operator", "member:0197a000-0000-7000-8000-000000000005"].map((by) => ({
          kind: "INVITATION",
          facts: { memberId: "0197a000-0000-7000-8000-000000000004", by }
        })),
        {
          kind: "SIGN_IN",
          facts: { memberId: "0197a000-0000-7000-8000-000000000004", askedAt: "2026-01-12T10:31:07.218Z" }
        },
        {
          kind: "ACCESS_CHANGED",
          facts: { from: "2026-01-12T10:30:00+00:00", until: "2026-01-12T10:35:00+00:00" }
        },
        { kind: "DEALER_NAMED", facts: {} },
        ...customerMailKinds.map((mail) => ({ kind: "MAIL_UNDELIVERED", facts: { mail } }))
      ]
    })
  })

  describe("of a service at work:", () => {
    let service: Service
    let receiver: Receiver
    beforeAll(async () => {
      service = await startService({
        WEBHOOK_ALLOW_INSECURE: "true",
        SANDBOX_STEP: "50 millis",
        SANDBOX_CALLER_STEP: "50 millis"
      })
      receiver = await startReceiver((_, response, raw) => {
        response.writeHead(raw.url === "/refusing" ? 500 : 204).end()
      })
    })
    afterAll(async () => {
      await service.stop()
      await receiver.stop()
    })

    const stored = async (columns: string, table: string): Promise<ReadonlyArray<Value>> =>
      (await service.query<{ readonly value: unknown }>(`select ${columns} as value from ${table}`)).map(({ value }) =>
        asStored(value)
      )

    it("journeys of the shapes, their events, deliveries and attempts, and companies' settings", async () => {
      const company = await makeCompany(service, {
        credits: 10,
        settings: {
          identityProvider: { kind: "HTTP", url: "https://identity.example", secret: "a-secret-of-the-provider-0" },
          financePanel: { name: "Panel", url: "https://panel.example/", secret: "a-secret-of-the-panel-000000" },
          sandbox: { pace: 1 }
        }
      })
      await makeCompany(service, { settings: { identityProvider: { kind: "BUILT_IN" }, sandbox: { pace: "manual" } } })
      const other = await makeCompany(service)
      await writeEndpoint(service.query, { companyId: other.id, url: receiver.url, events: ["*"] })
      await writeEndpoint(service.query, { companyId: company.id, url: `${receiver.url}/refusing`, events: ["*"] })
      for (const shape of Shape.literals) {
        if (shape === "FINANCE_SALE") continue
        expect((await start(service, company.testKey, startBody(shape))).status).toBe(202)
        expect((await start(service, other.testKey, startBody(shape))).status).toBe(202)
      }
      await eventually(
        () => service.query("select 1 from journeys where company_id = $1 and status = 'ACTIVE'", [other.id]),
        (left) => left.length === 0,
        30_000
      )
      await eventually(
        () => service.query("select 1 from deliveries where status = 'PENDING' and attempts = 0"),
        (left) => left.length === 0,
        30_000
      )
      expectKnown({
        journeys: await stored("state", "journeys"),
        journal: await stored("message", "journal"),
        events: await stored("body::json", "events"),
        companies: await stored(
          "json_build_object('identity_provider', identity_provider, 'finance_panel', finance_panel, 'sandbox', sandbox, 'brand', brand)",
          "companies"
        ),
        deliveries: await stored("json_build_object('status', status, 'trigger', trigger)", "deliveries"),
        attempts: await stored("json_build_object('trigger', trigger, 'error', error)", "attempts")
      })
    })
  })
})
