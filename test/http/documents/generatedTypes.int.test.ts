/**
 * What a caller's generator makes of the documents: types by `openapi-typescript`, and programs of a caller compiled against them,
 * strict. What a program leaves out a caller may leave out, and each line that is marked as an error must be one.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { registerHooks } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Public } from "../../../src/http/api/contract.ts"
import { documents, operationsIn } from "./document.ts"

/** The generator writes with TypeScript's own library, which TypeScript 7 no longer has. */
const library = import.meta.resolve("@ts-morph/common/dist/typescript.js")
registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? library : specifier, context)
})

const publics = Object.keys(documents) as ReadonlyArray<Public>

const leavesOut = `
import type { components } from "./integrators.ts"
import type { components as Settings } from "./settings.ts"
type Of = components["schemas"]
export const address: Of["Address"] = { addressType: "CURRENT", street: "Alder Way", city: "Leeds", postcode: "LS1 4AP" }
export const finance: Of["AlreadySubmittedFinance"] = {
  panelSubmission: "ALREADY_SUBMITTED", panelName: "PanelOne", panelReference: "PO-204417"
}
export const endpoint: Settings["schemas"]["WebhookEndpointSettings"] = { url: "https://receiver.example/" }
// @ts-expect-error: the panel's reference is missing
export const incomplete: Of["AlreadySubmittedFinance"] = { panelSubmission: "ALREADY_SUBMITTED", panelName: "PanelOne" }
`

const narrows = `
import type { components, operations } from "./integrators.ts"
type Journey = components["schemas"]["Journey"]
export const lender = (journey: Journey): string | null =>
  journey.type === "FINANCE_IDENTITY_DELIVERY" ? journey.finance.lender : journey.finance
// @ts-expect-error: a DELIVERY has no identity
export const identity = (journey: Journey) => journey.type === "DELIVERY" && journey.identity
type Answers = operations["getJourney"]["responses"]
export const found = ({ data }: Answers[200]["content"]["application/json"]): Journey => data
export const code = ({ errors }: Answers[404]["content"]["application/json"]) => errors[0]?.code === "JOURNEY_NOT_FOUND"
`

/** Each example of a JSON body, as the body of its operation. */
const examples = publics.flatMap((name) =>
  operationsIn(documents[name]).flatMap(({ operation: { operationId, requestBody } }) =>
    Object.values(requestBody?.content["application/json"]?.examples ?? {}).map(
      ({ value }) => `take<Body<${name}["${operationId}"]>>(${JSON.stringify(value)})`
    )
  )
)

const takes = [
  ...publics.map((name) => `import type { operations as ${name} } from "./${name}.ts"`),
  `type Body<O> = O extends { requestBody?: { content: { "application/json": infer B } } } ? B : never`,
  `const take = <B>(_: B): void => {}`,
  ...examples,
  `// @ts-expect-error: no body at all`,
  `take<Body<integrators["startJourney"]>>({})`
].join("\n")

const programs = { leavesOut, narrows, takes }

let folder: string
let complaints: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "journeys-types-"))
  const { astToString, default: typesOf } = await import("openapi-typescript")
  for (const name of publics) {
    const nodes = await typesOf(JSON.stringify(documents[name]), { silent: true })
    await writeFile(join(folder, `${name}.ts`), astToString(nodes))
  }
  for (const [name, program] of Object.entries(programs)) await writeFile(join(folder, `${name}.ts`), program)
  const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc")
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noEmit"]
  const modules = ["--target", "es2023", "--module", "nodenext", "--types", "", "--allowImportingTsExtensions"]
  const files = Object.keys(programs).map((name) => `${name}.ts`)
  complaints = await promisify(execFile)(process.execPath, [tsc, ...strict, ...modules, ...files], {
    cwd: folder
  }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const aboutProgram = (name: keyof typeof programs): ReadonlyArray<string> =>
  complaints.split("\n").filter((line) => line.startsWith(name))

it("let a caller leave out what counts as 0 or true when it is left out, and nothing that is needed", () => {
  expect(aboutProgram("leavesOut")).toEqual([])
})

it("take every example of a JSON body", () => {
  expect(examples.length).toBeGreaterThan(20)
  expect(aboutProgram("takes")).toEqual([])
})

it("tell a journey's members by its type, and answers by their status", () => {
  expect(aboutProgram("narrows")).toEqual([])
})

it("are sound themselves", () => {
  expect(complaints).toBe("")
})
