/** Imports that are taken at their word, compared with what Node finds when it looks. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { meantBy } from "../../src/runtime/plainImports.js"

interface Found {
  readonly specifier: string
  readonly parent?: string
  readonly url: string
  readonly format: string | null
}

/** Loads every module of the service in a process of its own, and prints what Node made of each import. */
const program = `
import { registerHooks } from "node:module"
const found = []
registerHooks({
  resolve: (specifier, context, next) => {
    const { format, url } = next(specifier, context)
    found.push({ specifier, parent: context.parentURL, url, format: format ?? null })
    return { format, url }
  }
})
await import("./src/runtime/App.ts")
await import("./src/runtime/cli/program.ts")
console.log(JSON.stringify(found))
`

const importsOfTheService = async (): Promise<ReadonlyArray<Found>> => {
  const cwd = join(import.meta.dirname, "../..")
  const parameters = ["--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd, maxBuffer: 64 * 2 ** 20 })
  return JSON.parse(stdout) as ReadonlyArray<Found>
}

it("imports of the tree and of Effect mean the file that they name, as Node finds", async () => {
  const imports = await importsOfTheService()
  const taken = imports.flatMap(({ format, parent, specifier, url }) => {
    const meant = meantBy(specifier, parent)
    return meant === null ? [] : [{ specifier, parent, meant: [meant.url, meant.format], found: [url, format] }]
  })
  expect(taken.filter(({ found, meant }) => found.join(" ") !== meant.join(" "))).toEqual([])
  // Most imports, so that the look at them is worth it.
  expect(taken.length).toBeGreaterThan(0.7 * imports.length)
})

it("Node looks for what is no whole name of a file of the tree", () => {
  const parent = new URL("../../src/runtime/App.ts", import.meta.url).href
  const whole = { url: new URL("main.ts", parent).href, format: "module-typescript", shortCircuit: true }
  expect(meantBy("./main.ts", parent)).toEqual(whole)
  for (const specifier of [
    "./main",
    "./brand.svg",
    "effect",
    "node:fs",
    "../../test/main.ts",
    "../../node_modules/a.ts"
  ]) {
    expect([specifier, meantBy(specifier, parent)]).toEqual([specifier, null])
  }
  expect(meantBy("./main.ts", undefined)).toBeNull()
  expect(meantBy("./main.ts", "file:///elsewhere/src/runtime/App.ts")).toBeNull()
})
