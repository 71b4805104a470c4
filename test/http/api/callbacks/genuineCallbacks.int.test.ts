/** Which callbacks are taken at all, and what is said to the others (BAD-P1, BAD-P3). */
import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { makeCompany, type Answer } from "../../../support/companies.ts"
import { eventually } from "../../../support/eventually.ts"
import { makeProvidedCompany, read, requestIdOf, startLive, traceOf } from "../../../support/providerRequests.ts"
import { startProvidedService, type Provided } from "../../../support/providedService.ts"
import { sendCallback, signatureOf } from "../../../support/signedCallback.ts"

let provided: Provided
let service: Provided["service"]
let panel: Provided["panel"]
let identity: Provided["identity"]
let company: Provided["company"]
let submitted: Provided["submitted"]
beforeAll(async () => {
  provided = await startProvidedService()
  ;({ company, identity, panel, service, submitted } = provided)
})
afterEach(() => panel.behave("OK"))
afterAll(() => provided.stop())

const codeOf = (answer: Answer) => [answer.status, answer.errors?.[0]?.code ?? null]
const ok = [200, null]
const forged = [401, "INVALID_SIGNATURE"]

describe("a callback that is not genuine", () => {
  it("is refused alike whatever is wrong with it, and changes nothing", async () => {
    const { journeyId, submissionId } = await submitted()
    const before = await traceOf(service, journeyId)
    const now = Math.floor(Date.now() / 1000)
    const body = JSON.stringify({ id: "x", submissionId, decision: "APPROVED" })
    const good = signatureOf(panel.secret, now, body)
    const signatures: ReadonlyArray<string | undefined> = [
      undefined,
      "",
      `t=${now}`,
      `v1=${good}`,
      `t=${now},v1=`,
      `t=${now},v1=${good.slice(0, -1)}`,
      `t=${now},v1=${good}0`,
      `t=${now},v1=${good.toUpperCase()}`,
      `t=${now},v1=${"0".repeat(64)}`,
      `t=${now},v2=${good}`,
      `t=${now + 1},v1=${good}`,
      `t=${now},v1=${signatureOf(identity.secret, now, body)}`,
      `t=${now},v1=${signatureOf(panel.secret, now, `${body} `)}`,
      `t=${now - 301},v1=${signatureOf(panel.secret, now - 301, body)}`,
      `t=${now + 320},v1=${signatureOf(panel.secret, now + 320, body)}`,
      `t=${now},v1=${"é".repeat(32)}`,
      "x".repeat(4000)
    ]
    const answers = []
    for (const signature of signatures) {
      answers.push(
        await panel.decide(service, submissionId, "APPROVED", "x", {
          body,
          headers: { "service-signature": signature, "service-timestamp": undefined }
        })
      )
    }
    answers.push(
      await panel.decide(service, submissionId, "APPROVED", "x", { headers: { "service-timestamp": "1" } }),
      // Nobody was asked under these, or not by this path.
      await panel.decide(service, randomUUID(), "APPROVED", "x"),
      await panel.decide(service, "none", "APPROVED", "x"),
      await sendCallback(service, `/callbacks/v1/identity/${submissionId}`, {
        secret: panel.secret,
        body: { id: "x", checkId: submissionId, result: "VERIFIED" }
      }),
      await sendCallback(service, `/callbacks/v1/identity/${submissionId}`, {
        secret: identity.secret,
        body: { id: "x", checkId: submissionId, result: "VERIFIED" }
      }),
      // What the body is does not matter before its signature does.
      await panel.decide(service, submissionId, "APPROVED", "x", { secret: "another-secret-0000", body: "{" })
    )
    expect(answers.map(codeOf)).toEqual(answers.map(() => forged))
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1)
    expect(await traceOf(service, journeyId)).toEqual(before)
    expect(await service.query("select from provider_callbacks where request_id = $1", [submissionId])).toHaveLength(0)
  })

  it("is not made genuine by the secret of another company", async () => {
    const other = await makeCompany(service, {
      settings: { financePanel: { ...panel.settings, secret: "other-secret-00000000" } }
    })
    expect(other.id).not.toBe(company.id)
    const { submissionId } = await submitted()
    const answer = await panel.decide(service, submissionId, "APPROVED", "x", { secret: "other-secret-00000000" })
    expect(codeOf(answer)).toEqual(forged)
  })

  it("is refused once the company has another secret, or no panel", async () => {
    const other = await makeProvidedCompany(service, panel, identity)
    const journeyId = await startLive(service, other, "FINANCE_SUBMIT_VIA_MIRA")
    const submissionId = await requestIdOf(service, journeyId, "FINANCE")
    await service.query("update companies set finance_panel = null where id = $1", [other.id])
    expect(codeOf(await panel.decide(service, submissionId, "APPROVED", "x"))).toEqual(forged)
  })
})

