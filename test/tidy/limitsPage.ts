/**
 * The page docs/limits.md: every table of limits with its values and reasons, made from the `limits.ts` files themselves.
 * `npm run limits` prints the page; a test holds the file to it. What a limit does is said where it is applied.
 */
import { Duration } from "effect"
import { pathToFileURL } from "node:url"
import { sourcesUnder, type SourceFile } from "./sources.ts"

interface Limit {
  readonly name: string
  readonly value: unknown
  readonly reason: string
}

/** What the comment before a member says, on one line. */
const reasonBefore = (text: string, name: string): string => {
  const [, comment = ""] =
    new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*${name}(?::|,|\\n)`).exec(text) ??
    new RegExp(`//([^\\n]*)\\n\\s*${name}(?::|,|\\n)`).exec(text) ??
    []
  return comment.replaceAll(/\s*\n\s*\*\s?/g, " ").trim()
}

const headerOf = ({ text }: SourceFile): string =>
  (/^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "").replaceAll(/\s*\n\s*\*\s?/g, " ").trim()

const printed = (value: unknown): string => {
  if (Duration.isDuration(value)) return Duration.format(value)
  if (typeof value === "number") return value.toLocaleString("en-GB")
  return Array.isArray(value) ? value.map(printed).join(", ") : String(value)
}

const isValue = (value: unknown): boolean =>
  Duration.isDuration(value) || typeof value === "number" || (Array.isArray(value) && value.every(isValue))

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !Duration.isDuration(value)

/** A limit, or those of a table within a table. A member without a comment of its own has the reason of its table. */
const limitsIn = (text: string, name: string, value: unknown, reason: string, table = ""): ReadonlyArray<Limit> => {
  const own = reasonBefore(text, name) || reason
  if (isValue(value)) return [{ name: `${table}${name}`, value, reason: own }]
  if (!isTable(value)) return []
  const after = text.slice(text.search(new RegExp(`\\b${name}: \\{`)))
  return Object.entries(value).flatMap(([member, one]) => limitsIn(after, member, one, own, `${table}${name}.`))
}

/** The limits that a module exports, single or in a table. */
const limitsOf = (text: string, exported: Readonly<Record<string, unknown>>): ReadonlyArray<Limit> =>
  Object.entries(exported)
    .toSorted(([a], [b]) => text.indexOf(a) - text.indexOf(b))
    .flatMap(([name, value]) => (isTable(value) ? Object.entries(value) : [[name, value] as const]))
    .flatMap(([name, value]) => limitsIn(text, name, value, ""))

const cell = (text: string): string => text.replaceAll("|", "\\|")

const sectionOf = async (file: SourceFile): Promise<string> => {
  const url = new URL(`../../${file.path}`, pathToFileURL(import.meta.filename))
  const limits = limitsOf(file.text, (await import(url.href)) as Readonly<Record<string, unknown>>)
  const rows = limits.map(({ name, reason, value }) => `| \`${name}\` | ${printed(value)} | ${cell(reason)} |`)
  return [`## \`${file.path}\``, "", headerOf(file), "", "| limit | value | reason |", "|---|---|---|", ...rows].join(
    "\n"
  )
}

export const limitsPage = async (): Promise<string> => {
  const tables = sourcesUnder("src").filter(({ path }) => path.endsWith("/limits.ts"))
  const sections = await Promise.all(tables.map(sectionOf))
  return [
    "# Limits",
    "Every limit of the service with its value and reason. `npm run limits` prints this page from the tables in the code; a test holds the page to them. Settings that an operator may change are in [settings.md](settings.md).",
    ...sections
  ].join("\n\n")
}

if (process.argv[1] === import.meta.filename) process.stdout.write(`${await limitsPage()}\n`)
