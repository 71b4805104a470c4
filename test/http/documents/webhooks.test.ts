import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { eventBodies } from "../../../src/http/documents/eventBodies.ts"
import { signatureExample } from "../../../src/http/documents/prose.ts"
import { signatureHeader, signingKey } from "../../../src/actors/webhook/rules/signature.ts"
import { webhookLimits } from "../../../src/schema/webhook/limits.ts"
import { eventTypes, type EventType } from "../../../src/schema/journey/events.ts"
import { document, webhooks } from "./document.ts"

const exampleOf = (type: EventType): Readonly<Record<string, unknown>> => {
  const [example] = Object.values(webhooks[type]?.post.requestBody?.content["application/json"]?.examples ?? {})
  return example?.value as Readonly<Record<string, unknown>>
}

const ofEveryJourneyEvent = ["journeyId", "journeyType", "journeyStatus", "externalReference", "customerReference"]
const statuses = new Set(["deliveryStatus", "financeStatus", "identityStatus"])

/** §6.2, W4, W15: what data holds beside the statuses that happen to exist. */
const dataMembers = (type: EventType): ReadonlyArray<string> => {
  switch (type) {
    case "ping":
      return ["endpointId"]
    case "finance_enquiry.submission_failed":
    case "identity.unavailable":
      return [...ofEveryJourneyEvent, "reason"]
    case "identity.verified":
      return [...ofEveryJourneyEvent, "assurance"]
    default:
      return ofEveryJourneyEvent
  }
}

const reasonOf = (name: string) => document.components.schemas[name]?.properties?.["reason"]?.enum

describe("the webhooks section", () => {
  it("has one entry for every event type", () => {
    expect(Object.keys(webhooks)).toEqual([...eventTypes])
  })

  it("lists the headers of a delivery on each", () => {
    for (const type of eventTypes) {
      const names = webhooks[type]?.post.parameters.map(({ $ref }) => $ref?.split("/").at(-1))
      expect(names).toEqual([
        "Service-Event-Id",
        "Service-Event-Type",
        "Service-Timestamp",
        "Service-Signature",
        "Service-Event-Sequence"
      ])
    }
  })

  it.each(eventTypes)("shows a %s with exactly the members of an event", (type) => {
    const { data, ...event } = exampleOf(type)
    expect(Object.keys(event)).toEqual(["id", "type", "apiVersion", "livemode", "createdAt"])
    expect(event).toMatchObject({ type })
    const members = Object.keys(data as object)
    expect(members.filter((name) => !statuses.has(name))).toEqual(dataMembers(type))
    const decode = Schema.decodeUnknownSync(eventBodies[type], { onExcessProperty: "error" })
    expect(decode({ ...event, data })).toEqual({ ...event, data })
  })

  it("names the reasons of the two events that have one", () => {
    expect(reasonOf("SubmissionFailedData")).toEqual(["PANEL_NOT_CONFIGURED", "PANEL_ERROR", "SUBMISSION_ERROR"])
    expect(reasonOf("IdentityUnavailableData")).toEqual(["EKYC_NOT_CONFIGURED", "PROVIDER_ERROR"])
  })

  it("describes the signature of an endpoint whose secret was rolled as often as may be", () => {
    const secrets = Array.from({ length: webhookLimits.mostPreviousSecrets + 1 }, (_, at) => signingKey(`whsec_${at}`))
    const signature = signatureHeader(secrets, signatureExample.t, signatureExample.body)
    const { schema } = document.components.parameters["Service-Signature"]!
    expect(signature).toMatch(new RegExp(schema.pattern!))
    expect(signatureExample.header).toMatch(new RegExp(schema.pattern!))
    expect(signatureHeader([...secrets, signingKey("one more")], 1, "")).not.toMatch(new RegExp(schema.pattern!))
  })

  it("gives a signature to check code against that OpenSSL computes too", () => {
    // printf '%s' "$t.$body" | openssl dgst -sha256 -hmac "$secret"
    expect(signatureExample.v1).toBe("2a9750f4a5cb8c157cb6255d72c4aaeecc520597c2dabd3725ec1e2988c07743")
    const text = document.tags.find(({ name }) => name === "Webhooks")?.description
    expect(text).toContain(signatureExample.secret)
    expect(text).toContain(signatureExample.v1)
  })
})