describe("a genuine callback", () => {
  it("may be signed five minutes ago and carry several signatures, one of them good", async () => {
    const { journeyId, submissionId } = await submitted()
    expect(codeOf(await panel.decide(service, submissionId, "REFERRED", "old", { skew: -290 }))).toEqual(ok)
    const now = Math.floor(Date.now() / 1000)
    const body = JSON.stringify({ id: "rolled", submissionId, decision: "APPROVED" })
    const answer = await panel.decide(service, submissionId, "APPROVED", "rolled", {
      body,
      headers: {
        "service-timestamp": String(now),
        "service-signature": `t=${now},v1=${"0".repeat(64)},v1=${signatureOf(panel.secret, now, body)}`
      }
    })
    expect(codeOf(answer)).toEqual(ok)
    expect((await read(service, company, journeyId)).finance.status).toBe("APPROVED")
  })

  it("is refused with what is wrong with its body, which then changes nothing", async () => {
    const { journeyId, submissionId } = await submitted()
    const before = await traceOf(service, journeyId)
    const bodies: ReadonlyArray<readonly [unknown, string]> = [
      ["", "body"],
      ["{", "body"],
      ["[]", "body"],
      ["null", "body"],
      ['{"id":"a","decision":"APPROVED","decision":"DECLINED"}', "body"],
      ['{"id":"a","decision":"APPROVED","decisio\\u006e":"DECLINED"}', "body"],
      [Buffer.from([0x22, 0xff, 0x22]), "body"],
      [{ submissionId, decision: "APPROVED" }, "id"],
      [{ id: "", submissionId, decision: "APPROVED" }, "id"],
      [{ id: 7, submissionId, decision: "APPROVED" }, "id"],
      [{ id: "x".repeat(256), submissionId, decision: "APPROVED" }, "id"],
      [{ id: "a", decision: "APPROVED" }, "submissionId"],
      [{ id: "a", submissionId: randomUUID(), decision: "APPROVED" }, "submissionId"],
      [{ id: "a", submissionId }, "decision"],
      [{ id: "a", submissionId, decision: "approved" }, "decision"],
      [{ id: "a", submissionId, decision: "VERIFIED" }, "decision"],
      [{ id: "a", submissionId, decision: "APPROVED", lender: "Northmoor" }, "lender"]
    ]
    for (const [body, field] of bodies) {
      const answer = await panel.decide(service, submissionId, "APPROVED", "a", { body })
      expect([body, answer.status, answer.errors?.[0]?.code, answer.errors?.[0]?.field]).toEqual([
        body,
        400,
        "VALIDATION_FAILED",
        field
      ])
    }
    expect(await traceOf(service, journeyId)).toEqual(before)
  })

  it("is JSON in UTF-8 of a few kilobytes, and sent with POST", async () => {
    const { submissionId } = await submitted()
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-16",
      undefined
    ]) {
      const answer = await panel.decide(service, submissionId, "APPROVED", "x", { headers: { "content-type": type } })
      expect([type, answer.status]).toEqual([type, 415])
    }
    const large = await panel.decide(service, submissionId, "APPROVED", "x", {
      body: { id: "x", submissionId, decision: "APPROVED", pad: "y".repeat(10 * 1024 * 1024) }
    })
    expect(codeOf(large)).toEqual([413, "PAYLOAD_TOO_LARGE"])
    const get = await fetch(`${service.baseUrl}/callbacks/v1/finance/${submissionId}`)
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"])
  })

  it("names its request in upper case as well as in lower", async () => {
    const { journeyId, submissionId } = await submitted()
    expect(codeOf(await panel.decide(service, submissionId.toUpperCase(), "REFERRED", "x"))).toEqual(ok)
    expect((await read(service, company, journeyId)).finance.status).toBe("REFERRED")
    const before = await traceOf(service, journeyId)
    expect(codeOf(await panel.decide(service, submissionId, "REFERRED", "x"))).toEqual(ok)
    expect(await traceOf(service, journeyId)).toEqual(before)
  })

  it("is not kept without end: a thousand of one request, and no more", async () => {
    const { submissionId } = await submitted()
    await service.query(
      `insert into provider_callbacks (request_id, message_id, said, at, outcome)
       select $1, gen_random_uuid(), 'REFERRED', now(), 'APPLIED' from generate_series(1, 999)`,
      [submissionId]
    )
    expect(codeOf(await panel.decide(service, submissionId, "REFERRED", "1000"))).toEqual(ok)
    expect(codeOf(await panel.decide(service, submissionId, "REFERRED", "1001"))).toEqual([429, "RATE_LIMITED"])
    expect(codeOf(await panel.decide(service, submissionId, "REFERRED", "1000"))).toEqual(ok)
  })
})

it("stops answering an address that keeps forging, and still takes genuine callbacks from there", async () => {
  const { journeyId, submissionId } = await submitted()
  const forge = () => panel.decide(service, submissionId, "APPROVED", "x", { secret: "another-secret-0000" })
  const last = await eventually(
    async () => (await Promise.all(Array.from({ length: 20 }, forge))).at(-1),
    (answer) => answer?.status === 429
  )
  expect(last?.errors?.[0]?.code).toBe("RATE_LIMITED")
  expect(codeOf(await panel.decide(service, submissionId, "APPROVED", "genuine"))).toEqual(ok)
  expect((await read(service, company, journeyId)).finance.status).toBe("APPROVED")
})
