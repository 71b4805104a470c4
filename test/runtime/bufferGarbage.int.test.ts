/** What bodies, photos and videos leave behind, and what others notice of it. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const run = promisify(execFile)

const collectionsWith = async (...options: ReadonlyArray<string>): Promise<number> => {
  const program = new URL("manyBuffers.ts", import.meta.url).pathname
  const { stdout } = await run(process.execPath, ["--expose-gc", ...options, program])
  const { collections } = JSON.parse(stdout) as { readonly collections: number }
  return collections
}

it("does not collect the garbage of the whole heap again and again because buffers were filled", async () => {
  const garbage = new URL("../../src/runtime/bufferGarbage.ts", import.meta.url).href
  const usually = await collectionsWith()
  const here = await collectionsWith(`--import=${garbage}`)
  // The heap stays the same size all the time, so hardly a collection would find anything.
  expect(here).toBeLessThan(usually / 2)
}, 60_000)
