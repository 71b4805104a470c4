/**
 * What a receiver gets from `journeys/webhooks`: which deliveries it takes in which form, the reason for every refusal,
 * and types that hold the names of the catalogue.
 */
import * as fc from "fast-check"
import { Stripe } from "stripe"
import { describe, expect, expectTypeOf, it } from "vitest"
import type { eventData } from "../../../src/actors/journey/rules/projection.ts"
import { signatureHeader, signingKey } from "../../../src/actors/webhook/rules/signature.ts"
import {
  defaultToleranceSeconds,
  verifySignature,
  verifyWebhook,
  WebhookVerificationError,
  type JourneyData,
  type KnownEvent,
  type LaterEvent,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookVerificationReason
} from "../../../src/actors/webhook/verifier.js"
import type * as Verifier from "../../../src/actors/webhook/verifier.js"
import { signatureExample } from "../../../src/http/documents/prose.ts"
import type { EventType } from "../../../src/schema/journey/events.ts"
import type * as Statuses from "../../../src/schema/journey/statuses.ts"

const { body, header, secret, t, v1 } = signatureExample
const genuine = { body, signature: header, secret, now: t * 1000 } as const
const event = { id: "019bc0a1-7c00-7004-8000-000000000001", type: "ping" }

const signed = (body: string | Uint8Array) => signatureHeader([signingKey(secret)], t, body)

const refusal = (delivery: WebhookDelivery): WebhookVerificationError => {
  try {
    verifyWebhook(delivery)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error
    throw error
  }
  throw new Error("it was taken")
}

/** What becomes of the genuine delivery so many seconds after it was signed. */
const verdictAt = (seconds: number, toleranceSeconds?: number) => {
  const delivery = { ...genuine, now: (t + seconds) * 1000, toleranceSeconds }
  try {
    verifySignature(delivery)
    return "taken"
  } catch (error) {
    return (error as WebhookVerificationError).reason
  }
}

/** What a program without types can hand in. */
const untyped = (delivery: object) => delivery as WebhookDelivery

describe("a genuine delivery", () => {
  it("gives the event", () => {
    expect(verifyWebhook(genuine)).toEqual(event)
  })

  const bytes = new TextEncoder().encode(body)
  it.each<[string, WebhookDelivery["body"]]>([
    ["text", body],
    ["a Buffer", Buffer.from(body)],
    ["a part of a larger buffer", Buffer.from(`__${body}__`).subarray(2, -2)],
    ["a Uint8Array", bytes],
    ["an ArrayBuffer", bytes.buffer]
  ])("is taken with its body as %s", (_, body) => {
    expect(verifyWebhook({ ...genuine, body })).toEqual(event)
  })

  it.each<[string, WebhookDelivery["headers"] & {}]>([
    ["of fetch", new Headers({ "Service-Signature": header })],
    ["of Node", { host: "a", "service-signature": header, "set-cookie": ["a"], accept: undefined }],
    ["as they are written", { "Service-Signature": header }],
    ["with lists of values", { "Service-Signature": [header] }]
  ])("is taken with headers %s", (_, headers) => {
    expect(verifyWebhook({ body, headers, secret, now: genuine.now })).toEqual(event)
  })

  it("is taken while any of the receiver's secrets is among those it was signed with", () => {
    const rolled = signatureHeader([signingKey("whsec_new"), signingKey(secret)], t, body)
    for (const known of [secret, ["whsec_new"], ["whsec_other", secret]]) {
      expect(verifyWebhook({ ...genuine, signature: rolled, secret: known })).toEqual(event)
    }
  })

  it("is taken beside values of schemes that are still to come", () => {
    const later = `t=${t},v2=00ff,v1=${v1},v10=0`
    expect(verifyWebhook({ ...genuine, signature: later })).toEqual(event)
  })

  it("is judged by the machine's clock unless another time is given", () => {
    const seconds = Math.floor(Date.now() / 1000)
    const signature = signatureHeader([signingKey(secret)], seconds, body)
    expect(verifyWebhook({ body, signature, secret })).toEqual(event)
    expect(verifyWebhook({ ...genuine, now: new Date(genuine.now) })).toEqual(event)
    expect(refusal({ body, signature: header, secret }).reason).toBe("STALE_TIMESTAMP")
  })
})

