/** Where the packages of the service may lie for a confined process to find them. The service is a copy of one file here, and the package an empty one. */
import { spawnSync } from "node:child_process"
import { cp, mkdir, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../../support/processes.ts"

const confinedFile = join(import.meta.dirname, "../../../src/runtime/processes/confined.ts")

/** The exit code of a confined process that does nothing but load a package. */
const starter = `
  const { confined, ownPrograms } = await import("./src/runtime/processes/confined.ts")
  const { spawnSync } = await import("node:child_process")
  const { command: [program, ...parameters], environment } = confined({
    program: process.cwd() + "/src/program.mjs", parameters: [], readable: ownPrograms(),
    heapMegabytes: 100, niceness: null, coreSeconds: null, allowed: []
  })
  process.exit(spawnSync(program, parameters, { env: environment, stdio: "inherit" }).status)`

describe("a confined process", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())

  it.each([
    { where: "beside the service", home: "one", packages: "one/node_modules" },
    { where: "elsewhere, if a link leads there", home: "two", packages: "elsewhere", link: "two/node_modules" },
    { where: "further up", home: "three/service", packages: "three/node_modules" }
  ])("finds packages $where", async ({ home, link, packages }) => {
    const service = join(folder.path, home)
    const file = join(service, "src/runtime/processes/confined.ts")
    await mkdir(dirname(file), { recursive: true })
    await cp(confinedFile, file)
    await writeFile(join(service, "package.json"), `{"type": "module"}`)
    await writeFile(join(service, "src/program.mjs"), `import "effect"`)
    const effect = join(folder.path, packages, "effect")
    await mkdir(effect, { recursive: true })
    await writeFile(join(effect, "package.json"), `{"name": "effect", "type": "module", "main": "index.js"}`)
    await writeFile(join(effect, "index.js"), "")
    if (link !== undefined) await symlink(join(folder.path, packages), join(folder.path, link))
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", starter], { cwd: service })
    expect({ status, denied: /ERR_ACCESS_DENIED/.test(String(stderr)) }).toEqual({ status: 0, denied: false })
  })
})
