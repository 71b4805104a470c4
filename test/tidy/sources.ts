/**
 * The project's source files as the tidy checks see them: path, text, lines and syntax tree. The parser is oxc's, because
 * TypeScript 7 has no stable programming interface and oxlint's own size rules cannot tell a layer builder from another function.
 * What is tidy and what is not is decided beside this file.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync, type ParseResult } from "oxc-parser"

export interface SourceFile {
  /** From the project's root, with forward slashes: `src/runtime/App.ts`. */
  readonly path: string
  readonly text: string
  readonly parsed: ParseResult
}

const root = fileURLToPath(new URL("../../", import.meta.url))

export const sourceFile = (path: string, text: string): SourceFile => ({ path, text, parsed: parseSync(path, text) })

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted()

/** Every file of a folder that is written in TypeScript or JavaScript. */
export const sourcesUnder = (folder: string): ReadonlyArray<SourceFile> =>
  filesUnder(folder)
    .filter((path) => /\.(?:ts|js|mjs)$/.test(path))
    .map((path) => sourceFile(path, textAt(path)))

/** The text of every file of the folders and of the files that are named, but for the list of what is not tidy. */
export const textsOf = (...names: ReadonlyArray<string>): ReadonlyArray<{ path: string; text: string }> =>
  names
    .flatMap((name) => (name.includes(".") ? [name] : filesUnder(name)))
    .filter((path) => /\.(?:ts|js|mjs|md|yaml|sql)$/.test(path) && path !== "test/tidy/notYet.ts")
    .map((path) => ({ path, text: textAt(path) }))

export const textAt = (path: string): string => readFileSync(join(root, path), "utf8")

/** The number of the line, from 1, on which this offset stands. */
export const lineAt = (file: SourceFile, offset: number): number => file.text.slice(0, offset).split("\n").length
