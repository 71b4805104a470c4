/**
 * The packages for integrators as their people have them: installed into an empty project without a network, type-checked
 * strictly, and run against a real service on every Node and Python of this machine. What a README shows is what runs.
 */
import { spawn, spawnSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readApiContract } from "../../../src/runtime/client/generate/apiContract.ts"
import { customerPhoto } from "../../../src/runtime/firstStart/samplePhoto.ts"
import { deliveryAttempts } from "../../actors/webhook/deliveryAttempts.ts"
import { askSettings, makeCompany, startBody, type TestCompany } from "../../support/companies.ts"
import { eventually } from "../../support/eventually.ts"
import { freePort } from "../../support/freePort.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"
import { asProgram, clientGround, examplesIn, otherNodes, readmes, type ClientGround } from "./clientGround.ts"
import {
  idsInNode,
  idsInPython,
  limited,
  photoInNode,
  photoInPython,
  pictureInNode,
  pictureInPython,
  typesInPython,
  typeTest,
  verifyInNode,
  verifyInPython
} from "./clientPrograms.ts"
import { startInReview, startWithPhoto } from "./reviewedJourneys.ts"

const isCi = process.env["CI"] === "true"
const nodeTypes = ["--lib", "es2022", "--types", "node", "--typeRoots", join(process.cwd(), "node_modules/@types")]

let ground: ClientGround
let service: Service
let company: TestCompany
beforeAll(async () => {
  ground = await clientGround()
  service = await startService({
    SANDBOX_STEP: "1 hour",
    SANDBOX_CALLER_STEP: "1 hour",
    RATE_LIMIT_PER_MINUTE: "150",
    WEBHOOK_ALLOW_INSECURE: "true"
  })
  company = await makeCompany(service)
  const readme = asProgram(examplesIn("ts"))
  await ground.write("readme.mts", readme)
  await ground.write("readme.cts", readme)
  await ground.write("readme.py", examplesIn("python"))
  await ground.write("attempts.json", JSON.stringify(deliveryAttempts.map(([, , attempt]) => attempt)))
})
afterAll(async () => {
  await service?.stop()
  await ground?.remove()
})

/** Runs the examples until their receiver has got a ping and they have printed their last line; gives what they printed. */
const printedBy = async (
  command: string,
  parameters: ReadonlyArray<string>,
  last: RegExp,
  more: Record<string, string> = {}
) => {
  const port = await freePort()
  const saved = await askSettings(service, `/companies/${company.id}/webhook-endpoints/test`, {
    method: "PUT",
    body: { url: `http://127.0.0.1:${port}/hook`, events: ["ping"] }
  })
  await startInReview(service, company.testKey)
  const { PATH } = process.env
  const child = spawn(command, parameters, {
    cwd: ground.folder,
    env: {
      PATH,
      JOURNEYS_URL: service.baseUrl,
      JOURNEYS_KEY: company.testKey,
      JOURNEYS_OPERATOR_TOKEN: operatorToken,
      JOURNEYS_COMPANY: company.id,
      WEBHOOK_SECRET: saved.data.secret,
      RECEIVER_PORT: String(port),
      ...more
    }
  })
  let printed = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text))
  const hasEnded = new Promise((done) => child.once("close", done))
  const ping = () => askSettings(service, `/companies/${company.id}/webhook-endpoints/test/ping`, { method: "POST" })
  try {
    await eventually(
      () => printed,
      (text) => text.includes("refused 404") || child.exitCode !== null,
      20_000
    )
    await eventually(
      async () => (child.exitCode === null ? (await ping()).data.status : "ENDED"),
      (status) => status !== "PENDING",
      20_000
    )
    await eventually(
      () => printed,
      (text) => last.test(text) || child.exitCode !== null,
      20_000
    )
  } finally {
    child.kill()
    await hasEnded
  }
  return printed.trim().split("\n")
}

const inBoth = [
  "started DELIVERY ACTIVE",
  "handover ACTIVE CUSTOMER_TO_VERIFY_IDENTITY",
  expect.stringMatching(/^page [1-9]$/),
  "listed 1",
  "approved IDENTITY"
]