describe("the tolerance", () => {
  it.each([299, 300, 301])("of 300 seconds judges a delivery %d seconds old as stripe does", (age) => {
    const ofStripe = () => Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, (t + age) * 1000)
    expect(defaultToleranceSeconds).toBe(300)
    if (age > 300) {
      expect(verdictAt(age)).toBe("STALE_TIMESTAMP")
      expect(ofStripe).toThrow(/tolerance/)
    } else {
      expect(verdictAt(age)).toBe("taken")
      expect(ofStripe).not.toThrow()
    }
  })

  it("holds for times to come, too", () => {
    expect([-299, -300, -301].map((ahead) => verdictAt(ahead))).toEqual(["taken", "taken", "FUTURE_TIMESTAMP"])
  })

  it("can be another, down to the same second", () => {
    expect([0, 1, -1].map((seconds) => verdictAt(seconds, 0))).toEqual(["taken", "STALE_TIMESTAMP", "FUTURE_TIMESTAMP"])
    expect(verdictAt(3600, 3600)).toBe("taken")
  })

  it("is not what refuses a forgery: that is told apart at any age", () => {
    expect(refusal({ ...genuine, body: `${body} `, now: 0 }).reason).toBe("NO_MATCH")
  })
})

describe("a refusal", () => {
  const malformed: ReadonlyArray<string> = [
    "v1",
    `v1=${v1}`,
    `t=${t}`,
    `t=${t},`,
    `t=${t},v1=`,
    `t=${t},v1=${v1.toUpperCase()}`,
    `t=${t},v1=${v1.slice(1)}`,
    `t=${t},v1=${v1}0`,
    `t=${t},v1=${v1},v1=00`,
    `t=${t},v1=${v1},`,
    `t=${t},v1=${v1}\n`,
    ` t=${t},v1=${v1}`,
    `t=${t}, v1=${v1}`,
    `t=${t},t=${t},v1=${v1}`,
    `t=${t},v1=${v1},t=${t}`,
    `v1=${v1},t=${t}`,
    `t=-${t},v1=${v1}`,
    `t=${t}.0,v1=${v1}`,
    `t=1e9,v1=${v1}`,
    `t=,v1=${v1}`,
    `t=1234567890123,v1=${v1}`,
    `t=${t},v0=${v1}`,
    `T=${t},v1=${v1}`,
    `${header}, ${header}`,
    `t=${t},v1=${"é".repeat(64)}`,
    "é".repeat(8000)
  ]

  it.each(malformed)("is MALFORMED_SIGNATURE for the header %j", (signature) => {
    expect(refusal({ ...genuine, signature }).reason).toBe("MALFORMED_SIGNATURE")
  })

  const notUtf8 = Buffer.from('{"id":"\u00FF","type":"ping"}', "latin1")
  it.each<[WebhookVerificationReason, string, object]>([
    ["MISSING_SIGNATURE", "no signature", { signature: undefined }],
    ["MISSING_SIGNATURE", "the null of fetch's headers", { signature: null }],
    ["MISSING_SIGNATURE", "an empty signature", { signature: "" }],
    ["MISSING_SIGNATURE", "headers without one", { signature: undefined, headers: { host: "a" } }],
    ["MISSING_SIGNATURE", "fetch's headers without one", { signature: undefined, headers: new Headers() }],
    ["MISSING_SIGNATURE", "a list of none", { signature: undefined, headers: { "service-signature": [] } }],
    [
      "MALFORMED_SIGNATURE",
      "two of them",
      { signature: undefined, headers: { "service-signature": [header, header] } }
    ],
    [
      "MALFORMED_SIGNATURE",
      "two of them in two spellings",
      { signature: undefined, headers: { "service-signature": header, "Service-Signature": header } }
    ],
    ["MALFORMED_SIGNATURE", "a signature that is no text", { signature: { length: 3 } }],
    ["BODY_NOT_RAW", "a parsed object", { body: event }],
    ["BODY_NOT_RAW", "no body", { body: undefined }],
    ["BODY_NOT_RAW", "a list of bytes", { body: [...Buffer.from(body)] }],
    ["NO_MATCH", "an object written out again", { body: JSON.stringify(event, null, 2) }],
    ["NO_MATCH", "another secret", { secret: "whsec_other" }],
    ["NO_MATCH", "an empty body that was not signed", { body: "" }],
    ["MALFORMED_BODY", "a signed body that is not JSON", { body: "ping", signature: signed("ping") }],
    ["MALFORMED_BODY", "a signed null", { body: "null", signature: signed("null") }],
    ["MALFORMED_BODY", "signed bytes that are no UTF-8", { body: notUtf8, signature: signed(notUtf8) }],
    ["MALFORMED_BODY", "signed JSON without an id", { body: '{"type":"ping"}', signature: signed('{"type":"ping"}') }],
    ["MALFORMED_BODY", "signed JSON without a type", { body: '{"id":"1"}', signature: signed('{"id":"1"}') }]
  ])("is %s for %s", (reason, _, change) => {
    const error = refusal(untyped({ ...genuine, ...change }))
    expect(error.reason).toBe(reason)
    expect(error.name).toBe("WebhookVerificationError")
    expect(error.message).not.toContain(secret)
    expect(error.message).not.toContain(event.id)
  })

  it("says to pass the raw body when it was parsed", () => {
    expect(refusal(untyped({ ...genuine, body: event })).message).toMatch(/raw body: the bytes exactly as received/)
  })

  it("says that the secret is the whole text when its prefix was dropped", () => {
    const error = refusal({ ...genuine, secret: secret.replace("whsec_", "") })
    expect(error.message).toMatch(/whole text, whsec_ included/)
  })

  it("is the only error that a request can cause", () => {
    const pieces = fc.constantFrom("t=", `${t}`, ",", "v1=", v1, v1.slice(2), "v2=", "=", " ", "\n", "é", "0")
    const headers = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((some) => some.join("")),
      fc.string({ unit: "binary" }),
      fc.anything()
    )
    fc.assert(
      fc.property(headers, fc.anything(), (signature, body) => {
        expect(() => verifyWebhook(untyped({ ...genuine, signature, body }))).toThrow(WebhookVerificationError)
        expect(() => verifyWebhook(untyped({ ...genuine, signature, body: "{" }))).toThrow(WebhookVerificationError)
      }),
      { numRuns: 1000 }
    )
  })
})

