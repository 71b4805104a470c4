/**
 * Makes the packages for integrators: the tarball `@journeys/client` for Node, as ES modules and as CommonJS with types for
 * both, and the wheel `journeys_client` for Python. What is generated from the contract exists only in them. Neither has a
 * dependency. `npm run package:client` calls it.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative, resolve } from "node:path"
import { promisify } from "node:util"
import { readApiContract, readErrorCodes, type ApiContract } from "./generate/apiContract.ts"
import { exampleLives } from "./generate/exampleLives.ts"
import { withMethods } from "./generate/methods.ts"
import { pythonClientOf, pythonErrorsOf, pythonSettingsOf, pythonTypesOf, snake } from "./generate/python.ts"
import { pythonTestkitOf, typeScriptTestkitOf } from "./generate/testkits.ts"
import {
  typeScriptClientOf,
  typeScriptErrorsOf,
  typeScriptSettingsOf,
  typeScriptTypesOf
} from "./generate/typeScript.ts"

const run = promisify(execFile)
const here = import.meta.dirname
const root = resolve(here, "../../..")

/** What the package for Node is made of. No two of the files have one name: in the package they stand beside one another. */
const modules = {
  folders: ["lib", "listen"],
  /** The service uses them, too. Each needs Node and nothing else. */
  shared: [
    "src/actors/webhook/verifier.js",
    "src/runtime/files/replaceFile.ts",
    "src/runtime/files/makeFolders.ts",
    "src/runtime/files/fileProblem.ts",
    "src/runtime/files/readIfThere.ts"
  ],
  /** JavaScript with types of its own. */
  typed: "src/actors/webhook/verifier.d.ts"
} as const

export interface ClientPackages {
  readonly tarball: string
  /** Null on a machine without Python. */
  readonly wheel: string | null
}

/** What is generated from. */
interface Contracts {
  readonly callers: ApiContract
  readonly settings: ApiContract
  readonly codes: ReturnType<typeof readErrorCodes>
}

export const makeClientPackages = async (folder: string): Promise<ClientPackages> => {
  const contracts = {
    callers: readApiContract("integrators"),
    settings: readApiContract("settings"),
    codes: readErrorCodes()
  }
  const staging = await mkdtemp(join(tmpdir(), "journeys-client-"))
  try {
    await mkdir(folder, { recursive: true })
    const tarball = await tarballIn(join(staging, "node"), contracts, folder)
    return { tarball, wheel: await wheelIn(join(staging, "python"), contracts, folder) }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

const written = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Both kinds of module from one text: imports name what the compiler will have made, and where it puts it. */
const asMade = (text: string): string => text.replaceAll(/from "\.[./\w]*\/(\w+)\.[jt]s"/g, 'from "./$1.js"')

const tarballIn = async (staging: string, contracts: Contracts, folder: string): Promise<string> => {
  const { callers, codes, settings } = contracts
  const source = join(staging, "source")
  const own = modules.folders.map(async (name) => {
    const files = await readdir(join(here, name))
    return files.map((file) => join(here, name, file))
  })
  for (const file of [...(await Promise.all(own)).flat(), ...modules.shared.map((path) => join(root, path))]) {
    await written(source, { [basename(file)]: asMade(await readFile(file, "utf8")) })
  }
  await cp(join(root, modules.typed), join(source, basename(modules.typed)))
  await written(source, {
    "problems.ts": asMade(typeScriptErrorsOf(codes)),
    "contract.ts": asMade(typeScriptTypesOf(callers)),
    "index.ts": asMade(typeScriptClientOf(callers, codes)),
    "settingsContract.ts": asMade(typeScriptTypesOf(settings)),
    "settings.ts": asMade(typeScriptSettingsOf(settings, codes)),
    "testkit.ts": asMade(typeScriptTestkitOf(codes, exampleLives())),
    "package.json": json({ type: "module" })
  })
  const made = join(staging, "package")
  await Promise.all([
    // A program is of one kind.
    compiled(source, join(made, "esm"), [...importable, "command.ts"], ["--module", "nodenext"]),
    compiled(source, join(made, "cjs"), importable, ["--module", "commonjs", "--moduleResolution", "bundler"])
  ])
  await written(made, {
    "README.md": withMethods(await readFile(join(here, "README.md"), "utf8"), contracts),
    "package.json": json(manifestOf(callers)),
    "esm/package.json": json({ type: "module" }),
    "cjs/package.json": json({ type: "commonjs" })
  })
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", resolve(folder)], {
    cwd: made
  })
  return join(resolve(folder), stdout.trim())
}

