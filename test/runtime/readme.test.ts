/** Holds the README to the code it speaks of. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { environment, variableNames } from "../../src/runtime/environment.ts"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

const rowOf = (name: (typeof variableNames)[number]): string => {
  const variable = environment[name]
  const unit = "unit" in variable && variable.unit !== undefined ? ` (${variable.unit})` : ""
  const otherwise = "default" in variable ? variable.default : variable.unset
  return `| \`${name}\` | ${variable.type}${unit} | ${otherwise} | ${variable.meaning} |`
}

it("lists every environment variable with its type, default and meaning, and no other", () => {
  const table = readme.slice(readme.indexOf("<!-- environment:"), readme.indexOf("<!-- /environment -->"))
  const rows = table.split("\n").filter((line) => line.startsWith("| `"))
  expect(rows).toEqual(variableNames.map(rowOf))
})

it("names only npm scripts that exist", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const named = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name ?? "")
  expect(named.length).toBeGreaterThan(0)
  for (const name of named) expect(Object.keys(scripts)).toContain(name)
})
