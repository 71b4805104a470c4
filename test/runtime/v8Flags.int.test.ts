/** What the service sets differently in V8, and what others notice of it. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const run = promisify(execFile)

/** What a program prints as JSON, with Node's options before it. */
const printedBy = async (
  program: URL,
  ...options: ReadonlyArray<string>
): Promise<Readonly<Record<string, number>>> => {
  const { stdout } = await run(process.execPath, [...options, program.pathname])
  return JSON.parse(stdout) as Record<string, number>
}

const buffers = new URL("manyBuffers.ts", import.meta.url)
const calls = new URL("manyCalls.ts", import.meta.url)
const withFlags = `--import=${new URL("../../src/runtime/v8Flags.ts", import.meta.url).href}`

it("does not collect the garbage of the whole heap again and again because buffers were filled", async () => {
  const usually = await printedBy(buffers, "--expose-gc")
  const here = await printedBy(buffers, "--expose-gc", withFlags)
  // The heap stays the same size all the time, so hardly a collection would find anything.
  expect(here["collections"]).toBeLessThan((usually["collections"] ?? 0) / 2)
}, 60_000)

it("has fast code of a function after less than half of the calls that V8 waits for by default", async () => {
  const usually = await printedBy(calls, "--allow-natives-syntax")
  const here = await printedBy(calls, "--allow-natives-syntax", withFlags)
  expect(here["calls"]).toBeLessThan((usually["calls"] ?? 0) / 2)
}, 60_000)
