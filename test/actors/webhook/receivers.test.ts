/**
 * The ten lines that the integrators' page gives receivers in Node, Python and PHP, run as they are printed there and judged by the
 * same deliveries as our own verifier. A language that this machine lacks is skipped by name; in CI that is a failure.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { verifySignature } from "../../../src/actors/webhook/verifier.js"
import { aboutWebhooks, signatureExample } from "../../../src/http/documents/prose.ts"
import { verifyLines } from "../../../src/http/documents/verifyLines.ts"
import { deliveryAttempts, type DeliveryAttempt } from "./deliveryAttempts.ts"

const isCi = process.env["CI"] === "true"
const page = readFileSync(new URL("../../../docs/integrators.md", import.meta.url), "utf8")

const fileOf = (name: string): string => join(import.meta.dirname, "receivers", name)

/** The lines that a receiver copies: those before the ones that let this test run them. */
const printed = (name: string): string => {
  const [lines = "", wrapper] = readFileSync(fileOf(name), "utf8").split(/^(?:\/\/|#) Run by receivers\.test\.ts/m)
  expect(wrapper).toBeDefined()
  return lines.trim()
}

/** The first block of code after a mark in the page for integrators. */
const blockAfter = (mark: string): string | undefined =>
  new RegExp(`<!-- ${mark} -->\\s*\`\`\`\\w*\\n(.*?)\\n\`\`\``, "s").exec(page)?.[1]

const { body, header, secret } = signatureExample
const attempts = deliveryAttempts.map(([name, verdict, attempt]) => [name, verdict === "taken", attempt] as const)

/** What the lines say: they end well and print one word, or they have failed. */
const asked = async (
  command: string,
  script: string,
  { body, now, secret, signature }: DeliveryAttempt
): Promise<string> => {
  const child = spawn(command, [script, secret, signature, String(now)], { stdio: ["pipe", "pipe", "inherit"] })
  let answer = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (answer += text))
  child.stdin.end(body)
  const [code] = await once(child, "close")
  return code === 0 ? answer.trim() : `ended with ${code}`
}

describe.each([
  { language: "Node", command: process.execPath, script: "verify.mjs", mark: "verify:js" },
  { language: "Python", command: "python3", script: "verify.py", mark: "verify:python" },
  { language: "PHP", command: "php", script: "verify.php", mark: "verify:php" }
] as const)("the ten lines in $language", ({ command, language, mark, script }) => {
  const isThere = spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0

  it("are those of the page for integrators", () => {
    expect(blockAfter(mark)).toBe(printed(script))
    expect(verifyLines[language]).toBe(printed(script))
    expect(aboutWebhooks).toContain(printed(script))
  })

  it.skipIf(!isThere && !isCi).each(attempts)(`judge, run by ${command}: %s`, async (_, isGenuine, attempt) => {
    if (!isThere) throw new Error(`CI needs ${command} on PATH`)
    expect(await asked(command, fileOf(script), attempt)).toBe(String(isGenuine))
  })
})

describe("our verifier", () => {
  it.each(attempts)("judges alike: %s", (_, isGenuine, { now, ...delivery }) => {
    const verify = () => verifySignature({ ...delivery, now: now * 1000 })
    if (isGenuine) verify()
    else expect(verify).toThrow("")
  })
})

describe("the page for integrators", () => {
  it("prints the example that /docs prints", () => {
    expect(blockAfter("verify:example")?.split("\n")).toEqual([
      `secret             ${secret}`,
      `body               ${body}`,
      `Service-Signature  ${header}`
    ])
  })
})
