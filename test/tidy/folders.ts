/**
 * Folders: imports go one way. schema imports nothing of the project, actors import schema, http imports both, and runtime
 * may see all. Inside every folder the same holds for its rooms: two rooms never import each other both ways. A room is a
 * folder with all that lies deeper in it, and the files that stand directly in a folder are one room more.
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
  const edges = new Set(
    files.flatMap((file) => importsOf(file).map((target) => roomsBetween(file.path, target).join(" ")))
  )
  return [...edges]
    .map((edge) => edge.split(" "))
    .filter(([from = "", to = ""]) => from < to && edges.has(`${to} ${from}`))
    .map(([from = "", to = ""]) => `${from} and ${to}`)
    .toSorted()
}

/**
 * The rooms of two files in the deepest folder that holds both: `src/actors/mail` and `src/actors/journey` of a file below each,
 * `src/runtime` and `src/runtime/node` of `src/runtime/App.ts` and a file below `src/runtime/node`.
 */
const roomsBetween = (from: string, to: string): readonly [string, string] => {
  const folders = posix.dirname(from).split("/")
  const others = posix.dirname(to).split("/")
  const apart = folders.findIndex((folder, at) => folder !== others[at])
  const length = 1 + (apart === -1 ? folders.length : apart)
  return [folders.slice(0, length).join("/"), others.slice(0, length).join("/")]
}

const importsOf = (file: SourceFile): ReadonlyArray<string> =>
  [
    ...file.parsed.module.staticImports.map((line) => line.moduleRequest.value),
    ...file.parsed.module.dynamicImports.flatMap(({ moduleRequest: { end, start } }) =>
      textIn(file.text.slice(start, end))
    ),
    ...file.parsed.module.staticExports.flatMap((line) =>
      line.entries.flatMap((entry) => (entry.moduleRequest === null ? [] : [entry.moduleRequest.value]))
    )
  ]
    .filter((target) => target.startsWith("."))
    .map((target) => posix.normalize(posix.join(posix.dirname(file.path), target)))

/** `runtime` of `src/runtime/node/secrets.ts`. */
const top = (path: string): string => path.split("/")[1] ?? ""

/** What a dynamic import names, where a plain text names it. */
const textIn = (expression: string): ReadonlyArray<string> => /^["'](.*)["']$/.exec(expression)?.slice(1) ?? []