/** What programs import. */
const importable = ["index.ts", "settings.ts", "testkit.ts", "verifier.js"] as const

/** Types and scripts from the sources. The verifier is JavaScript with types of its own, which are copied beside it. */
const compiled = async (
  source: string,
  to: string,
  names: ReadonlyArray<string>,
  parameters: ReadonlyArray<string>
): Promise<void> => {
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc")
  const usual = ["--target", "es2022", "--lib", "es2023", "--strict", "--declaration", "--ignoreConfig"]
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")]
  const files = names.map((name) => join(source, name))
  await run(process.execPath, [compiler, ...usual, ...types, "--allowJs", ...parameters, "--outDir", to, ...files])
  await cp(join(root, modules.typed), join(to, basename(modules.typed)))
}

const entry = (module: string) => ({
  import: { types: `./esm/${module}.d.ts`, default: `./esm/${module}.js` },
  require: { types: `./cjs/${module}.d.ts`, default: `./cjs/${module}.js` }
})

const manifestOf = ({ version }: ApiContract) => ({
  name: "@journeys/client",
  version,
  description: "Client of the Journeys API, and verifier of its webhooks",
  license: "UNLICENSED",
  type: "module",
  sideEffects: false,
  exports: {
    ".": entry("index"),
    "./settings": entry("settings"),
    "./webhooks": entry("verifier"),
    "./testkit": entry("testkit"),
    "./package.json": "./package.json"
  },
  bin: { "journeys-client": "esm/command.js" },
  // For tools that do not read `exports`.
  main: "./cjs/index.js",
  types: "./cjs/index.d.ts",
  engines: { node: ">=20" }
})

const wheelIn = async (staging: string, contracts: Contracts, folder: string): Promise<string | null> => {
  const isThere = await run("python3", ["--version"]).then(
    () => true,
    () => false
  )
  if (!isThere) return null
  await cp(join(here, "python/journeys_client"), join(staging, "journeys_client"), {
    recursive: true,
    filter: (path) => !path.includes("__pycache__")
  })
  const readme = withMethods(await readFile(join(here, "python/README.md"), "utf8"), contracts, snake)
  const { callers, codes, settings } = contracts
  const { version } = callers
  const info = `journeys_client-${version}.dist-info`
  await written(staging, {
    "journeys_client/problems.py": pythonErrorsOf(codes),
    "journeys_client/contract.py": pythonTypesOf(callers),
    "journeys_client/client.py": pythonClientOf(callers),
    "journeys_client/settings_contract.py": pythonTypesOf(settings),
    "journeys_client/settings.py": pythonSettingsOf(settings),
    "journeys_client/testkit.py": pythonTestkitOf(codes, exampleLives()),
    [`${info}/METADATA`]: [
      "Metadata-Version: 2.1",
      "Name: journeys-client",
      `Version: ${version}`,
      "Summary: Client of the Journeys API, and verifier of its webhooks",
      "Requires-Python: >=3.9",
      "Description-Content-Type: text/markdown",
      `\n${readme}`
    ].join("\n"),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: journeys\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
  })
  await written(staging, { [`${info}/RECORD`]: await recordOf(staging, `${info}/RECORD`) })
  const wheel = join(resolve(folder), `journeys_client-${version}-py3-none-any.whl`)
  await run("python3", ["-m", "zipfile", "-c", wheel, "journeys_client", info], { cwd: staging })
  return wheel
}

/** Every file of a wheel with its digest, as installers check it. */
const recordOf = async (staging: string, own: string): Promise<string> => {
  const entries = await readdir(staging, { recursive: true, withFileTypes: true })
  const lines = await Promise.all(
    entries
      .filter((found) => found.isFile())
      .map(async (found) => {
        const path = join(found.parentPath, found.name)
        const bytes = await readFile(path)
        return `${relative(staging, path)},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length}`
      })
  )
  return [...lines.toSorted(), `${own},,`, ""].join("\n")
}
