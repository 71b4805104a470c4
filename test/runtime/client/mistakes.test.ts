/** Mistakes of the program that calls the client in TypeScript: each is a TypeError at once, and nothing is sent. */
import { expect, it } from "vitest"
import type { ClientOptions, KeyedCallOptions } from "../../../src/runtime/client/lib/options.ts"
import type { AskedRequest } from "../../../src/runtime/client/lib/request.ts"
import { Transport } from "../../../src/runtime/client/lib/Transport.ts"
import { clientOf, done } from "./standIns.ts"

const given: ClientOptions = { baseUrl: "https://journeys.example", apiKey: "svc_test_x" }
const enDash = "deal\u20131004"
const longestTimeoutMillis = 2 ** 31 - 1

it.each<readonly [keyof ClientOptions, ReadonlyArray<unknown>]>([
  [
    "baseUrl",
    [
      "",
      "journeys.example",
      "ftp://journeys.example",
      "https://journeys.example?tenant=a",
      "https://journeys.example/?",
      "https://journeys.example/#top",
      "https://key@journeys.example",
      "https://key:word@journeys.example",
      "https://journeys.example/api/v1",
      "https://gateway.example/journeys/settings/v1/",
      undefined
    ]
  ],
  ["apiKey", ["", "svc_test_x\n", "svc_test\u2013x", "svc_test_\u00e9", undefined]],
  ["timeoutMillis", [0, -1, 0.5, Number.NaN, Infinity, longestTimeoutMillis + 1, "30000"]]
])("is not made with a %s with which no request could succeed", (name, values) => {
  for (const value of values) {
    const make = () => new Transport({ ...given, [name]: value }, () => undefined)
    expect(make, String(value)).toThrow(TypeError)
    expect(make).toThrow(new RegExp(`^${name} `))
  }
})

it("is made with an address that has a path, and with the shortest and the longest timeout, which its refusal names", () => {
  for (const timeoutMillis of [1, longestTimeoutMillis, undefined]) {
    const options = { ...given, baseUrl: "https://gateway.example/journeys/", timeoutMillis }
    expect(() => new Transport(options, () => undefined)).not.toThrow()
  }
  expect(() => new Transport({ ...given, timeoutMillis: 0 }, () => undefined)).toThrow("from 1 to 2147483647")
})

const face = { json: "journey", file: "customerFace" }
const circular: Record<string, unknown> = {}
circular["self"] = circular

it.each<readonly [string, Partial<AskedRequest>, KeyedCallOptions, RegExp]>([
  [
    "a key with an en dash",
    { method: "POST", isKeyed: true },
    { idempotencyKey: enDash },
    /^The header idempotency-key /
  ],
  ["a key with a line break", { isKeyed: true }, { idempotencyKey: "deal\r\n1004" }, /^The header idempotency-key /],
  [
    "a key that is a number",
    { isKeyed: true },
    { idempotencyKey: 10_041_004 as never },
    /^The header idempotency-key /
  ],
  ["another header with an en dash", { headers: { "Sandbox-Clock": enDash } }, {}, /^The header Sandbox-Clock /],
  ["a timeout that no timer takes", {}, { timeoutMillis: longestTimeoutMillis + 1 }, /^timeoutMillis /],
  ["a photo that is a path", { form: face, body: { customerFace: "photo.jpg" } }, {}, /^customerFace .* a Blob/],
  [
    "the body of a start whose photo lies elsewhere",
    { form: face, body: { type: "DELIVERY", customerFace: { source: "IN_PERSON_PHOTO" } } },
    {},
    /^customerFace .* beside it, as journey$/
  ],
  ["a photo that is missing", { form: face, body: { customerFace: null } }, {}, /^customerFace .* a Blob/],
  ["a body that is no JSON", { body: circular }, {}, /circular/],
  ...["", ".", "..", 7, undefined, "\ud800"].map(
    (id) =>
      [
        `the id ${JSON.stringify(id)}`,
        { path: "/journeys/{journeyId}", inPath: { journeyId: id as string } },
        {},
        /^journeyId /
      ] as const
  )
])("does not send %s", async (_, asked, options, message) => {
  const { ask, sent } = clientOf(done)
  const answer = ask(asked, options)
  await expect(answer).rejects.toThrow(TypeError)
  await expect(answer).rejects.toThrow(message)
  expect(sent).toEqual([])
})

it("sends an id as one segment of the path, and an empty key as it is", async () => {
  const { ask, keys, sent } = clientOf(done)
  await ask(
    { path: "/journeys/{journeyId}/cancel", inPath: { journeyId: "../a?b" }, isKeyed: true },
    { idempotencyKey: "" }
  )
  expect(sent.map(({ url }) => url)).toEqual(["https://journeys.example/journeys/..%2Fa%3Fb/cancel"])
  expect([...keys()]).toEqual([""])
})

it("sends a photo given as a Blob, as a Buffer or as other bytes in the same form", async () => {
  for (const photo of [new Blob(["photo"]), Buffer.from("photo"), new TextEncoder().encode("photo").buffer]) {
    const { ask, sent } = clientOf(done)
    await ask({ method: "POST", form: face, body: { journey: { type: "DELIVERY" }, customerFace: photo } })
    const form = sent[0]?.body as FormData
    expect(await (form.get("customerFace") as Blob).text()).toBe("photo")
    expect(await (form.get("journey") as Blob).text()).toBe('{"type":"DELIVERY"}')
  }
})

const failing = (): never => {
  throw new RangeError("mine")
}

it("does not take an error of the caller's own function for one of the network", async () => {
  const { ask, sent } = clientOf(done)
  await expect(ask({}, { onAnswer: failing })).rejects.toThrow(RangeError)
  expect(sent).toHaveLength(1)
})
