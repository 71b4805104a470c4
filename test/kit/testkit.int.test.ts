/** The test kit does what it says: generated bodies are taken, given and when tell the rules, services start at once. */
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { exampleTestCase } from "../../src/http/documents/exampleTestCase.ts"
import { Shape } from "../../src/schema/journey/statuses.ts"
import { run } from "../support/processes.ts"
import {
  brokenBy,
  everyEndpointInvariant,
  everyInvariant,
  factsOf,
  given,
  holdsForEveryEndpoint,
  holdsInEveryLife,
  play,
  replayed,
  startBodiesOf,
  wrongsOfCase
} from "./index.ts"

const page = readFileSync(resolve(import.meta.dirname, "../../docs/testkit.md"), "utf8")

describe.each(Shape.literals)("bodies of %s", (shape) => {
  it("differ in what the schema leaves open", () => {
    const bodies = fc.sample(startBodiesOf(shape), { numRuns: 50, seed: 1 }).map((body) => JSON.stringify(body))
    expect(new Set(bodies).size).toBeGreaterThan(40)
    expect(bodies.some((body) => !body.includes("externalReference"))).toBe(true)
  })
})

describe("given, when", () => {
  const verified = { _tag: "IdentityVerified", assurance: "FACE_MATCH" } as const

  it("tell events, mails, status and refusals of the rules", () => {
    given(factsOf("IDENTITY_DELIVERY"))
      .when(verified)
      .expect({
        events: ["identity.verified"],
        status: "ACTIVE",
        nextAction: "HANDOVER_BEING_CREATED"
      })
    given(factsOf("FINANCE_SALE"), { _tag: "Cancel" })
      .when({ _tag: "ReplaceFace" })
      .expect({ refused: "JOURNEY_FINISHED", status: "CANCELLED", events: [] })
  })

  it("fail with both sides, and when the given is none", () => {
    const decided = given(factsOf("IDENTITY_DELIVERY")).when(verified)
    expect(() => decided.expect({ events: [] })).toThrow('it came to {"events":["identity.verified"]}')
    expect(() => given(factsOf("CASH_SALE"), { _tag: "VideoMatched" }).when(verified)).toThrow("given ")
  })
})

const untrue = () =>
  holdsInEveryLife(({ journey }) => (journey.status === "CANCELLED" ? ["cancelled"] : []), { seed: 1 })

describe("an invariant", () => {
  it("of an endpoint's life has a name that no other has, and holds", () => {
    expect(new Set(everyEndpointInvariant.map(({ name }) => name)).size).toBe(everyEndpointInvariant.length)
    for (const one of everyEndpointInvariant) {
      holdsForEveryEndpoint(one, { numRuns: 2 })
      holdsForEveryEndpoint(one.holds, { numRuns: 2 })
    }
  })

  it("has a name that no other has, and the code of a decision only where it is of that decision", () => {
    expect(everyInvariant.length).toBeGreaterThan(20)
    expect(new Set(everyInvariant.map(({ name }) => name)).size).toBe(everyInvariant.length)
    const decisions = readFileSync(resolve(import.meta.dirname, "../../docs/decisions.md"), "utf8")
    for (const { rule } of everyInvariant) {
      if (!rule.startsWith("LIFE-")) expect(decisions).toContain(`**${rule}** `)
    }
    const own = everyInvariant.filter(({ rule }) => rule.startsWith("LIFE-")).map(({ rule }) => rule)
    expect(new Set(own).size).toBe(own.length)
  })

  it("is told by its name where a life breaks it", () => {
    const history = play({ facts: factsOf("CASH_SALE"), startedAt: 0, letters: [] })
    const { events, started } = history
    const broken = brokenBy({ ...history, events: [...events, ...started.events] })
    expect(broken.length).toBeGreaterThan(0)
    for (const line of broken) {
      expect(everyInvariant.filter(({ name }) => line.startsWith(`${name}: `))).toHaveLength(1)
    }
  })

  it("is held with its name as well as by its function alone", () => {
    for (const one of everyInvariant) {
      holdsInEveryLife(one, { numRuns: 2 })
      holdsInEveryLife(one.holds, { numRuns: 2 })
    }
  })

  it("that does not hold is shown by the shortest life", () => {
    expect(untrue).toThrow(/Property failed after/)
    let shown = ""
    try {
      untrue()
    } catch (error) {
      shown = String(error)
    }
    expect(shown.match(/messageId/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })
})

describe("docs/testkit.md", () => {
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block)

  it("prints the property test that runs here", () => {
    const file = readFileSync(resolve(import.meta.dirname, "example.test.ts"), "utf8")
    expect(blocks[0]).toBe(file.slice(file.indexOf("import")))
    expect(blocks[0]?.trim().split("\n").slice(4)).toHaveLength(9)
  })

  it.each([
    [1, "planted.test.ts"],
    [2, "plantedInEndpoint.test.ts"]
  ])("prints the planted fault that is found here, in block %i", (at, name) => {
    const file = readFileSync(resolve(import.meta.dirname, name), "utf8")
    expect(blocks[at]).toBe(file.slice(file.indexOf("import")))
  })

  it("prints a whole case, the one of the settings document, at which today's rules find nothing wrong", () => {
    const testCase = JSON.parse(/```json\n(\{\n.*?)```/s.exec(page)?.[1] ?? "")
    expect(testCase).toEqual(exampleTestCase)
    expect(wrongsOfCase(testCase)).toEqual([])
    expect(brokenBy(replayed(testCase))).toEqual([])
  })

  it("prints a program that starts services of its own without a test runner", async () => {
    const root = resolve(import.meta.dirname, "../..")
    const program = `${blocks[3]}`
    const { code, stderr, stdout } = await run(process.execPath, ["--input-type=module-typescript", "-e", program], {
      cwd: root
    })
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^202 ACTIVE \d+ ms$/m)
    // Half a minute alone, and many times that beside everything else.
  }, 240_000)

  it("prints a test of a caller and its receiver, in which no mail waits for an address", async () => {
    const { code, stderr, stdout } = await run(
      process.execPath,
      ["--input-type=module-typescript", "-e", `${blocks[4]}`],
      { cwd: resolve(import.meta.dirname, "../..") }
    )
    expect(code, stderr).toBe(0)
    // While a service stops, the cluster may log that no runner is left.
    const printed = stdout.split("\n").filter((line) => /^(?:[a-z.]+ (?:true|false)|[A-Z_]+)$/.test(line))
    expect(printed).toEqual([
      "journey.created true",
      "identity.requested true",
      "journey.expired true",
      "CUSTOMER_TO_CONFIRM_ADDRESS"
    ])
  }, 240_000)
})
