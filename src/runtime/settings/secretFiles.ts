/**
 * Secrets that stand in files, as Docker, Kubernetes and systemd hand them over: `OPERATOR_TOKEN_FILE` names the file of
 * OPERATOR_TOKEN, and so on for every secret variable. What a value must look like is in `environment.ts`.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileProblem } from "../files/fileProblem.ts"
import { environment, largestSecretFileBytes, variableNames, type VariableName } from "./environment.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** The variable that names the file of a secret. */
export const fileVariableOf = (name: VariableName): string | undefined =>
  "secret" in environment[name] ? `${name}_FILE` : undefined

/** Every name that the service reads. */
export const knownNames: ReadonlyArray<string> = variableNames.flatMap((name) => [name, fileVariableOf(name) ?? name])

interface SecretsOfFiles {
  readonly values: ReadonlyMap<VariableName, string>
  /** Why the service cannot start; no line holds a secret. */
  readonly problems: ReadonlyArray<string>
  /** What the operator should know all the same. */
  readonly warnings: ReadonlyArray<string>
}

/** Any user of the machine may read the file. */
const readableByOthers = 0o004

/** The secrets that the environment names files for. An empty name counts as unset. */
export const secretsOfFiles = (record: Environment): SecretsOfFiles => {
  const values = new Map<VariableName, string>()
  const problems: Array<string> = []
  const warnings: Array<string> = []
  for (const name of variableNames) {
    const variable = fileVariableOf(name)
    const file = variable === undefined ? undefined : record[variable]
    if (variable === undefined || file === undefined || file === "") continue
    if (record[name] !== undefined && record[name] !== "") {
      problems.push(`${name} and ${variable} are both set: set one of them`)
      continue
    }
    const read = textOf(file)
    if ("problem" in read) problems.push(`${variable} must name a file that holds the secret: ${file} ${read.problem}`)
    else {
      values.set(name, read.text)
      if (read.isOpen) warnings.push(`${variable}: every user of this machine can read ${file}; give it mode 400`)
    }
  }
  return { values, problems, warnings }
}

/** Editors and `echo` end a file with a line break, which is no part of the secret. */
const textOf = (file: string): { readonly text: string; readonly isOpen: boolean } | { readonly problem: string } => {
  try {
    const { mode, size } = Fs.statSync(Path.resolve(file))
    if (size > largestSecretFileBytes) return { problem: "is too large" }
    const text = Fs.readFileSync(Path.resolve(file), "utf8").replace(/\r?\n$/, "")
    return text === "" ? { problem: "is empty" } : { text, isOpen: (mode & readableByOthers) !== 0 }
  } catch (cause) {
    return { problem: `cannot be read: ${fileProblem(cause)}` }
  }
}
