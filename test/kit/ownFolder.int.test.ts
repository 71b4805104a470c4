/**
 * The folder of one's own that docs/testkit.md describes: with the versions and the tsconfig.json that the page names, both programs of
 * the page are free of type errors. The packages are copied or linked as npm would install them, so that nothing is downloaded.
 */
import { readFileSync } from "node:fs"
import { cp, mkdir, symlink, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run, temporaryFolder } from "../support/processes.ts"

const root = resolve(import.meta.dirname, "../..")
const packages = join(root, "node_modules")
const page = readFileSync(join(root, "docs/testkit.md"), "utf8")
const blockOf = (language: string): ReadonlyArray<string> =>
  [...page.matchAll(/```(\w+)\n([^]*?)```/g)].flatMap(([, as, text = ""]) => (as === language ? [text] : []))

const compiler = join(packages, "typescript/bin/tsc")
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

describe("a folder of one's own", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
    const at = (name: string) => join(folder.path, name)
    await mkdir(at("node_modules"))
    await symlink(root, at("node_modules/journeys"))
    await symlink(join(packages, "vitest"), at("node_modules/vitest"))
    // As npm does: the folder has a fast-check of its own beside the kit's.
    for (const name of ["fast-check", "pure-rand"]) {
      await cp(join(packages, name), at(`node_modules/${name}`), { recursive: true })
    }
    const [tsconfig = ""] = blockOf("json")
    await writeFile(at("tsconfig.json"), tsconfig)
    await writeFile(at("package.json"), '{ "type": "module" }')
    for (const [number, program] of blockOf("ts").entries()) await writeFile(at(`program${number}.test.ts`), program)
  })
  afterAll(() => folder.remove())

  it("installs the versions that the kit is made with", () => {
    const named = [
      ...blockOf("sh")
        .join()
        .matchAll(/(\S+)@(\d+\.\d+\.\d+)/g)
    ].map(([, name, version]) => [name, version])
    expect(named).toEqual(["vitest", "fast-check", "typescript"].map((name) => [name, devDependencies[name]]))
  })

  it("has programs without type errors", async () => {
    const { code, stdout } = await run(process.execPath, [compiler, "-p", "."], { cwd: folder.path })
    expect([code, stdout]).toEqual([0, ""])
    // Ten seconds alone, and many times that beside everything else.
  }, 240_000)
})
