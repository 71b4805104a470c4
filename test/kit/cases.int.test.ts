/**
 * A journey of a running service as a test case: the command prints it without anything of the customer, the company or the
 * deal; today's rules replay it; a fault planted in a copy of the rules is found by it, and shrunk to the messages it takes.
 */
import { beforeAll, describe, expect, it } from "vitest"
import { decide } from "../../src/actors/journey/rules/decide.ts"
import type { TestCaseResource } from "../../src/schema/installation/TestCase.ts"
import { isPromised } from "../http/documents/promised.ts"
import { useCommands } from "../runtime/cli/commandGround.ts"
import { ask, askSettings, makeCompany, start, startBody } from "../support/companies.ts"
import { eventually } from "../support/eventually.ts"
import { replayed, shrunk, wrongsOfCase } from "./cases.ts"

const ground = useCommands({ SANDBOX_STEP: "50 millis", SANDBOX_CALLER_STEP: "50 millis" })

let journeyId: string
let testCase: TestCaseResource
let secrets: ReadonlyArray<string>
beforeAll(async () => {
  const company = await makeCompany(ground.service, { name: "Quay Cars" })
  const body = startBody("FINANCE_ALREADY_SUBMITTED")
  body.customer.email = "priya.nair+video_mismatch@example.com"
  const { data } = await start(ground.service, company.testKey, body)
  journeyId = data.id
  secrets = [
    ...Object.values(body.customer as Record<string, string>),
    ...["registration", "inventoryVehicleId"].map((name) => body.vehicle[name] as string),
    ...["panelName", "panelReference", "lender"].map((name) => body.finance[name] as string),
    body.externalReference,
    data.id,
    data.customerReference,
    company.id,
    company.testKeyId
  ]
  await eventually(
    () => ask(ground.service, company.testKey, `/api/v1/journeys/${journeyId}`),
    (answer) => answer.data.status === "COMPLETED",
    20_000
  )
  const { code, stderr, stdout } = await ground.journeys("export-case", journeyId)
  expect(code, stderr).toBe(0)
  testCase = JSON.parse(stdout) as TestCaseResource
})

/** A copy of the rules that forgets to say that the handover was created. */
const forgetful: typeof decide = (journey, message, now) => {
  const outcome = decide(journey, message, now)
  return outcome._tag === "Step"
    ? { ...outcome, events: outcome.events.filter(({ type }) => type !== "delivery.created") }
    : outcome
}

const typesBy = (one: TestCaseResource, by = decide) => replayed(one, by).events.map(({ type }) => type)

describe("an exported case", () => {
  it("tells the whole journey, and nothing of the customer, the company or the deal", () => {
    expect(testCase).toMatchObject({
      format: 1,
      facts: { shape: "FINANCE_ALREADY_SUBMITTED", sandbox: { scenario: "video_mismatch" } },
      cameTo: { status: "COMPLETED" },
      isWhole: true
    })
    expect(testCase.cameTo.events.at(-1)).toBe("journey.completed")
    expect(testCase.messages.length).toBeGreaterThanOrEqual(9)
    const text = JSON.stringify(testCase)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  it("comes to the same by today's rules, and to something else by a faulty copy", () => {
    expect(wrongsOfCase(testCase)).toEqual([])
    expect(wrongsOfCase(testCase, forgetful)).toEqual([
      expect.stringMatching(/^events were .*delivery\.created.*, and are/)
    ])
  })

  it("is shrunk to the messages that the fault takes", () => {
    const isWrong = (one: TestCaseResource) => typesBy(one).join() !== typesBy(one, forgetful).join()
    const short = shrunk(testCase, isWrong)
    const tags = short.messages.map(({ message }) => message["_tag"])
    expect(new Set(tags)).toEqual(new Set(["FinanceDecision", "HandoverCreated", "IdentityVerified"]))
    expect(tags).toHaveLength(3)
    expect(wrongsOfCase(short, forgetful)).toHaveLength(1)
    expect(() => shrunk(testCase, () => false)).toThrow("no fault")
  })
})

const exported = (id: string) => askSettings(ground.service, `/journeys/${id}/test-case`)

describe("the operation", () => {
  it("leaves out the keyed hash of what a caller said besides", async () => {
    const company = await makeCompany(ground.service)
    const { data } = await start(ground.service, company.testKey, startBody("FINANCE_ALREADY_SUBMITTED"))
    const body = { reason: "The customer changed their mind" }
    await ask(ground.service, company.testKey, `/api/v1/journeys/${data.id}/cancel`, { body })
    const { messages } = (await exported(data.id)).data as TestCaseResource
    expect(messages.map(({ message }) => message)).toContainEqual({ _tag: "Cancel" })
  })

  it("answers as its document says, also about a journey that is none", async () => {
    isPromised("exportTestCase", await exported(journeyId))
    for (const id of ["00000000-0000-4000-8000-000000000000", "none"]) {
      const missing = await exported(id)
      isPromised("exportTestCase", missing)
      expect([missing.status, missing.errors?.[0]?.field]).toEqual([404, "journey"])
    }
  })
})
