/** The command that prints the states of a journey, and the page of the documents that holds what it prints. */
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { expect, it, vi } from "vitest"
import { commandsScript, run } from "../../support/processes.ts"

const root = resolve(import.meta.dirname, "../../..")

// A process takes ten seconds and more to begin on a loaded machine.
vi.setConfig({ testTimeout: 120_000 })

const diagram = async (...parameters: ReadonlyArray<string>): Promise<string> => {
  const { code, stderr, stdout } = await run(process.execPath, [commandsScript, "diagram", ...parameters], {
    cwd: root
  })
  expect([code, stderr]).toEqual([0, ""])
  return stdout
}

it("prints docs/states.md, without a running service", async () => {
  expect(await diagram("--table")).toBe(await readFile(resolve(root, "docs/states.md"), "utf8"))
})

it("prints the diagrams alone when no table is asked for", async () => {
  const printed = await diagram()
  expect(printed.match(/^stateDiagram-v2$/gm)).toHaveLength(4)
  expect(printed).toContain("VIDEO_UPLOADED --> COMPLETED: VideoMatched")
  expect(printed).not.toContain("| from |")
})

it("says what the columns of a table mean before the first table", async () => {
  const [intro = ""] = (await diagram("--table")).split("## Journey")
  for (const title of ["first", "then", "work begun", "work over", "same", "retry"])
    expect(intro).toContain(`\`${title}\``)
  expect(await diagram()).not.toContain("`work begun`")
})