describe("a mistake of the receiver's own program", () => {
  it.each<[string, object]>([
    ["no secret", { secret: undefined }],
    ["an empty secret", { secret: "" }],
    ["no secrets", { secret: [] }],
    ["one secret of several missing", { secret: [secret, undefined] }],
    ["a decoded secret", { secret: Buffer.alloc(32) }],
    ["a secret with the line break of its file", { secret: `${secret}\n` }],
    ["a tolerance that is no number", { toleranceSeconds: Number.NaN }],
    ["a negative tolerance", { toleranceSeconds: -1 }],
    ["a time that is none", { now: new Date("yesterday") }]
  ])("is a TypeError, not a refusal: %s", (_, change) => {
    expect(() => verifyWebhook(untyped({ ...genuine, ...change }))).toThrow(TypeError)
  })
})

/** How a receiver reads events; that it compiles is the test. */
const read = (event: WebhookEvent): unknown => {
  switch (event.type) {
    case "ping":
      expectTypeOf(event.data).toEqualTypeOf<{ readonly endpointId: string }>()
      return event.data.endpointId
    case "identity.verified":
      expectTypeOf(event.data.assurance).toExtend<string | undefined>()
      return event.data.assurance ?? "NONE"
    case "identity.unavailable":
      expectTypeOf(event.data.reason).toExtend<string>()
      return event.data.reason
    case "journey.created":
    case "delivery.completed":
      expectTypeOf<"A_STATUS_TO_COME">().toExtend<(typeof event.data)["journeyStatus"]>()
      return event.data.journeyId
    default:
      expectTypeOf<LaterEvent>().toExtend<typeof event>()
      return event.type.startsWith("journey.")
  }
}

describe("the types", () => {
  it("name every event and status of the catalogue, and no other", () => {
    expectTypeOf<KnownEvent["type"]>().toEqualTypeOf<EventType>()
    expectTypeOf<Verifier.JourneyType>().toEqualTypeOf<Statuses.JourneyType>()
    expectTypeOf<Verifier.JourneyStatus>().toEqualTypeOf<Statuses.JourneyStatus>()
    expectTypeOf<Verifier.FinanceStatus>().toEqualTypeOf<Statuses.FinanceStatus>()
    expectTypeOf<Verifier.IdentityStatus>().toEqualTypeOf<Statuses.IdentityStatus>()
    expectTypeOf<Verifier.DeliveryStatus>().toEqualTypeOf<Statuses.DeliveryStatus>()
    expectTypeOf<Verifier.SubmissionFailure>().toEqualTypeOf<Statuses.SubmissionFailure>()
    expectTypeOf<Verifier.UnavailableReason>().toEqualTypeOf<Statuses.UnavailableReason>()
    expectTypeOf<Verifier.Assurance>().toEqualTypeOf<Statuses.Assurance>()
    expectTypeOf<ReturnType<typeof eventData>>().toExtend<JourneyData>()
    expectTypeOf<keyof JourneyData>().toEqualTypeOf<keyof ReturnType<typeof eventData>>()
  })

  it("leave room for new values, and give each event its own data", () => {
    expect(read({ ...verifyWebhook(genuine), data: { endpointId: "one" } } as WebhookEvent)).toBe("one")
  })
})
