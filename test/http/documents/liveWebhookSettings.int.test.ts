/** Holds what the webhook part of the settings API answers against what the document says it answers. */
import type { Schema } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { deliveryOperations } from "../../../src/http/api/webhooks/deliveries.ts"
import { pingAndSample } from "../../../src/http/api/webhooks/pingAndSample.ts"
import { receiverCheckOperations } from "../../../src/http/api/webhooks/receiverCheck.ts"
import { webhookEndpointOperations } from "../../../src/http/api/webhooks/webhookEndpoints.ts"
import { webhookStatistics } from "../../../src/http/api/webhooks/webhookStatistics.ts"
import { askSettings, makeCompany, start, startBody, type Answer, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { startReceiver, type Receiver } from "../../support/receivers.ts"
import { startService, type Service } from "../../support/service.ts"
import { documents } from "./document.ts"
import { isPromised, strictly } from "./promised.ts"

let service: Service
let receiver: Receiver
let company: TestCompany

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_INSECURE: "true" })
  receiver = await startReceiver()
  company = await makeCompany(service)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

const operations = [
  ...webhookEndpointOperations.endpoints,
  ...pingAndSample.endpoints,
  ...receiverCheckOperations.endpoints,
  ...deliveryOperations.endpoints,
  ...webhookStatistics.endpoints
]

const schemaOf = (operationId: string) => {
  const [schema] = operations.find(({ identifier }) => identifier === operationId)?.success ?? []
  // The endpoint keeps its schemas as any schema; these need no services.
  return schema as unknown as Schema.ConstraintDecoder<unknown>
}

const settings = (rest: string, given: Parameters<typeof askSettings>[2] = {}) =>
  askSettings(service, `/companies/${company.id}/webhook-endpoints/test${rest}`, given)

it("is the shape that the document gives it, for every operation", async () => {
  const saved = await settings("", { method: "PUT", body: { url: receiver.url } })
  await start(service, company.testKey, startBody("IDENTITY_DELIVERY"))
  const deliveries = await eventually(
    () => settings("/deliveries"),
    ({ data }) => data.content.some(({ status }: { readonly status: string }) => status === "DELIVERED")
  )
  const [{ id }] = deliveries.data.content
  const resend = await settings("/resend", { body: { since: new Date(Date.now() - 60_000).toISOString() } })
  const answers: Readonly<Record<string, Answer>> = {
    saveWebhookEndpoint: saved,
    getWebhookEndpoint: await settings(""),
    rollWebhookSecret: await settings("/roll-secret", { body: { overlapHours: 24 } }),
    pingWebhookEndpoint: await settings("/ping", { method: "POST" }),
    checkWebhookEndpoint: await settings("/check", { method: "POST" }),
    sendSampleEvent: await settings("/sample", { body: { type: "identity.verified" } }),
    listDeliveries: deliveries,
    getDelivery: await settings(`/deliveries/${id}`),
    resendDelivery: await settings(`/deliveries/${id}/resend`, { method: "POST" }),
    startResend: resend,
    getWebhookStatistics: await settings("/statistics?hours=2"),
    listResends: await settings("/resends"),
    getResend: await settings(`/resends/${resend.data.id}`),
    removeWebhookEndpoint: await settings("", { method: "DELETE" })
  }
  expect(Object.keys(answers).toSorted()).toEqual(operations.map(({ identifier }) => identifier).toSorted())
  for (const [operationId, answer] of Object.entries(answers)) {
    expect([operationId, answer.success]).toEqual([operationId, true])
    isPromised(operationId, answer)
    strictly(schemaOf(operationId), answer)
  }
})

it("is a refusal that the document names", async () => {
  await settings("", { method: "DELETE" })
  const other = await makeCompany(service)
  const refused: ReadonlyArray<[operation: string, code: string, answer: Answer]> = [
    ["saveWebhookEndpoint", "VALIDATION_FAILED", await settings("", { method: "PUT", body: {} })],
    ["pingWebhookEndpoint", "NOT_FOUND", await settings("/ping", { method: "POST" })],
    ["resendDelivery", "NOT_FOUND", await settings(`/deliveries/${other.id}/resend`, { method: "POST" })],
    ["startResend", "CONFLICT", await settings("/resend", { body: { since: new Date(Date.now() - 1).toISOString() } })],
    ["listDeliveries", "VALIDATION_FAILED", await settings("/deliveries?page=1")],
    ["getWebhookStatistics", "VALIDATION_FAILED", await settings("/statistics?hours=169")],
    ["getResend", "NOT_FOUND", await settings("/resends/none")]
  ]
  for (const [operation, code, answer] of refused) {
    expect([operation, answer.errors?.[0]?.code]).toEqual([operation, code])
    isPromised(operation, answer)
  }
})

it("has schemas of its own: a delivery of an event is not the delivery of a vehicle", () => {
  const { integrators, settings: ofSettings } = documents
  expect(Object.keys(ofSettings.components.schemas["WebhookDelivery"]?.properties ?? {})).toContain("attempts")
  expect(Object.keys(integrators.components.schemas["Delivery"]?.properties ?? {})).toEqual(["type", "notes"])
})
