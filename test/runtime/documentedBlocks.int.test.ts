/**
 * Every block of the pages for readers is run or compared by a test, and a new block that is not fails here. The table says where each
 * is; the answers that pages show as JSON are compared in this file with those of a running service.
 */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, makeCompany, start, startBody, type TestCompany } from "../support/companies.ts"
import { temporaryFolder } from "../support/processes.ts"
import { startService, type Service } from "../support/service.ts"

const root = resolve(import.meta.dirname, "../..")
const textOf = (path: string): string => readFileSync(join(root, path), "utf8")

const pages = [
  "README.md",
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
  "src/runtime/client/README.md",
  "src/runtime/client/python/README.md"
]

interface Block {
  readonly page: string
  /** The comment that marks it for a test, or the empty text. */
  readonly mark: string
  readonly language: string
  readonly text: string
}

const blocks: ReadonlyArray<Block> = pages.flatMap((page) =>
  [...textOf(page).matchAll(/(?:<!-- ([\w:]+) -->\n)?^```(\w*)\n([^]*?)^```/gm)].map(
    ([, mark = "", language = "", text = ""]) => ({ page, mark, language, text })
  )
)

/** The file that runs the block or compares it, and words in it that show that it does. */
type Proof = readonly [file: string, words: string]

/** Commands of ours alone. */
const ours = (text: string): boolean =>
  text
    .replaceAll(/\\\n/g, "")
    .trim()
    .split("\n")
    .every((line) => line.startsWith("npm run journeys -- "))

const here: Proof = ["test/runtime/documentedBlocks.int.test.ts", "an answer that a page shows"]
const clients: Proof = ["test/runtime/client/clientPackages.int.test.ts", "README"]
const listen: Proof = ["test/runtime/client/listenPackage.int.test.ts", "README"]
const receivers: Proof = ["test/actors/webhook/receivers.test.ts", "docs/integrators.md"]

/** By page, mark and language; `*` is any. The first row that fits counts. */
const proofs: ReadonlyArray<readonly [page: string, mark: string, language: string, proof: Proof]> = [
  ["docs/start.md", "*", "sh", ["test/http/documents/guides.int.test.ts", "docs/start.md"]],
  [
    "docs/integrators.md",
    "clock:example",
    "js",
    ["test/http/api/journeys/testClocks.int.test.ts", "docs/integrators.md"]
  ],
  ["docs/integrators.md", "verify:module", "js", ["test/actors/webhook/installed.test.ts", "docs/integrators.md"]],
  ["docs/integrators.md", "verify:js", "js", receivers],
  ["docs/integrators.md", "verify:python", "python", receivers],
  ["docs/integrators.md", "verify:php", "php", receivers],
  ["docs/integrators.md", "verify:example", "", receivers],
  ["docs/integrators.md", "", "json", here],
  ["docs/integrators.md", "photo:example", "sh", here],
  ["docs/integrators.md", "listen:package", "sh", listen],
  // The one block that is more than commands of ours.
  ["docs/team.md", "", "sh", ["test/runtime/cli/documentedCommands.int.test.ts", "by the request that it prints"]],
  ["docs/states.md", "*", "mermaid", ["test/runtime/cli/diagram.int.test.ts", "docs/states.md"]],
  ["docs/testkit.md", "*", "sh", ["test/kit/ownFolder.int.test.ts", "docs/testkit.md"]],
  ["docs/testkit.md", "*", "*", ["test/kit/testkit.int.test.ts", "docs/testkit.md"]],
  ["docs/operators.md", "", "sql", ["test/support/documentedGrants.ts", "docs/operators.md"]],
  ["src/runtime/client/README.md", "*", "ts", clients],
  ["src/runtime/client/python/README.md", "*", "python", clients]
]

/** Blocks that nobody types: drawings, and what a command has printed. By page and beginning. */
const drawings: ReadonlyArray<readonly [page: string, begins: RegExp]> = [
  ["README.md", /^ (?:integrator|finance)/],
  ["docs/measurements.md", /^ |^the service (?:as|with) |^A portrait beside /]
]

