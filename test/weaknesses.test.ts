/** The look for known weaknesses of packages (`.ci/weaknesses`), with a stand-in for npm that answers as a registry makes it answer. */
import { spawnSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"
import { temporaryFolder } from "./support/processes.ts"

const root = resolve(import.meta.dirname, "..")

/** Looks, where npm prints this and ends with this status. */
const look = async (printed: unknown, status: number) => {
  const { path: folder, remove } = await temporaryFolder()
  await writeFile(join(folder, "answer"), typeof printed === "string" ? printed : JSON.stringify(printed))
  const npm = `#!/bin/sh\n[ "$*" = "audit --omit=dev --json" ] && cat ${join(folder, "answer")}\nexit ${status}\n`
  await writeFile(join(folder, "npm"), npm, { mode: 0o755 })
  const environment = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` }
  const done = spawnSync(process.execPath, [join(root, ".ci/weaknesses")], { encoding: "utf8", env: environment })
  await remove()
  return { status: done.status, said: done.stdout + done.stderr }
}

it("passes when the registry knows no weakness", async () => {
  expect((await look({ auditReportVersion: 2, vulnerabilities: {} }, 0)).status).toBe(0)
})

it("fails and names the package when the registry knows one, of any severity", async () => {
  const vulnerabilities = { jimp: { name: "jimp", severity: "low", range: "<2.0.0" } }
  const { said, status } = await look({ auditReportVersion: 2, vulnerabilities }, 1)
  expect([status, said]).toEqual([1, expect.stringContaining("low: jimp <2.0.0")])
})

it("never says that there is none when the registry did not answer", async () => {
  for (const answer of [{ error: { code: "ENOAUDIT" } }, { auditReportVersion: 2 }, "not found", ""]) {
    const { said, status } = await look(answer, 1)
    expect([status, said]).toEqual([2, expect.stringContaining("NOT LOOKED")])
  }
})
