/** Holds the README and the pages under docs to the code that they speak of. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { limitsPage } from "../tidy/limitsPage.ts"
import { environment, variableNames } from "../../src/runtime/environment.ts"

const root = resolve(import.meta.dirname, "../..")
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]
const textOf = (page: string): string => readFileSync(join(root, page), "utf8")

const rowOf = (name: (typeof variableNames)[number]): string => {
  const variable = environment[name]
  const unit = "unit" in variable && variable.unit !== undefined ? ` (${variable.unit})` : ""
  const otherwise = "default" in variable ? variable.default : variable.unset
  return `| \`${name}\` | ${variable.type}${unit} | ${otherwise} | ${variable.meaning} |`
}

it("lists every environment variable with its type, default and meaning, and no other", () => {
  const readme = textOf("README.md")
  const table = readme.slice(readme.indexOf("<!-- environment:"), readme.indexOf("<!-- /environment -->"))
  const rows = table.split("\n").filter((line) => line.startsWith("| `"))
  expect(rows).toEqual(variableNames.map(rowOf))
})

it("prints every limit on the page of limits, as npm run limits does", async () => {
  expect(textOf("docs/limits.md")).toBe(`${await limitsPage()}\n`)
})

it("keeps the README short enough to be read", () => {
  expect(textOf("README.md").split("\n").length).toBeLessThanOrEqual(180)
})

describe.each(pages)("%s", (page) => {
  const text = textOf(page)

  it("names only npm scripts that exist", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: Readonly<Record<string, string>> }
    const named = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name ?? "")
    expect(named.filter((name) => !Object.keys(scripts).includes(name))).toEqual([])
  })

  it("names only files and folders that exist", () => {
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => join(page, "..", link ?? ""))
    const paths = [...text.matchAll(/`((?:src|test|docs|deploy)\/[\w./-]+)`/g)]
      .map(([, path]) => path ?? "")
      .filter((path) => !path.startsWith("test/output"))
    expect([...links, ...paths].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