/** By page and beginning, what has no mark and no language of its own. */
const byBeginning: ReadonlyArray<readonly [page: string, begins: string, proof: Proof]> = [
  ["docs/start.md", "JOURNEYS_URL=", listen],
  ["README.md", "npm install && npm start", ["test/runtime/start.int.test.ts", "npm"]],
  ["README.md", "npm run demo", ["test/runtime/demo.e2e.test.ts", "demo"]],
  ["docs/operators.md", "DATABASE_URL=", here],
  ["docs/operators.md", "pg_dump", ["test/runtime/erasures/dumps.int.test.ts", "pg_dump"]],
  ["docs/operators.md", "scrape_configs", here],
  ["src/runtime/client/README.md", "npm install ./journeys-client", clients],
  ["src/runtime/client/README.md", "npx --no @journeys/client listen", listen],
  ["src/runtime/client/python/README.md", "pip install", clients]
]

const proofOf = ({ language, mark, page, text }: Block): Proof | undefined => {
  if (ours(text)) return ["test/runtime/cli/documentedCommands.int.test.ts", "documented"]
  const row = proofs.find(
    ([of, marked, as]) => of === page && (marked === "*" || marked === mark) && (as === "*" || as === language)
  )
  return row?.[3] ?? byBeginning.find(([of, begins]) => of === page && text.startsWith(begins))?.[2]
}

const isDrawing = ({ page, text }: Block): boolean => drawings.some(([of, begins]) => of === page && begins.test(text))

const titled = blocks.map((block) => [block.page, block.text.split("\n")[0] ?? "", block] as const)

describe("every block of a page", () => {
  it.each(titled)("%s: %s", (_page, _line, block) => {
    if (isDrawing(block)) return
    const proof = proofOf(block)
    expect(proof, "no test runs this block").toBeDefined()
    expect(textOf(proof?.[0] ?? "")).toContain(proof?.[1])
  })
})

describe("an answer that a page shows", () => {
  let service: Service
  let company: TestCompany
  beforeAll(async () => {
    service = await startService()
    company = await makeCompany(service)
  })
  afterAll(() => service.stop())

  const [list, events] = blocks
    .filter(({ language, page }) => page === "docs/integrators.md" && language === "json")
    .map(({ text }) => JSON.parse(text))

  it("is the list of a company without journeys", async () => {
    expect((await ask(service, company.testKey, "/api/v1/journeys")).data).toEqual(list)
  })

  it("has the members of a piece of the events", async () => {
    await start(service, company.testKey, startBody("CASH_SALE"))
    const { data } = await ask(service, company.testKey, "/api/v1/events?size=1")
    expect(Object.keys(data).toSorted()).toEqual(Object.keys(events).toSorted())
    const [shown] = events.content
    expect(Object.keys(data.content[0]).toSorted()).toEqual(Object.keys(shown).toSorted())
    expect(data.content[0].sequence).toBe(shown.sequence)
    expect(data.content[0].event.type).toBe(shown.event.type)
  })
})

describe("the photo that a page names", () => {
  it("is downloaded, and starts a finance sale", async () => {
    const service = await startService()
    const folder = await temporaryFolder()
    try {
      const { testKey } = await makeCompany(service)
      const block = blocks.find(({ mark }) => mark === "photo:example")
      const env = { PATH: process.env["PATH"], BASE: service.baseUrl, KEY: testKey }
      const { stdout } = await promisify(execFile)("bash", ["-c", block?.text ?? ""], { cwd: folder.path, env })
      expect(JSON.parse(stdout)).toMatchObject({ errors: null, data: { status: "ACTIVE", type: "DELIVERY" } })
    } finally {
      await service.stop()
      await folder.remove()
    }
  })
})

describe("the settings and the job that the operators' page shows", () => {
  it("are settings of the service", () => {
    const block = blocks.find(({ page, text }) => page === "docs/operators.md" && text.startsWith("DATABASE_URL="))
    const named = [...(block?.text ?? "").matchAll(/\b([A-Z_]{3,})=/g)].map(([, name = ""]) => name)
    const known = textOf("docs/settings.md")
    expect(new Set(named).size).toBeGreaterThan(4)
    expect(named.filter((name) => !known.includes(`\`${name}\``))).toEqual([])
  })

  it("scrape the job for which the alert rules look", () => {
    const block = blocks.find(({ language, page }) => page === "docs/operators.md" && language === "yaml")
    const job = /job_name: (\w+)/.exec(block?.text ?? "")?.[1]
    expect(textOf("deploy/prometheus/alerts.yaml")).toContain(`job="${job}"`)
  })
})
