/**
 * Runs every test, or the files named as parameters. Tests of real servers, browsers and clocks (`.int.test` and `.e2e.test`) can fail
 * because the machine was busy with something else: a few such files run once more, one by one, and what fails twice has
 * failed. Both failures are printed, so that a test that often needs its second run is seen. A pure test has no second run.
 */
import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"

/** More files than these do not fail by chance. */
const mostFilesAgain = 8

const root = resolve(import.meta.dirname, "..")
const vitest = join(root, "node_modules/vitest/vitest.mjs")

interface Report {
  readonly testResults: ReadonlyArray<{ readonly name: string; readonly status: "passed" | "failed" }>
}

/** Runs Vitest and answers with its exit code. */
const run = (parameters: ReadonlyArray<string>): Promise<number> =>
  new Promise((done) => {
    const given = ["run", "--config", ".vitest.config.ts", ...parameters]
    const child = spawn(process.execPath, [vitest, ...given], { cwd: root, stdio: "inherit" })
    child.once("exit", (code) => done(code ?? 1))
  })

const failedFiles = async (reportFile: string): Promise<ReadonlyArray<string>> => {
  const text = await readFile(reportFile, "utf8").catch(() => "")
  if (text === "") return []
  const { testResults } = JSON.parse(text) as Report
  return testResults.filter(({ status }) => status === "failed").map(({ name }) => relative(root, name))
}

const dependsOnTheMachine = (file: string) => /\.(?:int|e2e)\.test\.ts$/.test(file)

const testAll = async (folder: string): Promise<number> => {
  const report = join(folder, "report.json")
  const code = await run(["--reporter=default", "--reporter=json", `--outputFile=${report}`, ...process.argv.slice(2)])
  const failed = await failedFiles(report)
  if (code === 0 || failed.length === 0 || failed.length > mostFilesAgain || !failed.every(dependsOnTheMachine)) {
    return code
  }
  console.log(`\nFailed, and run once more by themselves:\n${failed.map((file) => `  ${file}\n`).join("")}`)
  const again = await run(["--maxWorkers=1", ...failed])
  console.log(again === 0 ? "They passed now: look whether they wait for a signal or for luck." : "Failed twice.")
  return again
}

const folder = await mkdtemp(join(tmpdir(), "journeys-tests-"))
try {
  process.exitCode = await testAll(folder)
} finally {
  await rm(folder, { recursive: true, force: true })
}