describe("the package for Node", () => {
  it("type-checks its README strictly, as an ES module and as CommonJS", async () => {
    expect(await ground.compile(["readme.mts", "readme.cts"], ...nodeTypes)).toBe("")
  })

  it("tells shapes, journeys and events apart by type, without types of Node, and leaves values open", async () => {
    await ground.write("types.mts", typeTest)
    expect(await ground.compile(["types.mts"], "--noEmit", "--lib", "es2022,dom", "--types", "")).toBe("")
  })

  const nodes = [{ version: process.version, command: process.execPath }, ...otherNodes]
  const kinds = nodes.flatMap((node) =>
    ["mjs", "cjs"].map((kind) => ({ version: node.version, command: node.command, kind }))
  )
  it.each(kinds)("runs its README on Node $version ($kind)", async ({ command, kind }) => {
    const printed = await printedBy(command, [`readme.${kind}`], /sent 3 times.*\n/)
    expect(printed).toEqual(
      expect.arrayContaining([
        ...inBoth,
        "replayed true 200",
        "event journey.created",
        expect.stringMatching(/^followed [1-9] true$/),
        "refused 400 VALIDATION_FAILED size",
        "refused 404 true",
        "test deliveries taken 14",
        "delivered (a later type) true",
        "sent 3 times with 1 key",
        expect.stringMatching(/^a ping to [0-9a-f-]{36}$/)
      ])
    )
  })

  it.skipIf(!isCi)("has met Node 20 and Node 24", () => {
    expect(new Set(nodes.map(({ version }) => version.split(".")[0]))).toEqual(new Set(["v20", "v24"]))
  })

  it("says RATE_LIMITED with the time to wait, once a key has used up its minute", async () => {
    const { testKey } = await makeCompany(service)
    await ground.write("limited.mjs", limited)
    const { stderr, stdout } = await ground.run(process.execPath, ["limited.mjs"], {
      JOURNEYS_URL: service.baseUrl,
      JOURNEYS_KEY: testKey
    })
    expect(stdout.trim(), stderr).toBe("150 RateLimitedError 429 true true")
  })

  it("judges every delivery as the service's own verifier does", async () => {
    await ground.write("verify.mjs", verifyInNode)
    const { stderr, stdout } = await ground.run(process.execPath, ["verify.mjs"])
    expect(JSON.parse(stdout || "[]"), stderr).toEqual(deliveryAttempts.map(([, verdict]) => verdict))
  })
})

const python = () => {
  if (ground.wheel === null) throw new Error("CI needs python3 on PATH")
  return { PYTHONPATH: ground.wheel, PYTHONUNBUFFERED: "1" }
}

describe("the package for Python", () => {
  it("runs its README", async ({ skip }) => {
    if (ground.wheel === null && !isCi) skip("there is no python3 on PATH")
    const printed = await printedBy("python3", ["readme.py"], /gave up[^]* key/, python())
    expect(printed).toEqual(
      expect.arrayContaining([
        ...inBoth,
        "replayed True 200",
        "event journey.created",
        expect.stringMatching(/^followed [1-9]$/),
        "refused 400 VALIDATION_FAILED size",
        "refused 404 True",
        "delivered (a later type) True",
        "delivered ping False"
      ])
    )
    // A line comes in pieces, and the receiver is another thread: what it prints may come in between.
    expect(printed.join("\n")).toContain("test deliveries taken")
    expect(printed.join("\n")).toMatch(/gave up TEMPORARILY_UNAVAILABLE sent 3 times[^]*with 1 key/)
  })

  it("type-checks its README and itself strictly", async ({ skip }) => {
    const isThere = spawnSync("mypy", ["--version"], { stdio: "ignore" }).status === 0
    if (ground.wheel === null || !isThere) return isCi ? expect.fail("CI needs mypy") : skip("no mypy")
    await ground.write("typed.py", typesInPython)
    await ground.run("python3", ["-m", "zipfile", "-e", ground.wheel, "unpacked"])
    // The types of an answer are promised and not checked again: what JSON holds is returned as them.
    const strictly = ["--strict", "--no-warn-return-any", "--cache-dir", "mypy", "readme.py", "typed.py"]
    const { stderr, stdout } = await ground.run("mypy", strictly, { MYPYPATH: "unpacked" })
    expect(stderr + stdout).toBe("Success: no issues found in 2 source files\n")
  })

  it("is installed by the line of its README, without network", async ({ skip }) => {
    const isThere = (await ground.run("python3", ["-m", "pip", "--version"])).code === 0
    if (ground.wheel === null || !isThere) return isCi ? expect.fail("CI needs python3 with pip") : skip("no pip")
    const readme = await readFile(readmes.python, "utf8")
    const [, parameters = "", file = ""] = /^pip (install --no-index) (journeys_client-\S+\.whl)$/m.exec(readme) ?? []
    expect(basename(ground.wheel)).toBe(file)
    const installed = await ground.run("python3", [
      "-m",
      "pip",
      ...parameters.split(" "),
      "--target",
      "site",
      ground.wheel
    ])
    expect(installed.code, installed.stderr).toBe(0)
    const used = await ground.run("python3", ["-c", "import journeys_client; print(journeys_client.__name__)"], {
      PYTHONPATH: join(ground.folder, "site")
    })
    expect(used.stdout.trim(), used.stderr).toBe("journeys_client")
  })

  it("judges every delivery as the service's own verifier does", async ({ skip }) => {
    if (ground.wheel === null && !isCi) skip("there is no python3 on PATH")
    await ground.write("verify.py", verifyInPython)
    const { stderr, stdout } = await ground.run("python3", ["verify.py"], python())
    expect(JSON.parse(stdout || "[]"), stderr).toEqual(deliveryAttempts.map(([, verdict]) => verdict))
  })
})

