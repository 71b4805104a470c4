/**
 * The page docs/settings.md: every environment variable that the service reads, made from the table in
 * `src/runtime/environment.ts`. `npm run settings` prints the page; a test holds the file to it.
 */
import { environment, variableNames, type VariableName } from "../../src/runtime/environment.ts"

const rowOf = (name: VariableName): string => {
  const variable = environment[name]
  const unit = "unit" in variable && variable.unit !== undefined ? ` (${variable.unit})` : ""
  const otherwise = "default" in variable ? variable.default : variable.unset
  return `| \`${name}\` | ${variable.type}${unit} | ${otherwise} | ${variable.meaning} |`
}

export const settingsPage = (): string =>
  [
    "# Settings",
    "",
    "Every setting is an environment variable with a default that works on one machine. A bad value, or a name that is nearly one of these, fails the start and says so. `npm run settings` prints this page from `src/runtime/environment.ts`; a test holds the page to it. What cannot be changed by an operator is in [limits.md](limits.md).",
    "",
    "| name | type | default | meaning |",
    "|---|---|---|---|",
    ...variableNames.map(rowOf)
  ].join("\n")

if (process.argv[1] === import.meta.filename) process.stdout.write(`${settingsPage()}\n`)
