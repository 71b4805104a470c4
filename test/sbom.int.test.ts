/** The list of what production is made of (`npm run sbom`), compared with package.json. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "..")
const { dependencies, devDependencies, name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly hashes?: ReadonlyArray<{ readonly alg: string; readonly content: string }>
}

interface Sbom {
  readonly bomFormat: string
  readonly metadata: { readonly component: Component }
  readonly components: ReadonlyArray<Component>
}

const fullName = (component: Component) =>
  component.group === undefined ? component.name : `${component.group}/${component.name}`

describe("the SBOM", () => {
  let sbom: Sbom
  const versionOf = (package_: string) => sbom.components.find((one) => fullName(one) === package_)?.version
  beforeAll(() => {
    const { status, stderr, stdout } = spawnSync("npm", ["run", "sbom", "--silent"], { cwd: root, encoding: "utf8" })
    if (status !== 0) throw new Error(stderr)
    sbom = JSON.parse(stdout)
  })

  it("is one of this service, in the form CycloneDX", () => {
    expect([sbom.bomFormat, fullName(sbom.metadata.component)]).toEqual(["CycloneDX", name])
  })

  it("has every package that production names, in the version that package.json names", () => {
    const listed = Object.keys(dependencies).map((package_) => [package_, versionOf(package_)])
    expect(Object.fromEntries(listed)).toEqual(dependencies)
  })

  it("has the packages that those need", () => {
    expect(versionOf("@effect/platform-node-shared")).toBeDefined()
  })

  it("has nothing that only development needs", () => {
    expect(["vitest", "typescript", "oxlint"].filter((package_) => package_ in devDependencies)).toHaveLength(3)
    expect(["vitest", "typescript", "oxlint"].map(versionOf)).toEqual([undefined, undefined, undefined])
  })

  it("has a hash of every package", () => {
    expect(sbom.components.filter(({ hashes = [] }) => hashes.length === 0).map(fullName)).toEqual([])
  })
})
