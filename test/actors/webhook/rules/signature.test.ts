/**
 * The signature of a delivery (§6.3, INV-14), judged by two who did not write it: OpenSSL's vector and the official `stripe`
 * package, whose `t=,v1=` scheme is the same; and by our own verifier.
 */
import * as fc from "fast-check"
import { Stripe } from "stripe"
import { describe, expect, it } from "vitest"
import {
  keysAt,
  secretPrefix,
  secretText,
  signatureHeader,
  signingKey
} from "../../../../src/actors/webhook/rules/signature.ts"
import { webhookLimits } from "../../../../src/schema/webhook/limits.ts"
import { verifySignature, WebhookVerificationError } from "../../../../src/actors/webhook/verifier.js"
import { signatureExample } from "../../../../src/http/documents/prose.ts"

const { secretBytes } = webhookLimits
const secret = secretText(new Uint8Array(secretBytes).fill(7))
const olderSecret = secretText(new Uint8Array(secretBytes).fill(8))
const signedAt = signatureExample.t
const now = signedAt * 1000
const event = '{"id":"019bc0a1-7c00-7004-8000-000000000001","type":"ping","of":"Zoë"}'

interface Delivery {
  readonly body: string | Buffer
  readonly header: string
  readonly secret: string
}

type Verify = (delivery: Delivery) => void

const verifiers: ReadonlyArray<readonly [string, Verify]> = [
  ["stripe", ({ body, header, secret }) => Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, now)],
  ["our verifier", ({ body, header, secret }) => verifySignature({ body, signature: header, secret, now })]
]

const signed = (body: string | Buffer, ...secrets: ReadonlyArray<string>): string =>
  signatureHeader(secrets.map(signingKey), signedAt, body)

/** Every text that differs from this one in one bit. */
const oneBitOff = (text: string): ReadonlyArray<string> =>
  Array.from({ length: text.length * 8 }, (_, at) => {
    const place = at >> 3
    const changed = String.fromCharCode(text.charCodeAt(place) ^ (1 << (at & 7)))
    return text.slice(0, place) + changed + text.slice(place + 1)
  })

const bytesOneBitOff = (body: Buffer): ReadonlyArray<Buffer> =>
  Array.from({ length: body.length * 8 }, (_, at) => {
    const changed = Buffer.from(body)
    changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7))
    return changed
  })

const verified = (verify: Verify, delivery: Delivery): boolean => {
  try {
    verify(delivery)
    return true
  } catch {
    return false
  }
}

describe("the secret", () => {
  it("is shown as whsec_ and 32 bytes in base64", () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(secretPrefix.length), "base64")).toEqual(Buffer.alloc(32, 7))
  })

  it("is never made of fewer bytes", () => {
    expect(() => secretText(new Uint8Array(31))).toThrow(RangeError)
  })
})

describe("Service-Signature", () => {
  it("holds the time and what OpenSSL computes with the whole secret as key", () => {
    // printf '%s' "$t.$body" | openssl dgst -sha256 -hmac "$secret"
    const v1 = "2a9750f4a5cb8c157cb6255d72c4aaeecc520597c2dabd3725ec1e2988c07743"
    const { body, secret, t } = signatureExample
    expect(signatureHeader([signingKey(secret)], t, body)).toBe(`t=1768473000,v1=${v1}`)
  })

  it("has one v1 for each secret, in the order given", () => {
    const [newest, older] = [signed(event, secret), signed(event, olderSecret)]
    expect(signed(event, secret, olderSecret)).toBe(`${newest},${older.slice(older.indexOf("v1="))}`)
  })

  it("is the same for a text and for its UTF-8 bytes", () => {
    expect(signed(Buffer.from(event), secret)).toBe(signed(event, secret))
  })
})

describe("after a roll of the secret", () => {
  const [present, older, oldest] = [signingKey(secret), signingKey(olderSecret), signingKey(`${olderSecret}=`)]
  const keys = { present, previous: [{ key: older, until: now }] }

  it("the previous secret signs until its overlap ends, and from then on the present one signs alone", () => {
    expect(keysAt(keys, now - 1)).toEqual([present, older])
    expect(keysAt(keys, now)).toEqual([present])
    expect(keysAt(keys, now + 1)).toEqual([present])
  })

  it("each of several previous secrets signs until its own end, whichever ends first", () => {
    const previous = [...keys.previous, { key: oldest, until: now + 1 }]
    expect(keysAt({ present, previous }, now - 1)).toEqual([present, older, oldest])
    expect(keysAt({ present, previous }, now)).toEqual([present, oldest])
    expect(keysAt({ present, previous }, now + 1)).toEqual([present])
  })

  it("the present secret signs alone where there is no previous one", () => {
    expect(keysAt({ present, previous: [] }, now - 1)).toEqual([present])
  })
})

describe.each(verifiers)("%s", (_, verify) => {
  it("verifies a delivery signed with one secret", () => {
    verify({ body: event, header: signed(event, secret), secret })
    verify({ body: Buffer.from(event), header: signed(event, secret), secret })
  })

  it("verifies with either of two live secrets, and with no third", () => {
    const header = signed(event, secret, olderSecret)
    for (const live of [secret, olderSecret]) verify({ body: event, header, secret: live })
    const third = secretText(new Uint8Array(secretBytes).fill(9))
    expect(() => verify({ body: event, header, secret: third })).toThrow()
  })

  it("refuses every change of one bit in the header, the body or the secret", () => {
    const header = signed(event, secret)
    const changed: ReadonlyArray<Delivery> = [
      ...oneBitOff(header).map((header) => ({ body: event, header, secret })),
      ...oneBitOff(secret).map((secret) => ({ body: event, header, secret })),
      ...bytesOneBitOff(Buffer.from(event)).map((body) => ({ body, header, secret }))
    ]
    expect(changed.length).toBeGreaterThan(1500)
    expect(changed.filter((delivery) => verified(verify, delivery))).toEqual([])
  })

  it("verifies only what was signed, whatever the body", () => {
    const bodies = fc.oneof(
      fc.json({ stringUnit: "binary" }).map((text) => Buffer.from(text)),
      fc.string({ unit: "binary", minLength: 1 }).map((text) => Buffer.from(text)),
      fc.constant(Buffer.alloc(100 * 1024, "ü"))
    )
    fc.assert(
      fc.property(bodies, fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(), (made, random, place) => {
        // Stripe's event must be JSON that is no string or null, and it drops a byte order mark.
        const body = Buffer.concat([Buffer.from("["), Buffer.from(JSON.stringify(made.toString())), Buffer.from("]")])
        const secret = secretText(random)
        const header = signed(body, secret)
        verify({ body, header, secret })
        verify({ body: body.toString(), header, secret })
        const other = Buffer.from(body)
        other[place % other.length] = (other[place % other.length] ?? 0) ^ 1
        expect(() => verify({ body: other, header, secret })).toThrow()
      })
    )
  })
})

describe("our verifier, beyond what stripe takes", () => {
  it.each([
    ["an empty body", Buffer.alloc(0)],
    ["a byte order mark", Buffer.from("\uFEFF{}")],
    ["bytes that are no UTF-8", Buffer.from([0xff, 0x00, 0xc3, 0x28])]
  ])("verifies %s as the bytes it is", (_, body) => {
    const delivery = { body, signature: signed(body, secret), secret, now }
    verifySignature(delivery)
    expect(() => verifySignature({ ...delivery, body: Buffer.concat([body, Buffer.from([0])]) })).toThrow(
      WebhookVerificationError
    )
  })
})
