/**
 * An empty project that has installed the packages for integrators, and the programs that its people would write: the
 * examples of a README, put together as they stand. Not a test itself.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { delimiter, dirname, join, resolve } from "node:path"
import { makeClientPackages } from "../../../src/runtime/client/packages.ts"
import { run, temporaryFolder, type Ended } from "../../support/processes.ts"

const root = resolve(import.meta.dirname, "../../..")
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc")

export const readmes = {
  ts: join(root, "src/runtime/client/README.md"),
  python: join(root, "src/runtime/client/python/README.md")
} as const

/** The blocks of a README in one language, one after the other. */
export const examplesIn = (language: keyof typeof readmes): string =>
  [...readFileSync(readmes[language], "utf8").matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))]
    .map(([, block]) => block)
    .join("\n")

const isImport = (line: string): boolean => /^import .* from "/.test(line)

/** The same program for both kinds of module: CommonJS has no `await` at its top. */
export const asProgram = (text: string): string => {
  const lines = text.split("\n")
  const body = lines.filter((line) => !isImport(line))
  return [...lines.filter(isImport), "const main = async () => {", ...body, "}", "void main()", ""].join("\n")
}

/** The nodes of this machine beside the one of this project, newest first. */
export const otherNodes: ReadonlyArray<{ readonly version: string; readonly command: string }> = [
  ...new Map(
    (process.env["PATH"] ?? "").split(delimiter).flatMap((folder) => {
      const command = join(folder, "node")
      try {
        const version = execFileSync(command, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
        return version.trim() === process.version
          ? []
          : [[version.trim(), { version: version.trim(), command }] as const]
      } catch {
        return []
      }
    })
  ).values()
]

export interface ClientGround {
  readonly folder: string
  readonly wheel: string | null
  /** Writes a file into the project. */
  readonly write: (name: string, text: string) => Promise<void>
  /** Type-checks files strictly and writes their JavaScript beside them; answers what the compiler printed. */
  readonly compile: (files: ReadonlyArray<string>, ...parameters: ReadonlyArray<string>) => Promise<string>
  readonly run: (
    command: string,
    parameters: ReadonlyArray<string>,
    environment?: Record<string, string>
  ) => Promise<Ended>
  readonly remove: () => Promise<void>
}

export const clientGround = async (): Promise<ClientGround> => {
  const { path: folder, remove } = await temporaryFolder()
  const { tarball, wheel } = await makeClientPackages(folder)
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }')
  const installed = await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: folder })
  if (installed.code !== 0) throw new Error(installed.stderr)
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--ignoreConfig"]
  return {
    folder,
    wheel,
    write: (name, text) => writeFile(join(folder, name), text),
    compile: async (files, ...parameters) => {
      const all = [compiler, ...strict, "--target", "es2022", "--module", "nodenext", ...parameters, ...files]
      return (await run(process.execPath, all, { cwd: folder })).stdout
    },
    run: (command, parameters, environment = {}) => run(command, parameters, { cwd: folder, environment }),
    remove
  }
}
