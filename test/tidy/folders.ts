/**
 * Folders: imports go one way. schema imports nothing of the project, actors import schema, http imports both, and runtime
 * may see all. Two folders of the second level (such as actors/mail and actors/journey) never import each other both ways.
 */
import { posix } from "node:path"
import type { SourceFile } from "./sources.ts"

const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  schema: ["schema"],
  actors: ["schema", "actors"],
  http: ["schema", "actors", "http"],
  runtime: ["schema", "actors", "http", "runtime"]
}

export const wrongDirections = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((target) => mayImport[top(file.path)]?.includes(top(target)) !== true)
      .map((target) => `${file.path} imports ${target}`)
  )

export const mutualFolders = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const edges = new Set(files.flatMap((file) => importsOf(file).map((target) => `${room(file.path)} ${room(target)}`)))
  return [...edges]
    .map((edge) => edge.split(" "))
    .filter(([from = "", to = ""]) => from < to && edges.has(`${to} ${from}`))
    .map(([from = "", to = ""]) => `${from} and ${to}`)
    .toSorted()
}

const importsOf = (file: SourceFile): ReadonlyArray<string> =>
  [
    ...file.parsed.module.staticImports.map((line) => line.moduleRequest.value),
    ...file.parsed.module.staticExports.flatMap((line) =>
      line.entries.flatMap((entry) => (entry.moduleRequest === null ? [] : [entry.moduleRequest.value]))
    )
  ]
    .filter((target) => target.startsWith("."))
    .map((target) => posix.normalize(posix.join(posix.dirname(file.path), target)))

/** `runtime` of `src/runtime/node/secrets.ts`. */
const top = (path: string): string => path.split("/")[1] ?? ""

/** `src/runtime/node` of `src/runtime/node/health/Watchdog.ts`; a file that stands directly in a top folder is its own room. */
const room = (path: string): string => path.split("/").slice(0, 3).join("/")
