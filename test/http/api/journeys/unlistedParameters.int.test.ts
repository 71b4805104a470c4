/**
 * A request with a body says everything in its body. A parameter beside the body is refused and not ignored, as an unlisted
 * field is (§4.2, R8): whoever sends `?dryRun=true` believes that nothing is started.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askSettings, startBody } from "../../../support/companies.ts"
import { jsonPart, photoPart, sendForm } from "../../../support/multipart.ts"
import { call, freshKey, start, type Reply } from "../../../support/requests.ts"
import { journeys, prepareGround, refuses, type Ground } from "./oracle.ts"

let ground: Ground
let id: string
beforeAll(async () => {
  ground = await prepareGround()
  id = (await start(ground.service, ground.dealer.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))).data.id
})
afterAll(() => ground.service.stop())

const send = (path: string, body: unknown, key = ground.dealer.testKey): Promise<Reply> =>
  call(ground.service, { key, path, method: "POST", body, headers: { "idempotency-key": freshKey() } })

const nobodys = "0b9b1f5e-3d1c-4c59-9a53-0d6c2a6f9d11"
const invalid = "400 VALIDATION_FAILED"

describe("a parameter beside a body", () => {
  it.each<[string, (parameters: string) => Promise<Reply>]>([
    ["a start", (parameters) => send(`${journeys}${parameters}`, startBody("IDENTITY_DELIVERY"))],
    [
      "a start with a photo",
      (parameters) =>
        sendForm(ground.service, ground.dealer.testKey, {
          parts: [jsonPart(startBody("FINANCE_SALE")), photoPart()],
          path: `${journeys}${parameters}`
        })
    ],
    ["validate", (parameters) => send(`${journeys}/validate${parameters}`, startBody("IDENTITY_DELIVERY"))],
    ["a decision", (parameters) => send(`${journeys}/${id}/finance-decision${parameters}`, { decision: "APPROVED" })],
    ["simulate", (parameters) => send(`${journeys}/${id}/simulate${parameters}`, { event: "identity.verified" })],
    ["cancel", (parameters) => send(`${journeys}/${id}/cancel${parameters}`, { reason: "The buyer walked away" })],
    ["a test clock", (parameters) => send(`/api/v1/sandbox/clocks${parameters}`, {})]
  ])("is refused by %s", async (_, ask) => {
    const reply = await refuses(ground, () => ask("?dryRun=true&x=1"), invalid, "dryRun")
    expect(reply.errors.map(({ message }) => message)).toEqual([
      "dryRun is not a parameter of this request",
      "x is not a parameter of this request"
    ])
    const asked = await ask("?")
    expect(asked.code, asked.text).toBeNull()
  })

  it("is told only where the journey is visible (V16)", async () => {
    await refuses(ground, () => send(`${journeys}/${nobodys}/cancel?x=1`, {}), "404 JOURNEY_NOT_FOUND")
    await refuses(
      ground,
      () => send(`${journeys}/${id}/cancel?x=1`, {}, ground.broker.testKey),
      "404 JOURNEY_NOT_FOUND"
    )
  })

  it("is told after the Idempotency-Key of a start, and before its body", async () => {
    const { testKey: key } = ground.dealer
    const path = `${journeys}?x=1`
    await refuses(
      ground,
      () => call(ground.service, { key, path, method: "POST", body: {} }),
      "400 IDEMPOTENCY_KEY_REQUIRED"
    )
    await refuses(ground, () => send(path, "{"), invalid, "x")
  })

  it("is refused by the settings API", async () => {
    const before = await askSettings(ground.service, "/companies?size=1")
    const reply = await askSettings(ground.service, "/companies?dryRun=true", { body: {} })
    expect(reply).toMatchObject({ status: 400, errors: [{ code: "VALIDATION_FAILED", field: "dryRun" }] })
    expect((await askSettings(ground.service, "/companies?size=1")).data).toEqual(before.data)
  })
})
