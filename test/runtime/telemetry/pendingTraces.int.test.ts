/**
 * Traces of what a live journey owes: the panel, the provider, the video check, mails and an erasure. Each is a trace of its own
 * that links back to what caused it. The first test prints the whole story of a SUBMIT_VIA_MIRA journey as a tree.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { JourneyMailbox } from "../../../src/actors/journey/actor/JourneyMailbox.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { ask, askSettings, makeCompany, start, startBody, type TestCompany } from "../../support/companies.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { eventually } from "../../support/eventually.ts"
import { startFakeIdentityProvider, type FakeIdentityProvider } from "../../support/fakeIdentityProvider.ts"
import { freePort } from "../../support/freePort.ts"
import { startFakePanel, type FakePanel } from "../../support/fakePanel.ts"
import { startMailServer, type MailServer } from "../../support/mailServer.ts"
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from "../../support/otlpReceiver.ts"
import { becomes, makeProvidedCompany, requestIdOf, settled } from "../../support/providerRequests.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { startService, type Service } from "../../support/service.ts"
import { namesOf } from "./traceGraph.ts"
import { branchesOf, printedTree, storyOf } from "./traceTree.ts"

let collector: OtlpReceiver
let receiver: Receiver
let mail: MailServer
let panel: FakePanel
let identity: FakeIdentityProvider

beforeEach(async () => {
  collector = await startOtlpReceiver()
  receiver = await startReceiver()
  mail = await startMailServer()
  panel = await startFakePanel()
  identity = await startFakeIdentityProvider()
})
afterEach(() => Promise.all([collector, receiver, mail, panel, identity].map((one) => one.stop())))

const traced = (environment: Readonly<Record<string, string>> = {}) =>
  startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    WEBHOOK_ALLOW_INSECURE: "true",
    BASE_URL: "https://journeys.example",
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: "Journeys <journeys@example.com>",
    ...environment
  })

const provided = async (service: Service): Promise<TestCompany> => {
  const company = await makeProvidedCompany(service, panel, identity)
  await writeEndpoint(service.query, { companyId: company.id, url: receiver.url, livemode: true })
  return company
}

const inStore = (email: string) => {
  const body = startBody("FINANCE_SUBMIT_VIA_MIRA")
  return { ...body, customer: { ...body.customer, email }, delivery: { type: "IN_STORE" } }
}

/** Waits until nothing of the journey is on its way any more. */
const quiet = (service: Service) =>
  eventually(
    () =>
      service.query(
        "select 1 from mails where due_at is not null and kind <> 'ACCESS_CHANGED' union all select 1 from deliveries where delivered_at is null"
      ),
    (waiting) => waiting.length === 0
  )

