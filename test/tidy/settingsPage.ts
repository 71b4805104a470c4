/**
 * The page docs/settings.md: every environment variable that the service reads, made from the table in
 * `src/runtime/settings/environment.ts`. `npm run settings` prints the page; a test holds the file to it.
 */
import {
  environment,
  shortestGuardedName,
  variableNames,
  type VariableName
} from "../../src/runtime/settings/environment.ts"
import { fileVariableOf } from "../../src/runtime/settings/secretFiles.ts"

const rowOf = (name: VariableName): string => {
  const variable = environment[name]
  const unit = "unit" in variable && variable.unit !== undefined ? ` (${variable.unit})` : ""
  const otherwise = "default" in variable ? variable.default : variable.unset
  return `| \`${name}\` | ${variable.type}${unit} | ${otherwise} | ${variable.meaning} |`
}

const fileVariables = variableNames.flatMap((name) => fileVariableOf(name) ?? [])

const unguarded = variableNames
  .filter((name) => name.length < shortestGuardedName)
  .map((name) => `\`${name}\``)
  .join(", ")

export const settingsPage = (): string =>
  [
    "# Settings",
    "",
    `Every setting is an environment variable with a default that works on one machine. A bad value, or a name that is nearly one of these, fails the start and says so; shorter names than ${shortestGuardedName} letters (${unguarded}) have neighbours that belong to other programs, so what is nearly one of them is not noticed. \`npm run settings\` prints this page from \`src/runtime/settings/environment.ts\`; a test holds the page to it. What cannot be changed by an operator is in [limits.md](limits.md).`,
    "",
    "| name | type | default | meaning |",
    "|---|---|---|---|",
    ...variableNames.map(rowOf),
    "",
    `Each secret may stand in a file instead: ${fileVariables.map((name) => `\`${name}\``).join(", ")} name the file. A line break at its end is no part of the secret. Set one of the two, never both. A file that every user of the machine can read is refused in the profile \`production\`; in \`development\` it is taken, with a warning at the start.`
  ].join("\n")

if (process.argv[1] === import.meta.filename) process.stdout.write(`${settingsPage()}\n`)