it("each package lists its methods on its page: what each does and asks", async () => {
  const pages = [
    await readFile(join(ground.folder, "node_modules/@journeys/client/README.md"), "utf8"),
    ...(ground.wheel === null ? [] : [(await ground.run("unzip", ["-p", ground.wheel, "*/METADATA"])).stdout])
  ]
  const methods = ["sendFinanceDecision(journeyId, body)", "send_finance_decision(journey_id, body)"]
  for (const [at, page] of pages.entries()) {
    const request = "POST /api/v1/journeys/{journeyId}/finance-decision"
    expect(page).toContain(`| \`${methods[at]}\` | Send the lender's decision | \`${request}\` |`)
    for (const [at, contract] of [readApiContract("integrators"), readApiContract("settings")].entries()) {
      const section = page.split("## Every method")[at + 1]
      expect(section?.match(/^\| `/gm)).toHaveLength(contract.operations.length)
    }
  }
})

it("both packages refuse an id that is no segment of a path, and ask for any other", async () => {
  await ground.write("ids.mjs", idsInNode)
  await ground.write("ids.py", idsInPython)
  const asked = { JOURNEYS_URL: service.baseUrl, JOURNEYS_KEY: company.testKey }
  const ended = await Promise.all([
    ground.run(process.execPath, ["ids.mjs"], asked),
    ...(ground.wheel === null ? [] : [ground.run("python3", ["ids.py"], { ...asked, ...python() })])
  ])
  for (const { stderr, stdout } of ended) {
    expect(stdout.trim().split("\n"), stderr).toEqual([...Array(4).fill("TypeError"), "JourneyNotFoundError"])
  }
})

it("both packages start a journey with a photo as a form", async () => {
  await ground.write("photo.mjs", photoInNode)
  await ground.write("photo.py", photoInPython)
  await ground.write("sale.json", JSON.stringify(startBody("FINANCE_SALE")))
  await writeFile(join(ground.folder, "photo.jpg"), await Effect.runPromise(customerPhoto))
  const asked = { JOURNEYS_URL: service.baseUrl, JOURNEYS_KEY: company.testKey }
  // At once, because the service looks at one photo once.
  const ended = await Promise.all([
    ground.run(process.execPath, ["photo.mjs"], asked),
    ...(ground.wheel === null ? [] : [ground.run("python3", ["photo.py"], { ...asked, ...python() })])
  ])
  for (const { stderr, stdout } of ended) expect(stdout.trim(), stderr).toBe("FINANCE_SALE")
})

it("both packages give a picture of a live journey to its operator, and say where there is none", async () => {
  await ground.write("picture.mjs", pictureInNode)
  await ground.write("picture.py", pictureInPython)
  const asked = {
    JOURNEYS_URL: service.baseUrl,
    JOURNEYS_OPERATOR_TOKEN: operatorToken,
    JOURNEYS_COMPANY: company.id,
    JOURNEY: await startWithPhoto(service, company.liveKey)
  }
  const ended = await Promise.all([
    ground.run(process.execPath, ["picture.mjs"], asked),
    ...(ground.wheel === null ? [] : [ground.run("python3", ["picture.py"], { ...asked, ...python() })])
  ])
  for (const { stderr, stdout } of ended) {
    expect(stdout.trim().split("\n"), stderr).toEqual(["image/jpeg ffd8ff", "NotFoundError NOT_FOUND"])
  }
})