const spanOf = (name: string): ReceivedSpan => {
  const found = collector.spans.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no span ${name} has arrived`)
  return found
}

/** A change of the company's panel. */
const settings = (to: FakePanel["settings"]) => ({ method: "PATCH", body: { financePanel: to } })

/** A message from nobody's request, in a trace of its own. */
const sendVideo = (service: Service, journeyId: string) =>
  service.run(
    Effect.flatMap(JourneyMailbox, (mailbox) =>
      mailbox.ask(JourneyId.make(journeyId), {
        messageId: randomUUID(),
        sender: "customer",
        scope: null,
        message: { _tag: "VideoUploaded" },
        sealedNote: null,
        sealedPhoto: null
      })
    ).pipe(Effect.withSpan("the customer's upload", { root: true, kind: "server" }))
  )

describe("what a live journey owes", () => {
  it("hangs together with the request that caused it: panel, provider, video check, mails and webhooks, as a tree", async () => {
    const service = await traced()
    const company = await provided(service)
    const email = "traced.canary@customer.example"
    const { data } = await start(service, company.liveKey, inStore(email))
    const submissionId = await requestIdOf(service, data.id, "FINANCE")
    await becomes(service, company, data.id, (one) => one.identity?.status === "REQUESTED")
    await quiet(service)
    await panel.decide(service, submissionId, "APPROVED", "decision-1")
    const checkId = await requestIdOf(service, data.id, "IDENTITY")
    await identity.report(service, checkId, "VERIFIED", "result-1")
    await becomes(service, company, data.id, (one) => one.delivery?.status === "AWAITING_VIDEO")
    await quiet(service)
    await sendVideo(service, data.id)
    await becomes(service, company, data.id, (one) => one.delivery?.status === "UNDER_REVIEW")
    await settled(service, data.id)
    await quiet(service)
    await service.stop()

    const trees = storyOf(collector, data.id)
    const printed = trees.map((tree) => printedTree(tree)).join("\n\n")
    console.log(printed)
    const folder = fileURLToPath(new URL("../../output", import.meta.url))
    await mkdir(folder, { recursive: true })
    await writeFile(`${folder}/miraTrace.txt`, `${printed}\n`)

    expect(trees.map(({ span }) => span.name)).toEqual([
      "POST /api/v1/journeys",
      "POST /callbacks/v1/finance/{submissionId}",
      "POST /callbacks/v1/identity/{checkId}",
      "the customer's upload"
    ])
    expect(
      namesOf(
        trees
          .slice(0, 1)
          .flatMap(branchesOf)
          .map(({ span }) => span)
      )
    ).toEqual(
      expect.arrayContaining([
        "EndpointActor.attempt",
        "FinancePanel.submit",
        "IdentityProvider.start",
        "Journey.Tell",
        "Journey.decide",
        "JourneyActor.due",
        "JourneyStore.commit",
        "JourneyStore.start",
        "PendingEffects.attempt",
        "Postman.send",
        "providers.startIdentityCheck",
        "providers.submitApplication"
      ])
    )
    // Every attempt is a root with one link, to the wake-up that began it.
    const attempts = collector.spans.filter(({ name }) => name === "PendingEffects.attempt")
    expect(attempts.map(({ attributes }) => attributes["effect.kind"])).toEqual([
      "SUBMIT_APPLICATION",
      "START_IDENTITY_CHECK",
      "CHECK_VIDEO"
    ])
    for (const { attributes, links, parentSpanId } of attempts) {
      expect(parentSpanId).toBeNull()
      expect(attributes).toMatchObject({ "journey.id": data.id, "effect.attempt": 1, "effect.outcome": "DONE" })
      const [by] = links
      expect(collector.spans.find(({ spanId }) => spanId === by?.spanId)).toMatchObject({
        name: "JourneyActor.due",
        attributes: { "journey.message": "OwedBegun", "fiber.id": expect.any(Number) }
      })
    }
    const mails = collector.spans.filter(({ name }) => name === "Postman.send")
    const ofCustomer = mails.filter(({ attributes }) => attributes["mail.outcome"] === "SENT")
    expect(ofCustomer.map(({ attributes }) => attributes["mail.kind"])).toEqual(
      expect.arrayContaining(["WELCOME", "VERIFY_IDENTITY", "FINANCE_APPROVED", "RECORD_VIDEO"])
    )
    for (const { attributes, links } of mails) expect([attributes["journey.id"], links.length]).toEqual([data.id, 1])
    // A person's words, names and addresses are in no span.
    expect(collector.bodies.join()).not.toMatch(/traced\.canary|Okafor|customer\.example|AB12/)
  })

  it("tells each decision once: the message, the statuses before and after, and the events", async () => {
    const service = await traced()
    const company = await provided(service)
    const { data } = await start(service, company.liveKey, inStore("decided@customer.example"))
    await becomes(service, company, data.id, (one) => one.identity?.status === "REQUESTED")
    await ask(service, company.liveKey, `/api/v1/journeys/${data.id}/cancel`, {
      body: { reason: "The customer has changed her mind." }
    })
    await service.stop()
    const decisions = collector.spans.filter(({ name }) => name === "Journey.decide")
    const facts = (message: string) =>
      decisions
        .filter(({ attributes }) => attributes["journey.message"] === message)
        .map(({ attributes }) => attributes)
    expect(facts("Start")).toEqual([
      expect.objectContaining({
        "journey.after": "ACTIVE finance SUBMITTED identity NOT_ASKED",
        "journey.events": "journey.created finance_enquiry.submitted",
        "journey.outcome": "DONE"
      })
    ])
    expect(facts("Cancel")).toEqual([
      expect.objectContaining({
        "journey.before": "ACTIVE finance SUBMITTED identity REQUESTED",
        "journey.after": "CANCELLED finance SUBMITTED identity REQUESTED",
        "journey.events": "journey.cancelled"
      })
    ])
  })

  it("keeps its link over a restart: another process tries the panel again and sends the mail, both linked to the start", async () => {
    // Without its own address the first process sends no mail with a link, and its panel is away.
    const first = await traced({ BASE_URL: "" })
    const company = await makeCompany(first, { credits: 10, settings: { identityProvider: { kind: "BUILT_IN" } } })
    const away = { ...panel.settings, url: `http://127.0.0.1:${await freePort()}` }
    await askSettings(first, `/companies/${company.id}`, settings(away))
    const { data } = await start(first, company.liveKey, inStore("later@customer.example"))
    await eventually(
      () => first.query(`select 1 from journal where journey_id = $1 and message ->> '_tag' = 'OwedFailed'`, [data.id]),
      (rows) => rows.length > 0
    )
    await first.stop()
    const second = await traced({ DATABASE_URL: first.databaseUrl })
    await askSettings(second, `/companies/${company.id}`, settings(panel.settings))
    await eventually(
      () => ask(second, company.liveKey, `/api/v1/journeys/${data.id}`),
      (answer) => answer.data.identity.status === "REQUESTED",
      60_000
    )
    await quiet(second)
    await second.stop()
    const story = branchesOf(storyOf(collector, data.id)[0] ?? expect.fail()).map(({ span }) => span.attributes)
    const outcomes = story.flatMap((one) => (one["effect.attempt"] === undefined ? [] : [one["effect.outcome"]]))
    expect([outcomes[0], outcomes.at(-1)]).toEqual(["FAILED", "DONE"])
    expect(story.filter((one) => one["mail.kind"] === "VERIFY_IDENTITY").map((one) => one["mail.outcome"])).toEqual([
      "SENT"
    ])
  })

  it("an erasure that goes on later links to the request that began it", async () => {
    const service = await traced()
    const company = await provided(service)
    const { data } = await start(service, company.liveKey, inStore("erased@customer.example"))
    const path = `/companies/${company.id}/customers/${data.customerReference}`
    await askSettings(service, path, { method: "DELETE" })
    await service.query("update erasures set erased_at = now() - interval '6 minutes'")
    await eventually(
      () => service.query("select 1 from erasures where finished_at is not null"),
      (rows) => rows.length === 1
    )
    await service.stop()
    const erasing = spanOf("CustomerErasure.erase")
    expect(spanOf("CustomerErasure.resume").links).toEqual([{ traceId: erasing.traceId, spanId: erasing.spanId }])
  })
})
