/** The check of a receiver: a right one passes, and each wrong one is told what it did and should have done. */
import type { ServerResponse } from "node:http"
import { describe, expect, it } from "vitest"
import { verifySignature } from "../../../../src/actors/webhook/verifier.js"
import type { ReceiverCheck } from "../../../../src/schema/webhook/ReceiverCheck.ts"
import { eventually } from "../../../support/eventually.ts"
import type { Answering, Received } from "../../../support/receivers.ts"
import { operatorToken } from "../../../support/service.ts"
import { aboutEndpoint, auditOf, endpointPathOf, webhookGround } from "./webhookGround.ts"

const ground = webhookGround()
const about = aboutEndpoint(ground)

/** Saves the endpoint; its secret. */
const saved = async (mode: "live" | "test" = "test"): Promise<string> =>
  (await about("", { method: "PUT", body: { url: ground.receiver.url } }, mode)).data.secret

/** Answers as a receiver does that checks signatures, with a tolerance of its own choice. */
const checking =
  (secret: string, toleranceSeconds = 300) =>
  ({ body, headers }: Received, response: ServerResponse): void => {
    try {
      const signature = String(headers["service-signature"])
      verifySignature({ secret, signature, body: body.toString(), toleranceSeconds })
      response.writeHead(204).end()
    } catch {
      response.writeHead(400).end()
    }
  }

const checked = async (mode: "live" | "test" = "test"): Promise<ReceiverCheck> =>
  (await about("/check", { method: "POST" }, mode)).data
const wrong = ({ lines }: ReceiverCheck) => lines.filter(({ passed }) => passed !== true)

describe("the check of a receiver", () => {
  it("passes one that checks signatures, and leaves no trace but a line of the audit log", async () => {
    ground.receiver.answer(checking(await saved()))
    const found = await checked()
    expect(wrong(found)).toEqual([])
    expect(found).toMatchObject({ passed: true, url: ground.receiver.url })
    expect(ground.receiver.received.map(({ headers }) => headers["service-event-type"])).toEqual([
      ...Array.from({ length: 5 }, () => "journey.completed"),
      "check.of_a_type_to_come",
      "journey.completed"
    ])
    const ids = ground.receiver.received.map(({ headers }) => headers["service-event-id"])
    expect(new Set(ids).size).toBe(3)
    expect((await about("/deliveries")).data.content).toEqual([])
    const [line] = await auditOf(ground)
    expect(line).toMatchObject({ action: "webhook_endpoint.checked", details: { passed: 7, of: 7 } })
  })

  it("has its line in the audit log also when its caller goes away in between", async () => {
    const check = checking(await saved())
    const held = Promise.withResolvers<void>()
    ground.receiver.answer((received, response) => void held.promise.then(() => check(received, response)))
    const leaving = new AbortController()
    const path = `/settings/v1${endpointPathOf(ground.company.id, "test")}/check`
    const headers = { authorization: `Bearer ${operatorToken}` }
    const gone = fetch(`${ground.service.baseUrl}${path}`, { method: "POST", headers, signal: leaving.signal }).then(
      () => false,
      () => true
    )
    await ground.receiver.arrived(1)
    leaving.abort()
    expect(await gone).toBe(true)
    // By the time that the service answers this, it knows that the caller has gone.
    expect((await about("")).status).toBe(200)
    held.resolve()
    const [line] = await eventually(
      () => auditOf(ground),
      ([newest]) => newest?.action === "webhook_endpoint.checked"
    )
    expect(line?.details).toMatchObject({ passed: 7, of: 7 })
  })

  it("sends a live receiver nothing but pings and a type that nobody knows", async () => {
    ground.receiver.answer(checking(await saved("live")))
    expect((await checked("live")).passed).toBe(true)
    const types = ground.receiver.received.map(({ headers }) => headers["service-event-type"])
    expect(new Set(types)).toEqual(new Set(["ping", "check.of_a_type_to_come"]))
  })

  it("tells a receiver that takes everything what it must refuse", async () => {
    await saved()
    expect(wrong(await checked())).toEqual([
      expect.objectContaining({
        probe: "OLD_TIMESTAMP",
        passed: false,
        did: "answered 200: it took what it must not believe",
        should: expect.stringContaining("refuse with 4xx")
      }),
      expect.objectContaining({ probe: "CHANGED_BYTE", passed: false, httpStatus: 200 })
    ])
  })

  it("tells each other fault by its line: too long a tolerance, the first signature only, a closed list of types", async () => {
    const secret = await saved()
    const strict = checking(secret)
    const faulty: ReadonlyArray<readonly [string, Answering]> = [
      ["OLD_TIMESTAMP", checking(secret, 100_000)],
      [
        "ROLLED_SECRET",
        (one, response) => {
          const [t, first] = String(one.headers["service-signature"]).split(",")
          strict({ ...one, headers: { ...one.headers, "service-signature": `${t},${first}` } }, response)
        }
      ],
      [
        "UNKNOWN_TYPE",
        (one, response) => {
          if (String(one.headers["service-event-type"]).startsWith("check.")) response.writeHead(422).end()
          else strict(one, response)
        }
      ]
    ]
    for (const [probe, answering] of faulty) {
      ground.receiver.answer(answering)
      expect(wrong(await checked()).map((line) => line.probe)).toEqual([probe])
    }
  })

  it("sends nothing more to a receiver that does not take a true event, and calls a crash no refusal", async () => {
    await saved()
    ground.receiver.answer(500)
    const { lines, passed } = await checked()
    expect(passed).toBe(false)
    expect(lines.map((line) => line.passed)).toEqual([false, null, null, null, null, null, null])
    expect(lines.at(-1)?.did).toBe("not sent: a true event was not taken")
    expect(ground.receiver.received).toHaveLength(1)
    expect((await about("/check", { method: "POST" }, "live")).status).toBe(404)
  })
})
